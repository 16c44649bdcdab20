# SPDX-License-Identifier: Apache-2.0
"""The standard's extension `linalg`."""

import math
from collections import namedtuple

from ._array import apply, to_array
from ._dtypes import code_of
from ._linear import cross, matmul, outer as _outer, tensordot, vecdot
from ._shape import matrix_transpose
from .errors import ArgumentError, MatrixError as LinAlgError  # noqa: F401

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = namedtuple("QRResult", "Q R")
SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
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


__all__ = ["cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm",
           "matrix_power", "matrix_rank", "matrix_transpose", "norm", "outer", "pinv", "qr", "slogdet",
           "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm"]
