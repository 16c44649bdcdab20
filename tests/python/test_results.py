# SPDX-License-Identifier: Apache-2.0
"""Every function of the standard against NumPy, whose namespace follows the same standard: all dtypes,
sizes 0, 1 and odd ones. One expression serves both: f(lathe, x) and f(numpy, x). All results of a
function and a dtype are computed together, in the interpreter (which has the same bits as C code), and a
part of them once more by the C compiler."""

import numpy as np
import pytest
import standard

import lathe

INTS = standard.DTYPES[1:9]
FLOATS = ["float32", "float64"]
NUMBERS = INTS + FLOATS
ALL = ["bool"] + NUMBERS
SHAPES = [(1,), (7,), (3, 1, 5), (2, 0, 3)]

CASES = []


def case(name, dtypes, f, *, exact=True, shapes=SHAPES, positive=False, min_rank=0, nonempty=False):
    """f(namespace, x, y): x and y are arrays of one dtype and shape."""
    CASES.append((name, dtypes, f, exact, [s for s in shapes if len(s) >= min_rank
                                           and not (nonempty and 0 in s)], positive))


def values(dtype, shape, seed, positive):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if dtype.startswith("uint"):
        return rng.integers(1 if positive else 0, 9, shape).astype(dtype)
    if dtype.startswith("int"):
        return rng.integers(1 if positive else -8, 9, shape).astype(dtype)
    x = rng.standard_normal(shape)
    return (np.abs(x) + 0.1 if positive else x).astype(dtype)


# ---- Elementwise.
BITS = {"bitwise_invert", "bitwise_and", "bitwise_or", "bitwise_xor"}
SHIFTS = {"bitwise_left_shift", "bitwise_right_shift"}
LOGIC = {"logical_not", "logical_and", "logical_or", "logical_xor", "equal", "not_equal"}
FLOAT_ONLY = {"acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log",
              "log1p", "log2", "log10", "sin", "sinh", "sqrt", "tan", "tanh", "atan2", "hypot",
              "logaddexp", "copysign", "nextafter", "signbit", "reciprocal"}
ROUNDED = FLOAT_ONLY - {"sqrt", "copysign", "nextafter", "signbit", "reciprocal"}
for _name in standard.ELEMENTWISE_ONE + standard.ELEMENTWISE_TWO:
    if _name in BITS:
        _dtypes = ["bool"] + INTS
    elif _name in SHIFTS:
        _dtypes = INTS
    elif _name in LOGIC:
        _dtypes = ALL
    elif _name in FLOAT_ONLY:
        _dtypes = FLOATS
    else:
        _dtypes = NUMBERS
    _two = _name in standard.ELEMENTWISE_TWO
    _positive = _name in SHIFTS | {"pow", "floor_divide", "remainder", "divide"} or _name.startswith("log")
    if _name == "pow":
        _f = lambda xp, x, y: xp.pow(x, xp.minimum(y, 3 * xp.ones_like(y)))  # noqa: E731
    elif _two:
        _f = lambda xp, x, y, _name=_name: getattr(xp, _name)(x, y)  # noqa: E731
    else:
        _f = lambda xp, x, y, _name=_name: getattr(xp, _name)(x)  # noqa: E731
    case(_name, _dtypes, _f, exact=_name not in ROUNDED | {"pow"}, positive=_positive)
case("clip", NUMBERS, lambda xp, x, y: (xp.clip(x, 1, 5), xp.clip(x, max=3), xp.clip(x, min=2)))

# ---- Creation.
case("like", ALL, lambda xp, x, y: (xp.zeros_like(x), xp.ones_like(x), xp.full_like(x, 1),
                                    xp.zeros_like(x, dtype=xp.float32), xp.full_like(x, 1, dtype=xp.int8)))
case("full", ALL, lambda xp, x, y: (xp.full(x.shape, 1, dtype=x.dtype), xp.zeros(x.shape, dtype=x.dtype),
                                    xp.ones(x.shape, dtype=x.dtype), xp.full(x.shape, 2.5),
                                    xp.zeros(x.shape), xp.full((2, 3), True), xp.full(3, 7)))
case("arange", NUMBERS, lambda xp, x, y: (xp.arange(5, dtype=x.dtype), xp.arange(2, 11, 3, dtype=x.dtype),
                                          xp.arange(5), xp.arange(5, 0, -2), xp.arange(0.5, 2.0, 0.25),
                                          xp.arange(3, 3)), shapes=[(1,)])
case("linspace", FLOATS, lambda xp, x, y: (xp.linspace(0, 1, 7, dtype=x.dtype), xp.linspace(3, -2, 5),
                                           xp.linspace(0, 1, 1), xp.linspace(0, 1, 0),
                                           xp.linspace(0, 2, 8, endpoint=False)), shapes=[(1,)], exact=False)
case("eye", NUMBERS, lambda xp, x, y: (xp.eye(3, dtype=x.dtype), xp.eye(2, 4, k=1, dtype=x.dtype), xp.eye(3, k=-1),
                                       xp.eye(0)), shapes=[(1,)])
case("meshgrid", NUMBERS, lambda xp, x, y: (*xp.meshgrid(x, y[:2], indexing="ij"), *xp.meshgrid(x, y)),
     shapes=[(0,), (1,), (7,)])
case("triangles", NUMBERS, lambda xp, x, y: (xp.tril(x), xp.triu(x), xp.tril(x, k=1), xp.triu(x, k=-1)), min_rank=2)

# ---- Dtypes.
case("astype", ALL, lambda xp, x, y: [xp.astype(x, getattr(xp, t)) for t in standard.DTYPES], positive=True)

# ---- Searching, sorting, sets.
case("argmax", NUMBERS, lambda xp, x, y: (xp.argmax(x), xp.argmin(x), xp.argmax(x, axis=-1),
                                          xp.argmin(x, axis=0, keepdims=True)), nonempty=True)
case("count_nonzero", ALL, lambda xp, x, y: (xp.count_nonzero(x), xp.count_nonzero(x, axis=0),
                                             xp.count_nonzero(x, axis=-1, keepdims=True)))
case("nonzero", ALL, lambda xp, x, y: xp.nonzero(x))
case("where", ALL, lambda xp, x, y: (xp.where(x == y, x, y), xp.where(x != y, x, x)))
case("sort", NUMBERS, lambda xp, x, y: (xp.sort(x), xp.sort(x, axis=0)))
case("argsort", NUMBERS, lambda xp, x, y: (xp.argsort(x, stable=True), xp.argsort(x, axis=0, stable=True)))
case("searchsorted", NUMBERS, lambda xp, x, y: (xp.searchsorted(xp.sort(x), y),
                                                xp.searchsorted(xp.sort(x), y, side="right"),
                                                xp.searchsorted(x, y, sorter=xp.argsort(x))),
     shapes=[(0,), (1,), (7,)])
case("unique", ALL, lambda xp, x, y: (*xp.unique_all(x)[:1], *xp.unique_counts(x), *xp.unique_inverse(x),
                                      xp.sort(xp.unique_values(x))))
case("take", ALL, lambda xp, x, y: (xp.take(x, xp.asarray([0, -1, 0]), axis=0),
                                    xp.take_along_axis(x, xp.zeros_like(x, dtype=xp.int64), axis=-1)), nonempty=True)

# ---- Shapes.
case("reshape", ALL, lambda xp, x, y: (xp.reshape(x, (x.size,)), xp.expand_dims(x, axis=0),
                                       xp.expand_dims(x, axis=-1), xp.squeeze(xp.expand_dims(x, axis=0), axis=0)))
case("permute_dims", ALL, lambda xp, x, y: (xp.permute_dims(x, tuple(range(x.ndim))[::-1]), xp.moveaxis(x, 0, -1)))
case("broadcast", ALL, lambda xp, x, y: (xp.broadcast_to(x, (2, *x.shape)),
                                         *xp.broadcast_arrays(x, xp.zeros((), dtype=x.dtype))))
case("concat", ALL, lambda xp, x, y: (xp.concat([x, y], axis=0), xp.concat([x, y, x], axis=-1),
                                      xp.concat([x, y], axis=None), xp.stack([x, y]), xp.stack([x, y], axis=-1)))
case("flip", ALL, lambda xp, x, y: (xp.flip(x), xp.flip(x, axis=0)))
case("roll", ALL, lambda xp, x, y: (xp.roll(x, 2), xp.roll(x, -1, axis=0)))
case("roll two", ALL, lambda xp, x, y: xp.roll(x, (1, 3), axis=(0, 1)), min_rank=2)
case("repeat", ALL, lambda xp, x, y: (xp.repeat(x, 3), xp.repeat(x, 2, axis=0)))
case("repeat each", ALL, lambda xp, x, y: xp.repeat(x, xp.asarray([2, 0, 1, 1, 0, 3, 1]), axis=0), shapes=[(7,)])
case("tile", ALL, lambda xp, x, y: (xp.tile(x, 2), xp.tile(x, (2, 1, 3, 1))))
case("unstack", ALL, lambda xp, x, y: (*xp.unstack(x), *xp.unstack(x, axis=-1)))
case("matrix_transpose", ALL, lambda xp, x, y: (xp.matrix_transpose(x), x.mT), min_rank=2)

# ---- Reductions.
case("sum", ALL, lambda xp, x, y: (xp.sum(x), xp.sum(x, axis=0), xp.sum(x, axis=-1, keepdims=True),
                                   xp.sum(x, dtype=xp.float64), xp.prod(x, axis=0)), exact=False)
case("sum over two", NUMBERS, lambda xp, x, y: (xp.sum(x, axis=(0, -1)), xp.prod(x, axis=(0, 1))), min_rank=2,
     exact=False)
case("min", NUMBERS, lambda xp, x, y: (xp.min(x), xp.max(x), xp.min(x, axis=0), xp.max(x, axis=-1, keepdims=True)),
     nonempty=True)
case("mean", FLOATS, lambda xp, x, y: (xp.mean(x), xp.mean(x, axis=0), xp.var(x), xp.std(x, axis=-1),
                                       xp.mean(x, axis=0, keepdims=True)), exact=False, nonempty=True)
case("correction", FLOATS, lambda xp, x, y: (xp.var(x, axis=0, correction=1), xp.std(x, correction=0.5)), exact=False,
     shapes=[(7,), (5, 3)])
case("any", ALL, lambda xp, x, y: (xp.any(x), xp.all(x), xp.any(x, axis=0), xp.all(x, axis=-1, keepdims=True)))
case("cumulative", NUMBERS, lambda xp, x, y: (xp.cumulative_sum(x, axis=0), xp.cumulative_prod(x, axis=-1),
                                              xp.cumulative_sum(x, axis=-1, include_initial=True)), exact=False)
case("diff", NUMBERS, lambda xp, x, y: (xp.diff(x), xp.diff(x, axis=0), xp.diff(x, n=2)))

# ---- Products.
case("matmul", NUMBERS, lambda xp, x, y: (xp.matmul(x, xp.matrix_transpose(y)), xp.linalg.matmul(
    xp.matrix_transpose(x), y)), min_rank=2, exact=False)
case("vecdot", NUMBERS, lambda xp, x, y: (xp.vecdot(x, y), xp.linalg.vecdot(x, y, axis=0)), exact=False)
case("tensordot", NUMBERS, lambda xp, x, y: (xp.tensordot(x, y, axes=0) if x.ndim < 2 else x,
                                             xp.tensordot(x, y, axes=x.ndim),
                                             xp.tensordot(x, y, axes=((0,), (0,)))), exact=False)
case("linalg", FLOATS, lambda xp, x, y: (xp.linalg.vector_norm(x), xp.linalg.vector_norm(x, axis=-1),
                                         xp.linalg.vector_norm(x, ord=1, axis=0, keepdims=True)), exact=False)
case("linalg matrices", FLOATS, lambda xp, x, y: (
    xp.linalg.diagonal(x), xp.linalg.trace(x), xp.linalg.matrix_transpose(x), xp.linalg.matrix_norm(x),
    xp.linalg.matrix_norm(x, ord=1, keepdims=True), xp.linalg.svdvals(x), xp.linalg.matrix_rank(x),
    xp.linalg.pinv(x)), min_rank=2, exact=False, shapes=[(5, 3), (1, 1), (2, 4, 3)])


def square(xp, x):
    return xp.matmul(x, xp.matrix_transpose(x)) + 2 * xp.eye(x.shape[-2], dtype=x.dtype)


case("linalg square", FLOATS, lambda xp, x, y: (
    xp.linalg.inv(square(xp, x)), xp.linalg.det(square(xp, x)), *xp.linalg.slogdet(square(xp, x)),
    xp.linalg.solve(square(xp, x), y), xp.linalg.cholesky(square(xp, x)),
    xp.linalg.cholesky(square(xp, x), upper=True), xp.linalg.eigvalsh(square(xp, x)),
    xp.linalg.matrix_power(square(xp, x), 3), xp.linalg.eigh(square(xp, x))[0],
    xp.linalg.qr(square(xp, x))[0] @ xp.linalg.qr(square(xp, x))[1]), exact=False, shapes=[(3, 5), (1, 1), (2, 4, 3)])
case("cross", NUMBERS, lambda xp, x, y: xp.linalg.cross(x, y), shapes=[(3,), (5, 3)])
case("outer", NUMBERS, lambda xp, x, y: xp.linalg.outer(x, y), shapes=[(0,), (1,), (7,)])

# ---- Operators and indices.
case("operators", INTS, lambda xp, x, y: (x + y, x - y, x * y, x // (y * y + 1), x % (y * y + 1), x & y, x | y, x ^ y,
                                          ~x, -x, +x, abs(x), x < y, x <= y, x > y, x >= y, x == y, x != y, 2 + x,
                                          x << 1, x >> 1))
case("float operators", FLOATS, lambda xp, x, y: (x + y, x - y, x * y, x / (y * y + 1), x ** 2, 1 / (x * x + 1), -x,
                                                  abs(x), x < y, x >= 0.5, 1.5 - x, x // 0.5, x % 0.5), exact=False)
case("indices", ALL, lambda xp, x, y: (x[0], x[-1], x[1:], x[::-1], x[::2], x[None], x[..., None], x[..., 0],
                                       x[:0], x[xp.asarray([0, -1])], x[x == y]), nonempty=True)


def flat(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def compare(got, want, exact, what):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype, (what, got.dtype, want.dtype)
    assert got.shape == want.shape, (what, got.shape, want.shape)
    if exact or want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want, err_msg=what)
    else:
        eps = np.finfo(want.dtype).eps
        scale = np.max(np.abs(want[np.isfinite(want)]), initial=1.0)
        np.testing.assert_allclose(got, want, rtol=200 * eps, atol=200 * eps * scale, err_msg=what)


def check(dtype, cases):
    count = 0
    for seed, (name, dtypes, f, exact, shapes, positive) in enumerate(cases):
        if dtype not in dtypes:
            continue
        made, want = [], []
        for shape in shapes:
            x, y = (values(dtype, shape, seed + k, positive) for k in (0, 100))
            with np.errstate(all="ignore"):
                theirs = flat(f(np, x, y))
            ours = flat(f(lathe, lathe.asarray(x), lathe.asarray(y)))
            assert len(ours) == len(theirs), name
            for i, (a, b) in enumerate(zip(ours, theirs)):
                assert isinstance(a, lathe.Array), name
                made.append(a)
                want.append((b, exact, f"{name} {dtype}{shape}, result {i}"))
        for a, (b, exact, what) in zip(lathe.compute(made), want):
            compare(a, b, exact, what)
        count += len(made)
    return count


@pytest.mark.parametrize("dtype", ALL)
def test_results(dtype):
    with lathe.target("interpreter"):
        assert check(dtype, CASES) > 100


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_results_of_compiled_code(dtype):
    assert check(dtype, [c for c in CASES if c[0] in (
        "where", "sum", "operators", "float operators", "indices")]) > 20


def test_every_function_is_tried():
    """A function of the standard that no case calls would not be tested."""
    called = set()

    class Spy:
        def __init__(self, of, prefix=""):
            self.of, self.prefix = of, prefix

        def __getattr__(self, name):
            called.add(self.prefix + name)
            found = getattr(self.of, name)
            return Spy(found, "linalg.") if name == "linalg" else found

    for name, dtypes, f, exact, shapes, positive in CASES:
        x, y = (values(dtypes[0], shapes[-1], k, positive) for k in (0, 100))
        with np.errstate(all="ignore"):
            f(Spy(lathe), lathe.asarray(x), lathe.asarray(y))
    wanted = {n for n in standard.SIGNATURES if n != "linalg"} | {
        f"linalg.{n}" for n in standard.SIGNATURES["linalg"]}
    elsewhere = {  # in test_arrays.py and test_standard.py
        "asarray", "from_dlpack", "empty", "empty_like", "can_cast", "finfo", "iinfo", "isdtype",
        "result_type", "__array_namespace_info__", "linalg.svd", "linalg.tensordot"}
    assert wanted - called - elsewhere == set()
