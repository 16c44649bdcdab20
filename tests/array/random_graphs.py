# SPDX-License-Identifier: Apache-2.0
"""Random graphs of lazy arrays against NumPy: results, dtypes, shapes and refusals.

  random_graphs.py liblathe.so [--count 40] [--seed 1] [--state FILE] [--only NAME]

A graph is a list of steps, each a function of the surface on earlier arrays. Sizes are symbols; each
graph is built once and evaluated for several sizes, 0 and 1 among them. What NumPy refuses for some
sizes Lathe must refuse, too. With --state, a long run can be stopped and goes on where it was. Without a
C compiler (PATH=/nonexistent) graphs run in the interpreter: 10,000 take two minutes.
"""

import os
import random
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lazy  # noqa: E402
import numpy as np  # noqa: E402
import functions  # noqa: E402,F401
import functions_shape  # noqa: E402,F401
import functions_standard  # noqa: E402,F401
from steps import STEPS, arguments, drive  # noqa: E402

np._set_promotion_state("weak") if hasattr(np, "_set_promotion_state") else None
np.seterr(all="ignore")
warnings.simplefilter("ignore")

LENGTHS = [0, 1, 1, 2, 3, 4, 5, 7, 17, 20, 33]
FLOATS = ["float64", "float64", "float32", "float16"]
INTS = ["int64", "int32", "int8", "uint8", "uint32", "int16", "uint16", "uint64"]


class Item:
    """An array of the graph: lazy, and what is known of it."""

    def __init__(self, array, recipe, exact, small=True):
        self.array = array    # Lazy
        self.recipe = recipe  # values -> NumPy array
        self.exact = exact    # every bit must agree
        self.small = small    # numbers stay far from overflow
        self.coarse = False   # something on the way was computed in float32

    ndim = property(lambda self: self.array.ndim)
    dtype = property(lambda self: self.array.dtype)
    shape = property(lambda self: self.array.shape)


def random_values(rng, dtype, shape):
    dtype = np.dtype(dtype)
    r = np.random.RandomState(rng.randrange(2**31))
    if dtype.kind == "b":
        return np.asarray(r.rand(*shape) < 0.5)
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -6
        return np.asarray(r.randint(low, 7, shape)).astype(dtype)
    a = np.round(r.standard_normal(shape) * 4) / 4 if rng.random() < 0.5 else r.standard_normal(shape)
    a = np.array(a, dtype)
    if a.size and rng.random() < 0.2:
        for special in [np.nan, np.inf, -np.inf, -0.0]:
            if rng.random() < 0.4:
                a.flat[r.randint(a.size)] = special
    return a


class Graph:
    def __init__(self, rng):
        self.rng = rng
        self.names = ["n", "m", "k"][:rng.randint(1, 3)]
        # Either symbols, or arrays that are there: then sizes are numbers.
        self.concrete = rng.random() < 0.3
        self.lengths = {name: rng.choice(LENGTHS) for name in self.names}
        self.sizes = self.lengths if self.concrete else {name: lazy.size(name) for name in self.names}
        self.inputs = {}  # name -> (dtype, dims)
        self.items = []
        self.log = []
        self.problems = []
        for _ in range(rng.randint(1, 3)):
            self.add_input()

    def add_input(self):
        rng = self.rng
        name = "ABCDEF"[len(self.inputs)]
        dims = [rng.choice(self.names + self.names + [1, 3]) for _ in range(rng.choice([0, 1, 1, 2, 2, 2, 3]))]
        dtype = rng.choice(FLOATS + FLOATS + INTS + ["bool"])
        self.inputs[name] = (dtype, dims)
        self.values = getattr(self, "values", {})
        if self.concrete:
            self.values[name] = random_values(rng, dtype, [self.lengths.get(d, d) for d in dims])
            array = lazy.data(self.values[name])
        else:
            array = lazy.input(name, dtype, [self.sizes.get(d, d) for d in dims])
        self.items.append(Item(array, lambda v, name=name: v[name], True))
        self.log.append(f"{name}: {dtype}{dims}")

    def grow(self, steps):
        for _ in range(steps * 4):
            if len(self.items) >= steps + len(self.inputs):
                return
            step = self.rng.choice(STEPS)
            self.try_step(step)

    def try_step(self, step):
        made = step.make(self)
        if made is None:
            return
        args, build, compute, exact, text = made
        self.log.append(f"v{len(self.items)} = {text}")
        recipe = memoised(lambda v: compute(*[a.recipe(v) for a in args]))
        try:
            array = build(*[a.array for a in args])
        except lazy.LatheError as e:
            self.log.pop()
            self.check_refusal(text, recipe, e)
            return
        self.items.append(Item(array, recipe, exact))
        self.items[-1].coarse = any(a.coarse for a in args) or (
            not exact and array.dtype == np.float32)

    def random_sizes(self):
        if self.concrete:
            return self.lengths, dict(self.values)
        lengths = {name: self.rng.choice(LENGTHS) for name in self.names}
        return lengths, {name: random_values(self.rng, dtype, [lengths.get(d, d) for d in dims])
                         for name, (dtype, dims) in self.inputs.items()}

    def check_refusal(self, text, recipe, error):
        """What is refused while the graph is made must be wrong for every size."""
        for _ in range(6):
            lengths, values = self.random_sizes()
            try:
                recipe(values)
            except (ValueError, IndexError, TypeError):
                continue
            self.problems.append(f"{text} is refused, but NumPy takes it for {lengths}: {error}")
            return


def memoised(f):
    kept = {}

    def call(values):
        if id(values) not in kept:
            kept.clear()
            kept[id(values)] = f(values)
        return kept[id(values)]
    return call


def compare(got, want, exact, coarse=False):
    """Nothing, or what differs."""
    want = np.asarray(want)
    if got.dtype != want.dtype:
        return f"dtype {got.dtype}, NumPy has {want.dtype}"
    if got.shape != want.shape:
        return f"shape {got.shape}, NumPy has {want.shape}"
    if got.size == 0:
        return None
    if want.dtype.kind != "f":
        same = got == want
    elif exact:
        same = (got == want) | (np.isnan(got) & np.isnan(want))
    else:
        eps = float(np.finfo(np.float32 if coarse and want.dtype == np.float64 else want.dtype).eps)
        g, w = got.astype(np.float64), want.astype(np.float64)
        scale = np.max(np.abs(w[np.isfinite(w)]), initial=1.0)
        # n * eps for sums of up to a million elements; what is coarse has fewer bits to lose.
        roundings = 1e6 if eps < 1e-10 else 3000
        same = (np.abs(g - w) <= roundings * eps * np.maximum(np.abs(w), scale)) | (g == w) | (
            np.isnan(g) & np.isnan(w))
        # Rounding decides what overflows.
        limit = float(np.finfo(want.dtype).max)
        same |= ~np.isfinite(g) & (np.abs(w) > 0.5 * limit) | ~np.isfinite(w) & (np.abs(g) > 0.5 * limit)
    if np.all(same):
        return None
    at = tuple(int(i[0]) for i in np.nonzero(~np.atleast_1d(same)))
    return f"element {at} of {got.shape} is {np.atleast_1d(got)[at]!r}, NumPy has {np.atleast_1d(want)[at]!r}"


def check_graph(seed, steps=8, evaluations=3):
    rng = random.Random(seed)
    graph = Graph(rng)
    graph.grow(rng.randint(1, steps))
    outputs = sorted({len(graph.items) - 1} | {rng.randrange(len(graph.items)) for _ in range(2)})
    problems = graph.problems
    for _ in range(1 if graph.concrete else evaluations):
        lengths, values = graph.random_sizes()
        refused = None
        wanted = []
        for o in outputs:
            try:
                wanted.append(graph.items[o].recipe(values))
            except (ValueError, IndexError) as e:
                refused = e
        arrays = {k: v for k, v in values.items() if v.ndim}
        scalars = {**lengths, **{k: v[()] for k, v in values.items() if not v.ndim}}
        # Scalars go through Python's numbers; what does not survive that is no test.
        text = f"sizes {lengths}"
        try:
            if graph.concrete:
                scalars, arrays = {}, {}
            results = lazy.evaluate([graph.items[o].array for o in outputs], scalars, arrays)
        except lazy.LatheError as e:
            if refused is None or "internal" in str(e):
                problems.append(f"{text}: refused: {e}")
            continue
        if refused is not None:
            # An index out of range that no element of the result needs is not looked at.
            if isinstance(refused, IndexError) and (
                    0 in lengths.values() or any(r.numpy().size == 0 for r in results)):
                continue
            problems.append(f"{text}: NumPy refuses: {refused}")
            continue
        for o, r, w in zip(outputs, results, wanted):
            wrong = compare(r.numpy(), w, graph.items[o].exact, graph.items[o].coarse)
            if wrong:
                problems.append(f"{text}: v{o}: {wrong}")
    return graph, problems


def main():
    parser = arguments(40)
    parser.add_argument("--steps", type=int, default=8)
    args = parser.parse_args()
    lazy.load(args.library)
    failed = drive(args, lambda seed: check_graph(seed, args.steps))
    print(f"{args.count} graphs, {failed} differ from NumPy, {lazy.lib.lathe_lazy_kernel_count()} kernels")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
