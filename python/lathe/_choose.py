# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that choose elements, and those that put others in their place. What is written to is the
variable, as in x[mask] = v: arrays made from it before keep their values."""

from . import _search, _shape
from ._array import Array, apply, to_array
from ._dtypes import bool as bool_dtype, code_of
from ._elementwise import FUNCTIONS, finish, where
from .errors import ArgumentError, DTypeError, UsageError


def _mask(x, what):
    x = to_array(x, what)
    return x if x.dtype == bool_dtype else x != 0


def compress(condition, a, axis=None, out=None):
    """The parts along an axis (without one, of all elements in order) where the condition holds."""
    a, mask = to_array(a, "compress"), _mask(condition, "compress")
    if mask.ndim != 1:
        raise ArgumentError(f"compress: the condition has one axis, not {mask.ndim}")
    if axis is None:
        a, axis = _shape.ravel(a), 0
    axis = _shape._normal(axis, a.ndim, "compress")
    return finish(_search.take(a, _search.nonzero(mask)[0], axis=axis), out)


def extract(condition, arr):
    """The elements, of all in order, where the condition holds."""
    return compress(_shape.ravel(_mask(condition, "extract")), arr)


def choose(a, choices, out=None, mode="raise"):
    """At each place the element of the choice with that number; mode "wrap" and "clip" say what numbers beyond
    them mean, else such a number is an error while it is computed."""
    a = to_array(a, "choose")
    if a.dtype.kind not in "iu":
        raise DTypeError(f"choose: takes integers, not {a.dtype}")
    if mode not in ("raise", "wrap", "clip"):
        raise ArgumentError(f"choose: mode is 'raise', 'wrap' or 'clip', not {mode!r}")
    every = _shape.broadcast_arrays(a, *(to_array(c, "choose") for c in choices))
    if len(every) < 2:
        raise ArgumentError("choose: there is nothing to choose from")
    number, stacked = every[0], _shape.stack(every[1:])
    if mode != "raise":
        number = number % (len(every) - 1) if mode == "wrap" else FUNCTIONS["minimum"](
            FUNCTIONS["maximum"](number, 0), len(every) - 2)
    else:  # an index would count from the end
        number = where(number < 0, len(every) - 1, number)
    return finish(_search.take_along_axis(stacked, _shape.expand_dims(number, axis=0), axis=0)[0], out)


def piecewise(x, condlist, funclist, *args, **kw):
    """The value of the function (or the number) of the last condition that holds; of one more, where none does; else 0.
    Each function gets all of x, and what it gives elsewhere is not used."""
    x = to_array(x, "piecewise")
    conditions = [condlist] if isinstance(condlist, Array) and condlist.ndim == x.ndim else list(condlist)
    if conditions and not hasattr(conditions[0], "dtype") and x.ndim:
        conditions = [condlist]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ArgumentError(f"piecewise: {len(conditions)} conditions need {len(conditions)} functions, or one more, "
                            f"not {len(funclist)}")

    def value(f):
        found = to_array(f(x, *args, **kw) if callable(f) else f, "piecewise")
        return found if found.dtype == x.dtype else apply("astype", (found,), dtype=x._dtype)

    more = len(funclist) > len(conditions)
    found = value(funclist[-1]) if more else apply("zeros_like", (x,))
    for condition, f in zip(conditions, funclist):
        found = where(_mask(condition, "piecewise"), value(f), found)
    return found if found.ndim == x.ndim else _shape.broadcast_to(found, x.shape)


def _target(x, what):
    if not isinstance(x, Array):
        raise UsageError(f"{what}: writes into an array of lathe, not into {type(x).__name__}\n  help: np.{what} writes "
                         "into NumPy's")
    return x


def _turn(values, count, what):
    """So many values, again from the first when there are no more."""
    values = _shape.ravel(to_array(values, what))
    return _search.take(values, apply("arange", (), None, (0, count, 1)) % values.shape[0])


def copyto(dst, src, casting="same_kind", where=True):
    """The values of src, in dst; with `where`, those where it holds."""
    from ._array import cast_back

    x = _target(dst, "copyto")
    src = to_array(src, "copyto") if not isinstance(src, (bool, int, float)) else src
    if hasattr(src, "dtype") and casting != "unsafe":
        src = cast_back(src, x.dtype, "copyto")
    elif hasattr(src, "dtype"):
        src = src.astype(x.dtype)
    if where is True:
        x[...] = src
        return
    spread = _shape.broadcast_to(to_array(src, "copyto").astype(x.dtype), x.shape)
    x[...] = apply("where", (_mask(where, "copyto"), spread, x))


def putmask(a, mask, values):
    """a[i] = values[i] where the mask holds, of all elements in order; values begin again when there are no more."""
    x = _target(a, "putmask")
    mask = _shape.broadcast_to(_mask(mask, "putmask"), x.shape)
    values = _shape.reshape(_turn(values, x.size, "putmask"), x.shape)
    x[...] = where(mask, values.astype(x.dtype), x)


def place(arr, mask, vals):
    """The places where the mask holds get the first, second ... value; values begin again when there are no more."""
    x = _target(arr, "place")
    flat = _shape.ravel(_shape.broadcast_to(_mask(mask, "place"), x.shape))
    values = _shape.ravel(to_array(vals, "place"))
    number = apply("cumsum", (apply("astype", (flat,), dtype=code_of("int64")),), (1, 0)) - 1
    chosen = _search.take(values, FUNCTIONS["maximum"](number, 0) % values.shape[0])
    x[...] = _shape.reshape(where(flat, chosen.astype(x.dtype), _shape.ravel(x)), x.shape)


def put(a, ind, v, mode="raise"):
    """a[ind] = v, of all elements in order; v begins again when there are no more."""
    x, ind = _target(a, "put"), _shape.ravel(to_array(ind, "put"))
    if mode not in ("raise", "wrap", "clip"):
        raise ArgumentError(f"put: mode is 'raise', 'wrap' or 'clip', not {mode!r}")
    if mode != "raise":
        ind = ind % x.size if mode == "wrap" else FUNCTIONS["minimum"](FUNCTIONS["maximum"](ind, 0), x.size - 1)
    flat = _shape.ravel(x)._same()
    flat[ind] = _turn(v, ind.shape[0], "put").astype(x.dtype)
    x[...] = _shape.reshape(flat, x.shape)


def put_along_axis(arr, indices, values, axis):
    """The converse of take_along_axis: values at one index for each element along the axis."""
    x, at = _target(arr, "put_along_axis"), to_array(indices, "put_along_axis")
    if axis is None:
        return put(x, at, _shape.broadcast_to(to_array(values, "put_along_axis"), at.shape))
    axis = _shape._normal(axis, x.ndim, "put_along_axis")
    ranges = [_shape.reshape(apply("arange", (), None, (0, n, 1)), (1,) * i + (-1,) + (1,) * (x.ndim - i - 1))
              for i, n in enumerate(x.shape)]
    x[tuple(at if i == axis else r for i, r in enumerate(ranges))] = _shape.broadcast_to(
        to_array(values, "put_along_axis").astype(x.dtype), at.shape)


def fill_diagonal(a, val, wrap=False):
    """One value, or one for each element, on the main diagonal."""
    from ._indices import diag_indices_from

    x = _target(a, "fill_diagonal")
    if wrap:
        raise ArgumentError("fill_diagonal: wrap=True is not there\n  help: x[i, i % columns] = value writes such a diagonal")
    if x.ndim == 2:  # the shorter side
        from ._size import least

        at = (apply("arange", (), None, (0, least(*x.shape), 1)),) * 2
    else:
        at = diag_indices_from(x)
    x[at] = to_array(val, "fill_diagonal").astype(x.dtype) if isinstance(val, (int, float)) else _turn(
        val, at[0].shape[0], "fill_diagonal").astype(x.dtype)


__all__ = ["compress", "extract", "choose", "piecewise", "copyto", "putmask", "place", "put", "put_along_axis",
           "fill_diagonal"]
