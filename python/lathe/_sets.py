# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of sets, and orders by more than one key."""

from . import _analysis, _search, _shape
from ._array import to_array
from .errors import ArgumentError


def _all(x, what):
    return _shape.ravel(to_array(x, what))


def union1d(x1, x2, /):
    """The values that occur in one of them, in order."""
    return _search.unique(_shape.concat((_all(x1, "union1d"), _all(x2, "union1d"))))


def intersect1d(x1, x2, /, assume_unique=False):
    """The values that occur in both, in order."""
    values = _search.unique(_all(x1, "intersect1d"))
    return values[_analysis.isin(values, x2)]


def setdiff1d(x1, x2, /, assume_unique=False):
    """The values of x1 that do not occur in x2, in order; with assume_unique, in that of x1."""
    values = _all(x1, "setdiff1d") if assume_unique else _search.unique(_all(x1, "setdiff1d"))
    return values[~_analysis.isin(values, x2)]


def setxor1d(x1, x2, /, assume_unique=False):
    """The values that occur in just one of them, in order."""
    first, second = (_search.unique(_all(x, "setxor1d")) for x in (x1, x2))
    both = _shape.concat((first[~_analysis.isin(first, second)], second[~_analysis.isin(second, first)]))
    return _search.sort(both)


def lexsort(keys, axis=-1):
    """The indices that put rows in order by the last key, then by the one before it ..."""
    keys = [to_array(k, "lexsort") for k in keys]
    if not keys:
        raise ArgumentError("lexsort: there are no keys")
    order = _search.argsort(keys[0], axis=axis)
    for key in keys[1:]:
        later = _search.argsort(_search.take_along_axis(key, order, axis=axis), axis=axis)
        order = _search.take_along_axis(order, later, axis=axis)
    return order


def partition(a, kth, axis=-1, kind=None, order=None):
    """The kth element in its place, smaller ones before it: sorted, which is one way of it."""
    return _search.sort(to_array(a, "partition"), axis=axis)


def argpartition(a, kth, axis=-1, kind=None, order=None):
    """Indices that put the kth element in its place: those that sort, which is one way of it."""
    return _search.argsort(to_array(a, "argpartition"), axis=axis)


__all__ = ["union1d", "intersect1d", "setdiff1d", "setxor1d", "lexsort", "partition", "argpartition"]
