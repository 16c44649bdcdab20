# SPDX-License-Identifier: Apache-2.0
# random_stencil: set s=0.75 set n=2 set flag=True external EXT=1 in m=int:0:2
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

    with computation(PARALLEL):
        with interval(0, 1):
            t3 = (min(b[2, 0, 0], b)) / (2.0 + abs((p[1, 0] if f <= p[1, 0] else c)))
        with interval(1, -1):
            count1 = 0
            while count1 < 2:
                t1 = EXT
                count1 += 1
            v[0, 0, 0][0] = f
            t1 = m
            v[0, 0, 0][1] = 2.0 * a[0, 0, 1 - m]
        with interval(-1, None):
            t1 = abs(2.0 * c)
            t1 = abs(3 * (t1 - b))
            v[0, 0, 0][0] = (((3 - t1[0, 1, 0]) - 0.5 * c[-1, 1, 0]) - ((0.1 - f[0, -2, 0])) / (2.0 + abs((v[0, 0, 0][0] - t1[I+1]))))
            with horizontal(region[I[0] + 1 :, :]):
                t1 = 0.1 * ((t1) / (2.0 + abs(b[-1, 1, 0])) + (f[0, 0, -1] + t1))
                t3 = t1[1, 1, 0]
    with computation(PARALLEL), interval(...):
        if flag:
            b -= b
            a += abs(f)
        t3 = 3 * 2.0 * (a if not c[0, -1, 0] > 0.1 else f)
        with horizontal(region[I[0], J[-1]]):
            b += t3
            f = 3 * abs(t3)
        f = max(t3, t3)
    with computation(PARALLEL), interval(...):
        a = a + t3[0, 0, 0]
