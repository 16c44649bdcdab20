# SPDX-License-Identifier: Apache-2.0
"""Arrays whose axes lie as a backend likes them, and whose element `aligned_index` begins a cache line."""

import numbers

import numpy as np

from ....errors import ArgumentError, RunError, UsageError
from . import layout_registry

_LINE = 64  # bytes


def _dtype(given):
    try:
        return np.dtype(given)
    except TypeError:
        raise UsageError(f"{given!r} is not a dtype") from None


def _ints(name, numbers_, count=None):
    if not isinstance(numbers_, (tuple, list)) or not all(isinstance(n, numbers.Integral) for n in numbers_):
        raise UsageError(f"{name} is {numbers_!r}, not a sequence of ints")
    if count is not None and len(numbers_) != count:
        raise ArgumentError(f"{name} {tuple(numbers_)} has {len(numbers_)} numbers, and there are {count} dimensions")
    return tuple(int(n) for n in numbers_)


def _dimensions(dimensions, shape):
    if dimensions is None:
        return tuple("IJK"[:len(shape)]) + tuple(str(d) for d in range(len(shape) - 3))
    named = tuple(getattr(d, "__gt_axis_name__", d) for d in dimensions)
    if not all(isinstance(d, str) and (d.isdigit() or d in ("I", "J", "K")) for d in named):
        raise ArgumentError(f"invalid dimensions {named}: they are I, J, K, and numbers for data")
    if len(named) != len(shape):
        raise ArgumentError(f"dimensions {named} and shape {tuple(shape)} have different lengths")
    return named


def empty(shape, dtype=np.float64, *, backend, aligned_index=None, dimensions=None):
    """An array of anything."""
    if backend not in layout_registry.REGISTRY:
        raise RunError(f"there is no storage for backend '{backend}'\n  help: there are "
                           f"{', '.join(layout_registry.REGISTRY)}")
    shape = _ints("shape", shape)
    if any(n <= 0 for n in shape):
        raise ArgumentError(f"shape {shape} has a size that is not positive")
    named = _dimensions(dimensions, shape)
    aligned = _ints("aligned_index", [0] * len(shape) if aligned_index is None else aligned_index, len(shape))
    if any(n < 0 for n in aligned):
        raise ArgumentError(f"aligned_index {aligned} has a negative number")
    dtype = _dtype(dtype)
    if dtype.shape:
        first = sum(d.isdigit() for d in named)
        named += tuple(str(first + d) for d in range(len(dtype.shape)))
        shape, aligned, dtype = shape + dtype.shape, aligned + (0,) * len(dtype.shape), dtype.base
    layout = layout_registry.from_name(backend)["layout_map"](named)
    order = [layout.index(place) for place in range(len(shape))]  # axes from the slowest to the densest
    strides, step = [0] * len(shape), dtype.itemsize
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    memory = np.empty(step + _LINE, np.uint8)
    offset = sum(i * s for i, s in zip(aligned, strides))
    begin = -(memory.__array_interface__["data"][0] + offset) % _LINE
    return np.ndarray(shape, dtype, memory, begin, strides)


def full(shape, fill_value, dtype=np.float64, *, backend, aligned_index=None, dimensions=None):
    """An array of one value."""
    made = empty(shape, dtype, backend=backend, aligned_index=aligned_index, dimensions=dimensions)
    made[...] = fill_value
    return made


def zeros(shape, dtype=np.float64, *, backend, aligned_index=None, dimensions=None):
    """An array of zeros."""
    return full(shape, 0, dtype, backend=backend, aligned_index=aligned_index, dimensions=dimensions)


def ones(shape, dtype=np.float64, *, backend, aligned_index=None, dimensions=None):
    """An array of ones."""
    return full(shape, 1, dtype, backend=backend, aligned_index=aligned_index, dimensions=dimensions)


def from_array(data, dtype=np.float64, *, backend, aligned_index=None, dimensions=None):
    """A copy of an array; `dtype` None: its own."""
    data = np.asarray(data)
    dtype = _dtype(data.dtype if dtype is None else dtype)
    shape = data.shape
    if dtype.shape:
        if shape[len(shape) - len(dtype.shape):] != dtype.shape:
            raise ArgumentError(f"data of shape {shape} does not fit a dtype of shape {dtype.shape}")
        shape = shape[:len(shape) - len(dtype.shape)]
    made = empty(shape, dtype, backend=backend, aligned_index=aligned_index, dimensions=dimensions)
    made[...] = data
    return made
