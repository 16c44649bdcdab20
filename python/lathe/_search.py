# SPDX-License-Identifier: Apache-2.0
"""Sorting, searching, sets."""

from collections import namedtuple

import numpy as np

from . import _core
from ._array import apply, to_array
from .errors import ArgumentError

UniqueAll = namedtuple("UniqueAll", "values indices inverse_indices counts")
UniqueCounts = namedtuple("UniqueCounts", "values counts")
UniqueInverse = namedtuple("UniqueInverse", "values inverse_indices")


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """In order along an axis; NaN last. Always stable."""
    return apply("sort", (x,), (0 if axis is None else 1, axis or 0, 1 if descending else 0))


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices that put it in order along an axis. Always stable."""
    return apply("argsort", (x,), (0 if axis is None else 1, axis or 0, 1 if descending else 0))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where each of x2 belongs in x1, which is in order (or is by `sorter`)."""
    if side not in ("left", "right"):
        raise ArgumentError(f"searchsorted: side is 'left' or 'right', not {side!r}")
    if sorter is not None:
        x1 = take(x1, sorter, axis=0)
    return apply("searchsorted", (x1, x2), (1 if side == "right" else 0,))


def nonzero(x, /):
    """Where the elements are that are not 0: one array of indices for each axis."""
    x = to_array(x, "nonzero")
    if x.ndim == 0:
        raise ArgumentError("nonzero: takes an array with axes")
    return tuple(apply("nonzero", (x,), (axis,)) for axis in range(x.ndim))


def argwhere(x, /):
    """The indices of elements that are not 0, one in each row."""
    return apply("stack", nonzero(x), (1,))


def flatnonzero(x, /):
    """Where the elements are that are not 0, of all in order."""
    return apply("nonzero", (apply("reshape", (x,), None, (-1,)),), (0,))


def take(x, indices, /, *, axis=None):
    """The elements at these indices along an axis; without one, of all in order."""
    x = to_array(x, "take")
    if axis is None and x.ndim == 1:
        axis = 0
    return apply("take", (x, indices), (0,) if axis is None else (1, axis))


def take_along_axis(x, indices, /, *, axis=-1):
    """x[..., indices[..., i, ...], ...]: one index for each element of the result."""
    return apply("take_along_axis", (x, indices), (axis,))


def _unique(x, equal_nan, *functions):
    x = to_array(x, "unique")
    return [apply(f, (x,), (1 if equal_nan else 0,)) for f in functions]


def unique_all(x, /):
    """Values that occur, where each is first, where each element's value is, and how often they do."""
    return UniqueAll(*_unique(x, False, "unique", "unique_indices", "unique_inverse", "unique_counts"))


def unique_counts(x, /):
    """Values that occur, and how often."""
    return UniqueCounts(*_unique(x, False, "unique", "unique_counts"))


def unique_inverse(x, /):
    """Values that occur, and where each element's value is among them."""
    return UniqueInverse(*_unique(x, False, "unique", "unique_inverse"))


def unique_values(x, /):
    """Values that occur, in order; each NaN by itself."""
    return _unique(x, False, "unique")[0]


def unique(x, /, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True):
    """NumPy's: the values that occur, in order, and what else is asked for. Along an axis NumPy finds
    them, now."""
    if axis is not None:
        from ._create import asarray

        found = np.unique(np.asarray(to_array(x, "unique")), return_index, return_inverse, return_counts, axis,
                          equal_nan=equal_nan)
        return tuple(map(asarray, found)) if isinstance(found, tuple) else asarray(found)
    wanted = ["unique"]
    for asked, name in ((return_index, "unique_indices"), (return_inverse, "unique_inverse"),
                        (return_counts, "unique_counts")):
        if asked:
            wanted.append(name)
    found = _unique(x, equal_nan, *wanted)
    return found[0] if len(found) == 1 else tuple(found)


def add_at(x, index, values, /):
    """x with values added there; an index that occurs twice counts twice."""
    return _core.apply_index("add_at", (x, values), index)


__all__ = ["sort", "argsort", "searchsorted", "nonzero", "argwhere", "flatnonzero", "take",
           "take_along_axis", "unique_all", "unique_counts", "unique_inverse", "unique_values", "unique",
           "add_at"]
