# SPDX-License-Identifier: Apache-2.0
"""Snow that falls out of a cloud and melts below, level by level, on named dimensions: a DataArray goes in as it is,
whatever the order of its dimensions, and the result is written into another one. Values of a setting are externals.

Prints:
on the ground ('y', 'x') from 0.000 to 0.077
warmer: 0.30 of the snow
"""
import numpy as np
import xarray as xr
from field_picture import save

import lathe
from lathe.gtscript import BACKWARD, IJ, Field, computation, interval, max


def fall(snow: Field[float], temperature: Field[float], ground: Field[IJ, float]):
    from __externals__ import MELTING
    with computation(BACKWARD):
        with interval(-1, None):
            passing = snow
        with interval(0, -1):
            passing = passing[0, 0, 1] + snow
            passing = passing * (1.0 - MELTING * max(temperature, 0.0))
    with computation(BACKWARD), interval(0, 1):
        ground = passing


nx, ny, nz = 96, 64, 40
x, y, z = np.linspace(0, 1, nx), np.linspace(0, 1, ny), np.linspace(0, 1, nz)
cloud = xr.DataArray(np.zeros((nz, ny, nx)), dims=("z", "y", "x"), coords={"x": x, "y": y, "z": z})
cloud += 0.01 * (1 + np.sin(9 * cloud.x) * np.cos(7 * cloud.y)) * np.exp(-((cloud.z - 0.7) / 0.1) ** 2)
ground = xr.DataArray(np.zeros((ny, nx)), dims=("y", "x"), coords={"x": x, "y": y})
warm = (xr.zeros_like(cloud) + 4.0 - 14.0 * cloud.z + 2.0 * cloud.x).astype(float)

today = lathe.stencil(fall, externals={"MELTING": 0.02}, name="today")
today(cloud, warm, ground)
print("on the ground", ground.dims, f"from {float(ground.min()):.3f} to {float(ground.max()):.3f}")
before = ground.copy()
lathe.stencil(fall, externals={"MELTING": 0.05}, name="warmer")(cloud, warm, ground)
print(f"warmer: {float(ground.sum() / before.sum()):.2f} of the snow")
save("snowfall", before.transpose("x", "y"), ground.transpose("x", "y"), low=0.0, high=float(before.max()))
