# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that make indices: of triangles, diagonals, grids, and of elements in order."""

from . import _search, _shape
from ._array import apply, to_array
from ._create import meshgrid, tri
from ._dtypes import bool as bool_dtype, code_of, int64
from .errors import ArgumentError, DTypeError


def _range(n):
    return apply("arange", (), None, (0, n, 1))


def tril_indices(n, k=0, m=None):
    """Rows and columns of the elements on and below the k-th diagonal of an n by m matrix."""
    return _search.nonzero(tri(n, m, k, dtype=bool_dtype))


def triu_indices(n, k=0, m=None):
    """Rows and columns of the elements on and above the k-th diagonal of an n by m matrix."""
    return _search.nonzero(~tri(n, m, k - 1, dtype=bool_dtype))


def _matrix(x, what):
    x = to_array(x, what)
    if x.ndim != 2:
        raise ArgumentError(f"{what}: takes a matrix, not an array with {x.ndim} axes")
    return x


def tril_indices_from(x, k=0):
    """tril_indices for a matrix of that shape."""
    rows, columns = _matrix(x, "tril_indices_from").shape
    return tril_indices(rows, k, columns)


def triu_indices_from(x, k=0):
    """triu_indices for a matrix of that shape."""
    rows, columns = _matrix(x, "triu_indices_from").shape
    return triu_indices(rows, k, columns)


def diag_indices(n, ndim=2):
    """The indices of the main diagonal of an array with so many axes of length n."""
    return (_range(n),) * ndim


def diag_indices_from(x):
    """diag_indices for an array whose axes are all as long."""
    x = to_array(x, "diag_indices_from")
    if x.ndim < 2:
        raise ArgumentError(f"diag_indices_from: takes an array with two axes or more, not {x.ndim}")
    if len({n for n in x.shape if isinstance(n, int)}) > 1:
        raise ArgumentError(f"diag_indices_from: the axes have different lengths: {x.shape}")
    return diag_indices(x.shape[0], x.ndim)


def indices(dimensions, dtype=int64, sparse=False):
    """The index of each element along each axis: along a new first axis, or as a tuple that spreads."""
    axes = [apply("astype", (_range(n),), dtype=code_of(dtype)) for n in dimensions]
    if sparse:
        return tuple(_along(a, i, len(axes)) for i, a in enumerate(axes))
    return _shape.stack(meshgrid(*axes, indexing="ij")) if axes else apply(
        "full", (0,), None, (0,), dtype=code_of(dtype))


def _along(x, axis, rank):
    return _shape.reshape(x, (1,) * axis + (-1,) + (1,) * (rank - axis - 1))


def ix_(*arrays):
    """Indices that choose rows, columns ... of an array: x[ix_(rows, columns)]. Masks choose where they hold."""
    found = []
    for n, x in enumerate(arrays):
        x = to_array(x, "ix_")
        if x.ndim != 1:
            raise ArgumentError(f"ix_: takes arrays with one axis, not {x.ndim}")
        if x.dtype == bool_dtype:
            x = _search.nonzero(x)[0]
        elif isinstance(x.size, int) and x.size == 0:
            x = apply("astype", (x,), dtype=code_of(int64))
        found.append(_along(x, n, len(arrays)))
    return tuple(found)


def unravel_index(indices, shape, order="C"):
    """The index along each axis of a shape, of elements that are counted in order."""
    rest = to_array(indices, "unravel_index")
    if rest.dtype.kind not in "iu":
        raise DTypeError(f"unravel_index: indices are integers, not {rest.dtype}")
    if order not in ("C", "F"):
        raise ArgumentError(f"unravel_index: order is 'C' or 'F', not {order!r}")
    lengths = list(shape) if isinstance(shape, (tuple, list)) else [shape]
    found = []
    for n in lengths if order == "F" else reversed(lengths):
        found.append(rest % n)
        rest = rest // n
    return tuple(found if order == "F" else reversed(found))


def ravel_multi_index(multi_index, dims, order="C"):
    """Where elements with these indices along each axis of a shape are, counted in order."""
    if order not in ("C", "F"):
        raise ArgumentError(f"ravel_multi_index: order is 'C' or 'F', not {order!r}")
    given, lengths = list(multi_index), list(dims)
    if len(given) != len(lengths):
        raise ArgumentError(f"ravel_multi_index: {len(given)} indices for {len(lengths)} axes")
    if order == "F":
        given, lengths = given[::-1], lengths[::-1]
    found = to_array(given[0], "ravel_multi_index")
    for i, n in zip(given[1:], lengths[1:]):
        found = found * n + i
    return found


def mask_indices(n, mask_func, k=0):
    """Where mask_func(ones((n, n)), k) is not 0."""
    return _search.nonzero(mask_func(apply("full", (1,), None, (n, n), dtype=code_of(int64)), k) != 0)


__all__ = ["tril_indices", "triu_indices", "tril_indices_from", "triu_indices_from", "diag_indices",
           "diag_indices_from", "indices", "ix_", "unravel_index", "ravel_multi_index", "mask_indices"]
