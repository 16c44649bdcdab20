# SPDX-License-Identifier: Apache-2.0
"""Reductions that pass over NaN, as NumPy's nansum ... do."""

import math

from . import _reduce, _search, _shape
from ._array import to_array
from ._elementwise import FUNCTIONS, finish, where


def _filled(x, what, value):
    x = to_array(x, what)
    return x if x.dtype.kind != "f" else where(FUNCTIONS["isnan"](x), value, x)


def _count(x, axis, keepdims):
    """How many are numbers."""
    x = to_array(x, "nanmean")
    is_number = ~FUNCTIONS["isnan"](x) if x.dtype.kind == "f" else x == x
    return _reduce.sum(is_number, axis=axis, keepdims=keepdims)


def nansum(x, /, axis=None, dtype=None, out=None, keepdims=False):
    """The sum of what is not NaN."""
    return finish(_reduce.sum(_filled(x, "nansum", 0.0), axis=axis, dtype=dtype, keepdims=keepdims), out)


def nanprod(x, /, axis=None, dtype=None, out=None, keepdims=False):
    """The product of what is not NaN."""
    return finish(_reduce.prod(_filled(x, "nanprod", 1.0), axis=axis, dtype=dtype, keepdims=keepdims), out)


def nancumsum(x, /, axis=None, dtype=None):
    """Running sums, in which NaN counts as 0."""
    return _reduce.cumsum(_filled(x, "nancumsum", 0.0), axis, dtype)


def nancumprod(x, /, axis=None, dtype=None):
    """Running products, in which NaN counts as 1."""
    return _reduce.cumprod(_filled(x, "nancumprod", 1.0), axis, dtype)


def _extremum(name, x, axis, keepdims, worst):
    x = to_array(x, name)
    found = getattr(_reduce, name.removeprefix("nan"))(_filled(x, name, worst), axis=axis, keepdims=keepdims)
    if x.dtype.kind != "f":
        return found
    return where(_count(x, axis, keepdims) == 0, math.nan, found)


def nanmax(x, /, axis=None, out=None, keepdims=False):
    """The largest of what is not NaN; NaN if there is nothing else."""
    return finish(_extremum("nanmax", x, axis, keepdims, -math.inf), out)


def nanmin(x, /, axis=None, out=None, keepdims=False):
    """The smallest of what is not NaN; NaN if there is nothing else."""
    return finish(_extremum("nanmin", x, axis, keepdims, math.inf), out)


def nanargmax(x, /, axis=None, out=None, *, keepdims=False):
    """Where the largest of what is not NaN lies."""
    return finish(_reduce.argmax(_filled(x, "nanargmax", -math.inf), axis=axis, keepdims=keepdims), out)


def nanargmin(x, /, axis=None, out=None, *, keepdims=False):
    """Where the smallest of what is not NaN lies."""
    return finish(_reduce.argmin(_filled(x, "nanargmin", math.inf), axis=axis, keepdims=keepdims), out)


def nanmean(x, /, axis=None, dtype=None, out=None, keepdims=False):
    """The mean of what is not NaN."""
    x = to_array(x, "nanmean")
    if x.dtype.kind != "f":
        return _reduce.mean(x, axis=axis, keepdims=keepdims, dtype=dtype, out=out)
    total = nansum(x, axis, dtype, keepdims=keepdims)
    count = _count(x, axis, keepdims)
    return finish(total / count.astype(total.dtype), out)


def nanvar(x, /, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
    """The variance of what is not NaN."""
    x = to_array(x, "nanvar")
    ddof = ddof if correction is None else correction
    if x.dtype.kind != "f":
        return _reduce.var(x, axis=axis, correction=ddof, keepdims=keepdims, out=out)
    x = x if dtype is None else x.astype(dtype)
    away = where(FUNCTIONS["isnan"](x), 0.0, x - nanmean(x, axis, keepdims=True))
    squares = _reduce.sum(away * away, axis=axis, keepdims=keepdims)
    left = _count(x, axis, keepdims).astype(squares.dtype) - ddof
    return finish(where(left > 0, squares / where(left > 0, left, 1.0), math.nan), out)


def nanstd(x, /, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, correction=None):
    """The square root of nanvar."""
    return finish(FUNCTIONS["sqrt"](nanvar(x, axis, dtype, None, ddof, keepdims, correction=correction)), out)


def nanquantile(x, q, /, axis=None, keepdims=False):
    """The value below which the share q of what is not NaN lies, by linear interpolation."""
    x, q = to_array(x, "nanquantile"), to_array(q, "nanquantile")
    if x.dtype.kind != "f":
        return _reduce.quantile(x, q, axis=axis, keepdims=keepdims)
    return _without_nan(x, q, axis, keepdims, lambda first, second, part: where(
        part >= 0.5, second - (second - first) * (1 - part), first + (second - first) * part))


def _without_nan(x, q, axis, keepdims, between):
    """`between` two neighbours and the part of the way from the first to the second; not asked where they are
    one, which may be infinite."""
    rank, kept = x.ndim, ()
    if axis is None:
        axes, row = tuple(range(rank)), _shape.ravel(x)
    else:
        axes = tuple(_shape._normal(a, rank, "nanquantile") for a in _shape._axes(axis))
        kept = tuple(n for a, n in enumerate(x.shape) if a not in axes)
        row = _shape.moveaxis(x, axes, tuple(range(rank - len(axes), rank)))
        row = _shape.reshape(row, (*kept, -1)) if len(axes) > 1 else row
    row, share = _search.sort(row), _shape.reshape(q, (-1,)).astype(x.dtype)  # NaN last
    count = _shape.expand_dims(_count(row, -1, False), axis=-1)
    place = share * FUNCTIONS["maximum"](count - 1, 0).astype(x.dtype)
    low = FUNCTIONS["floor"](place)
    part = place - low
    low = low.astype("int64")
    first = _search.take_along_axis(row, low, axis=-1)
    second = _search.take_along_axis(row, FUNCTIONS["minimum"](low + 1, FUNCTIONS["maximum"](count - 1, 0)), axis=-1)
    found = where((part == 0) | (first == second), first, between(first, second, part))
    found = _shape.moveaxis(where(count == 0, math.nan, found), -1, 0)
    if keepdims:
        kept = tuple(1 if a in axes else n for a, n in enumerate(x.shape))
    return _shape.reshape(found, (*q.shape, *kept))


def nanpercentile(x, q, /, axis=None, keepdims=False):
    """nanquantile(q / 100)."""
    return nanquantile(x, to_array(q, "nanpercentile") / 100, axis, keepdims)


def nanmedian(x, /, axis=None, keepdims=False):
    """The middle of what is not NaN; NaN if there is nothing else."""
    x = to_array(x, "nanmedian")
    if x.dtype.kind != "f":
        return _reduce.median(x, axis=axis, keepdims=keepdims)
    return _without_nan(x, to_array(0.5, "nanmedian"), axis, keepdims, lambda first, second, part: (first + second) / 2)


__all__ = ["nansum", "nanprod", "nancumsum", "nancumprod", "nanmax", "nanmin", "nanargmax", "nanargmin",
           "nanmean", "nanvar", "nanstd", "nanquantile", "nanpercentile", "nanmedian"]
