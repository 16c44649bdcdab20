#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random stencils, by the interpreter in reference/, by `lathe run` and, every tenth, by `lathe run --target c`.

    random_stencils.py path/to/lathe [--count N] [--seed S] [--jobs N] [--save FOLDER] [--c EVERY]

Stencil number n of a seed is always the same. One that fails is saved, with the seed that makes it.
Those that read what is undefined, which the reference finds out, and those that Lathe refuses because
a temporary would grow, are counted and skipped.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile
import time

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: the Python module numpy is missing (Debian: apt-get install python3-numpy)")
    sys.exit(77)

import reference
import stencil_test

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# random_stencil: set s=0.75 set n=2 set flag=%s external EXT=%d in m=int:0:2
import numpy as np
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import *


@gtscript.function
def lap(phi):
    return phi[1, 0, 0] + phi[-1, 0, 0] + phi[0, 1, 0] + phi[0, -1, 0] - 4.0 * phi


@gtscript.function
def upwind(q, c):
    flux = q[-1, 0, 0] * c
    if c < 0.0:
        flux = q * c
    return flux


@gtscript.function
def clip(x, low=-1.0):
    x = max(x, low)
    t = min(x, 1.5)
    return t + x * 0.25


@gtscript.function
def pair(x, y):
    mean = 0.5 * (x + y)
    return mean, x - y


def random_stencil(
    a: Field[float], b: Field[float], c: Field[float], f: Field[np.float32], m: Field[int],
    p: Field[IJ, float], z: Field[K, float], v: Field[(float, (2,))], s: float, n: int, flag: bool
):
    from __externals__ import EXT

'''

# m holds 0 and 1: these ask for one level before or after the domain, of an array that has it.
BEYOND = ["a.at(K=m - 1)", "a[0, 0, 1 - m]", "a[0, -1, m - 1]"]

REFUSALS = ["would grow", "written on the compute domain alone", "would be cut to an integer"]


class Maker:
    def __init__(self, dice):
        self.dice = dice
        self.lines = []
        self.indent = 1
        self.everywhere = set()   # temporaries that all levels of have a value
        self.here = set()         # those of this interval
        self.counter = 0

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def pick(self, *things):
        return self.dice.choice(things)

    def chance(self, p):
        return self.dice.random() < p

    # --- Expressions.

    def offset(self):
        if self.chance(0.55):
            return (0, 0)
        return self.pick((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (2, 0), (0, -2))

    def levels(self, name):
        """Offsets in K that may be read here."""
        lo, hi = self.room
        if name in self.written:
            return {"PARALLEL": [0], "FORWARD": [0] + ([-1] if lo >= 1 else []),
                    "BACKWARD": [0] + ([1] if hi >= 1 else [])}[self.order]
        return [0] + ([-1] if lo >= 1 else []) + ([1] if hi >= 1 else [])

    def read(self):
        api = ["a", "b", "c", "f"]
        temporaries = sorted(self.here | self.everywhere)
        if temporaries and self.chance(0.5):
            name = self.dice.choice(temporaries)
            level = 0
            if name in self.everywhere and self.chance(0.3):
                level = self.dice.choice(self.levels(name))
        elif self.chance(0.75):
            name = self.dice.choice(api)
            level = self.dice.choice(self.levels(name)) if self.chance(0.4) else 0
        else:
            return self.special()
        i, j = self.offset()
        if level and name in self.written and name not in api:
            i, j = 0, 0
        if (i, j, level) == (0, 0, 0):
            return name
        if self.chance(0.1) and j == 0:
            parts = [f"I{i:+d}"] if i else []
            parts += [f"K{level:+d}"] if level else []
            return f"{name}[{', '.join(parts)}]"
        return f"{name}[{i}, {j}, {level}]"

    def special(self):
        kinds = ["p", "p[1, 0]", "p[0, -1]", "z", "v[0, 0, 0][0]", "v[1, 0, 0][1]", "s", "n", "EXT", "m",
                 "m[-1, 0, 0]", "K"]
        if "v" not in self.written:
            kinds += ["v[0, 0, 0][m]"]
        if self.room[1] >= 1 and "a" not in self.written:
            kinds += ["a[0, 0, m]", "a[1, 0, m]", "a.at(K=m)"]
        if "a" not in self.written:
            kinds += BEYOND
        if self.room[1] >= 1 and "z" not in self.written:
            kinds += ["z[1]"]
        return self.dice.choice(kinds)

    def literal(self):
        return self.pick("0.5", "1.0", "2.0", "-0.25", "3", "1.5", "0.1")

    def expression(self, depth):
        if depth <= 0 or self.chance(0.15):
            return self.literal() if self.chance(0.2) else self.read()
        e = lambda: self.expression(depth - 1)  # noqa: E731
        kind = self.dice.randrange(13)
        if kind < 3:
            return f"({e()} + {e()})"
        if kind < 5:
            return f"({e()} - {e()})"
        if kind < 7:
            return f"{self.literal()} * {e()}"
        if kind == 7:
            return f"{self.pick('min', 'max')}({e()}, {e()})"
        if kind == 8:
            return f"({e()} if {self.condition(depth - 1)} else {e()})"
        if kind == 9:
            return f"abs({e()})"
        if kind == 10:
            return f"({e()}) / (2.0 + abs({e()}))"
        if kind == 11 and not self.in_test:
            name = self.dice.choice(["a", "b", "c"] + sorted(self.here | self.everywhere))
            return self.pick(f"lap({name})", f"clip({e()})", f"clip({name}, low=-0.5)",
                             f"upwind({name}, {e()})")
        return f"-({e()})"

    def condition(self, depth):
        outer, self.in_test = self.in_test, True
        kind = self.dice.randrange(6)
        if kind == 0 and depth > 0:
            text = f"({self.condition(depth - 1)} {self.pick('and', 'or')} {self.condition(depth - 1)})"
        elif kind == 1:
            text = f"not {self.expression(0)} > {self.literal()}"
        else:
            text = f"{self.expression(depth)} {self.pick('<', '>', '<=', '>=')} {self.expression(0)}"
        self.in_test = outer
        return text

    # --- Statements.

    def target(self):
        if self.chance(0.5):
            return self.dice.choice(sorted(self.may_write))
        if self.may_temp and self.chance(0.5):
            return self.dice.choice(sorted(self.may_temp))
        if not self.may_temp and self.chance(0.9):
            return self.dice.choice(sorted(self.may_write))
        return self.dice.choice(sorted(self.may_temp or self.may_write))

    def statements(self, count, depth):
        for _ in range(count):
            self.statement(depth)

    def block(self, count, depth):
        """What is new inside has no value after it."""
        self.indent += 1
        before = set(self.here)
        self.statements(count, depth)
        inside, self.here = self.here, before
        self.indent -= 1
        return inside

    def statement(self, depth):
        kind = self.dice.randrange(20)
        if kind < 11 or depth <= 0:
            return self.assign()
        if kind < 14:
            test = self.pick("flag", "n > 1", "K > 0") if self.chance(0.2) else self.condition(1)
            self.line(f"if {test}:")
            yes = self.block(self.pick(1, 2, 3), depth - 1)
            if self.chance(0.6):
                self.line("else:")
                no = self.block(self.pick(1, 2), depth - 1)
                self.here |= yes & no
            return None
        if kind < 16 and not self.in_region:
            r = self.pick("I[0], :", "I[-1], :", ":, J[0]", ":, J[-1]", "I[0] + 1 :, :", ": I[-1], J[0] :",
                          "I[0], J[-1]", ": I[0] + 2, :")
            more = ", region[:, J[0] : J[-1]]" if self.chance(0.2) else ""
            self.line(f"with horizontal(region[{r}]{more}):")
            self.in_region = True
            self.block(self.pick(1, 2), depth - 1)
            self.in_region = False
            return None
        if kind == 16:
            self.counter += 1
            name = f"count{self.counter}"
            self.line(f"{name} = 0")
            more = f" and {self.condition(0)}" if self.chance(0.4) else ""
            self.line(f"while {name} < {self.pick('3', '2', 'm + 1')}{more}:")
            self.block(self.pick(1, 2), depth - 2)
            self.indent += 1
            self.line(f"{name} += 1")
            self.indent -= 1
            return None
        if kind == 17:
            x, y = self.target(), self.target()
            if x == y or "v" in (x, y):
                return self.assign()
            values = self.pick(f"{self.expression(1)}, {self.expression(1)}",
                               f"pair({self.dice.choice(['a', 'b', 'c'])}, {self.expression(0)})")
            self.line(f"{x}, {y} = {values}")
            self.here |= {t for t in (x, y) if t.startswith("t")}
            return None
        if kind == 18 and "v" in self.may_write:
            self.line(f"v[0, 0, 0][{self.pick('0', '1')}] = {self.expression(1)}")
            return None
        return self.assign()

    def assign(self):
        name = self.target()
        value = self.expression(self.pick(0, 1, 2, 3))
        known = name in self.here or name in self.everywhere or not name.startswith("t")
        if known and name != "v" and self.chance(0.15):
            self.line(f"{name} {self.pick('+=', '-=')} {value}")
        elif name == "v":
            self.line(f"v[0, 0, 0][{self.pick('0', '1')}] = {value}")
        else:
            self.line(f"{name} = {value}")
            if name.startswith("t"):
                self.here.add(name)

    # --- Computations.

    def computation(self, temporaries):
        self.order = self.pick("PARALLEL", "PARALLEL", "FORWARD", "BACKWARD")
        split = self.pick(0, 0, 1, 2, 3)
        intervals = [[("...", 0, 0)],
                     [("0, 1", 0, 1), ("1, None", 1, 0)],
                     [("0, -1", 0, 1), ("-1, None", 1, 0)],
                     [("0, 1", 0, 1), ("1, -1", 1, 1), ("-1, None", 1, 0)]][split]
        if self.order == "BACKWARD":
            intervals = list(reversed(intervals))
        self.may_write = set(self.dice.sample(["a", "b", "c", "f", "v"], self.pick(1, 2, 3)))
        self.may_temp = set(self.dice.sample(temporaries, self.pick(1, 2)))
        self.written = self.may_write | self.may_temp
        nested = len(intervals) > 1
        self.line(f"with computation({self.order})" + ("" if nested else ", interval(...)") + ":")
        self.indent += 1
        common = None
        for text, lo, hi in intervals:
            self.room = (lo, hi)
            self.here, self.in_region, self.in_test = set(), False, False
            if nested:
                self.line(f"with interval({text}):")
                self.indent += 1
            self.statements(self.pick(1, 2, 3, 4), 2)
            if nested:
                self.indent -= 1
            common = set(self.here) if common is None else common & self.here
        self.indent -= 1
        self.everywhere |= common
        self.here = set()

    def program(self):
        temporaries = ["t1", "t2", "t3", "t4"]
        for _ in range(self.pick(1, 2, 2, 3)):
            self.computation(temporaries)
        # What the temporaries hold is seen.
        self.line("with computation(PARALLEL), interval(...):")
        self.indent += 1
        seen = sorted(self.everywhere)
        self.line("a = a" + "".join(f" + {t}[{self.pick('1, 0', '0, -1', '0, 0')}, 0]" for t in seen))
        return HEAD % (self.pick("True", "False"), self.pick(1, 2, 3)) + "\n".join(self.lines) + "\n"


def one(lathe, seed, number, c, folder):
    """'' when all is well, otherwise what is not; or a word in brackets."""
    text = Maker(random.Random(f"{seed}.{number}")).program()
    path = os.path.join(folder, f"random_{seed}_{number}.py")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    case = stencil_test.cases_of(path)[0]
    runner = stencil_test.Runner(lathe, case, [])
    dice = random.Random(f"{seed}:{number}")
    rng = numpy.random.default_rng(dice.randrange(1 << 30))
    domain = dice.choice([(3, 4, 4), (5, 3, 3), (2, 2, 5), (6, 5, 3), (1, 4, 3)])
    try:
        try:
            info = stencil_test.Info(lathe, case)
        except AssertionError as e:
            if any(r in str(e) for r in REFUSALS):
                return "(grows)", text
            # Refused: right, if it is undefined.
            arrays, origins = runner.arrays(domain, lambda name, axis: (9, 9), rng)
            if runner.expected(domain, arrays, origins) is None:
                return "(undefined)", text
            return str(e), text

        def halos(name, axis):
            need = info.halo.get(name, {}).get(axis, (0, 0))
            least = 4 if axis != "K" and min(domain[:2]) < 5 else 0
            if axis == "K" and name == "a" and any(b in text for b in BEYOND):
                least = 1
            return tuple(max(least, x) + dice.randrange(2) for x in need)

        arrays, origins = runner.arrays(domain, halos, rng)
        want = runner.expected(domain, arrays, origins)
        if want is None:
            # The same values with more around them: it is undefined only if that does not help.
            wide = {name: numpy.pad(x, [(9, 9)] * len(origins[name])
                                    + [(0, 0)] * (x.ndim - len(origins[name])), "wrap")
                    for name, x in arrays.items()}
            at = {name: [o + 9 for o in origin] for name, origin in origins.items()}
            if runner.expected(domain, wide, at) is None:
                return "(undefined)", text
            return f"the halos that Lathe asks for are too small: {info.halo}", text
        layout = dice.choice(["IJK", "KJI", "JKI", "KIJ"])
        for target in ["interp"] + (["c"] if c else []):
            more = dice.choice([[], ["--optimize"]]) if target == "interp" else []
            runner.compare(domain, layout, target, arrays, origins, want, info, more)
    except Exception as e:  # noqa: BLE001
        return f"{type(e).__name__}: {e}", text
    finally:
        reference.forget(path)
        os.remove(path)
    return "", text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lathe")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--c", type=int, default=10, help="every how many stencils target c")
    parser.add_argument("--save", default=".")
    args = parser.parse_args()
    begin = time.time()
    failed, skipped, ran = 0, {}, 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        numbers = range(args.first, args.first + args.count)
        jobs = [pool.submit(one, args.lathe, args.seed, n, args.c and n % args.c == 0, folder)
                for n in numbers]
        for number, job in zip(numbers, jobs):
            message, text = job.result()
            if not message:
                ran += 1
            elif message.startswith("("):
                skipped[message] = skipped.get(message, 0) + 1
            else:
                failed += 1
                path = pathlib.Path(args.save) / f"failed_{args.seed}_{number}.py"
                path.write_text(text, encoding="utf-8")
                print(f"FAILED --seed {args.seed} --first {number} --count 1: {path}\n{message}\n")
    print(f"{ran} stencils agree, {failed} fail, skipped {skipped or 'none'}, "
          f"{time.time() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
