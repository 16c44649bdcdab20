# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that put parts into arrays, take parts out, and look through windows."""

import operator

import numpy as np

from . import _search, _shape
from ._array import apply, to_array
from ._core import Size
from .errors import ArgumentError, IndexOutOfRange, UsageError


def _part(x, axis, *bounds):
    return x[(slice(None),) * axis + (slice(*bounds),)]


def _flat_or_axis(x, axis, what):
    x = to_array(x, what)
    if axis is None:
        return _shape.ravel(x), 0
    return x, _shape._normal(axis, x.ndim, what)


def _places(obj, length, what, most):
    """Indices as ints from 0 on, or sizes: those from the end need a length, which may be a symbol."""
    if isinstance(obj, slice):
        if not isinstance(length, int):
            raise UsageError(f"{what}: a slice of {length} places, a symbol\n  help: join the parts: "
                             "concat((x[:a], x[b:]))")
        return list(range(*obj.indices(length)))
    many = isinstance(obj, (list, tuple)) or getattr(obj, "ndim", 0) > 0
    found = []
    for i in (list(obj) if many else [obj]):
        i = i if isinstance(i, Size) else operator.index(i)
        if isinstance(i, int):
            if isinstance(length, int) and not -length <= i < length + most:
                raise IndexOutOfRange(f"{what}: index {i} is out of range for {length} elements")
            i = i + length if i < 0 else i
        found.append(i)
    return found


def _ascending(places, what):
    """In order; symbols only alone, as their order is not known."""
    if all(isinstance(p, int) for p in places):
        return sorted(range(len(places)), key=lambda n: places[n])
    if len(places) > 1:
        raise UsageError(f"{what}: several places, of which one is a symbol, are in no order that is known\n"
                         "  help: one after the other")
    return [0]


def insert(arr, obj, values, axis=None):
    """With values before an index, or before each of several; without an axis, of all elements in order."""
    x, axis = _flat_or_axis(arr, axis, "insert")
    values = to_array(values, "insert").astype(x.dtype)
    length = x.shape[axis]
    is_one = not isinstance(obj, (list, tuple, slice)) and getattr(obj, "ndim", 0) == 0
    places = _places(obj, length, "insert", 1)
    before = (slice(None),) * axis
    if is_one:  # a part of any length, as NumPy spreads it
        if values.ndim == 0:
            values = _shape.reshape(values, (1,) * x.ndim)
        elif values.ndim > x.ndim:
            raise ArgumentError(f"insert: values with {values.ndim} axes do not fit into an array with {x.ndim}")
        elif values.ndim < x.ndim:
            values = _shape.reshape(values, (1,) * (x.ndim - values.ndim) + tuple(values.shape))
            values = _shape.moveaxis(values, 0, axis)
        thick = values.shape[axis]
        shape = tuple(thick if a == axis else n for a, n in enumerate(x.shape))
        middle = _shape.broadcast_to(values, shape)
        return _shape.concat((x[(*before, slice(None, places[0]))], middle, x[(*before, slice(places[0], None))]),
                             axis=axis)
    count = len(places)
    values = _shape.broadcast_to(values, tuple(count if a == axis else n for a, n in enumerate(x.shape)))
    parts, last = [], 0
    for n in _ascending(places, "insert"):
        parts += [_part(x, axis, last, places[n]), _part(values, axis, n, n + 1)]
        last = places[n]
    return _shape.concat((*parts, _part(x, axis, last, None)), axis=axis)


def _is_forward(start, stop):
    """Does a slice of any length end where it begins, or later? Both ends are counted from the same end."""
    start = 0 if start is None else start
    return isinstance(start, int) and (stop is None or isinstance(stop, int) and (start < 0) == (stop < 0) and
                                       start <= stop)


def delete(arr, obj, axis=None):
    """Without the elements at an index, at several, in a slice or where a mask holds; without an axis, of all elements
    in order."""
    x, axis = _flat_or_axis(arr, axis, "delete")
    if isinstance(obj, (list, tuple)) and obj and all(isinstance(v, (bool, np.bool_)) for v in obj):
        obj = np.asarray(obj)
    if getattr(obj, "dtype", None) == bool:
        keep = ~to_array(obj, "delete")
        return _search.take(x, _search.nonzero(keep)[0], axis=axis)
    if isinstance(obj, slice) and obj.step in (None, 1) and _is_forward(obj.start, obj.stop):
        return _shape.concat((_part(x, axis, None, obj.start or 0), _part(x, axis, obj.stop, None)
                              if obj.stop is not None else _part(x, axis, 0, 0)), axis=axis)
    places = _places(obj, x.shape[axis], "delete", 0)
    if not places:
        return x._same()
    parts, last = [], 0
    for n in _ascending(places, "delete"):
        at = places[n]
        if not isinstance(at, int) or at >= last:  # else the same one again
            parts.append(_part(x, axis, last, at))
            last = at + 1
    return _shape.concat((*parts, _part(x, axis, last, None)), axis=axis)


def block(arrays):
    """Arrays in nested lists, joined: along the last axis in the innermost lists, and so outwards."""
    def depth(a):
        if not isinstance(a, (list, tuple)):
            return 0
        depths = {depth(b) for b in a}
        if len(depths) != 1:
            raise ArgumentError("block: lists are empty, or nested to different depths")
        return depths.pop() + 1

    nested = depth(arrays)

    def rank(a):
        return max(map(rank, a)) if isinstance(a, (list, tuple)) else to_array(a, "block").ndim

    axes = max(nested, rank(arrays))

    def join(a, level):
        if not isinstance(a, (list, tuple)):
            return _shape._at_least(a, axes)
        return _shape.concat([join(b, level + 1) for b in a], axis=axes - nested + level)

    return join(arrays, 0)


def resize(a, new_shape):
    """The elements in order, as often as a shape needs them."""
    x = _shape.ravel(to_array(a, "resize"))
    shape = tuple(new_shape) if isinstance(new_shape, (tuple, list)) else (new_shape,)
    count = 1
    for n in shape:
        count = count * n
    return _shape.reshape(_search.take(x, apply("arange", (), None, (0, count, 1)) % x.shape[0]), shape)


def rollaxis(a, axis, start=0):
    """An axis moved before another."""
    x = to_array(a, "rollaxis")
    axis = _shape._normal(axis, x.ndim, "rollaxis")
    start = start + x.ndim if start < 0 else start
    if not 0 <= start <= x.ndim:
        raise ArgumentError(f"rollaxis: start is from {-x.ndim} to {x.ndim}, not {start}")
    return _shape.moveaxis(x, axis, start - 1 if axis < start else start)


def sliding_window_view(x, window_shape, axis=None):
    """All windows of a shape along axes: the places of the first element, then the window."""
    x = to_array(x, "sliding_window_view")
    lengths = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    axes = tuple(range(x.ndim)) if axis is None else tuple(
        _shape._normal(a, x.ndim, "sliding_window_view") for a in _shape._axes(axis))
    if len(axes) != len(lengths):
        raise ArgumentError(f"sliding_window_view: {len(axes)} axes need as many lengths, not {len(lengths)}")
    for a, n in zip(axes, lengths):
        whole = x.shape[a]
        if isinstance(whole, int) and isinstance(n, int) and not 0 <= n <= whole:
            raise ArgumentError(f"sliding_window_view: a window of {n} does not fit into {whole} elements of axis {a}")
        first = _shape.expand_dims(apply("arange", (), None, (0, whole - n + 1, 1)), axis=1)
        windows = _search.take(x, first + apply("arange", (), None, (0, n, 1)), axis=a)
        x = _shape.moveaxis(windows, a + 1, -1)
    return x


def trim_zeros(filt, trim="fb"):
    """Without zeros at the front ("f") and the back ("b")."""
    x = to_array(filt, "trim_zeros")
    if x.ndim != 1:
        raise ArgumentError(f"trim_zeros: takes an array with one axis, not {x.ndim}")
    seen = (x != 0).astype("int64")
    keep = seen >= 0  # all of them
    if "f" in trim.lower():
        keep = keep & (apply("cumsum", (seen,), (1, 0)) > 0)
    if "b" in trim.lower():
        keep = keep & _shape.flip(apply("cumsum", (_shape.flip(seen),), (1, 0)) > 0)
    return x[keep]


__all__ = ["insert", "delete", "block", "resize", "rollaxis", "sliding_window_view", "trim_zeros"]
