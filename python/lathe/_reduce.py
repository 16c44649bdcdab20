# SPDX-License-Identifier: Apache-2.0
"""Sums, extrema, means, running sums."""

import math

from ._array import apply, to_array
from ._core import Size
from ._dtypes import bool as bool_dtype, code_of, float64, int64, uint64
from ._elementwise import finish
from .errors import ArgumentError, DTypeError, UnknownLengths, UsageError


def axes_of(axis, keepdims):
    """keepdims, whether axes follow, axes."""
    if axis is None:
        return (1 if keepdims else 0, 0)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return (1 if keepdims else 0, 1, *axes)


def _reduced(name, x, axis, keepdims, dtype=None):
    x = to_array(x, name)
    if isinstance(axis, (tuple, list)) and len(axis) == 0:
        return x if dtype is None else apply("astype", (x,), dtype=code_of(dtype))
    return apply(name, (x,), axes_of(axis, keepdims), dtype=code_of(dtype))


def _sum_dtype(x):
    """Small integers are summed as 64 bits of their kind."""
    if x.dtype == bool_dtype or x.dtype.kind == "i":
        return int64
    return uint64 if x.dtype.kind == "u" else x.dtype


def sum(x, /, *, axis=None, dtype=None, keepdims=False, out=None):
    """The sum of all elements, or along axes."""
    x = to_array(x, "sum")
    if dtype is None and isinstance(axis, (tuple, list)) and not axis:
        dtype = _sum_dtype(x)
    return finish(_reduced("sum", x, axis, keepdims, dtype), out)


def prod(x, /, *, axis=None, dtype=None, keepdims=False, out=None):
    """The product of all elements, or along axes."""
    x = to_array(x, "prod")
    if dtype is None and isinstance(axis, (tuple, list)) and not axis:
        dtype = _sum_dtype(x)
    return finish(_reduced("prod", x, axis, keepdims, dtype), out)


def min(x, /, *, axis=None, keepdims=False, out=None):
    """The smallest element, of all or along axes."""
    return finish(_reduced("min", x, axis, keepdims), out)


def max(x, /, *, axis=None, keepdims=False, out=None):
    """The largest element, of all or along axes."""
    return finish(_reduced("max", x, axis, keepdims), out)


def mean(x, /, *, axis=None, keepdims=False, dtype=None, out=None):
    """The mean of all elements, or along axes."""
    x = to_array(x, "mean")
    if dtype is not None:
        x = apply("astype", (x,), dtype=code_of(dtype))
    return finish(_reduced("mean", x, axis, keepdims), out)


def _spread(name, x, axis, correction, keepdims):
    x = to_array(x, name)
    if isinstance(axis, (tuple, list)) and len(axis) == 0:
        return x * 0.0
    return apply(name, (x,), axes_of(axis, keepdims), None, (float(correction),))


def var(x, /, *, axis=None, correction=0.0, keepdims=False, ddof=None, out=None):
    """The variance: squared distances from the mean, divided by their number less the correction."""
    return finish(_spread("var", x, axis, correction if ddof is None else ddof, keepdims), out)


def std(x, /, *, axis=None, correction=0.0, keepdims=False, ddof=None, out=None):
    """The square root of the variance."""
    return finish(_spread("std", x, axis, correction if ddof is None else ddof, keepdims), out)


def any(x, /, *, axis=None, keepdims=False):
    """Is an element not 0?"""
    return _reduced("any", x, axis, keepdims, None if axis != () else bool_dtype)


def all(x, /, *, axis=None, keepdims=False):
    """Is no element 0?"""
    return _reduced("all", x, axis, keepdims, None if axis != () else bool_dtype)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements are not 0?"""
    x = to_array(x, "count_nonzero")
    if axis == ():
        return apply("astype", (apply("not_equal", (x, 0)),), dtype=code_of(int64))
    return _reduced("count_nonzero", x, axis, keepdims)


def _one_axis(name, x, axis, keepdims):
    if isinstance(axis, (tuple, list)):
        raise UsageError(f"{name}: takes one axis, or None for all elements")
    return _reduced(name, x, axis, keepdims)


def argmax(x, /, *, axis=None, keepdims=False):
    """Where the largest element is, the first one of equals."""
    return _one_axis("argmax", x, axis, keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """Where the smallest element is, the first one of equals."""
    return _one_axis("argmin", x, axis, keepdims)


def _running(name, x, axis, dtype, include_initial):
    x = to_array(x, name)
    if axis is None and x.ndim != 1:
        raise ArgumentError(f"{name}: needs an axis, as the array has {x.ndim}")
    axis = 0 if axis is None else axis
    return apply(name, (x,), (1, axis, 1 if include_initial else 0), dtype=code_of(dtype))


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """The sums of the first 1, 2, 3 ... elements along an axis."""
    return _running("cumulative_sum", x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """The products of the first 1, 2, 3 ... elements along an axis."""
    return _running("cumulative_prod", x, axis, dtype, include_initial)


def cumsum(a, axis=None, dtype=None):
    """NumPy's: without an axis, of all elements in order."""
    return apply("cumsum", (a,), (0,) if axis is None else (1, axis), dtype=code_of(dtype))


def cumprod(a, axis=None, dtype=None):
    """NumPy's: without an axis, of all elements in order."""
    return apply("cumprod", (a,), (0,) if axis is None else (1, axis), dtype=code_of(dtype))


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """Differences of neighbours along an axis, n times. Numbers may be put before and after it, too."""
    from ._shape import concat

    x = to_array(x, "diff")
    parts = [to_array(p, "diff") for p in (prepend, x, append) if p is not None]
    if len(parts) > 1 and -x.ndim <= axis < x.ndim:  # else refused below
        one = [*x.shape]
        one[axis] = 1
        x = concat([apply("broadcast_to", (p,), None, tuple(one)) if p.ndim == 0 else p for p in parts], axis=axis)
    return apply("diff", (x,), (axis, n))


def linear_recurrence(a, b, /, *, axis=-1):
    """y[i] = a[i] * y[i-1] + b[i] along an axis, from 0."""
    return apply("linear_recurrence", (a, b), (axis,))


def median(x, /, *, axis=None, keepdims=False):
    """The middle of the sorted elements, of all or along axes."""
    return apply("median", (x,), axes_of(axis, keepdims))


def quantile(x, q, /, *, axis=None, keepdims=False):
    """The value below which the share q of the elements lies, by linear interpolation."""
    return apply("quantile", (x, q), axes_of(axis, keepdims))


def percentile(x, q, /, *, axis=None, keepdims=False):
    """quantile(q / 100)."""
    return apply("percentile", (x, q), axes_of(axis, keepdims))


def average(x, /, *, axis=None, weights=None, returned=False, keepdims=False):
    """The mean, with weights of the array's shape or along the axis; with `returned` also their sum."""
    x = to_array(x, "average")
    if weights is None:
        found = mean(x, axis=axis, keepdims=keepdims)
        total = apply("full_like", (found, x.size / found.size))
        return (found, total) if returned else found
    weights = to_array(weights, "average")
    if weights.ndim == 1 and x.ndim > 1:
        if not isinstance(axis, int):
            raise UsageError("average: weights along one axis need that axis")
        weights = apply("reshape", (weights,), (0,), (1,) * (axis % x.ndim) + (-1,) + (1,) * (x.ndim - axis % x.ndim - 1))
    if x.dtype.kind in "biu" and weights.dtype.kind in "biu":  # products of integers may wrap
        x = apply("astype", (x,), dtype=code_of(float64))
    weights = apply("add", (weights, apply("zeros_like", (x,))))  # spread
    total = sum(weights, axis=axis, keepdims=keepdims)
    found = sum(x * weights, axis=axis, keepdims=keepdims) / total
    return (found, total) if returned else found


def bincount(x, /, weights=None, minlength=None):
    """How often each of 0, 1 ... minlength - 1 occurs. Without minlength x is looked at for the
    largest one."""
    x = to_array(x, "bincount")
    if x.dtype.kind not in "iu":
        raise DTypeError(f"bincount: takes integers, not {x.dtype}")
    length = minlength
    if not isinstance(minlength, Size):
        if not x.is_closed:
            raise UnknownLengths("bincount: the result is as long as the largest element says, and values are not known "
                                 "yet\n  help: minlength=lathe.size(...) or a length of an array is the whole length; "
                                 "compute(name=value) gives values, and in a function of lathe.function they are there")
        largest = int(max(x)) + 1 if x.size else 0
        if x.size and x.dtype.kind == "i" and (least := int(min(x))) < 0:
            raise ArgumentError(f"bincount: counts integers from 0 on, and {least} is among them\n"
                                "  help: add what makes the least of them 0")
        length = largest if minlength is None or largest > minlength else minlength
    return apply("bincount", (x,) if weights is None else (x, weights), None, (length,))


def _between(x, edges, weights):
    """How many elements lie between each two neighbours of `edges`; the last part has its end, too."""
    from ._elementwise import where
    from ._search import searchsorted

    bins = edges.shape[0] - 1 if edges.ndim == 1 else 0
    if edges.ndim != 1 or isinstance(bins, int) and bins < 1:
        raise ArgumentError(f"histogram: the ends of bins are an array with one axis and two elements or more, "
                            f"not {edges.ndim} axes and {edges.size} elements")
    if edges.is_closed and bool(any(edges[1:] < edges[:-1])):
        raise ArgumentError("histogram: the ends of bins must not fall\n  help: sort them")
    x = x.reshape((-1,))
    part = where(x == edges[-1], bins - 1, searchsorted(edges, x, side="right") - 1)
    inside = (x >= edges[0]) & (x <= edges[-1])
    ones = inside if weights is None else where(inside, to_array(weights, "histogram").reshape((-1,)), 0)
    counts = apply("bincount", (where(inside, part, 0), ones), None, (bins,))
    return counts.astype(int64) if weights is None else counts


def histogram(x, /, bins=10, range=None, density=None, weights=None):
    """How many elements lie in each bin, and the ends of the bins: so many equal parts of a range, or
    between neighbours of a growing array. With `density`: so that the whole has an area of 1."""
    from ._create import linspace

    x = to_array(x, "histogram")
    if isinstance(bins, str):
        raise ArgumentError(f"histogram: {bins!r} chooses bins by the data\n"
                            "  help: np.histogram_bin_edges(np.asarray(x), bins) gives their ends")
    if isinstance(bins, (list, tuple)) or getattr(bins, "ndim", 0):
        edges = to_array(bins, "histogram")
        counts = _between(x, edges, weights)
    else:
        if range is None and not x.is_closed:
            edges = _edges_of(x, bins)
            return _shared_out(_between(x.astype(edges.dtype), edges, weights), edges, density)
        if range is None:
            range = (float(min(x)), float(max(x))) if x.size else (0.0, 1.0)
        low, high = float(range[0]), float(range[1])
        counts = apply("histogram", (x,) if weights is None else (x, weights), None, (bins,), (low, high))
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = linspace(low, high, bins + 1)
    return _shared_out(counts, edges, density)


def _shared_out(counts, edges, density):
    return (counts / (edges[1:] - edges[:-1]) / sum(counts) if density else counts), edges


def _edges_of(x, bins):
    """The ends of so many equal bins from the least to the largest element; of none, from 0 to 1."""
    from ._create import linspace
    from ._elementwise import where
    from ._shape import concat

    x = x.astype(float64).reshape((-1,))
    is_empty = apply("equal", (x.shape[0], 0))
    low = where(is_empty, 0.0, min(concat((x, [math.inf]))))
    high = where(is_empty, 1.0, max(concat((x, [-math.inf]))))
    wide = where(low == high, 0.5, 0.0)
    return linspace(low - wide, high + wide, bins + 1)


amin, amax = min, max
__all__ = ["sum", "prod", "min", "max", "amin", "amax", "mean", "var", "std", "any", "all",
           "count_nonzero", "argmax", "argmin", "cumulative_sum", "cumulative_prod", "cumsum", "cumprod",
           "diff", "linear_recurrence", "median", "quantile", "percentile", "average", "bincount",
           "histogram"]
