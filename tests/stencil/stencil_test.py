#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The stencils of cases/*.py and of examples/stencil by `lathe run`, compared with the interpreter in
reference/.

    stencil_test.py path/to/lathe [--only TEXT] [--jobs N] [--targets interp,loops,c] [--all]

A line `# NAME: ...` at the top of a case says how to run its stencil NAME (examples.txt says it of the
examples):

    set a=0.5        a scalar           external N=3     an external
    dtype T=float32  of Field["T"]      in idx=int:0:4   a field's values: int:LO:HI, LO:HI, pos, unit
    size 3x4x6       sizes besides      close            4 ulp, where exp and the like are used
    near             1e-9, where rounds of a loop add up
    loops            target loops, too  layouts          JKI and KIJ, too

Fields have halos of random width, larger than needed. Exactly as large as `check --info` says they
are used once, where the reference must find that enough and one less not (`loose`: it need not).
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("skipped: the Python module numpy is missing (Debian: apt-get install python3-numpy)")
    sys.exit(77)

import reference

HERE = pathlib.Path(__file__).parent
WORDS = ["set", "external", "dtype", "in", "size"]
FLAGS = ["close", "near", "loops", "layouts", "loose"]
THOROUGH = os.environ.get("LATHE_THOROUGH") == "1"  # tests/thorough.h
SIZES = ["2x3x4", "7x5x9", "1x1x1", "5x1x3", "4x6x2"]


class Case:
    def __init__(self, path, name):
        self.path, self.name = str(path), name
        self.words = {w: {} for w in WORDS}
        self.sizes, self.flags = [], set()

    def read(self, text):
        word = ""
        for part in text.split():
            if part in FLAGS:
                self.flags.add(part)
            elif part in WORDS:
                word = part
            elif word == "size":
                self.sizes.append(part)
            else:
                key, value = part.split("=", 1)
                self.words[word][key] = value
        return self


def cases_of(path):
    found = []
    for line in open(path, encoding="utf-8"):
        match = re.match(r"# (\w+):(.*)", line)
        if match:
            found.append(Case(path, match[1]).read(match[2]))
        elif not line.startswith("#"):
            break
    return found


def cases_of_examples():
    folder = HERE.parent.parent / "examples" / "stencil"
    found = []
    for line in (HERE / "examples.txt").read_text(encoding="utf-8").splitlines():
        match = re.match(r"(\w+) (\w+):(.*)", line)
        if match:
            found.append(Case(folder / f"{match[1]}.py", match[2]).read(match[3]))
    return found


def value(text):
    if text in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[text]
    try:
        return int(text)
    except ValueError:
        return float(text)


def make_array(kind, dtype, shape, rng):
    dtype = np.dtype(dtype)
    if kind and kind.startswith("int:"):
        low, high = (int(n) for n in kind.split(":")[1:])
        return rng.integers(low, high, shape).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind == "i":
        return rng.integers(-5, 6, shape).astype(dtype)
    if kind and ":" in kind:
        low, high = (float(x) for x in kind.split(":"))
    else:
        low, high = {"pos": (0.25, 2.0), "unit": (-0.9, 0.9)}.get(kind, (-2.0, 2.0))
    return rng.uniform(low, high, shape).astype(dtype)


def fields_of(case, python, machine_dtypes):
    fields = {}
    for argument, kind in python.__annotations__.items():
        if isinstance(kind, reference.FieldType):
            d = kind.dtype
            if isinstance(d, str):
                d = machine_dtypes[d]
            d = machine_dtypes.get({int: "int", float: "float"}.get(d, ""), d)
            fields[argument] = (kind, np.dtype(d))
    return fields


def ulps(a, b):
    """Distance of floats, in units of the last place."""
    if a.dtype.kind != "f":
        return (a != b).astype(float)
    step = np.spacing(np.maximum(np.abs(a), np.abs(b)))
    with np.errstate(all="ignore"):
        d = np.abs(a.astype(np.float64) - b.astype(np.float64)) / step
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.where(same, 0, np.where(np.isfinite(d), d, np.inf))


def words_of(case, scalars=True):
    words = []
    options = [("external", "--external"), ("dtype", "--dtype")]
    for word, option in options + ([("set", "--set")] if scalars else []):
        for key, text in case.words[word].items():
            words += [option, f"{key}={text}"]
    return words


class Info:
    """What `check --info` says."""

    def __init__(self, lathe, case):
        done = subprocess.run([lathe, "check", f"{case.path}:{case.name}", "--info"]
                              + words_of(case, False), capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        self.halo, self.used, self.written = {}, set(), set()
        self.levels = int(re.search(r"levels of K: at least (\d+)", done.stdout)[1])
        for line in done.stdout.splitlines():
            match = re.match(r"  field  (\w+): \S+ over (.*), ([a-z-]+?)(, needs.*)?$", line)
            if not match:
                continue
            if match[3] != "none":
                self.used.add(match[1])
            if "write" in match[3]:
                self.written.add(match[1])
            self.halo[match[1]] = {
                a: (0 if x == "-" else int(x), 0 if y == "-" else int(y))
                for a, x, y in re.findall(r"([IJK]) (-?\d+|-)/(-?\d+|-)", match[4] or "")}


class Runner:
    def __init__(self, lathe, case, targets):
        self.lathe, self.case, self.targets = lathe, case, targets
        self.python, self.options = reference.annotations(case.path, case.name)
        dtypes = {}
        for key, t in {**self.options.get("dtypes", {}), **case.words["dtype"]}.items():
            dtypes[{float: "float", int: "int"}.get(key, key)] = np.dtype(t)
        self.fields = fields_of(case, self.python, dtypes)
        self.scalars = {k: value(v) for k, v in case.words["set"].items()}
        defaults = self.python.__kwdefaults__ or {}
        names = list(self.python.__annotations__)
        positional = self.python.__defaults__ or ()
        defaults.update(zip(self.python.__code__.co_varnames[
            self.python.__code__.co_argcount - len(positional):], positional))
        for name in names:
            if name in defaults and name not in self.scalars and name not in self.fields:
                self.scalars[name] = defaults[name]
        self.runs = 0

    def arrays(self, domain, halos, rng):
        arrays, origins = {}, {}
        sizes = dict(zip("IJK", domain))
        for name, (kind, dtype) in self.fields.items():
            shape, origin = [], []
            for axis in kind.axes:
                before, after = halos(name, axis)
                origin.append(before)
                shape.append(sizes[axis] + before + after)
            arrays[name] = make_array(self.case.words["in"].get(name), dtype,
                                      shape + list(kind.dims), rng)
            origins[name] = origin
        return arrays, origins

    def expected(self, domain, arrays, origins):
        """What the reference makes of it, or None when it reads what is not there."""
        want = {name: a.copy() for name, a in arrays.items()}
        fine = reference.run(self.case.path, self.case.name, want, self.scalars, domain, origins,
                             {k: value(v) for k, v in self.case.words["external"].items()},
                             self.case.words["dtype"])
        return want if fine else None

    def compare(self, domain, layout, target, arrays, origins, want, info, more=()):
        self.runs += 1
        with tempfile.TemporaryDirectory() as folder:
            command = [self.lathe, "run", f"{self.case.path}:{self.case.name}",
                       "--domain", "x".join(map(str, domain)), "--layout", layout,
                       "--target", target, *more, *words_of(self.case)]
            if target == "c":
                command += ["--threads", "1"]
            for name, array in arrays.items():
                np.save(f"{folder}/{name}.npy", array)
                command += ["--in", f"{name}={folder}/{name}.npy"]
                if origins[name]:
                    command += ["--origin", f"{name}=" + ",".join(map(str, origins[name]))]
            for name in sorted(info.written):
                command += ["--out", f"{name}={folder}/{name}.out.npy"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=40)
            if done.returncode != 0:
                raise AssertionError(" ".join(command) + "\n" + done.stdout + done.stderr)
            got = {name: np.load(f"{folder}/{name}.out.npy") for name in info.written}
        limit = 4 if "close" in self.case.flags else 0
        where = f"{layout} {target} {'x'.join(map(str, domain))}"
        for name, array in want.items():
            if name not in got:
                assert np.array_equal(array, arrays[name], equal_nan=array.dtype.kind == "f"), \
                    f"{where}: {name} is written by the reference only"
                continue
            assert got[name].dtype == array.dtype, f"{where}: {name} is {got[name].dtype}"
            distance = ulps(got[name], array)
            if "near" in self.case.flags:
                distance = (np.abs(got[name] - array) > 1e-9).astype(float)
            if (distance > limit).any():
                at = tuple(int(n) for n in np.argwhere(distance > limit)[0])
                point = tuple(p - o for p, o in zip(at, origins[name]))
                raise AssertionError(
                    f"{where}: {int((distance > limit).sum())} elements of {name} differ, first at "
                    f"{point}: {got[name][at]!r}, and the reference has {array[at]!r}; inputs "
                    f"{[(n, a.shape, origins[n]) for n, a in arrays.items()]}")

    def run(self):
        info = Info(self.lathe, self.case)
        dice = random.Random(self.case.name)
        rng = np.random.default_rng(dice.randrange(1 << 30))
        sizes = self.case.sizes or SIZES[:3] + [dice.choice(SIZES[3:])]
        sizes = [tuple(int(n) for n in s.split("x")) for s in sizes]
        sizes = [(i, j, max(k, info.levels)) for i, j, k in sizes]
        layouts = ["IJK", "KJI"] + (["JKI", "KIJ"] if "layouts" in self.case.flags else [])
        runs = range(len(sizes))
        if not THOROUGH and not self.case.sizes:
            runs = [(0, 3, 1, 2)[len(self.case.name) % 4]]  # both layouts, checked and optimized
        for n, domain in enumerate(sizes):
            def halos(name, axis):
                need = info.halo.get(name, {}).get(axis, (0, 0))
                # Regions at one end reach over the other end of a small domain.
                least = 3 if axis != "K" and min(domain[:2]) < 3 else 0
                return tuple(max(least, x) + dice.randrange(4) for x in need)
            arrays, origins = self.arrays(domain, halos, rng)
            if n not in runs:
                continue  # its arrays are made all the same: the others have the same numbers every time
            want = self.expected(domain, arrays, origins)
            assert want is not None, f"the reference reads what is undefined at {domain}"
            for target in self.targets:
                if target == "interp":
                    layout = layouts[n % len(layouts)]
                    checked = ["--checked"] if n % 2 == 0 else ["--optimize"]
                    self.compare(domain, layout, target, arrays, origins, want, info, checked)
                if target == "loops" and "loops" in self.case.flags and n == runs[0]:
                    self.compare(domain, "IJK", target, arrays, origins, want, info)
                if target == "c" and n < 2:
                    layout = layouts[len(self.case.name) % len(layouts)]
                    self.compare(domain, layout, target, arrays, origins, want, info)
        # As tight as can be.
        domain = (5, 4, max(6, info.levels))
        def tight(name, axis):
            return tuple(max(0, x) for x in info.halo.get(name, {}).get(axis, (0, 0)))
        arrays, origins = self.arrays(domain, tight, rng)
        want = self.expected(domain, arrays, origins)
        assert want is not None, f"the halos that Lathe asks for are too small: {info.halo}"
        if "interp" in self.targets and (THOROUGH or len(self.case.name) % 2 == 0):
            self.compare(domain, "IJK", "interp", arrays, origins, want, info)
        if "loose" in self.case.flags:
            return
        sides = [(name, axis, side) for name in self.fields
                 for axis, need in info.halo.get(name, {}).items() for side in (0, 1) if need[side] > 0]
        if not THOROUGH:
            sides = sides[len(self.case.name) % 2::2] or sides[:1]
        for name, axis, side in sides:
            def less(n, a):
                h = list(tight(n, a))
                if (n, a) == (name, axis):
                    h[side] -= 1
                return tuple(h)
            arrays, origins = self.arrays(domain, less, rng)
            assert self.expected(domain, arrays, origins) is None, \
                f"Lathe asks for more of {name} in {axis} than is needed: {info.halo[name][axis]}"


def one(lathe, case, targets):
    """The number of runs, and what is wrong."""
    try:
        runner = Runner(lathe, case, targets)
        runner.run()
        return runner.runs, ""
    except Exception as e:  # noqa: BLE001
        return 0, f"{type(e).__name__}: {e}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lathe")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--targets", default="interp,loops,c")
    parser.add_argument("--all", action="store_true", help="target c for all cases, not a share of them")
    args = parser.parse_args()
    cases = [c for path in sorted((HERE / "cases").glob("*.py")) for c in cases_of(path)]
    cases += cases_of_examples()
    cases = [c for c in cases if args.only in f"{pathlib.Path(c.path).stem}:{c.name}"]
    begin = time.time()

    failed, runs = 0, 0
    targets = args.targets.split(",")
    # To compile takes longer than all the rest: a share of the cases, but for --all.
    share = 3 if THOROUGH else 16
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        jobs = []
        for n, case in enumerate(cases):
            some = [t for t in targets if t != "c" or args.all or args.only or n % share == 0]
            jobs.append(pool.submit(one, args.lathe, case, some))
        for case, job in zip(cases, jobs):
            count, message = job.result()
            runs += count
            if message:
                failed += 1
                print(f"FAILED {case.path}:{case.name}\n{message}\n")
    print(f"{len(cases)} stencils, {runs} runs, {failed} failed, {time.time() - begin:.0f} s")
    # Every function with a computation is run.
    named = {(c.path, c.name) for c in cases}
    for path in sorted({c.path for c in cases}):
        text = pathlib.Path(path).read_text(encoding="utf-8")
        for match in re.finditer(r"^def (\w+)\([^)]*\):\n(?:    .*\n|\n)*?    with computation", text, re.M):
            if (path, match[1]) not in named and not args.only:
                print(f"{path}: {match[1]} is never run")
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
