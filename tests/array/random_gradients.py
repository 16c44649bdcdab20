# SPDX-License-Identifier: Apache-2.0
"""Derivatives of random graphs of lazy arrays against differences.

  random_gradients.py liblathe.so [--count 30] [--seed 1] [--state FILE]

For a graph y(x), a cotangent u and a direction v: <vjp(u), v> and <u, jvp(v)> must be what
<u, (y(x + h v) - y(x - h v)) / 2h> says, up to what differences can tell.
"""

import argparse
import ctypes as ct
import os
import random
import sys
import traceback
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import functions  # noqa: E402,F401
import functions_shape  # noqa: E402,F401
import lazy  # noqa: E402
import numpy as np  # noqa: E402
import random_graphs  # noqa: E402
from lazy import apply  # noqa: E402
from steps import STEPS  # noqa: E402

warnings.simplefilter("ignore")
SMOOTH = {"binary", "with_number", "transpose", "reshape", "basic_index", "set_slice", "gather",
          "mixed_gather", "scatter", "concatenate", "stack", "flip", "roll", "triangle", "diagonal",
          "pad", "matmul", "einsum", "outer", "repeat", "set_reversed", "where", "unary"}
WELL_BEHAVED = ["sin", "cos", "tanh", "arctan", "arcsinh", "exp"]


def pointers(arrays):
    return lazy.pointers(arrays)


def vjp(y, u, xs):
    out, e = (ct.c_void_p * len(xs))(), ct.c_void_p()
    lazy.check(lazy.lib.lathe_lazy_vjp(pointers([y]), pointers([u]), 1, pointers(xs), len(xs),
                                       lazy.place(), out, ct.byref(e)), e)
    return [lazy.Lazy(h) for h in out]


def jvp(y, xs, vs):
    out, e = (ct.c_void_p * 1)(), ct.c_void_p()
    lazy.check(lazy.lib.lathe_lazy_jvp(pointers([y]), 1, pointers(xs), pointers(vs), len(xs),
                                       lazy.place(), out, ct.byref(e)), e)
    return lazy.Lazy(out[0])


class SmoothGraph(random_graphs.Graph):
    def add_input(self):
        rng = self.rng
        name = "ABCDEF"[len(self.inputs)]
        dims = [rng.choice(self.names * 2 + [1, 3]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
        self.inputs[name] = ("float64", dims)
        array = lazy.input(name, "float64", [self.sizes.get(d, d) for d in dims])
        self.items.append(random_graphs.Item(array, lambda v, name=name: v[name], True))
        self.log.append(f"{name}: float64{dims}")

    def try_step(self, step):
        if step.name not in SMOOTH and step.name not in ("reduction", "scan"):
            return
        if step.name == "unary":
            name, x = self.rng.choice(WELL_BEHAVED), self.rng.choice(self.items)
            if x.dtype.kind == "f":
                self.log.append(f"v{len(self.items)} = {name}(v{self.items.index(x)})")
                self.items.append(random_graphs.Item(apply(name, [x.array]), None, True))
            return
        made = step.make(self)
        if made is None:
            return
        args, build, _, _, text = made
        hard = ("minimum", "maximum", "divide", "cumprod", "count", "any", "all", "std", "min(", "max(")
        if any(word in text for word in hard):
            return
        try:
            array = build(*[a.array for a in args])
        except lazy.LatheError:
            return
        self.log.append(f"v{len(self.items)} = {text}")
        self.items.append(random_graphs.Item(array, None, True))


def check(seed):
    rng = random.Random(seed)
    graph = SmoothGraph(rng)
    while graph.concrete:
        graph = SmoothGraph(rng)
    graph.grow(rng.randint(1, 6))
    y = graph.items[-1].array
    if y.dtype != np.float64:
        return graph, []
    xs = {n: graph.items[i].array for i, n in enumerate(graph.inputs)}
    names = list(xs)
    shapes = {n: [graph.sizes.get(d, d) for d in dims] for n, (_, dims) in graph.inputs.items()}
    tangents = {n: lazy.input("t" + n, "float64", shapes[n]) for n in names}
    u_seed = 0.37

    def weights(array):
        # A cotangent of any shape: sines of the values' own sums would do; ones times a number.
        return apply("multiply", [apply("cos", [apply("multiply", [array, 0.0])]), u_seed])
    u = weights(y)
    dot = None
    try:
        for n, g in zip(names, vjp(y, u, [xs[n] for n in names])):
            part = apply("sum", [apply("multiply", [g, tangents[n]])], ints=[0, 0])
            dot = part if dot is None else apply("add", [dot, part])
        forward = jvp(y, [xs[n] for n in names], [tangents[n] for n in names])
    except lazy.LatheError as e:
        return graph, [] if "spread when" in str(e) else [str(e)]
    other = apply("sum", [apply("multiply", [forward, u])], ints=[0, 0])
    value = apply("sum", [apply("multiply", [y, u_seed])], ints=[0, 0])
    problems = []
    for _ in range(2):
        lengths = {n: rng.choice([1, 2, 3, 5]) for n in graph.names}
        r = np.random.RandomState(rng.randrange(2**31))
        at = {n: r.uniform(0.3, 1.2, [lengths.get(d, d) for d in graph.inputs[n][1]]) for n in names}
        t = {n: r.standard_normal(at[n].shape) for n in names}

        def run(arrays, point):
            everything = {**point, **{"t" + n: t[n] for n in names}}
            views = {k: np.asarray(v) for k, v in everything.items() if np.ndim(v)}
            scalars = {**lengths, **{k: float(v) for k, v in everything.items() if not np.ndim(v)}}
            return [a.numpy() for a in lazy.evaluate(arrays, scalars, views)]
        try:
            reverse, ahead = run([dot, other], at)
            h = 1e-5
            up = run([value], {n: at[n] + h * t[n] for n in names})[0]
            down = run([value], {n: at[n] - h * t[n] for n in names})[0]
        except lazy.LatheError as e:
            if "internal" in str(e):
                problems.append(str(e))
            continue
        want = (up - down) / (2 * h)
        scale = 1 + abs(want) + abs(up)
        if not np.isfinite(want) or abs(up) > 1e6:
            continue
        check.compared += 1
        for kind, got in [("vjp", reverse), ("jvp", ahead)]:
            if not abs(got - want) <= 1e-4 * scale:
                problems.append(f"{lengths}: {kind} says {got}, differences say {want}")
    return graph, problems


check.compared = 0  # points at which derivatives were compared


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state")
    args = parser.parse_args()
    lazy.load(args.library)
    first = args.seed
    if args.state and os.path.exists(args.state):
        first = int(open(args.state).read())
    failed = 0
    for seed in range(first, args.seed + args.count):
        graph = None
        try:
            graph, problems = check(seed)
        except Exception:
            problems = [traceback.format_exc(limit=4)]
        if problems:
            failed += 1
            print(f"graph {seed}:")
            for line in (graph.log if graph else []) + problems[:2]:
                print("   ", line)
            sys.stdout.flush()
        if args.state:
            open(args.state, "w").write(str(seed + 1))
        if failed > 10:
            break
    print(f"{args.count} graphs, {check.compared} points, {failed} with wrong derivatives")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
