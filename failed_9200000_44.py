# SPDX-License-Identifier: Apache-2.0
# random_stencil: set s=0.75 set n=2 set flag=False external EXT=2 in m=int:0:2
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
        t4 = 3
        t4 = (c[0, 1, 0] + 2.0)
        t4 += t4
    with computation(PARALLEL):
        with interval(0, 1):
            t4 = min(b[0, 0, 1], (f[0, -1, 0] + a[1, 1, 0]))
            if flag:
                c = 0.1
            else:
                with horizontal(region[I[0], :]):
                    c = abs(((-0.25 if t4 > f else t4[2, 0, 0]) if (3 if not -0.25 > 2.0 else 3) > 0.5 else clip(t4)))
            with horizontal(region[:, J[-1]]):
                if flag:
                    t4 = 0.1 * 2.0
                else:
                    t4 = (s if 0.5 >= t4 else -0.25)
                    v[0, 0, 0][0] = -0.25
            v[0, 0, 0][0] = (f[-1, 1, 0] - f)
        with interval(1, None):
            t4 -= 0.5
            if (t4[1, 1, 0] <= t4[1, 1, 0] and t4 > a):
                t4 = p
            if abs(s) < t4:
                if -0.25 * 1.5 < -0.25:
                    t4 = (t4[1, 1, 0] + b[0, 1, 0])
                t4 = (t4[0, -1, 0] + b)
                v[0, 0, 0][1] = EXT
            else:
                t4 = (0.5 + f[1, 1, 0])
            t4 = (c[1, 1, 0] + abs(0.5))
    with computation(PARALLEL), interval(...):
        a = a + t4[0, -1, 0]
