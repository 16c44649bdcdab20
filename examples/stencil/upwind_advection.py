# SPDX-License-Identifier: Apache-2.0
"""Horizontal advection with fifth-order upwind differences (GTBench's hadv)."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import PARALLEL, Field, computation, interval


@gtscript.function
def upwind_i(u, f):
    backward = (-2.0 * f[-3, 0, 0] + 15.0 * f[-2, 0, 0] - 60.0 * f[-1, 0, 0] + 20.0 * f
                + 30.0 * f[1, 0, 0] - 3.0 * f[2, 0, 0]) / 60.0
    forward = (3.0 * f[-2, 0, 0] - 30.0 * f[-1, 0, 0] - 20.0 * f + 60.0 * f[1, 0, 0]
               - 15.0 * f[2, 0, 0] + 2.0 * f[3, 0, 0]) / 60.0
    return u * (backward if u > 0.0 else forward)


@gtscript.function
def upwind_j(v, f):
    backward = (-2.0 * f[0, -3, 0] + 15.0 * f[0, -2, 0] - 60.0 * f[0, -1, 0] + 20.0 * f
                + 30.0 * f[0, 1, 0] - 3.0 * f[0, 2, 0]) / 60.0
    forward = (3.0 * f[0, -2, 0] - 30.0 * f[0, -1, 0] - 20.0 * f + 60.0 * f[0, 1, 0]
               - 15.0 * f[0, 2, 0] + 2.0 * f[0, 3, 0]) / 60.0
    return v * (backward if v > 0.0 else forward)


@gtscript.stencil(backend="numpy")
def hadv(f: Field[float], u: Field[float], v: Field[float], out: Field[float], *, dt: float,
         dx: float, dy: float):
    with computation(PARALLEL), interval(...):
        out = f - dt * (upwind_i(u, f) / dx + upwind_j(v, f) / dy)
