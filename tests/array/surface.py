# SPDX-License-Identifier: Apache-2.0
"""Functions of lazy arrays one by one against NumPy, on symbolic shapes: sizes 0, 1, odd, batches.

  surface.py liblathe.so [--only NAME] [--together N] [--every K]

A case is a name, inputs with symbolic shapes, what Lathe makes of them, what NumPy does. Each is built
once and evaluated for several sizes. --together evaluates N cases in one program (for compilers, which
take longer than all of them run).
"""

import argparse
import os
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lazy  # noqa: E402
import numpy as np  # noqa: E402

np._set_promotion_state("weak") if hasattr(np, "_set_promotion_state") else None
np.seterr(all="ignore")
warnings.simplefilter("ignore")

CASES = []
SIZES = [{"n": 5, "m": 3, "b": 2}, {"n": 1, "m": 1, "b": 1}, {"n": 17, "m": 4, "b": 3},
         {"n": 2, "m": 7, "b": 0}, {"n": 0, "m": 3, "b": 2}]


class Case:
    def __init__(self, name, inputs, build, want, exact, sizes, values, refuses):
        self.name, self.inputs, self.build, self.want = name, inputs, build, want
        self.exact, self.sizes, self.values, self.refuses = exact, sizes, values, refuses


def case(name, inputs, build, want, exact=True, sizes=SIZES, values=None, refuses=False):
    """inputs: {"x": ("float64", ["n", 3])}; build and want take them in that order. values: makes an
    array from a random state and a shape. refuses: NumPy's errors are errors of ours, too."""
    CASES.append(Case(name, inputs, build, want, exact, sizes, values, refuses))


def random_values(rng, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.asarray(rng.rand(*shape) < 0.5)
    if dtype.kind in "iu":
        return np.asarray(rng.randint(0 if dtype.kind == "u" else -6, 7, shape)).astype(dtype)
    return np.asarray(rng.standard_normal(shape)).astype(dtype)


def differs(got, want, exact):
    want = np.asarray(want)
    if got.dtype != want.dtype:
        return f"dtype {got.dtype}, NumPy has {want.dtype}"
    if got.shape != want.shape:
        return f"shape {got.shape}, NumPy has {want.shape}"
    if got.size == 0:
        return None
    if exact is True or want.dtype.kind != "f":
        same = (got == want) | (got != got) & (want != want)
    else:
        eps = float(np.finfo(want.dtype).eps) * (100 if exact is False else exact)
        g, w = got.astype(np.float64), want.astype(np.float64)
        scale = np.max(np.abs(w[np.isfinite(w)]), initial=0.0)
        same = (np.abs(g - w) <= eps * np.maximum(scale, 1e-30)) | (g == w) | np.isnan(g) & np.isnan(w)
    if np.all(same):
        return None
    at = tuple(int(i[0]) for i in np.nonzero(~np.atleast_1d(same)))
    return f"element {at} is {np.atleast_1d(got)[at]!r}, NumPy has {np.atleast_1d(want)[at]!r}"


def prepared(c, lengths, seed, prefix=""):
    rng = np.random.RandomState(seed)
    values = {}
    for name, (dtype, dims) in c.inputs.items():
        shape = [lengths.get(d, d) for d in dims]
        values[prefix + name] = np.ascontiguousarray(
            c.values(rng, shape).astype(dtype) if c.values else random_values(rng, dtype, shape)
        ).reshape(shape)
    return values


def built(c, prefix=""):
    arrays = [lazy.input(prefix + name, dtype, [lazy.size(d) if isinstance(d, str) else d for d in dims])
              for name, (dtype, dims) in c.inputs.items()]
    out = c.build(*arrays)
    return list(out) if isinstance(out, (tuple, list)) else [out]


def wanted(c, values):
    out = c.want(*[v.copy() for v in values.values()])
    return [np.asarray(w) for w in (out if isinstance(out, (tuple, list)) else [out])]


def run(arrays, lengths, values):
    views = {k: v for k, v in values.items() if v.ndim}
    scalars = {**lengths, **{k: v[()] for k, v in values.items() if not v.ndim}}
    return [r.numpy() for r in lazy.evaluate(arrays, scalars, views)]


def check_alone(c):
    problems = []
    arrays = built(c)
    for seed, lengths in enumerate(c.sizes):
        values = prepared(c, lengths, seed)
        try:
            want = wanted(c, values)
        except (ValueError, IndexError, np.linalg.LinAlgError) as e:
            if not c.refuses:
                raise
            try:
                run(arrays, lengths, values)
                problems.append(f"{c.name} {lengths}: NumPy refuses: {e}")
            except lazy.LatheError:
                pass
            continue
        try:
            got = run(arrays, lengths, values)
        except lazy.LatheError as e:
            problems.append(f"{c.name} {lengths}: refused: {e}")
            continue
        for i, (g, w) in enumerate(zip(got, want)):
            wrong = differs(g, w, c.exact)
            if wrong:
                problems.append(f"{c.name} {lengths}: result {i}: {wrong}")
    return problems


def check_together(cases, lengths):
    arrays, values, want = [], {}, []
    for number, c in enumerate(cases):
        prefix = f"c{number}_"
        mine = prepared(c, lengths, number, prefix)
        results = wanted(c, mine)
        values.update(mine)
        for i, (a, w) in enumerate(zip(built(c, prefix), results)):
            arrays.append(a)
            want.append((f"{c.name}: result {i}", w, c.exact))
    problems = []
    for g, (name, w, exact) in zip(run(arrays, lengths, values), want):
        wrong = differs(g, w, exact)
        if wrong:
            problems.append(f"{name} {lengths}, with others: {wrong}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--only")
    parser.add_argument("--together", type=int)
    parser.add_argument("--every", type=int, help="only each so many-th case; all, or every second in quick runs")
    args = parser.parse_args()
    lazy.load(args.library)
    import surface_linear  # noqa: F401
    import surface_standard  # noqa: F401
    from surface import CASES  # of the module that the tables know
    cases = [c for c in CASES if not args.only or args.only in c.name]
    thorough = args.only or os.environ.get("LATHE_THOROUGH") == "1"  # tests/thorough.h
    cases = cases[::args.every or (1 if thorough else 2)]
    problems = []
    if args.together:
        usual = [c for c in cases if not c.refuses and c.sizes[0] == SIZES[0]]
        for i in range(0, len(usual), args.together):
            problems += check_together(usual[i:i + args.together], SIZES[0])
    else:
        import surface_gradients
        for c in cases:
            problems += check_alone(c)
        for g in surface_gradients.CASES + surface_gradients.cases_of_names():
            if not args.only or args.only in g[0]:
                problems += surface_gradients.check(*g)
    for p in problems:
        print(p)
    print(f"{len(cases)} cases, {len(problems)} problems")
    return 1 if problems or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
