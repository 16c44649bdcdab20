# SPDX-License-Identifier: Apache-2.0
"""Thomas' algorithm in every column: inf * x[k-1] + diag * x[k] + sup * x[k+1] = rhs."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import BACKWARD, FORWARD, Field, computation, interval


@gtscript.stencil(backend="numpy")
def tridiagonal(inf: Field[float], diag: Field[float], sup: Field[float], rhs: Field[float],
                out: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            s = sup / diag
            r = rhs / diag
        with interval(1, None):
            s = sup / (diag - s[0, 0, -1] * inf)
            r = (rhs - inf * r[0, 0, -1]) / (diag - s[0, 0, -1] * inf)
    with computation(BACKWARD):
        with interval(-1, None):
            out = r
        with interval(0, -1):
            out = r - s * out[0, 0, 1]
