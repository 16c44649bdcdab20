# SPDX-License-Identifier: Apache-2.0
"""Waves on shallow water in a basin: two drops, reflected by the walls, which are horizontal regions. A program of
GT4Py; `lathe.` in the import is all that is new.

Prints:
volume kept True
height from 0.972 to 1.064
"""
import numpy as np
from field_picture import save

from lathe.gt4py.cartesian.gtscript import PARALLEL, Field, I, J, computation, horizontal, interval, region, stencil

GRAVITY = 9.81


@stencil(backend="numpy")
def move(u: Field[float], v: Field[float], h: Field[float], *, c: float):
    # Velocities lie on the west and south faces of each box.
    with computation(PARALLEL), interval(...):
        u = u - c * GRAVITY * (h - h[-1, 0, 0])
        v = v - c * GRAVITY * (h - h[0, -1, 0])
        with horizontal(region[I[0], :], region[I[-1], :]):
            u = 0.0
        with horizontal(region[:, J[0]], region[:, J[-1]]):
            v = 0.0


@stencil(backend="numpy")
def rise(u: Field[float], v: Field[float], h: Field[float], out: Field[float], *, c: float):
    with computation(PARALLEL), interval(...):
        east = u[1, 0, 0] * 0.5 * (h + h[1, 0, 0])
        west = u * 0.5 * (h[-1, 0, 0] + h)
        north = v[0, 1, 0] * 0.5 * (h + h[0, 1, 0])
        south = v * 0.5 * (h[0, -1, 0] + h)
        out = h - c * (east - west + north - south)


n, steps, c = 120, 200, 0.1
shape = (n + 2, n + 2, 1)
x, y = np.meshgrid(np.arange(n + 2.0), np.arange(n + 2.0), indexing="ij")
h = 1.0 + 0.3 * np.exp(-((x - 40) ** 2 + (y - 45) ** 2) / 40) + 0.2 * np.exp(-((x - 85) ** 2 + (y - 75) ** 2) / 25)
h = h[:, :, None].copy()
u, v, new = np.zeros(shape), np.zeros(shape), h.copy()
volume = h[1:-1, 1:-1].sum()
for _ in range(steps):
    # Faces n + 1: one more than boxes; walls have no wind, so no water passes them.
    move(u, v, h, c=c, origin=(1, 1, 0), domain=(n + 1, n + 1, 1))
    rise(u, v, h, new, c=c, origin=(1, 1, 0), domain=(n, n, 1))
    h, new = new, h

inner = h[1:-1, 1:-1, 0]
print("volume kept", bool(abs(inner.sum() - volume) < 1e-8))
print(f"height from {inner.min():.3f} to {inner.max():.3f}")
save("shallow_water", inner, low=0.95, high=1.05)
