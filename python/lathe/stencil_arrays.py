# SPDX-License-Identifier: Apache-2.0
"""Arguments of stencils that are not plain NumPy arrays or Python numbers; called by _core."""

import numbers

import numpy as np

from . import errors
from ._array import Array
from ._dtypes import DTYPES
from .stencil_objects import describe

# Names that xarray's users give to the axes.
_AXES = {"i": "I", "j": "J", "k": "K", "x": "I", "y": "J", "z": "K"}


def adopt(value, axes, data_rank, is_written, what):
    """(an array over the field's axes in order, its origin or None), sharing memory with what is given."""
    dims, origin = getattr(value, "__gt_dims__", None), getattr(value, "__gt_origin__", None)
    if dims is None and hasattr(value, "dims") and hasattr(value, "coords"):  # xarray's
        dims = named_axes(value.dims, axes, data_rank)
    if dims is None and hasattr(value, "__dlpack__") and not isinstance(value, Array):
        return value, origin  # NumPy would make it read-only before 2.1
    array = memory_of(value, is_written, what)
    if dims is not None:
        wanted = [*axes, *map(str, range(data_rank))]
        given = [str(d) for d in dims]
        if sorted(given) != sorted(wanted):
            raise errors.ArgumentError(
                f"{what}: the array has the dimensions {', '.join(given)}, and the field {', '.join(wanted)}")
        array = array.transpose([given.index(d) for d in wanted])
        if origin is not None and given != wanted:
            origin = [origin[given.index(d)] for d in wanted]
    return array, origin


def named_axes(dims, axes, data_rank):
    """The axes of a DataArray whose dimensions are called I, J, K or x, y, z; None: by their order."""
    named = [_AXES.get(str(d).lower()) for d in dims]
    if [a for a in sorted(filter(None, named))] != sorted(axes) or len(dims) != len(axes) + data_rank:
        return None
    data = iter(range(data_rank))
    return [name or str(next(data)) for name in named]


def memory_of(value, is_written, what):
    """The NumPy array that shares memory with an object. What is only read may be a copy."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, Array):  # computed, if it is not yet
        if is_written:
            raise errors.DTypeError(f"{what} is written, and a lathe.Array is a value that does not change\n"
                                    "  help: give a NumPy array, or anything with a buffer or DLPack")
        return np.asarray(value)
    if hasattr(value, "dims") and hasattr(value, "coords"):
        values = value.variable._data if hasattr(value, "variable") else value.values
        return memory_of(values, is_written, what)
    try:
        if hasattr(value, "__array_interface__") or _is_buffer(value):
            return np.asarray(value)
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
    except (TypeError, ValueError, BufferError) as problem:
        raise errors.DTypeError(f"{what}: {problem}") from None
    if isinstance(value, numbers.Number) or isinstance(value, (str, bytes)):
        raise errors.DTypeError(f"{what}: expected an array, not {describe(value)}")
    if is_written:
        raise errors.DTypeError(f"{what} is written, and {describe(value)} has no memory that could be\n"
                                "  help: give a NumPy array, or anything with a buffer or DLPack")
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as problem:
        raise errors.DTypeError(f"{what}: {problem}") from None
    if array.dtype == object:
        raise errors.DTypeError(f"{what}: expected an array, not {describe(value)}")
    return array


def _is_buffer(value):
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def scalar(value, name, dtype, is_strict):
    """A number for a scalar argument, as Python's float, int or bool."""
    wanted = DTYPES[dtype]
    if is_strict:
        try:
            fits = np.dtype(type(value)) == wanted
        except TypeError:
            fits = False
        if not fits:
            refuse_scalar(value, name, wanted)
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, Array) and value.ndim == 0:
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    is_bool = isinstance(value, (bool, np.bool_))
    is_int = isinstance(value, (int, np.integer)) and not is_bool
    is_real = isinstance(value, (float, np.floating)) or is_int
    if not {"b": is_bool, "i": is_int, "f": is_real}[wanted.kind]:
        refuse_scalar(value, name, wanted)
    if wanted.kind == "i":
        limits = np.iinfo(wanted)
        if not limits.min <= int(value) <= limits.max:
            raise errors.ArgumentError(f"scalar '{name}' is {wanted}, which cannot hold {int(value)}")
    return {"b": bool, "i": int, "f": float}[wanted.kind](value)


def refuse_scalar(value, name, wanted):
    text = f"scalar '{name}' is {wanted}, and {describe(value)} is given"
    if hasattr(value, "shape") and len(value.shape) > 0:
        text += "\n  help: a scalar is one number; what varies is a field"
    elif wanted.kind == "b" and isinstance(value, int):
        text += f"\n  help: write bool({value})"
    elif wanted.kind == "f" and isinstance(value, int) and not isinstance(value, bool):
        text += f"\n  help: write {value}.0" if wanted == float else f"\n  help: write np.{wanted}({value})"
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        text += f"\n  help: write np.{wanted}({value})"
    raise errors.DTypeError(text)
