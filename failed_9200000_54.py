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

    with computation(PARALLEL):
        with interval(0, -1):
            t2 = abs(3)
            with horizontal(region[I[0] + 1 :, :]):
                c = a
        with interval(-1, None):
            c = a[0, 0, 1 - m]
            t2 = (0.5 + m[-1, 0, 0])
            with horizontal(region[: I[-1], J[0] :]):
                t2 = -(0.5)
                t2 = ((c[1, 0, 0]) / (2.0 + abs(t2[0, -2, 0])) - (-0.25 + t2[-1, 0, 0]))
    with computation(PARALLEL), interval(...):
        t4 = t2
        if (t2[1, 1, 0] + m) >= t4[1, 0, 0]:
            with horizontal(region[:, J[-1]], region[:, J[0] : J[-1]]):
                a = (-0.25 * (c + t2[-1, 1, 0]) if ((t4[-1, 0, 0]) / (2.0 + abs(t2)) + (2.0 if 0.5 < a else 0.1)) <= t2 else (1.0 * t4 + (t2) / (2.0 + abs(c[2, 0, 0]))))
                v[0, 0, 0][1] = max(3, ((t4 - t4)) / (2.0 + abs((t2[-1, 1, 0]) / (2.0 + abs(b[0, -1, 0])))))
        if flag:
            t1 = (0.1 * b[1, 0, 0] + 2.0 * EXT)
        else:
            if -0.25 * 1.0 < a:
                c = abs(((t4[1, 1, 0]) / (2.0 + abs(t4)) + clip(f[0, -1, 0])))
            t1 = ((t2 + t2[-1, 0, 0]) + 1.5 * t4[0, 1, 0])
        c = -(((t1[0, 1, 0] if a[0, -1, 0] > 1.5 else c[1, 1, 0]) + (-0.25 + t2[-1, 0, 0])))
    with computation(PARALLEL), interval(...):
        a = a + t1[0, 0, 0] + t2[0, -1, 0] + t4[0, 0, 0]
