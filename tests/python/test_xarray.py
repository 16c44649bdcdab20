# SPDX-License-Identifier: Apache-2.0
"""Names of dimensions in, names of dimensions out."""

import numpy as np
import pytest
from messages import said

import lathe

xarray = pytest.importorskip("xarray")


@pytest.fixture(autouse=True)
def quick():
    with lathe.target("interpreter"):
        yield


def test_dimensions_and_coordinates():
    t = xarray.DataArray(np.arange(6.0).reshape(2, 3), dims=("lat", "lon"),
                         coords={"lat": [10.0, 20.0], "lon": [1.0, 2.0, 3.0]}, name="t")
    f = lathe.function(lambda x: (lathe.mean(x, axis=0), x.T * 2))
    mean, turned = f(t)
    assert isinstance(mean, xarray.DataArray) and mean.dims == ("lon",)
    assert turned.dims == ("lon", "lat")
    bare = t.drop_vars(["lat", "lon"]).rename(None)
    xarray.testing.assert_allclose(mean, bare.mean("lat"))
    xarray.testing.assert_equal(turned, bare.T * 2)
    assert not mean.coords and not turned.coords  # the function may have turned an axis around
    assert f.trace_count == 1
    f(t.isel(lat=[0]))
    assert f.trace_count == 1


def test_arguments_that_do_not_meet():
    a = xarray.DataArray(np.ones(3), dims="x", coords={"x": [1, 2, 3]}, name="a")
    b = xarray.DataArray(np.ones(3), dims="x", coords={"x": [7, 8, 9]}, name="b")
    add = lathe.function(lambda x, y: x + y)
    assert add(a, a).values.tolist() == [2, 2, 2]
    with pytest.raises(lathe.ArgumentError) as refused:
        add(a, b)
    assert said(refused) == ("the arguments 'a' and 'b' have different coordinates of 'x'\n"
                                  "  help: xarray.align brings them together")


def test_lazily():
    t = xarray.DataArray(np.ones((2, 3)), dims=("lat", "lon"))
    x = lathe.asarray(t)
    assert x.labels == ("lat", "lon") and np.shares_memory(np.asarray(x), t.values)
    back = lathe.to_xarray(lathe.sum(x, axis=1))
    assert back.dims == ("lat",) and back.values.tolist() == [3, 3]


def test_dimensions_without_a_name():
    t = xarray.DataArray(np.ones(3), dims=("x",))
    y = lathe.function(lambda a: a[:, None] + np.zeros(2))(t)
    assert y.dims == ("x", "dim_1") and y.shape == (3, 2)
