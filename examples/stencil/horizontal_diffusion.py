# SPDX-License-Identifier: Apache-2.0
"""Horizontal diffusion of a weather model: a Laplacian, two limited fluxes, their divergence."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import PARALLEL, Field, computation, interval


@gtscript.function
def laplacian(phi):
    return 4.0 * phi - (phi[-1, 0, 0] + phi[1, 0, 0] + phi[0, -1, 0] + phi[0, 1, 0])


@gtscript.function
def limited(flux, difference):
    return flux if flux * difference <= 0.0 else 0.0


@gtscript.stencil(backend="numpy")
def hdiff(in_f: Field[float], coeff: Field[float], out_f: Field[float]):
    with computation(PARALLEL), interval(...):
        lap = laplacian(in_f)
        flx = lap[1, 0, 0] - lap
        flx = limited(flx, in_f[1, 0, 0] - in_f)
        fly = lap[0, 1, 0] - lap
        fly = limited(fly, in_f[0, 1, 0] - in_f)
        out_f = in_f - coeff * (flx - flx[-1, 0, 0] + fly - fly[0, -1, 0])
