# SPDX-License-Identifier: Apache-2.0
"""Flux-form transport in the manner of FV3: fluxes by PPM in both directions, one-sided edges in
horizontal regions, and the update of the tracer. Ten stages, most of them functions."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (PARALLEL, Field, I, IJ, J, computation, horizontal, interval,
                                      max, min, region)

P1 = 7.0 / 12.0
P2 = -1.0 / 12.0


@gtscript.function
def edge_i(q):
    return P1 * (q[-1, 0, 0] + q) + P2 * (q[-2, 0, 0] + q[1, 0, 0])


@gtscript.function
def edge_j(q):
    return P1 * (q[0, -1, 0] + q) + P2 * (q[0, -2, 0] + q[0, 1, 0])


@gtscript.function
def limited(value, low, high):
    return min(max(value, min(low, high)), max(low, high))


@gtscript.stencil(backend="numpy")
def transport(q: Field[float], courant_x: Field[float], courant_y: Field[float],
              mass_x: Field[float], mass_y: Field[float], area: Field[IJ, float],
              delp: Field[float], q_out: Field[float]):
    with computation(PARALLEL), interval(...):
        al = edge_i(q)
        with horizontal(region[I[0], :], region[I[-1] + 1, :]):
            al = 0.5 * (q[-1, 0, 0] + q)
        bl = limited(al, q[-1, 0, 0], q) - q
        br = limited(al[1, 0, 0], q, q[1, 0, 0]) - q
        b0 = bl + br
        flux_x = (q[-1, 0, 0] + (1.0 - courant_x) * (br[-1, 0, 0] - courant_x * b0[-1, 0, 0])
                  if courant_x > 0.0 else q + (1.0 + courant_x) * (bl + courant_x * b0))
        flux_x = flux_x * mass_x
        al_y = edge_j(q)
        with horizontal(region[:, J[0]], region[:, J[-1] + 1]):
            al_y = 0.5 * (q[0, -1, 0] + q)
        bl_y = limited(al_y, q[0, -1, 0], q) - q
        br_y = limited(al_y[0, 1, 0], q, q[0, 1, 0]) - q
        b0_y = bl_y + br_y
        flux_y = (q[0, -1, 0] + (1.0 - courant_y) * (br_y[0, -1, 0] - courant_y * b0_y[0, -1, 0])
                  if courant_y > 0.0 else q + (1.0 + courant_y) * (bl_y + courant_y * b0_y))
        flux_y = flux_y * mass_y
        q_out = (q * delp + (flux_x - flux_x[1, 0, 0] + flux_y - flux_y[0, 1, 0]) / area) / delp
