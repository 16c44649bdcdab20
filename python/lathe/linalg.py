# SPDX-License-Identifier: Apache-2.0
"""The standard's extension `linalg`."""

import math

from ._array import apply, to_array
from ._dtypes import code_of
from ._linear import cross, matmul, outer as _outer, tensordot, vecdot
from ._shape import matrix_transpose
from .errors import ArgumentError


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
            raise ValueError(f"matrix_norm: there is no order {ord!r}")
        return apply("matrix_norm", (x,), (1 if keepdims else 0,), None, None, ord)
    if ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise ValueError(f"matrix_norm: there is no order {ord!r}")
    return apply("matrix_norm", (x,), (1 if keepdims else 0,), None, (float(ord),))


def cholesky(x, /, *, upper=False):
    """The lower (or upper) triangle whose product with its transpose is x."""
    found = apply("cholesky", (x,))
    return matrix_transpose(found) if upper else found


def matrix_power(x, n, /):
    """The product of n times x."""
    x = to_array(x, "matrix_power")
    if n < 0:
        x, n = inv(x), -n
    result = None
    while True:
        if n & 1:
            result = x if result is None else matmul(result, x)
        n >>= 1
        if not n:
            break
        x = matmul(x, x)
    if result is None:
        from ._create import eye
        from ._shape import broadcast_to

        result = broadcast_to(eye(x.shape[-1], dtype=x.dtype), x.shape)
    return result




__all__ = ["cholesky", "cross", "diagonal", "matmul", "matrix_norm", "matrix_power",
           "matrix_transpose", "outer", "tensordot", "trace", "vecdot", "vector_norm"]
