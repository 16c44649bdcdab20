# SPDX-License-Identifier: Apache-2.0
"""Linear algebra, one function after another: against NumPy where the result is one, else by what
the results must be when they are put together again."""

import numpy as np
from lazy import apply
from surface import case

F, G, I = "float64", "float32", "int64"
# Square ones of n; others m x n and n x m; batches of b.
SIZES = [{"n": 5, "m": 3, "b": 2}, {"n": 1, "m": 1, "b": 1}, {"n": 17, "m": 4, "b": 3}, {"n": 2, "m": 7, "b": 0},
         {"n": 0, "m": 3, "b": 2}, {"n": 70, "m": 41, "b": 1}]
MATRICES = (["n", "n"], ["b", "n", "n"], ["b", 2, "n", "n"])
OBLONG = (["m", "n"], ["n", "m"], ["b", "m", "n"])


def well(rng, shape):
    """Far from singular."""
    a = np.asarray(rng.standard_normal(shape))
    return a + (3 + 2 * np.sqrt(shape[-1])) * np.eye(*shape[-2:])


def definite(rng, shape):
    a = np.asarray(rng.standard_normal(shape))
    return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])


def repeated(rng, shape):
    """Of low rank, with zeros and equal values."""
    a = np.round(np.asarray(rng.standard_normal(shape)))
    if shape[-2] > 2:
        a[..., 1, :] = a[..., 0, :]
        a[..., -1, :] = 0
    return a


def turned(x):
    return apply("matrix_transpose", [x])


def product(*xs):
    out = xs[0]
    for x in xs[1:]:
        out = apply("matmul", [out, x])
    return out


def scaled(x, s):
    return apply("multiply", [x, s[(..., None, slice(None))]])


for t in (F, G):
    loose = 2000
    for dims in MATRICES:
        case("inv", {"a": (t, dims)}, lambda a: apply("inv", [a]), np.linalg.inv, exact=loose, sizes=SIZES, values=well)
        case("det", {"a": (t, dims)}, lambda a: apply("det", [a]),
             lambda a: np.linalg.det(a.astype(float)).astype(a.dtype), exact=loose, sizes=SIZES[:5], values=well)
        case("slogdet", {"a": (t, dims)}, lambda a: [apply("slogdet", [a], ints=[i]) for i in (0, 1)],
             np.linalg.slogdet, exact=loose, sizes=SIZES, values=well)
        case("solve", {"a": (t, dims), "y": (t, dims[:-1] + [3])}, lambda a, b: apply("solve", [a, b]),
             np.linalg.solve, exact=loose, sizes=SIZES,
             values=lambda rng, shape: well(rng, shape) if shape[-1] == shape[-2] else rng.standard_normal(shape))
        case("cholesky", {"a": (t, dims)}, lambda a: (apply("cholesky", [a]), apply("cholesky", [a], ints=[1])),
             lambda a: (np.linalg.cholesky(a), np.swapaxes(np.linalg.cholesky(np.swapaxes(a, -1, -2)), -1, -2)),
             exact=loose, sizes=SIZES, values=definite)
        for values in (definite, lambda rng, shape: repeated(rng, shape) + np.swapaxes(repeated(rng, shape), -1, -2)):
            case("eigvalsh", {"a": (t, dims)}, lambda a: apply("eigvalsh", [a]), np.linalg.eigvalsh, exact=loose,
                 sizes=SIZES, values=values)

            def rebuilt(a):
                w, v = apply("eigh", [a], ints=[0]), apply("eigh", [a], ints=[1])
                return product(scaled(v, w), turned(v)), product(turned(v), v), w

            def lower(a):
                return np.tril(a) + np.swapaxes(np.tril(a, -1), -1, -2)
            case("eigh", {"a": (t, dims)}, rebuilt,
                 lambda a: (lower(a), np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape),
                            np.linalg.eigvalsh(a)), exact=loose, sizes=SIZES, values=values)
        case("matrix_power", {"a": (t, dims)},
             lambda a: [apply("matrix_power", [a], ints=[k]) for k in (0, 1, 2, 5, -1, -3)],
             lambda a: [np.linalg.matrix_power(a, k) for k in (0, 1, 2, 5, -1, -3)], exact=loose, sizes=SIZES[:5],
             values=well)
    for dims in OBLONG:
        for values in (None, repeated):
            for complete in (0, 1):
                def qr(a, complete=complete):
                    q, r = (apply("qr", [a], ints=[i, complete]) for i in (0, 1))
                    return product(q, r), product(turned(q), q), q, r

                def numpy_qr(a, complete=complete, values=values):
                    q, r = np.linalg.qr(a, ["reduced", "complete"][complete])
                    k = q.shape[-1]
                    eye = np.broadcast_to(np.eye(k, dtype=a.dtype), a.shape[:-2] + (k, k))
                    return (a, eye) + ((q, r) if values is None else ())
                case("qr", {"a": (t, dims)}, qr, numpy_qr, exact=loose, sizes=SIZES, values=values)

            def svd(a):
                u, s, vh = (apply("svd", [a], ints=[i, 0]) for i in range(3))
                return (product(scaled(u, s), vh), product(turned(u), u), product(vh, turned(vh)), s,
                        apply("svdvals", [a]))

            def numpy_svd(a):
                k = min(a.shape[-2:])
                eye = np.broadcast_to(np.eye(k, dtype=a.dtype), a.shape[:-2] + (k, k))
                s = np.linalg.svd(a, compute_uv=False)
                return a, eye, eye, s, s
            case("svd", {"a": (t, dims)}, svd, numpy_svd, exact=loose, sizes=SIZES, values=values)

            def svd_full(a):
                u, s, vh = (apply("svd", [a], ints=[i, 1]) for i in range(3))
                # What u and vh make of the matrix is diagonal.
                return product(turned(u), u), product(vh, turned(vh)), apply("diagonal", [product(
                    turned(u), a, turned(vh))], ints=[0, -2, -1]), s

            def numpy_full(a):
                rows, columns = a.shape[-2:]
                s = np.linalg.svd(a, compute_uv=False)
                return (np.broadcast_to(np.eye(rows, dtype=a.dtype), a.shape[:-2] + (rows, rows)),
                        np.broadcast_to(np.eye(columns, dtype=a.dtype), a.shape[:-2] + (columns, columns)), s, s)
            case("svd, full", {"a": (t, dims)}, svd_full, numpy_full, exact=loose, sizes=SIZES, values=values)
            case("matrix_rank", {"a": (t, dims)}, lambda a: apply("matrix_rank", [a]),
                 lambda a: np.linalg.matrix_rank(a) if 0 not in a.shape else np.zeros(a.shape[:-2], np.int64),
                 sizes=SIZES, values=values)
            case("matrix_rank with a tolerance", {"a": (t, dims)},
                 lambda a: apply("matrix_rank", [a], reals=[0.3]),
                 lambda a: np.sum(np.linalg.svd(a, compute_uv=False) > 0.3 * np.linalg.svd(
                     a, compute_uv=False).max(-1, keepdims=True, initial=0), -1), sizes=SIZES, values=values)
            case("pinv", {"a": (t, dims)}, lambda a: apply("pinv", [a]),
                 lambda a: np.linalg.pinv(a, max(a.shape[-2:]) * np.finfo(a.dtype).eps), exact=4 * loose,
                 sizes=SIZES, values=values)
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        def norm(x, order=order):
            how = {"text": order} if isinstance(order, str) else {"reals": [order]}
            return apply("matrix_norm", [x], **how), apply("matrix_norm", [x], ints=[1], **how)
        case(f"matrix_norm {order}", {"x": (t, ["b", "m", "n"])}, norm,
             lambda x, order=order: (np.linalg.norm(x, order, (-2, -1)),
                                     np.linalg.norm(x, order, (-2, -1), keepdims=True)),
             exact=loose, sizes=[s for s in SIZES if s["n"] and s["m"]])

case("inv of integers", {"a": (I, ["n", "n"])}, lambda a: apply("inv", [a]), np.linalg.inv, exact=2000,
     values=lambda rng, shape: np.round(well(rng, shape)))
case("solve of a vector", {"a": (F, ["n", "n"]), "y": (F, ["n"])}, lambda a, b: apply("solve", [a, b]),
     np.linalg.solve, exact=2000, values=lambda rng, shape: well(rng, shape) if len(shape) > 1 else rng.rand(*shape))
case("solve of a batch with one", {"a": (F, ["b", "n", "n"]), "c": (F, ["n", "n"])},
     lambda a, c: (apply("solve", [a, c]), apply("solve", [c, a])),
     lambda a, c: (np.linalg.solve(a, np.broadcast_to(c, a.shape)), np.linalg.solve(c, a)), exact=2000, values=well)
case("solve of batches that may be spread", {"a": (F, ["b", 3, 3]), "c": (F, ["m", 3, 3])},
     lambda a, c: apply("solve", [a, c]), np.linalg.solve, exact=2000, values=well, refuses=True,
     sizes=[{"b": 1, "m": 4}, {"b": 4, "m": 1}, {"b": 2, "m": 2}, {"b": 2, "m": 3}])
case("singular", {"a": (F, [2, 2])}, lambda a: apply("inv", [a]), np.linalg.inv, sizes=[{}], refuses=True,
     values=lambda rng, shape: np.ones(shape))
case("not definite", {"a": (F, [2, 2])}, lambda a: apply("cholesky", [a]), np.linalg.cholesky, sizes=[{}],
     refuses=True, values=lambda rng, shape: -np.eye(2))
case("det of a singular one", {"a": (F, [3, 3])},
     lambda a: (apply("det", [a]), apply("slogdet", [a], ints=[0]), apply("slogdet", [a], ints=[1])),
     lambda a: (np.linalg.det(a),) + np.linalg.slogdet(a), sizes=[{}], values=lambda rng, shape: np.ones(shape))
for unit in (1e-300, 1e300):
    case(f"of the size {unit}", {"a": (F, [4, 4])},
         lambda a: (apply("svdvals", [a]), apply("eigvalsh", [a])),
         lambda a: (np.linalg.svd(a, compute_uv=False), np.linalg.eigvalsh(a)), sizes=[{}], exact=2000,
         values=lambda rng, shape, unit=unit: definite(rng, shape) * unit)

# What breaks careless code: ranks far from full (rounding leaves numbers that shrink to nothing), equal
# values, nilpotent and graded matrices, tiny numbers.
HARD = {
    "zeros": np.zeros((9, 9)), "ones": np.ones((64, 64)), "identity": np.eye(5),
    "hilbert": 1 / (np.arange(12)[:, None] + np.arange(12) + 1.0), "nilpotent": np.diag(np.ones(11), 1),
    "low rank": np.random.RandomState(1).standard_normal((64, 2)) @ np.random.RandomState(2).standard_normal((2, 64)),
    "wilkinson": np.diag(np.abs(np.arange(21) - 10.0)) + np.diag(np.ones(20), 1) + np.diag(np.ones(20), -1),
    "graded": np.diag(10.0 ** -np.arange(30)) + np.diag(10.0 ** -np.arange(29), 1),
    "small": np.random.RandomState(3).standard_normal((6, 6)) * 1e-36,
}


def taken_apart(a):
    u, s, vh = (apply("svd", [a], ints=[i, 0]) for i in range(3))
    q, r = (apply("qr", [a], ints=[i, 0]) for i in (0, 1))
    b = apply("add", [a, turned(a)])
    w, v = (apply("eigh", [b], ints=[i]) for i in (0, 1))
    return [product(scaled(u, s), vh), product(q, r), product(scaled(v, w), turned(v)), s, w] + [
        product(turned(x), x) for x in (u, turned(vh), q, v)]


def together_again(a):
    eye = np.eye(len(a), dtype=a.dtype)
    return [a, a, a + a.T, np.linalg.svd(a, compute_uv=False), np.linalg.eigvalsh(a + a.T)] + [eye] * 4


for name, hard in HARD.items():
    for t in (F, G):
        case("hard: " + name, {"a": (t, list(hard.shape))}, taken_apart, together_again, exact=1000, sizes=[{}],
             values=lambda rng, shape, hard=hard: hard)

case("svdvals of a NaN among nothing", {"a": (F, [3, 2])}, lambda a: apply("svdvals", [a]),
     lambda a: np.linalg.svd(a, compute_uv=False), sizes=[{}], refuses=True,
     values=lambda rng, shape: np.array([[0, 0], [1e-310, 0], [np.nan, 0]]))
case("qr of a NaN among nothing", {"a": (F, [3, 2])}, lambda a: apply("any", [apply("isnan", [apply("qr", [a], ints=[1])])]),
     lambda a: np.asarray(True), sizes=[{}], values=lambda rng, shape: np.array([[0, 0], [1e-310, 0], [np.nan, 0]]))
