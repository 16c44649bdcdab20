# SPDX-License-Identifier: Apache-2.0
"""xarray: names of dimensions in, names of dimensions out. xarray itself is imported by who uses it."""

import numpy as np

from . import _core
from ._array import Array
from .errors import ArgumentError, UsageError


def is_data_array(x):
    return type(x).__module__.partition(".")[0] == "xarray" and hasattr(x, "dims")


def plain_arguments(x, found):
    """An array with labels in place of a DataArray, which is noted."""
    if not is_data_array(x):
        return x
    if not hasattr(x, "dtype"):
        raise UsageError("a Dataset is many arrays: give those that the function needs\n"
                         "  help: dict(dataset.data_vars) holds them by name")
    for other in found:
        _check_aligned(other, x)
    found.append(x)
    return _core.data(np.asarray(x.data), False, str(x.name or "argument")).named(*map(str, x.dims))


def _check_aligned(a, b):
    """Elements meet by position: arguments that say otherwise are refused."""
    for dim in a.dims:
        if dim in a.indexes and dim in b.indexes and not a.indexes[dim].equals(b.indexes[dim]):
            raise ArgumentError(f"the arguments {a.name or ''!r} and {b.name or ''!r} have different "
                                f"coordinates of {dim!r}\n  help: xarray.align brings them together")


def with_dimensions(result):
    """Arrays as DataArrays with their labels for dimensions. Without coordinates: a
    function may turn an axis around, and its label stays."""
    from ._function import map_leaves

    return map_leaves(lambda x, path: to_xarray(x) if isinstance(x, Array) else x, result)


def to_xarray(x):
    """A DataArray with the array's labels for dimensions; computes it."""
    import xarray

    dims = [label or f"dim_{i}" for i, label in enumerate(x.labels)]
    return xarray.DataArray(np.asarray(x), dims=dims)
