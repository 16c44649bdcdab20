# SPDX-License-Identifier: Apache-2.0
"""Derivatives of random graphs of lazy arrays against differences.

  random_gradients.py liblathe.so [--count 30] [--seed 1] [--state FILE]

For a graph y(x), a cotangent u and a direction v: <vjp(u), v> and <u, jvp(v)> must be what
<u, (y(x + h v) - y(x - h v)) / 2h> says, up to what differences can tell. Besides the steps of random
graphs: slices of one axis that meet, and lengths that fit when one of them turns out to be 1. Points at which
a function has no derivative, as std of equal elements, are counted and left out.
"""

import ctypes as ct
import os
import random
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import functions  # noqa: E402,F401
import functions_shape  # noqa: E402,F401
import functions_standard  # noqa: E402,F401
import lazy  # noqa: E402
import numpy as np  # noqa: E402
import random_graphs  # noqa: E402
from lazy import apply  # noqa: E402
from steps import arguments, drive, pick  # noqa: E402

warnings.simplefilter("ignore")
SMOOTH = {"binary", "with_number", "transpose", "reshape", "basic_index", "set_slice", "gather",
          "mixed_gather", "scatter", "concatenate", "stack", "flip", "roll", "triangle", "diagonal",
          "pad", "matmul", "einsum", "outer", "repeat", "set_reversed", "where", "unary", "reduction", "scan",
          "linear_recurrence", "sort", "diff", "meshgrid", "broadcast_arrays", "cross", "norm", "matrix",
          "statistic"}
WELL_BEHAVED = ["sin", "cos", "tanh", "arctan", "arcsinh", "exp", "lgamma", "gamma"]


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


NEIGHBOURS = [(slice(1, None), slice(None, -1)), (slice(2, None), slice(None, -2)),
              (slice(1, -1), slice(2, None)), (slice(1, -1), slice(None, -2)),
              (slice(None, None, -1), slice(None)), (slice(-2, None, -1), slice(1, None))]


class SmoothGraph(random_graphs.Graph):
    def add_input(self):
        rng = self.rng
        name = "ABCDEF"[len(self.inputs)]
        dims = [rng.choice(self.names * 2 + [1, 3]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
        self.inputs[name] = ("float64", dims)
        array = lazy.input(name, "float64", [self.sizes.get(d, d) for d in dims])
        self.items.append(random_graphs.Item(array, lambda v, name=name: v[name], True))
        self.log.append(f"{name}: float64{dims}")

    def combine(self, a, b, text):
        name = self.rng.choice(["add", "subtract", "multiply", "minimum", "where"])
        x = [apply("greater", [a, b])] if name == "where" else []
        self.add(apply(name, [*x, a, b]), f"{name} of {text}")

    def neighbours(self):
        x = pick(self, lambda i: i.ndim > 0)
        if x is None:
            return
        axis, (one, other) = self.rng.randrange(x.ndim), self.rng.choice(NEIGHBOURS)
        before = (slice(None),) * axis
        self.combine(x.array[before + (one,)], x.array[before + (other,)],
                     f"v{self.items.index(x)}: axis {axis}, {one} and {other}")

    def spread(self):
        x, y = self.rng.choice(self.items), self.rng.choice(self.items)
        text = f"v{self.items.index(x)} and v{self.items.index(y)}"
        if self.rng.random() < 0.3 and x.ndim and y.ndim:
            x0, y0 = ("".join("abcdef"[a] for a in range(i.ndim)) for i in (x, y))
            kept = self.rng.choice(["", x0, y0])
            self.add(apply("einsum", [x.array, y.array], text=f"{x0},{y0}->{kept}"), f"einsum {x0},{y0}->{kept} of {text}")
        else:
            self.combine(x.array, y.array, text)

    def try_step(self, step):
        own = self.rng.choice([None, None, None, None, self.neighbours, self.spread])
        if own:
            try:
                own()
            except lazy.LatheError:
                pass
            return
        if step.name not in SMOOTH:
            return
        if step.name == "unary":
            name, x = self.rng.choice(WELL_BEHAVED), self.rng.choice(self.items)
            if x.dtype.kind == "f":
                array = x.array
                if name.endswith("gamma"):  # away from its poles
                    array = apply("add", [apply("absolute", [apply("tanh", [array])]), 0.5])
                self.add(apply(name, [array]), f"{name}(v{self.items.index(x)})")
            return
        made = step.make(self)
        if made is None:
            return
        args, build, _, _, text = made
        if any(word in text for word in ("count", "any(", "all(", "argsort", "pinv")):  # pinv: equal values
            return
        arrays = [a.array for a in args]
        if "divide" in text:  # by what is not near zero
            arrays = [apply("add", [apply("square", [a]), 1.0]) if a.dtype.kind == "f" else a for a in arrays]
        try:
            self.add(build(*arrays), text)
        except lazy.LatheError:
            return

    def add(self, array, text):
        self.log.append(f"v{len(self.items)} = {text}")
        self.items.append(random_graphs.Item(array, None, True))


def weights(y):
    """A cotangent of any shape, another number for each element: sin(1), sin(2) ..."""
    flat = apply("reshape", [apply("ones_like", [y])], sizes=[-1])
    number = apply("cumsum", [flat], ints=[1, 0])
    return apply("reshape", [apply("sin", [number])], sizes=[
        lazy.Size(lazy.lib.lathe_lazy_axis(y.handle, a)) for a in range(y.ndim)])


def of_equal_elements(graph):
    """Roots of sums of squares, which have a kink where they are 0: std of equal elements, a norm of zeros."""
    return [graph.items[int(number[1:])].array for number, _, text in (line.partition(" = ") for line in graph.log)
            if text.startswith(("std(", "vector_norm(", "matrix_norm("))]


def check(seed):
    rng = random.Random(seed)
    graph = SmoothGraph(rng)
    while graph.concrete:
        graph = SmoothGraph(rng)
    graph.grow(rng.randint(1, 6))
    return graph, problems_of(graph, rng)


def problems_of(graph, rng):
    y = graph.items[-1].array
    if y.dtype != np.float64:
        return []
    xs = {n: graph.items[i].array for i, n in enumerate(graph.inputs)}
    names = list(xs)
    shapes = {n: [graph.sizes.get(d, d) for d in dims] for n, (_, dims) in graph.inputs.items()}
    tangents = {n: lazy.input("t" + n, "float64", shapes[n]) for n in names}
    u = weights(y)
    dot = None
    try:
        for n, g in zip(names, vjp(y, u, [xs[n] for n in names])):
            part = apply("sum", [apply("multiply", [g, tangents[n]])], ints=[0, 0])
            dot = part if dot is None else apply("add", [dot, part])
        forward = jvp(y, [xs[n] for n in names], [tangents[n] for n in names])
    except lazy.LatheError as e:
        return [str(e)]
    other = apply("sum", [apply("multiply", [forward, u])], ints=[0, 0])
    value = apply("sum", [apply("multiply", [y, u])], ints=[0, 0])
    problems, roots = [], of_equal_elements(graph)
    for _ in range(2):
        usual = rng.choice([2, 3, 5])
        lengths = {n: rng.choice([1, usual, usual, rng.choice([2, 3, 5])]) for n in graph.names}
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
            smallest = min((np.abs(r).min() for r in run(roots, at) if r.size), default=1)
        except lazy.LatheError as e:
            if "internal" in str(e):
                problems.append(str(e))
            continue
        want = (up - down) / (2 * h)
        scale = 1 + abs(want) + abs(up)
        if not np.isfinite(want) or abs(up) > 1e6:
            continue
        if smallest < 100 * h:
            check.kinks += 1
            continue
        check.compared += 1
        for kind, got in [("vjp", reverse), ("jvp", ahead)]:
            if not abs(got - want) <= 1e-4 * scale:
                problems.append(f"{lengths}: {kind} says {got}, differences say {want}")
    return problems


check.compared = 0  # points at which derivatives were compared
check.kinks = 0  # points at which there are none


def check_kinks():
    """Of std of what is 2 everywhere the one way says 0, the other one NaN, and differences say 0."""
    graph = SmoothGraph(random.Random(1))
    x = apply("reshape", [graph.items[0].array], sizes=[-1])
    graph.add(apply("maximum", [x, 2.0]), "maximum(v0, 2.0)")
    graph.add(apply("std", [graph.items[-1].array], ints=[1, 1, 0]), "std(them, (0,), keepdims=True)")
    problems = problems_of(graph, random.Random(1))
    assert not problems and check.kinks == 2, (problems, check.kinks)
    check.kinks = 0


def main():
    args = arguments(30).parse_args()
    lazy.load(args.library)
    check_kinks()
    failed = drive(args, check)
    print(f"{args.count} graphs, {check.compared} points, {failed} with wrong derivatives; left out: {check.kinks} "
          "points at which a standard deviation or a norm is 0 and has no derivative")
    return 1 if failed or not check.compared else 0


if __name__ == "__main__":
    sys.exit(main())
