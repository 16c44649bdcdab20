# SPDX-License-Identifier: Apache-2.0
"""Smagorinsky diffusion: the stretching and shearing of the wind make the coefficient."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import PARALLEL, Field, computation, interval, max, min, sqrt


@gtscript.stencil(backend="numpy")
def smagorinsky(u: Field[float], v: Field[float], hd: Field[float], u_out: Field[float],
                v_out: Field[float], *, dx: float, dy: float, weight: float):
    with computation(PARALLEL), interval(...):
        eps = (u - u[-1, 0, 0]) / dx - (v - v[0, -1, 0]) / dy
        gam = (u[0, 1, 0] - u) / dy + (v[1, 0, 0] - v) / dx
        strain_u = sqrt((0.5 * (eps + eps[1, 0, 0])) ** 2 + (0.5 * (gam[0, -1, 0] + gam)) ** 2)
        strain_v = sqrt((0.5 * (eps + eps[0, 1, 0])) ** 2 + (0.5 * (gam[-1, 0, 0] + gam)) ** 2)
        smag_u = min(0.5, max(0.0, weight * strain_u - hd))
        smag_v = min(0.5, max(0.0, weight * strain_v - hd))
        lap_u = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
        lap_v = v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v
        u_out = u + smag_u * lap_u
        v_out = v + smag_v * lap_v
