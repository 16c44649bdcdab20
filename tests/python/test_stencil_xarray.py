# SPDX-License-Identifier: Apache-2.0
"""DataArrays as fields: by name where the names say which axis, by order otherwise; results in place."""

import numpy as np
import pytest

import lathe
from lathe.gtscript import IJ, PARALLEL, Field, computation, interval

xr = pytest.importorskip("xarray")


@lathe.stencil
def shifted(a: Field[float], s: Field[IJ, float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a[1, 0, 0] + s


@pytest.mark.parametrize("names", [("I", "J", "K"), ("x", "y", "z"), ("i", "j", "k"), ("lon", "lat", "height")])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_dimensions(names, order):
    rng = np.random.default_rng(0)
    a, s = rng.random((5, 3, 4)), rng.random((4, 3))
    if names[0] == "lon" and order != (0, 1, 2):
        order = (0, 1, 2)  # names that say nothing: by their order
    named = [names[n] for n in order]
    given = xr.DataArray(np.ascontiguousarray(a.transpose(order)), dims=named)
    flat = xr.DataArray(np.ascontiguousarray(s.T), dims=names[1::-1]) if names[0] != "lon" else xr.DataArray(
        s, dims=names[:2])
    result = xr.DataArray(np.zeros([(4, 3, 4)[n] for n in order]), dims=named, coords={names[0]: [10, 20, 30, 40]})
    before = result.data
    shifted(given, flat, result)
    assert result.data is before and result.coords[names[0]].values.tolist() == [10, 20, 30, 40]
    got = result.transpose(*names).values
    assert np.array_equal(got, a[1:] + s[..., None])


def test_mixed_with_numpy():
    a, b = xr.DataArray(np.ones((3, 2, 2)), dims=("z", "y", "x")), np.zeros((1, 2, 3))
    shifted(a, np.full((1, 2), 2.0), b)
    assert (b == 3).all()


def test_a_lazy_dataarray_is_not_written():
    class Lazy:
        shape, dtype, ndim = (2, 2, 2), np.dtype(float), 3

        def __array__(self, *_, **__):
            return np.zeros((2, 2, 2))

    class LikeDataArray:
        dims, coords = ("x", "y", "z"), {}
        values = Lazy()

    with pytest.raises(TypeError) as caught:
        shifted(np.zeros((3, 2, 2)), np.zeros((2, 2)), LikeDataArray())
    assert "is written, and" in str(caught.value) and "has no memory that could be" in str(caught.value)
