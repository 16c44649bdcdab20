# SPDX-License-Identifier: Apache-2.0
"""Horizontal diffusion with a flux limiter, as weather models have it: noise goes, fronts stay. A program of GT4Py;
`lathe.` in the two imports is all that is new.

Prints:
roughness before 0.1959, after 0.0118
levels agree True
"""
import numpy as np
from field_picture import save

import lathe.gt4py.storage as storage
from lathe.gt4py.cartesian.gtscript import PARALLEL, Field, computation, function, interval, stencil

BACKEND = "gt:cpu_ifirst"
HALO = 2


@function
def laplacian(u):
    return u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u


@function
def limited(flux, gradient):
    return 0.0 if flux * gradient > 0.0 else flux


@stencil(backend=BACKEND)
def hdiff(in_f: Field[float], coeff: Field[float], out_f: Field[float]):
    with computation(PARALLEL), interval(...):
        lap = laplacian(in_f)
        flx = lap[1, 0, 0] - lap
        flx = limited(flx, in_f[1, 0, 0] - in_f)
        fly = lap[0, 1, 0] - lap
        fly = limited(fly, in_f[0, 1, 0] - in_f)
        out_f = in_f - coeff * (flx - flx[-1, 0, 0] + fly - fly[0, -1, 0])


def roughness(f):
    return np.abs(np.diff(f, 2, axis=0)).mean()


ni, nj, nk, steps = 96, 80, 3, 60
x, y = np.meshgrid(np.linspace(-1, 1, ni), np.linspace(-1, 1, nj), indexing="ij")
blob = np.tanh(20 * (0.5 - np.hypot(x, y)))
noise = 0.1 * np.random.default_rng(0).standard_normal((ni, nj))
start = np.repeat((blob + noise)[:, :, None], nk, axis=2)

field = storage.from_array(start, backend=BACKEND, aligned_index=(HALO, HALO, 0))
other = storage.from_array(start, backend=BACKEND, aligned_index=(HALO, HALO, 0))
coeff = storage.full(start.shape, 0.025, backend=BACKEND, aligned_index=(HALO, HALO, 0))
origin, domain = (HALO, HALO, 0), (ni - 2 * HALO, nj - 2 * HALO, nk)
for _ in range(steps):
    hdiff(field, coeff, other, origin=origin, domain=domain)
    field, other = other, field

inner = np.asarray(field)[8:-8, 8:-8]
print(f"roughness before {roughness(start[8:-8, 8:-8, 0]):.4f}, after {roughness(inner[:, :, 0]):.4f}")
print("levels agree", bool((inner == inner[:, :, :1]).all()))
save("horizontal_diffusion", start[:, :, 0], np.asarray(field)[:, :, 0])
