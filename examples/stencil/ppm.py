# SPDX-License-Identifier: Apache-2.0
"""The piecewise parabolic method in one direction, with Colella and Woodward's monotonic limiter."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import PARALLEL, Field, abs, computation, interval, max, min


@gtscript.function
def sign_of(x):
    return 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)


@gtscript.stencil(backend="numpy")
def ppm(q: Field[float], courant: Field[float], out: Field[float]):
    with computation(PARALLEL), interval(...):
        centred = 0.5 * (q[1, 0, 0] - q[-1, 0, 0])
        left_d = q - q[-1, 0, 0]
        right_d = q[1, 0, 0] - q
        slope = (sign_of(centred) * min(abs(centred), min(2.0 * abs(left_d), 2.0 * abs(right_d)))
                 if left_d * right_d > 0.0 else 0.0)
        face = q[-1, 0, 0] + 0.5 * (q - q[-1, 0, 0]) - (slope - slope[-1, 0, 0]) / 6.0
        left = face
        right = face[1, 0, 0]
        if (right - q) * (q - left) <= 0.0:
            left = q
            right = q
        else:
            jump = right - left
            mean = q - 0.5 * (left + right)
            if jump * mean > jump * jump / 6.0:
                left = 3.0 * q - 2.0 * right
            elif jump * mean < -jump * jump / 6.0:
                right = 3.0 * q - 2.0 * left
        curve = 6.0 * (q - 0.5 * (left + right))
        c = courant
        flux = c * (right[-1, 0, 0] - 0.5 * c * (right[-1, 0, 0] - left[-1, 0, 0]
                    - (1.0 - 2.0 / 3.0 * c) * curve[-1, 0, 0]))
        out = q - (flux[1, 0, 0] - flux)
