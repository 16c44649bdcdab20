# SPDX-License-Identifier: Apache-2.0
# random_stencil: set s=0.75 set n=2 set flag=False external EXT=1 in m=int:0:2
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

    with computation(PARALLEL), interval(...):
        t4 = a
        if -0.25 > 0.1:
            if flag:
                v[0, 0, 0][0] = 1.5
        else:
            v[0, 0, 0][1] = ((c + a[1, 1, 0]) if -(t4[0, -1, 0]) >= 1.5 else (m - t4))
            t1 = min(((c[I-1] + m[-1, 0, 0]) + min(t4[0, -1, 0], t4)), abs(0.5 * f))
        c = t4[-1, 0, 0]
        v[0, 0, 0][0] = (t4 - b[1, 0, 0])
    with computation(FORWARD):
        with interval(0, 1):
            t3 = EXT
            t4 = (clip(t3, low=-0.5) - (3 - -(t3)))
            if (not t4[0, -1, 0] > -0.25 and b[0, -1, 0] >= b):
                b, c = upwind(a, c[1, 1, 0]), (t3[-1, 0, 0] - t3[0, 1, 0])
            t3 = abs(1.5)
        with interval(1, None):
            b = ((t4 - p) + -(b))
    with computation(PARALLEL), interval(...):
        a = a + t4[1, 0, 0]
