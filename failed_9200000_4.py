# SPDX-License-Identifier: Apache-2.0
# random_stencil: set s=0.75 set n=2 set flag=True external EXT=3 in m=int:0:2
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
        t4 = abs(3)
        t4 = lap(b)
        t1 = a[0, 1, 0]
        count1 = 0
        while count1 < 2 and t1 < f[0, 1, 0]:
            v[0, 0, 0][0] = 1.5 * (1.5 * t1[0, 1, 0] + (f) / (2.0 + abs(t1)))
            t1 = c
            count1 += 1
    with computation(FORWARD), interval(...):
        count2 = 0
        while count2 < 3 and t4 < c:
            v[0, 0, 0][1] = 2.0 * (0.5 if b >= f else t4[0, -1, 0])
            count2 += 1
        count3 = 0
        while count3 < 2:
            t1 = b[-1, 1, 0]
            count3 += 1
        v[0, 0, 0][0] = t1
    with computation(PARALLEL), interval(...):
        a = a + t1[0, 0, 0] + t4[0, -1, 0]
