# SPDX-License-Identifier: Apache-2.0
"""Functions of the array API standard and some of NumPy's, one by one."""

import numpy as np
from lazy import apply, to_size, size
from surface import case

F, G, I, U, B = "float64", "float32", "int64", "uint64", "bool"
NONEMPTY = [{"n": 5, "m": 3, "b": 2}, {"n": 1, "m": 1, "b": 1}, {"n": 17, "m": 4, "b": 3},
            {"n": 2, "m": 7, "b": 0}]


def specials(rng, shape):
    a = np.asarray(rng.standard_normal(shape))
    for special in [np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.3e-308, 1.8e308]:
        if a.size:
            a.flat[rng.randint(a.size)] = special
    return a


def repeated(rng, shape):
    a = np.asarray(rng.randint(-2, 3, shape)).astype(float)
    if a.size > 4:
        a.flat[[0, 3]] = np.nan
    return a


# ---- Elementwise.

for t in (F, G, "float16"):
    case("nextafter", {"x": (t, ["n", "m"]), "y": (t, ["m"])}, lambda x, y: apply("nextafter", [x, y]),
         np.nextafter, values=specials)
    case("nextafter up", {"x": (t, ["n"])}, lambda x: apply("nextafter", [x, float("inf")]),
         lambda x: np.nextafter(x, np.array(np.inf, x.dtype)), values=specials)
    case("nextafter down", {"x": (t, ["n"])}, lambda x: apply("nextafter", [x, float("-inf")]),
         lambda x: np.nextafter(x, np.array(-np.inf, x.dtype)), values=specials)
    case("signbit", {"x": (t, ["n", "m"])}, lambda x: apply("signbit", [x]), np.signbit, values=specials)
case("signbit", {"x": ("int8", ["n"])}, lambda x: apply("signbit", [x]), lambda x: x < 0)
case("signbit", {"x": ("uint8", ["n"])}, lambda x: apply("signbit", [x]), lambda x: x < 0)
every_half = np.arange(65536, dtype=np.uint16).view(np.float16)
case("nextafter of every f16", {"x": ("float16", [65536])},
     lambda x: (apply("nextafter", [x, float("inf")]), apply("nextafter", [x, float("-inf")])),
     lambda x: (np.nextafter(x, np.float16(np.inf)), np.nextafter(x, np.float16(-np.inf))),
     values=lambda rng, shape: every_half.copy(), sizes=[{}])

# The smallest float that holds both.
PAIRS = [("uint8", "int8"), ("uint16", "int16"), ("uint16", "int8"), ("float16", "uint8"), ("float16", "int16"),
         (B, "int8"), ("int8", I), (B, B), ("uint32", "int8"), (G, "int16")]
for name in ("arctan2", "hypot", "copysign", "logaddexp", "nextafter"):
    for one, other in PAIRS:
        case(f"{name} of {one} and {other}", {"x": (one, ["n"]), "y": (other, ["n"])},
             lambda x, y, name=name: apply(name, [x, y]), getattr(np, name), exact=False)
for t in ("int8", "int16", "int32", I, "uint8", "uint32", U, B):
    case("reciprocal of integers", {"x": (t, ["n"])}, lambda x: apply("reciprocal", [x]), np.reciprocal)
case("round of bools", {"x": (B, ["n"])}, lambda x: apply("round", [x], ints=[0]), np.round)

huge = np.array([0, 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1], np.uint64)
signed = np.array([0, -1, 1, 2**53, 2**53 + 1, 2**63 - 1, -2**63, -2**53 - 1])


def as_python(op, a, b):
    return np.array([[getattr(int(x), op)(int(y)) for y in b.ravel()] for x in a.ravel()])


OPERATORS = {"less": "__lt__", "less_equal": "__le__", "greater": "__gt__", "greater_equal": "__ge__",
             "equal": "__eq__", "not_equal": "__ne__"}
for name, op in OPERATORS.items():
    case(name + " of u64 and i64", {"u": (U, [8, 1]), "s": (I, [8])},
         lambda u, s, name=name: (apply(name, [apply("add", [u, huge.reshape(8, 1)]),
                                               apply("add", [s, signed])]),
                                  apply(name, [apply("add", [s[:, None], signed.reshape(8, 1)]),
                                               apply("add", [u[:, 0], huge])]),
                                  apply(name, [apply("add", [u, huge.reshape(8, 1)]),
                                               apply("astype", [s], dtype="int8")])),
         lambda u, s, op=op: (as_python(op, huge, signed), as_python(op, signed, huge),
                              as_python(op, huge, s.astype("int8"))),
         sizes=[{}], values=lambda rng, shape: np.zeros(shape))
    case(name + " of numbers that do not fit", {"x": ("uint8", ["n"]), "y": (I, ["n"])},
         lambda x, y, name=name: [apply(name, [a, v]) for a in (x, y) for v in (-1, 300, 2**63, 7)] +
         [apply(name, [300, x]), apply(name, [-1, x])],
         lambda x, y, op=op: [as_python(op, a, np.array([v], object))[:, 0] if a.size else np.zeros(0, bool)
                              for a in (x, y) for v in (-1, 300, 2**63, 7)] +
         [np.array([getattr(v, op)(int(e)) for e in x], bool) for v in (300, -1)])

# ---- Names of the standard.

for name, f in {"abs": np.abs, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
                "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh}.items():
    case(name, {"x": (F, ["n"])}, lambda x, name=name: apply(name, [x]), f, exact=4)
case("atan2", {"x": (F, ["n"]), "y": (F, ["n"])}, lambda x, y: apply("atan2", [x, y]), np.arctan2, exact=4)
case("pow", {"x": (I, ["n"])}, lambda x: apply("pow", [x, 3]), lambda x: x ** 3)
case("bitwise_invert", {"x": (I, ["n"])}, lambda x: apply("bitwise_invert", [x]), np.invert)
case("bitwise shifts", {"x": (I, ["n"])}, lambda x: (apply("bitwise_left_shift", [x, 2]),
                                                     apply("bitwise_right_shift", [x, 1])),
     lambda x: (x << 2, x >> 1))
case("concat", {"x": (F, ["n", "m"]), "y": (G, ["n", "m"])}, lambda x, y: apply("concat", [x, y], ints=[1]),
     lambda x, y: np.concatenate([x, y], 1))
case("permute_dims", {"x": (F, ["n", "m", "b"])}, lambda x: apply("permute_dims", [x], ints=[2, 0, 1]),
     lambda x: np.transpose(x, (2, 0, 1)))

# ---- Creation, joining.

for name, f in {"zeros_like": np.zeros_like, "ones_like": np.ones_like}.items():
    case(name, {"x": (F, ["n", "m"])}, lambda x, name=name: (apply(name, [x]), apply(name, [x], dtype="int32")),
         lambda x, f=f: (f(x), f(x, dtype="int32")))
case("full_like", {"x": (I, ["n", "m"])}, lambda x: (apply("full_like", [x, 3]),
                                                     apply("full_like", [x, 2.5], dtype=G)),
     lambda x: (np.full_like(x, 3), np.full_like(x, 2.5, dtype=np.float32)))
case("meshgrid", {"x": (F, ["n"]), "y": (I, ["m"]), "z": (G, ["b"])},
     lambda *a: [apply("meshgrid", a, ints=[i, ij]) for ij in (0, 1) for i in range(3)],
     lambda *a: np.meshgrid(*a, indexing="xy") + np.meshgrid(*a, indexing="ij"))
case("meshgrid of one", {"x": (F, ["n"])}, lambda x: apply("meshgrid", [x], ints=[0, 0]),
     lambda x: np.meshgrid(x)[0])
case("broadcast_arrays", {"x": (F, ["n", 1]), "y": (I, ["m"])},
     lambda *a: [apply("broadcast_arrays", a, ints=[i]) for i in range(2)],
     lambda *a: [np.array(b) for b in np.broadcast_arrays(*a)])
case("broadcast_arrays of unknown lengths", {"x": (F, ["n"]), "y": (I, ["m"])},
     lambda *a: [apply("broadcast_arrays", a, ints=[i]) for i in range(2)],
     lambda *a: [np.array(b) for b in np.broadcast_arrays(*a)], refuses=True,
     sizes=[{"n": 1, "m": 4}, {"n": 4, "m": 1}, {"n": 3, "m": 3}, {"n": 2, "m": 3}, {"n": 0, "m": 1}])
for axis in (0, 1, -1):
    case("cross", {"x": (F, [3, 3]), "y": (F, [3, 3])}, lambda x, y, axis=axis: apply("cross", [x, y], ints=[axis]),
         lambda x, y, axis=axis: np.cross(x, y, axis=axis))
case("cross", {"x": (I, ["n", "m", 3]), "y": (I, ["m", 3])}, lambda x, y: apply("cross", [x, y]), np.cross)
case("repeat of each", {"x": (F, ["n", 4])},
     lambda x: apply("repeat", [x, np.array([2, 0, 1, 3])], ints=[0, 1, 1], sizes=[6]),
     lambda x: np.repeat(x, [2, 0, 1, 3], 1))

# ---- Sums and scans.

for name, f in (("cummax", np.maximum.accumulate), ("cummin", np.minimum.accumulate)):
    case(name, {"x": (F, ["n", "m"]), "y": ("int8", ["n", "m"])},
         lambda x, y, name=name: (apply(name, [x], ints=[0]), apply(name, [x], ints=[1]), apply(name, [y], ints=[-1])),
         lambda x, y, f=f: (f(x, 0), f(x, 1), f(y, 1)))

for name in ("sum", "prod"):
    case(name + " with a dtype", {"x": ("int8", ["n", "m"])},
         lambda x, name=name: (apply(name, [x], ints=[0, 0], dtype="int8"),
                               apply(name, [x], ints=[0, 1, 1], dtype=F),
                               apply(name, [x], ints=[1, 1, 0], dtype="int32")),
         lambda x, name=name: (getattr(np, name)(x, dtype="int8"), getattr(np, name)(x, 1, dtype=F),
                               getattr(np, name)(x, 0, dtype="int32", keepdims=True)))
for name in ("cumsum", "cumprod"):
    f = getattr(np, name)
    case(name + " with a dtype", {"x": ("int8", ["n", "m"])},
         lambda x, name=name: (apply(name, [x], ints=[1, 0], dtype="int16"), apply(name, [x], ints=[0], dtype=F)),
         lambda x, f=f: (f(x, 0, dtype="int16"), f(x, dtype=F)))
    longer = "cumulative_" + name[3:]
    begin = 0 if name == "cumsum" else 1
    case(longer, {"x": (I, ["n", "m"]), "y": ("int8", ["n"])},
         lambda x, y, longer=longer: (apply(longer, [x], ints=[1, 0, 1]), apply(longer, [x], ints=[1, -1, 0]),
                                      apply(longer, [y], ints=[0, 0, 1]),
                                      apply(longer, [y], ints=[0, 0, 1], dtype="int32")),
         lambda x, y, f=f, begin=begin: (
             np.concatenate([np.full((1, x.shape[1]), begin), f(x, 0)]), f(x, 1),
             np.concatenate([[begin], f(y)]), np.concatenate([[begin], f(y)]).astype("int32")))
case("diff", {"x": (I, ["n", "m"])}, lambda x: [apply("diff", [x], ints=[a, k]) for a in (0, -1) for k in (0, 1, 2)],
     lambda x: [np.diff(x, k, a) for a in (0, -1) for k in (0, 1, 2)])
case("vecdot", {"x": (I, ["n", "m"]), "y": (I, ["n", "m"])},
     lambda x, y: (apply("vecdot", [x, y]), apply("vecdot", [x, y], ints=[0])),
     lambda x, y: ((x * y).sum(-1), (x * y).sum(0)))

# ---- Order.

for t, values in ((F, repeated), (I, None), ("uint8", None), (B, None)):
    def descending(x):
        keys = -x if x.dtype.kind in "fi" else x.max(initial=0) - x if x.dtype.kind == "u" else ~x
        return np.argsort(keys, -1, kind="stable")
    case("sort and argsort, the largest first", {"x": (t, ["n", "m"])},
         lambda x: (apply("sort", [x], ints=[1, -1, 1]), apply("argsort", [x], ints=[1, -1, 1])),
         lambda x: (np.flip(np.sort(x, -1), -1), descending(x)),
         values=None if t == F else values)
    for side in (0, 1):
        case("searchsorted", {"a": (t, ["n"]), "v": (t, ["m", "b"])},
             lambda a, v, side=side: (apply("searchsorted", [apply("sort", [a]), v], ints=[side]),
                                      apply("searchsorted", [apply("sort", [a]), 1], ints=[side])),
             lambda a, v, side=side: (np.searchsorted(np.sort(a), v, ["left", "right"][side]),
                                      np.searchsorted(np.sort(a), 1, ["left", "right"][side])),
             values=values)
    case("isin", {"x": (t, ["n", "m"]), "a": (t, ["b", "m"])},
         lambda x, a: (apply("isin", [x, a]), apply("isin", [x, 1])), lambda x, a: (np.isin(x, a), np.isin(x, 1)),
         values=values)
    case("unique", {"x": (t, ["n", "m"])},
         lambda x: [apply(f, [x]) for f in ("unique", "unique_indices", "unique_inverse", "unique_counts")],
         lambda x: [r.reshape(x.shape) if i == 2 else r for i, r in enumerate(
             np.unique(x, return_index=True, return_inverse=True, return_counts=True))], values=values)
    case("unique, each NaN by itself", {"x": (t, ["n", "m"])},
         lambda x: [apply(f, [x], ints=[0]) for f in ("unique", "unique_indices", "unique_inverse", "unique_counts")] +
         [apply("unique_values", [x])],
         lambda x: [r.reshape(x.shape) if i == 2 else r for i, r in enumerate(np.unique(
             x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False))] +
         [np.unique(x, equal_nan=False)], values=values)
case("searchsorted at the ends of integers", {"a": ("int8", [3]), "v": ("int8", [4])},
     lambda a, v: apply("searchsorted", [a, v], ints=[1]), lambda a, v: np.searchsorted(a, v, "right"),
     values=lambda rng, shape: np.array([-128, 0, 127]) if shape == [3] else np.array([127, -128, 0, 1]), sizes=[{}])
case("searchsorted at the ends of floats", {"a": (F, [6]), "v": (F, [7])},
     lambda a, v: apply("searchsorted", [a, v], ints=[1]), lambda a, v: np.searchsorted(a, v, "right"),
     values=lambda rng, shape: np.array([-np.inf, -0.0, 0.0, np.inf, np.nan, np.nan]) if shape == [6] else
     np.array([-np.inf, np.inf, np.nan, 0.0, -0.0, 5e-324, -1]), sizes=[{}])

for t in (F, G, I):
    for right in (0, 1):
        case("digitize", {"x": (t, ["n", "m"]), "a": (t, ["n"])},
             lambda x, a, right=right: [apply("digitize", [x, b], ints=[right])
                                        for b in (apply("sort", [a]), apply("sort", [a], ints=[1, -1, 1]))],
             lambda x, a, right=right: [np.digitize(x, b, bool(right)) for b in (np.sort(a), np.sort(a)[::-1])],
             sizes=NONEMPTY)
at_points = np.array([-2.0, -1.0, 0.5, 0.5, 3.0])
case("interp", {"x": (F, ["n", "m"]), "xp": (F, ["b"]), "fp": (F, ["b"])},
     lambda x, xp, fp: apply("interp", [x, apply("sort", [xp]), fp]),
     lambda x, xp, fp: np.interp(x, np.sort(xp), fp), sizes=[s for s in NONEMPTY if s["b"] > 0])
case("interp at points", {"x": (F, [7]), "fp": (F, [5])},
     lambda x, fp: apply("interp", [x, at_points, fp]), lambda x, fp: np.interp(x, at_points, fp),
     values=lambda rng, shape: np.array([1.0, 2.0, 7.0, -4.0, 8.0]) if shape == [5] else
     np.array([-np.inf, -2.0, -1.0, 0.5, 3.0, np.inf, np.nan]), sizes=[{}])

# ---- Statistics.

for t in (F, G, I):
    case("median", {"x": (t, ["n", "m"])},
         lambda x: (apply("median", [x]), apply("median", [x], ints=[0, 1, 0]), apply("median", [x], ints=[1, 1, -1]),
                    apply("median", [x], ints=[1, 1, 0, 1])),
         lambda x: (np.median(x), np.median(x, 0), np.median(x, 1, keepdims=True),
                    np.median(x, (0, 1), keepdims=True)), sizes=NONEMPTY + [{"n": 0, "m": 3}, {"n": 2, "m": 0}])
    case("quantile", {"x": (t, ["n", "m"]), "q": (F, [2, 2])},
         lambda x, q: (apply("quantile", [x, 0.3]), apply("quantile", [x, q], ints=[0, 1, 0]),
                       apply("quantile", [x, q], ints=[1, 1, 1]), apply("percentile", [x, 75], ints=[0, 1, 0])),
         lambda x, q: [np.asarray(r, np.result_type(x.dtype, np.float32)) for r in (
             np.quantile(x, 0.3), np.quantile(x, q, 0), np.quantile(x, q, 1, keepdims=True),
             np.percentile(x, 75, 0))], exact=4, sizes=NONEMPTY, values=lambda rng, shape: rng.rand(*shape))
case("quantile with a NaN", {"x": (F, ["n", "m"])}, lambda x: apply("quantile", [x, 0.5], ints=[0, 1, 0]),
     lambda x: np.quantile(x, 0.5, 0), sizes=NONEMPTY, values=repeated)
case("bincount", {"x": ("int32", ["n"]), "w": (F, ["n"])},
     lambda x, w: (apply("bincount", [x], sizes=[9]), apply("bincount", [x, w], sizes=[size("n") + 9])),
     lambda x, w: (np.bincount(x, minlength=9), np.bincount(x, w, minlength=len(x) + 9).astype(float)),
     values=lambda rng, shape: rng.randint(0, 9, shape))
case("histogram", {"x": (F, ["n", "m"]), "w": (F, ["n", "m"])},
     lambda x, w: (apply("histogram", [x], sizes=[7], reals=[-1.0, 2.0]),
                   apply("histogram", [x, w], sizes=[5], reals=[0.0, 0.0])),
     lambda x, w: (np.histogram(x, 7, (-1.0, 2.0))[0], np.histogram(x, 5, (0.0, 0.0), weights=w)[0]), exact=4,
     values=lambda rng, shape: np.round(rng.standard_normal(shape) * 7) / 7)

# ---- Norms.

for order in (1, 2, 3, 0, 0.5, -1, np.inf, -np.inf):
    case(f"vector_norm {order}", {"x": (F, ["n", "m"])},
         lambda x, order=order: (apply("vector_norm", [x], ints=[0, 0, 1], reals=[order]),
                                 apply("vector_norm", [x], ints=[0, 1, 0], reals=[order])),
         lambda x, order=order: (np.linalg.norm(x, order, 1), np.linalg.norm(x, order, 0, keepdims=True)),
         exact=20, sizes=NONEMPTY)
    case(f"vector_norm {order} of all", {"x": (I, ["n", "m"])},
         lambda x, order=order: apply("vector_norm", [x], reals=[order]),
         lambda x, order=order: np.linalg.norm(x.ravel(), order), exact=20, sizes=NONEMPTY[:3])
