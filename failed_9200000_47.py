# SPDX-License-Identifier: Apache-2.0
# random_stencil: set s=0.75 set n=2 set flag=True external EXT=2 in m=int:0:2
import numpy as np
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import *


@gtscript.function
def lap(phi):
    return phi[1, 0, 0] + phi[-1, 0, 0] + phi[0, 1, 0] + phi[0, -1, 0] - 4.0 * phi


@gtscript.function
def upwind(q, c):
    flux = q[-1, 0, 0] * c
    if c < 0.0:
        flux = q * c
    return flux


@gtscript.function
def clip(x, low=-1.0):
    x = max(x, low)
    t = min(x, 1.5)
    return t + x * 0.25


@gtscript.function
def pair(x, y):
    mean = 0.5 * (x + y)
    return mean, x - y


def random_stencil(
    a: Field[float], b: Field[float], c: Field[float], f: Field[np.float32], m: Field[int],
    p: Field[IJ, float], z: Field[K, float], v: Field[(float, (2,))], s: float, n: int, flag: bool
):
    from __externals__ import EXT

    with computation(BACKWARD), interval(...):
        f = min(n, ((p + -0.25) + (2.0 if n > c else 0.1)))
        if a[2, 0, 0] > b:
            c = ((abs(f) - (2.0 + b))) / (2.0 + abs(-(0.5)))
        else:
            c = v[1, 0, 0][1]
    with computation(PARALLEL), interval(...):
        c, t3 = v[0, 0, 0][0], c[I-1]
        t3 = z
    with computation(FORWARD), interval(...):
        if not a > 2.0:
            t2 = t3[0, -2, 0]
        else:
            t1 = 3
            t1 = ((b[I+2] + b) + 1.0 * 2.0)
        with horizontal(region[: I[-1], J[0] :]):
            t1 = ((max(t3, a.at(K=m - 1))) / (2.0 + abs(-(f))) + -((b if 1.5 >= v[0, 0, 0][m] else 1.5)))
        if (t3 > 2.0 or t3 < p[1, 0]):
            t2 = abs(-(c[0, 1, 0]))
            count1 = 0
            while count1 < m + 1:
                b = -(f)
                b = 1.0 * clip(t3, low=-0.5)
                count1 += 1
        else:
            f = abs(b[2, 0, 0])
    with computation(PARALLEL), interval(...):
        a = a + t3[0, 0, 0]
