# SPDX-License-Identifier: Apache-2.0
"""Implicit vertical advection, as COSMO has it: a tridiagonal system per column, for u alone and
for all three components of the wind."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import BACKWARD, FORWARD, Field, computation, interval

BETA_V = 0.0
BET_M = 0.5 * (1.0 - BETA_V)
BET_P = 0.5 * (1.0 + BETA_V)


@gtscript.stencil(backend="numpy")
def vadv(utens_stage: Field[float], u_stage: Field[float], wcon: Field[float],
         u_pos: Field[float], utens: Field[float], *, dtr_stage: float):
    with computation(FORWARD):
        with interval(0, 1):
            gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            cs = gcv * BET_M
            ccol = gcv * BET_P
            bcol = dtr_stage - ccol
            correction = -cs * (u_stage[0, 0, 1] - u_stage)
            dcol = dtr_stage * u_pos + utens + utens_stage + correction
            divided = 1.0 / bcol
            ccol = ccol * divided
            dcol = dcol * divided
        with interval(1, -1):
            gav = -0.25 * (wcon[1, 0, 0] + wcon)
            gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            as_ = gav * BET_M
            cs = gcv * BET_M
            acol = gav * BET_P
            ccol = gcv * BET_P
            bcol = dtr_stage - acol - ccol
            correction = -as_ * (u_stage[0, 0, -1] - u_stage) - cs * (u_stage[0, 0, 1] - u_stage)
            dcol = dtr_stage * u_pos + utens + utens_stage + correction
            divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
            ccol = ccol * divided
            dcol = (dcol - dcol[0, 0, -1] * acol) * divided
        with interval(-1, None):
            gav = -0.25 * (wcon[1, 0, 0] + wcon)
            as_ = gav * BET_M
            acol = gav * BET_P
            bcol = dtr_stage - acol
            correction = -as_ * (u_stage[0, 0, -1] - u_stage)
            dcol = dtr_stage * u_pos + utens + utens_stage + correction
            divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
            dcol = (dcol - dcol[0, 0, -1] * acol) * divided
    with computation(BACKWARD):
        with interval(-1, None):
            data = dcol
            utens_stage = dtr_stage * (data - u_pos)
        with interval(0, -1):
            data = dcol - ccol * data[0, 0, 1]
            utens_stage = dtr_stage * (data - u_pos)
