# SPDX-License-Identifier: Apache-2.0
"""The standard's extension `linalg`."""

import math
from collections import namedtuple

from ._array import apply, to_array
from ._dtypes import code_of, finfo, float64
from ._linear import cross, matmul, outer as _outer, tensordot, vecdot
from ._shape import matrix_transpose
from .errors import ArgumentError, MatrixError as LinAlgError  # noqa: F401

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = namedtuple("QRResult", "Q R")
SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
LstsqResult = namedtuple("LstsqResult", "x residuals rank s")
SVDResult = namedtuple("SVDResult", "U S Vh")


def outer(x1, x2, /):
    """All products of an element of x1 with one of x2, which have one axis each."""
    x1, x2 = to_array(x1, "outer"), to_array(x2, "outer")
    if x1.ndim != 1 or x2.ndim != 1:
        raise ArgumentError(f"outer: takes arrays with one axis, not {x1.ndim} and {x2.ndim}")
    return _outer(x1, x2)


def diagonal(x, /, *, offset=0):
    """The elements on a diagonal of the last two axes."""
    return apply("diagonal", (x,), (offset, -2, -1))


def trace(x, /, *, offset=0, dtype=None):
    """The sum over a diagonal of the last two axes."""
    return apply("sum", (diagonal(x, offset=offset),), (0, 1, -1), dtype=code_of(dtype))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of order `ord` (any number, inf, -inf) of all elements, or along axes."""
    x = to_array(x, "vector_norm")
    if axis is None:
        shape = (1,) * x.ndim
        found = apply("vector_norm", (apply("reshape", (x,), None, (-1,)),), (0, 0, 0), None,
                      (float(ord),))
        return apply("reshape", (found,), None, shape) if keepdims else found
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return apply("vector_norm", (x,), (0, 1 if keepdims else 0, *axes), None, (float(ord),))


_MATRIX_ORDERS = {"fro": "fro", "nuc": "nuc"}


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of matrices (the last two axes): "fro", "nuc", 1, -1, 2, -2, inf, -inf."""
    if isinstance(ord, str):
        if ord not in _MATRIX_ORDERS:
            raise ArgumentError(f"matrix_norm: there is no order {ord!r}")
        return apply("matrix_norm", (x,), (1 if keepdims else 0,), None, None, ord)
    if ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise ArgumentError(f"matrix_norm: there is no order {ord!r}")
    return apply("matrix_norm", (x,), (1 if keepdims else 0,), None, (float(ord),))


def cholesky(x, /, *, upper=False):
    """The lower (or upper) triangle whose product with its transpose is x."""
    return apply("cholesky", (x,), (1 if upper else 0,))


def det(x, /):
    """The determinant."""
    return apply("det", (x,))


def eigh(x, /):
    """Eigenvalues in ascending order, and eigenvectors as columns, of symmetric matrices, of which the
    lower triangle is looked at."""
    return EighResult(*(apply("eigh", (x,), (i,)) for i in (0, 1)))


def eigvalsh(x, /):
    """Eigenvalues of symmetric matrices in ascending order."""
    return apply("eigvalsh", (x,))


def inv(x, /):
    """The inverse."""
    return apply("inv", (x,))


def matrix_power(x, n, /):
    """The product of n times x; of its inverse if n is negative."""
    return apply("matrix_power", (x,), (n,))


def matrix_rank(x, /, *, rtol=None):
    """How many singular values are larger than rtol times the largest."""
    if rtol is not None and not isinstance(rtol, (int, float)):
        rtol = to_array(rtol, "matrix_rank")
        s = svdvals(x)
        largest = apply("max", (s,), (1, 1, -1))
        return apply("sum", (s > apply("expand_dims", (rtol,), (-1,)) * largest,), (0, 1, -1))
    return apply("matrix_rank", (x,), None, None, None if rtol is None else (float(rtol),))


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse; singular values up to rtol times the largest count as 0."""
    if rtol is not None and not isinstance(rtol, (int, float)):
        rtol = float(to_array(rtol, "pinv"))
    return apply("pinv", (x,), None, None, None if rtol is None else (float(rtol),))


def qr(x, /, *, mode="reduced"):
    """An orthogonal matrix and an upper triangle whose product is x."""
    if mode not in ("reduced", "complete"):
        raise ArgumentError(f"qr: mode is 'reduced' or 'complete', not {mode!r}")
    return QRResult(*(apply("qr", (x,), (i, 1 if mode == "complete" else 0)) for i in (0, 1)))


def slogdet(x, /):
    """The sign of the determinant, and the logarithm of its absolute value."""
    return SlogdetResult(*(apply("slogdet", (x,), (i,)) for i in (0, 1)))


def solve(x1, x2, /):
    """y with x1 @ y = x2."""
    return apply("solve", (x1, x2))


def svd(x, /, *, full_matrices=True):
    """u, singular values in descending order, and vh whose product is x."""
    return SVDResult(*(apply("svd", (x,), (i, 1 if full_matrices else 0)) for i in (0, 1, 2)))


def svdvals(x, /):
    """Singular values in descending order."""
    return apply("svdvals", (x,))


def lstsq(a, b, rcond=None):
    """x with the least sum of squares of a @ x - b, the shortest one if there are many; the sums for each column of
    b (none unless a has more rows than columns, which are independent), the rank of a, its singular values. Those up
    to rcond times the largest count as 0."""
    a, b = (v if v.dtype.kind == "f" else apply("astype", (v,), dtype=code_of(float64)) for v in (
        to_array(a, "lstsq"), to_array(b, "lstsq")))
    if a.ndim != 2 or b.ndim not in (1, 2):
        raise ArgumentError(f"lstsq: takes a matrix, and a vector or a matrix, not {a.ndim} and {b.ndim} axes")
    right = apply("expand_dims", (b,), (1,)) if b.ndim == 1 else b
    rows, columns = a.shape
    u, s, vh = svd(a, full_matrices=False)
    largest = apply("max", (apply("concatenate", (s, apply("full", (0.0,), None, (1,), dtype=s._dtype)), (0,)),), (0, 0))
    if rcond is None:
        longer = max(rows, columns) if isinstance(rows, int) and isinstance(columns, int) else apply(
            "maximum", (rows, columns))
        rcond = finfo(s.dtype).eps * longer
    is_large = s > rcond * largest
    inverse = apply("where", (is_large, 1 / apply("where", (is_large, s, 1.0)), 0.0))
    found = matrix_transpose(vh) @ (apply("expand_dims", (inverse,), (1,)) * (matrix_transpose(u) @ right))
    rank = apply("sum", (is_large,), (0, 0))
    away = a @ found - right
    sums = apply("sum", (away * away,), (0, 1, 0))
    full = apply("logical_and", (apply("equal", (rank, columns)), apply("greater", (rows, columns))))
    residuals = sums[apply("broadcast_to", (full,), None, sums.shape)]
    return LstsqResult(found[:, 0] if b.ndim == 1 else found, residuals, rank, s)


def _best_order(lengths):
    """Where to split each chain of matrices so that there are the fewest products."""
    count = len(lengths) - 1
    cost, split = {(i, i): 0 for i in range(count)}, {}
    for width in range(1, count):
        for i in range(count - width):
            j = i + width
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + lengths[i] * lengths[k + 1] * lengths[j + 1], k) for k in range(i, j))
    return split


def multi_dot(arrays):
    """The product of matrices, in the order that needs the fewest products (from the left where lengths are
    symbols). The first and the last one may be vectors."""
    every = [to_array(a, "multi_dot") for a in arrays]
    if len(every) < 2:
        raise ArgumentError(f"multi_dot: takes two arrays or more, not {len(every)}")
    is_row, is_column = every[0].ndim == 1, every[-1].ndim == 1
    if is_row:
        every[0] = apply("expand_dims", (every[0],), (0,))
    if is_column:
        every[-1] = apply("expand_dims", (every[-1],), (1,))
    if any(a.ndim != 2 for a in every):
        raise ArgumentError("multi_dot: all but the first and the last one have two axes, and these one or two")
    lengths = [every[0].shape[0], *(a.shape[1] for a in every)]
    if all(isinstance(n, int) for n in lengths):
        split = _best_order(lengths)

        def product(i, j):
            return every[i] if i == j else product(i, split[i, j]) @ product(split[i, j] + 1, j)

        found = product(0, len(every) - 1)
    else:
        found = every[0]
        for a in every[1:]:
            found = found @ a
    axes = (0,) * is_row + (1,) * is_column
    return apply("squeeze", (found,), axes) if axes else found


def cond(x, p=None):
    """The condition number: how much a solution grows errors. p as for matrix_norm."""
    if p in (None, 2, -2):
        s = svdvals(x)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return matrix_norm(x, ord=p) * matrix_norm(inv(x), ord=p)


def tensorinv(a, ind=2):
    """The inverse of an array as a map from its last axes to its first `ind`."""
    a = to_array(a, "tensorinv")
    if not 0 < ind < a.ndim:
        raise ArgumentError(f"tensorinv: ind is from 1 to {a.ndim - 1}, not {ind!r}")
    rows, columns = a.shape[:ind], a.shape[ind:]
    count = math.prod(columns)
    return apply("reshape", (inv(apply("reshape", (a,), (0,), (count, count))),), (0,), (*columns, *rows))


def tensorsolve(a, b, axes=None):
    """x with tensordot(a, x, x.ndim) = b; `axes` of a are moved to its end first."""
    a, b = to_array(a, "tensorsolve"), to_array(b, "tensorsolve")
    if axes is not None:
        from ._shape import moveaxis

        a = moveaxis(a, tuple(axes), tuple(range(a.ndim - len(axes), a.ndim)))
    shape = a.shape[b.ndim:]
    count = math.prod(shape)
    flat = apply("reshape", (a,), (0,), (count, count))
    return apply("reshape", (solve(flat, apply("reshape", (b,), (0,), (count,))),), (0,), tuple(shape))


def norm(x, /, ord=None, axis=None, keepdims=False):
    """NumPy's: of a vector, or of matrices if there are two axes."""
    x = to_array(x, "norm")
    axes = axis if axis is None or isinstance(axis, (tuple, list)) else (axis,)
    if axes is None and ord is None:
        return vector_norm(x, keepdims=keepdims)
    rank = x.ndim if axes is None else len(axes)
    if rank != 2:
        return vector_norm(x, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    if axes is not None and tuple(a % x.ndim for a in axes) != (x.ndim - 2, x.ndim - 1):
        if keepdims:
            raise ArgumentError("norm: keepdims of matrices needs the last two axes")
        from ._shape import moveaxis

        x = moveaxis(x, axes, (-2, -1))
    return matrix_norm(x, keepdims=keepdims, ord="fro" if ord is None else ord)


__all__ = ["cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "cond", "inv", "lstsq", "matmul", "matrix_norm",
           "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet",
           "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm"]
