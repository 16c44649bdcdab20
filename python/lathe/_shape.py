# SPDX-License-Identifier: Apache-2.0
"""Other shapes of the same elements."""

import operator

from ._array import apply, to_array
from ._core import Size
from ._size import least
from .errors import ArgumentError, AxisError, UnknownLengths, UsageError


def _axes(axis):
    return tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)


def reshape(x, /, shape, *, copy=None, order="C"):
    """The same elements in another shape; one length may be -1."""
    if order not in ("C", "F"):
        raise ArgumentError(f"reshape: order is 'C' or 'F', not {order!r}")
    if copy is False:
        to_array(x, "reshape")  # nothing is ever copied before it is computed
    return apply("reshape", (x,), (1 if order == "F" else 0,), _axes(shape))


def ravel(x, /, order="C"):
    """All elements along one axis."""
    return reshape(x, (-1,), order=order)


def permute_dims(x, /, axes):
    """The axes in another order."""
    return apply("transpose", (to_array(x, "permute_dims"),), tuple(axes)) if len(axes) else to_array(
        x, "permute_dims")


def transpose(x, /, axes=None):
    """The axes in another order; without one, the opposite."""
    return apply("transpose", (x,)) if axes is None else permute_dims(x, axes)


def matrix_transpose(x, /):
    """The last two axes exchanged."""
    return apply("matrix_transpose", (x,))


def moveaxis(x, source, destination, /):
    """Axes moved elsewhere; the others keep their order."""
    x = to_array(x, "moveaxis")
    sources, destinations = _axes(source), _axes(destination)
    if len(sources) != len(destinations):
        raise ArgumentError("moveaxis: needs as many places as axes")
    sources = [_normal(a, x.ndim, "moveaxis") for a in sources]
    destinations = [_normal(a, x.ndim, "moveaxis") for a in destinations]
    if len(set(sources)) != len(sources) or len(set(destinations)) != len(destinations):
        raise ArgumentError("moveaxis: an axis is given twice")
    order = [a for a in range(x.ndim) if a not in sources]
    for to, axis in sorted(zip(destinations, sources)):
        order.insert(to, axis)
    return permute_dims(x, tuple(order))


def _normal(axis, rank, what):
    axis = operator.index(axis)
    if not -rank <= axis < rank:
        raise AxisError(f"{what}: axis {axis} is out of range for {rank} "
                        f"{'axis' if rank == 1 else 'axes'}")
    return axis % rank


def swapaxes(x, axis1, axis2, /):
    """Two axes exchanged."""
    return apply("swapaxes", (x,), (axis1, axis2))


def expand_dims(x, /, *, axis=0):
    """With axes of length 1 at these places of the result."""
    return apply("expand_dims", (x,), _axes(axis))


def squeeze(x, /, axis=None):
    """Without axes of length 1: these, or (as NumPy) all."""
    x = to_array(x, "squeeze")
    if axis is not None and len(_axes(axis)) == 0:
        return x
    return apply("squeeze", (x,), () if axis is None else _axes(axis))


def broadcast_to(x, /, shape):
    """Spread to a shape."""
    return apply("broadcast_to", (x,), None, _axes(shape))


def broadcast_arrays(*arrays):
    """All of them, spread to one shape."""
    return [apply("broadcast_arrays", arrays, (i,)) for i in range(len(arrays))]


def broadcast_shapes(*shapes):
    """The shape that they are all spread to."""
    from ._create import zeros

    found = zeros(shapes[0] if shapes else ())
    for shape in shapes[1:]:
        found = found + zeros(shape)
    return found.shape


def concat(arrays, /, *, axis=0):
    """One behind the other along an axis; with None, of all elements in order."""
    parts = [to_array(a, "concat") for a in arrays]
    if axis is None:
        parts, axis = [ravel(p) for p in parts], 0
    return apply("concatenate", tuple(parts), (axis,))


def concatenate(arrays, axis=0):
    """NumPy's name of concat."""
    return concat(arrays, axis=axis)


def stack(arrays, /, *, axis=0):
    """One behind the other along a new axis."""
    return apply("stack", tuple(arrays), (axis,))


def unstack(x, /, *, axis=0):
    """The parts along an axis, as a tuple."""
    x = to_array(x, "unstack")
    axis = _normal(axis, x.ndim, "unstack")
    if not isinstance(x.shape[axis], int):
        raise UsageError(f"unstack: axis {axis} has length {x.shape[axis]}, a symbol: how many parts there are is "
                         "not known before there are arrays\n  help: x[0], x[1] ... are those that are needed; functions of "
                         "whole arrays, with axis=, need no parts")
    before = (slice(None),) * axis
    return tuple(x[(*before, i)] for i in range(x.shape[axis]))


def _at_least(x, rank):
    x = to_array(x, "stack")
    return x if x.ndim >= rank else reshape(x, (1,) * (rank - x.ndim) + tuple(x.shape))


def vstack(arrays):
    """Rows on rows."""
    return concat([_at_least(a, 2) for a in arrays], axis=0)


def hstack(arrays):
    """Side by side."""
    parts = [_at_least(a, 1) for a in arrays]
    return concat(parts, axis=0 if parts and parts[0].ndim == 1 else 1)


def column_stack(arrays):
    """One-dimensional arrays as columns."""
    return concat([a if a.ndim > 1 else reshape(a, (-1, 1)) for a in map(to_array, arrays)], axis=1)


def split(x, indices_or_sections, /, axis=0):
    """The parts between indices along an axis, or so many equal parts."""
    x = to_array(x, "split")
    axis = _normal(axis, x.ndim, "split")
    at = _sections(indices_or_sections, "split")
    before = (slice(None),) * axis
    if isinstance(at, int):
        length = x.shape[axis]
        if at <= 0 or isinstance(length, int) and length % at:
            raise ArgumentError(f"split: {length} elements make no {at} equal parts\n"
                                "  help: array_split makes parts of different lengths")
        # Whether a symbol can be divided is looked at when it is known.
        parts = reshape(x, (*x.shape[:axis], at, length // at, *x.shape[axis + 1:]))
        return [parts[(*before, i)] for i in range(at)]
    ends = [None, *at, None]
    return [x[(*before, slice(a, b))] for a, b in zip(ends, ends[1:])]


def _sections(given, what):
    """How many parts, an int; or where they end, a list."""
    if isinstance(given, Size):
        raise UsageError(f"{what}: into {given} parts, a symbol: how many there are is not known before there are "
                         "arrays\n  help: reshape makes the parts rows of one array; a static argument, an int, is a "
                         "number of parts")
    if hasattr(given, "__index__") and getattr(given, "ndim", 0) == 0:
        return operator.index(given)
    if hasattr(given, "ndim"):
        return [int(v) for v in to_array(given, what)]
    return list(given)


def flip(x, /, *, axis=None):
    """Backwards along axes, or all."""
    return apply("flip", (x,), () if axis is None else _axes(axis))


def roll(x, /, shift, *, axis=None):
    """Moved along axes, what leaves at one end comes in at the other; without an axis, all elements in
    order."""
    if axis is None:
        return apply("roll", (x,), (operator.index(shift),))
    shifts, axes = _axes(shift), _axes(axis)
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    if len(shifts) != len(axes):
        raise ArgumentError("roll: needs a shift for each axis")
    return apply("roll", (x,), tuple(v for pair in zip(shifts, axes) for v in pair))


def repeat(x, repeats, /, *, axis=None):
    """Each element so often; one number, or one for each along the axis."""
    x = to_array(x, "repeat")
    where = (0,) if axis is None else (1, axis)
    if isinstance(repeats, int):
        return apply("repeat", (x,), (repeats, *where))
    repeats = to_array(repeats, "repeat")
    if not repeats.is_closed:
        raise UnknownLengths("repeat: the result is as long as the numbers say, and their values are not known yet\n"
                             "  help: one number for all elements may be an int or a size; compute(name=value) "
                             "gives values, and in a function of lathe.function they are there")
    if repeats.ndim == 0 or repeats.shape == (1,):
        return repeat(x, int(repeats if repeats.ndim == 0 else repeats[0]), axis=axis)
    total = int(repeats.sum())
    return apply("repeat", (x, repeats), (0, *where), (total,))


def tile(x, repetitions, /):
    """The whole array so often along each axis."""
    x = to_array(x, "tile")
    times = _axes(repetitions)
    if len(times) < x.ndim:
        times = (1,) * (x.ndim - len(times)) + times
    return apply("tile", (_at_least(x, len(times)),), times)


def _mirrored(x, widths, once):
    """Each axis read back and forth; `once`: without its last elements twice."""
    for axis, (before, after) in enumerate(widths):
        n = x.shape[axis]
        if isinstance(n, int) and (n == 0 or n == 1 and once):  # nothing to turn back to
            x = apply("pad", (x,), None, tuple(v for a in range(x.ndim) for v in ((before, after) if a == axis else (0, 0))),
                      None, "edge")
            continue
        at = apply("arange", (), None, (0 - before, n + after, 1))
        turn = apply("remainder", (at, to_array(2 * n - (2 if once else 0), "pad")))
        back = apply("subtract", (to_array(2 * n - (2 if once else 1), "pad"), turn))
        x = apply("take", (x, apply("where", (apply("less", (turn, to_array(n, "pad"))), turn, back))), (1, axis))
    return x


_PAD_MODES = ("constant", "edge", "wrap", "reflect", "symmetric")


def pad(x, pad_width, mode="constant", *, constant_values=0):
    """With more elements before and after each axis: a constant, "edge", "wrap", "reflect" or "symmetric"."""
    if isinstance(mode, str) and mode not in _PAD_MODES:
        shown = ", ".join(map(repr, _PAD_MODES[:-1]))
        raise ArgumentError(f"pad: there is no mode {mode!r}\n  help: modes are {shown} and {_PAD_MODES[-1]!r}")
    x = to_array(x, "pad")
    widths = pad_width if isinstance(pad_width, (tuple, list)) else ((pad_width, pad_width),)
    if len(widths) == 2 and not isinstance(widths[0], (tuple, list)):
        widths = (tuple(widths),)
    widths = [tuple(w) if isinstance(w, (tuple, list)) else (w, w) for w in widths]
    widths = [(w[0], w[0]) if len(w) == 1 else w for w in widths]
    if len(widths) == 1:
        widths = widths * x.ndim
    if mode in ("reflect", "symmetric"):
        return _mirrored(x, widths, mode == "reflect")
    operands = (x, constant_values) if mode == "constant" else (x,)
    return apply("pad", operands, None, tuple(v for w in widths for v in w), None, mode)


def diagonal(x, /, offset=0, axis1=0, axis2=1):
    """The elements on a diagonal, along the last axis of the result."""
    return apply("diagonal", (x,), (offset, axis1, axis2))


def atleast_1d(x, /):
    """With at least one axis."""
    return _at_least(x, 1)


def atleast_2d(x, /):
    """With at least two axes."""
    return _at_least(x, 2)


__all__ = ["reshape", "ravel", "permute_dims", "transpose", "matrix_transpose", "moveaxis", "swapaxes",
           "expand_dims", "squeeze", "broadcast_to", "broadcast_arrays", "broadcast_shapes", "concat",
           "concatenate", "stack", "unstack", "vstack", "hstack", "column_stack", "split", "flip",
           "roll", "repeat", "tile", "pad", "diagonal", "atleast_1d", "atleast_2d"]
