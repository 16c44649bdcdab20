# SPDX-License-Identifier: Apache-2.0
"""Physics of a column: saturation adjustment by Newton's method at each point, and sedimentation
of rain, which falls over as many levels as its speed takes it."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (BACKWARD, FORWARD, IJ, PARALLEL, Field, K, abs, computation,
                                      exp, interval, max, min)

LATENT = 2.5e6
HEAT = 1004.0
RV = 461.5
T0 = 273.16
E0 = 610.78


@gtscript.function
def saturation(t, p):
    return 0.622 * E0 * exp(17.27 * (t - T0) / (t - 35.86)) / p


@gtscript.stencil(backend="numpy")
def adjust(t: Field[float], qv: Field[float], qc: Field[float], p: Field[float], *,
           tolerance: float = 1.0e-6):
    with computation(PARALLEL), interval(...):
        total = qv + qc
        energy = t - LATENT / HEAT * qc
        guess = t
        change = 1.0
        rounds = 0
        while abs(change) > tolerance and rounds < 20:
            qs = 0.622 * E0 * exp(17.27 * (guess - T0) / (guess - 35.86)) / p
            slope = qs * 17.27 * (T0 - 35.86) / ((guess - 35.86) * (guess - 35.86))
            change = (energy + LATENT / HEAT * max(total - qs, 0.0) - guess) / (
                1.0 + LATENT / HEAT * (slope if total > qs else 0.0))
            guess = guess + change
            rounds = rounds + 1
        qs_end = saturation(guess, p)
        t = guess
        qv = min(total, qs_end)
        qc = max(total - qs_end, 0.0)


@gtscript.stencil(backend="numpy")
def sediment(qr: Field[float], speed: Field[int], rain: Field[IJ, float], out: Field[float]):
    """`speed`: how many levels rain falls in one step; level 0 is the ground."""
    with computation(FORWARD), interval(0, 1):
        rain = 0.0
    with computation(FORWARD), interval(...):
        rain = rain + (qr if speed > K else 0.0)
    with computation(FORWARD):
        with interval(0, -1):
            out = qr[0, 0, 1] if speed[0, 0, 1] == 1 else (qr if speed == 0 else 0.0)
        with interval(-1, None):
            out = qr if speed == 0 else 0.0
