# SPDX-License-Identifier: Apache-2.0
"""Sweeps, keyword-only scalars, lower-dimensional fields, a lazy stencil."""
import numpy as np
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import BACKWARD, FORWARD, IJ, Field, K, computation, interval


@gtscript.lazy_stencil(backend="numpy")
def solve(inf: Field[float], diag: Field[float], sup: Field[float], rhs: Field[float], out: Field[float],
          weight: Field[K, np.float64], top: Field[IJ, np.float64], *, dt: float, shift: int = 2):
    with computation(FORWARD):
        with interval(0, 1):
            sup = sup / diag
            rhs = rhs / diag * weight
        with interval(1, None):
            sup = sup / (diag - sup[0, 0, -1] * inf)
            rhs = (rhs * weight - inf * rhs[0, 0, -1]) / (diag - sup[0, 0, -1] * inf)
    with computation(BACKWARD):
        with interval(-1, None):
            out = rhs + dt * top
        with interval(0, -1):
            out = rhs - sup * out[0, 0, 1] + shift


def fields():
    rng = np.random.default_rng(2)
    shape = (5, 9, 11)
    inf, sup, rhs = (rng.random(shape) for _ in range(3))
    return inf, 3.0 + rng.random(shape), sup, rhs, np.zeros(shape), rng.random(11), rng.random((5, 9))


def run():
    inf, diag, sup, rhs, out, weight, top = fields()
    solve(inf, diag, sup, rhs, out, weight, top, dt=0.25)
    other = np.zeros_like(out)
    inf2, diag2, sup2, rhs2, _, _, _ = fields()
    solve(inf2, diag2, sup2, rhs2, other, weight, top, dt=0.5, shift=7, origin=(1, 2, 3), domain=(3, 4, 5))
    return {"out": out, "other": other, "sup": sup, "rhs": rhs, "rhs2": rhs2}


def sweep(inf, diag, sup, rhs, out, weight, top, dt, shift, at, n):
    (i, j, k), (ni, nj, nk) = at, n
    box = np.s_[i:i + ni, j:j + nj]
    top = top[box]
    for level in range(k, k + nk):
        d = diag[box][..., level]
        if level == k:
            sup[box][..., level] = sup[box][..., level] / d
            rhs[box][..., level] = rhs[box][..., level] / d * weight[level]
        else:
            s, a = sup[box][..., level - 1], inf[box][..., level]
            sup[box][..., level] = sup[box][..., level] / (d - s * a)
            rhs[box][..., level] = (rhs[box][..., level] * weight[level] - a * rhs[box][..., level - 1]) / (d - s * a)
    out[box][..., k + nk - 1] = rhs[box][..., k + nk - 1] + dt * top
    for level in reversed(range(k, k + nk - 1)):
        out[box][..., level] = rhs[box][..., level] - sup[box][..., level] * out[box][..., level + 1] + shift


def reference():
    inf, diag, sup, rhs, out, weight, top = fields()
    sweep(inf, diag, sup, rhs, out, weight, top, 0.25, 2, (0, 0, 0), (5, 9, 11))
    inf2, diag2, sup2, rhs2, other, _, _ = fields()
    sweep(inf2, diag2, sup2, rhs2, other, weight, top, 0.5, 7, (1, 2, 3), (3, 4, 5))
    return {"out": out, "other": other, "sup": sup, "rhs": rhs, "rhs2": rhs2}
