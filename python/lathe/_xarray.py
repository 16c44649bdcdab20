# SPDX-License-Identifier: Apache-2.0
"""xarray: names of dimensions in, names of dimensions out. xarray itself is imported by who uses it."""

import numpy as np

from . import _core
from ._array import Array


def is_data_array(x):
    return type(x).__module__.partition(".")[0] == "xarray" and hasattr(x, "dims")


def plain_arguments(x, found):
    """An array with labels in place of a DataArray, which is noted."""
    if not is_data_array(x):
        return x
    found.append(x)
    return _core.data(np.asarray(x.data), False, str(x.name or "argument")).named(*map(str, x.dims))


def with_dimensions(result, given):
    """Arrays as DataArrays with their labels for dimensions, and the coordinates of those that the
    arguments have and that fit."""
    from ._function import map_leaves

    return map_leaves(lambda x, path: to_data_array(x, given) if isinstance(x, Array) else x, result)


def to_data_array(x, given=()):
    import xarray

    dims = [label or f"dim_{i}" for i, label in enumerate(x.labels)]
    coords = {}
    for dim, length in zip(dims, x.shape):
        for source in given:
            if dim in source.coords and source.sizes.get(dim) == length:
                coords[dim] = source.coords[dim]
                break
    return xarray.DataArray(np.asarray(x), dims=dims, coords=coords)


def to_xarray(x):
    """A DataArray with the array's labels for dimensions; computes it."""
    return to_data_array(x)
