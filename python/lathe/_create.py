# SPDX-License-Identifier: Apache-2.0
"""Where arrays come from: other people's memory, numbers, names of what comes later."""

import math

import numpy as np

from . import _core
from ._array import Array, apply, to_array
from ._dtypes import DTYPES, as_dtype, check_fits, code_of, float64, int64
from .errors import ArgumentError, NumberTooLarge, UsageError

_FLOAT = code_of(float64)


def _on_cpu(device, what):
    if device not in (None, "cpu"):
        raise ArgumentError(f"{what}: there is no device {device!r}, only 'cpu'")


def _shape(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def _name(name, what):
    if not isinstance(name, str):
        raise UsageError(f"{what}: a name is a str, not {name!r}")
    return name


def size(name):
    """A length that is known when the array is computed: a lathe.Size."""
    return _core.named_size(_name(name, "size"))


def input(name, shape=(), dtype=float64, *, labels=None):
    """An array that gets its values by name in compute(). Lengths are ints, names or lathe.Size."""
    made = _core.input(_name(name, "input"), code_of(dtype), _shape(shape))
    return made if labels is None else made.named(*labels)


def scalar(name, dtype=float64):
    """A number that gets its value by name in compute()."""
    return _core.scalar(_name(name, "scalar"), code_of(dtype), False)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """An array of lathe. Memory of others is referred to where it lies unless copy=True; copy=False
    refuses what has none."""
    _on_cpu(device, "asarray")
    found = None
    if isinstance(obj, Array):
        found = obj._same() if copy else obj
    elif type(obj).__module__.startswith("xarray."):
        found = _core.data(np.asarray(obj.data), bool(copy), "asarray").named(*map(str, obj.dims))
    elif isinstance(obj, (bool, int, float, complex, list, tuple)) or obj is None:
        if copy is False:
            raise ArgumentError("asarray: numbers and lists of Python cannot be had without a copy")
        found = _of_python(obj, dtype)
    elif isinstance(obj, _core.Size):
        found = _core.to_array(obj, "asarray")
    else:
        shows_memory = _core.shows_memory(obj)
        if not shows_memory and copy is not False and (hasattr(obj, "__array__") or hasattr(obj, "__len__")):
            obj, copy = np.asarray(obj), True
        found = _core.data(obj, bool(copy), "asarray")
    if dtype is None or found.dtype == as_dtype(dtype):
        return found
    if copy is False:
        raise ArgumentError(f"asarray: the array is {found.dtype}: {as_dtype(dtype)} needs a copy")
    return apply("astype", (found,), dtype=code_of(dtype))


def _has_arrays(obj):
    return isinstance(obj, Array) or isinstance(obj, (list, tuple)) and any(map(_has_arrays, obj))


def _of_python(obj, dtype):
    try:
        return _of_objects(obj, dtype)
    except ValueError as problem:
        if isinstance(problem, ArgumentError):
            raise
        raise ArgumentError(f"asarray: {problem}") from None


def _of_objects(obj, dtype):
    if isinstance(obj, Array):
        return obj
    if _has_arrays(obj):
        return apply("stack", tuple(_of_python(o, None) for o in obj), (0,))
    if dtype is not None and as_dtype(dtype).name != "bfloat16":
        wanted = as_dtype(dtype)
        kind = np.asarray(obj).dtype.kind
        if kind not in "biuf" or kind == "f" and wanted.kind in "iu":
            values = np.asarray(obj)
        else:
            values = np.asarray(obj, wanted)
    else:
        values = np.asarray(obj)
        if values.size == 0 and values.dtype == float64:
            values = values.astype(float64)
    if values.dtype == object and all(isinstance(v, int) for v in values.flat):
        raise NumberTooLarge("asarray: an int does not fit 64 bits")
    return _core.data(values, True, "asarray")


array = asarray


def from_dlpack(x, /, *, device=None, copy=None):
    """An array of lathe that refers to the memory of x, by DLPack."""
    _on_cpu(device, "from_dlpack")
    if not hasattr(x, "__dlpack__"):
        raise UsageError(f"from_dlpack: {type(x).__name__} has no __dlpack__")
    if isinstance(x, Array):
        return x._same()
    return _core.data(x, bool(copy), "from_dlpack")


def frombuffer(buffer, dtype=float64, count=-1, offset=0):
    """A one-dimensional array that refers to the bytes of a buffer."""
    return _core.data(np.frombuffer(buffer, as_dtype(dtype), count, offset), False, "frombuffer")


def full(shape, fill_value, *, dtype=None, device=None):
    """An array with one value everywhere."""
    _on_cpu(device, "full")
    code = code_of(dtype)
    if code < 0:
        value = to_array(fill_value, "full")
        code = value._dtype
    else:
        check_fits(fill_value, DTYPES[code], "full")
    return apply("full", (fill_value,), None, _shape(shape), dtype=code)


def zeros(shape, *, dtype=None, device=None):
    """An array of zeros."""
    _on_cpu(device, "zeros")
    return apply("full", (0.0,), None, _shape(shape), dtype=_FLOAT if dtype is None else code_of(dtype))


def ones(shape, *, dtype=None, device=None):
    """An array of ones."""
    _on_cpu(device, "ones")
    return apply("full", (1.0,), None, _shape(shape), dtype=_FLOAT if dtype is None else code_of(dtype))


def empty(shape, *, dtype=None, device=None):
    """An array of that shape; its values are zeros."""
    return zeros(shape, dtype=dtype, device=device)


def _like(x, value, dtype, device, what):
    _on_cpu(device, what)
    x = to_array(x, what)
    code = x._dtype if dtype is None else code_of(dtype)
    value = check_fits(value, DTYPES[code], what)
    if isinstance(value, (bool, int, float)):  # values of x may be given then, though none is needed
        return apply("full_like", (x, value), dtype=code)
    return apply("full", (value,), None, x.shape, dtype=code)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """Like x, with one value everywhere."""
    return _like(x, fill_value, dtype, device, "full_like")


def zeros_like(x, /, *, dtype=None, device=None):
    """Like x, but zeros."""
    return _like(x, 0, dtype, device, "zeros_like")


def ones_like(x, /, *, dtype=None, device=None):
    """Like x, but ones."""
    return _like(x, 1, dtype, device, "ones_like")


def empty_like(x, /, *, dtype=None, device=None):
    """Of the shape and dtype of x; its values are zeros."""
    return _like(x, 0, dtype, device, "empty_like")


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """Ones on the k-th diagonal, zeros elsewhere."""
    _on_cpu(device, "eye")
    columns = n_rows if n_cols is None else n_cols
    made = apply("eye", (), (k,), (n_rows, columns), dtype=_FLOAT if dtype is None else code_of(dtype))
    return made


def identity(n, dtype=None):
    """The identity matrix."""
    return eye(n, dtype=dtype)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """Numbers from start (0) to stop, without it."""
    _on_cpu(device, "arange")
    if stop is None:
        start, stop = 0, start
    whole = all(isinstance(v, (int, np.integer, _core.Size)) for v in (start, stop, step))
    if whole:
        # The number of elements, as a size: also of symbols.
        made = apply("arange", (), None, (start, stop, step))
        code = code_of(int64) if dtype is None else code_of(dtype)
    elif all(isinstance(v, (int, np.integer, _core.Size)) or isinstance(v, float) and v.is_integer() and abs(v) < 2**53
             for v in (start, stop, step)):  # whole numbers, written as floats
        made = apply("arange", (), None, tuple(int(v) if isinstance(v, float) else v for v in (start, stop, step)))
        code = _FLOAT if dtype is None else code_of(dtype)
    else:
        start, stop, step = float(start), float(stop), float(step)
        if step == 0 or not all(map(math.isfinite, (start, stop, step))):
            raise ArgumentError("arange: the step and the ends give no length")
        made = apply("arange_real", (), None, None, (start, stop, step))
        code = _FLOAT if dtype is None else code_of(dtype)
    return made if made._dtype == code else apply("astype", (made,), dtype=code)


def linspace(start, stop, /, num=50, *, dtype=None, device=None, endpoint=True):
    """So many numbers from start to stop, evenly spaced."""
    _on_cpu(device, "linspace")
    if not all(isinstance(v, (int, float, np.generic)) for v in (start, stop)):
        made = _between(to_array(start, "linspace"), to_array(stop, "linspace"), num, endpoint)
        return made if dtype is None else apply("astype", (made,), dtype=code_of(dtype))
    made = apply("linspace", (), (1 if endpoint else 0,), (num,), (float(start), float(stop)))
    code = _FLOAT if dtype is None else code_of(dtype)
    return made if made._dtype == code else apply("astype", (made,), dtype=code)


def _between(start, stop, num, endpoint):
    """linspace from arrays to arrays, which may be lazy: along a new first axis."""
    rank = max(start.ndim, stop.ndim)
    at = apply("reshape", (apply("arange", (), None, (0, num, 1)),), (0,), (num,) + (1,) * rank)
    parts = num - 1 if endpoint else num
    step = (stop - start) / (max(parts, 1) if isinstance(parts, int) else apply("maximum", (parts, 1)))
    found = apply("add", (apply("multiply", (at.astype(step.dtype), step)), start))
    if not endpoint or parts == 0 and isinstance(parts, int):
        return found
    return apply("where", (apply("logical_and", (apply("equal", (at, parts)), apply("greater", (parts, 0)))), stop, found))


def logspace(start, stop, num=50, *, endpoint=True, base=10.0, dtype=None):
    """So many powers of the base, from base**start to base**stop."""
    made = apply("power", (float(base), linspace(start, stop, num, endpoint=endpoint)))
    return made if dtype is None else apply("astype", (made,), dtype=code_of(dtype))


def geomspace(start, stop, num=50, *, endpoint=True, dtype=None):
    """So many numbers from start to stop, each the same multiple of the one before."""
    if start == 0 or stop == 0 or (start < 0) != (stop < 0):
        raise ArgumentError(f"geomspace: from {start!r} to {stop!r} there is no such sequence")
    sign = -1.0 if start < 0 else 1.0
    made = sign * logspace(math.log10(abs(start)), math.log10(abs(stop)), num, endpoint=endpoint)
    return made if dtype is None else apply("astype", (made,), dtype=code_of(dtype))


def tri(n_rows, n_cols=None, k=0, *, dtype=float64):
    """Ones on and below the k-th diagonal."""
    columns = n_rows if n_cols is None else n_cols
    return apply("tril", (ones((n_rows, columns), dtype=dtype),), (k,))


def meshgrid(*arrays, indexing="xy", sparse=False):
    """Coordinates of a grid, one array for each axis; with `sparse` such as spread to it."""
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
    if sparse:
        rank, turned = len(arrays), indexing == "xy" and len(arrays) > 1
        places = [1 - i if turned and i < 2 else i for i in range(rank)]
        return [apply("reshape", (x,), (0,), (1,) * p + (-1,) + (1,) * (rank - p - 1)) for x, p in zip(arrays, places)]
    return [apply("meshgrid", arrays, (i, 1 if indexing == "ij" else 0))
            for i in range(len(arrays))]


def _as_matrix(x, name):
    x = to_array(x, name)
    return apply("broadcast_to", (x,), None, (x.shape[0], x.shape[0])) if x.ndim == 1 else x


def tril(x, /, k=0):
    """Zeros above the k-th diagonal. Of one axis: of a matrix whose rows are x."""
    return apply("tril", (_as_matrix(x, "tril"),), (k,))


def triu(x, /, k=0):
    """Zeros below the k-th diagonal. Of one axis: of a matrix whose rows are x."""
    return apply("triu", (_as_matrix(x, "triu"),), (k,))


def copy(x, /):
    """The same values; what is assigned to the one is not seen by the other."""
    return to_array(x, "copy")._same()


def fromfunction(function, shape, *, dtype=float64):
    """function(i, j, ...) at each index; the indices have the dtype."""
    axes = [apply("astype", (apply("arange", (), None, (0, n, 1)),), dtype=code_of(dtype)) for n in _shape(shape)]
    grid = meshgrid(*axes, indexing="ij") if len(axes) > 1 else axes
    return to_array(function(*grid), "fromfunction")


__all__ = ["size", "input", "scalar", "asarray", "array", "from_dlpack", "frombuffer", "full", "zeros",
           "ones", "empty", "full_like", "zeros_like", "ones_like", "empty_like", "eye", "identity",
           "arange", "linspace", "logspace", "geomspace", "tri", "meshgrid", "tril", "triu", "copy", "fromfunction"]
