# SPDX-License-Identifier: Apache-2.0
# prefix_sum: layouts loops
# suffix_sum: loops
# forward_text_backwards:
# backward_intervals:
# tridiagonal: in inf=pos in diag=int:9:12 in sup=unit in rhs=pos layouts
# two_sweeps_meet:
# recurrence_two_levels:
# write_above:
# write_below:
# write_above_variable: in n=int:0:2
# ij_temporary:
# ij_accumulator:
# ij_argument_sum:
# carry_horizontal:
# sweep_then_parallel:
# parallel_between:
# min_scan:
# several_fields:
# jacobi_like:
# forward_horizontal_api:
# backward_text_order:
"""FORWARD and BACKWARD computations."""
from gt4py.cartesian.gtscript import BACKWARD, FORWARD, IJ, PARALLEL, Field, computation, interval


def prefix_sum(a: Field[float], s: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            s = a
        with interval(1, None):
            s = s[0, 0, -1] + a


def suffix_sum(a: Field[float], s: Field[float]):
    with computation(BACKWARD):
        with interval(-1, None):
            s = a
        with interval(0, -1):
            s = s[0, 0, 1] * 0.5 + a


def forward_text_backwards(a: Field[float], s: Field[float]):
    with computation(FORWARD):
        with interval(1, None):
            s = s[0, 0, -1] + a
        with interval(0, 1):
            s = a


def backward_intervals(a: Field[float], s: Field[float]):
    with computation(BACKWARD):
        with interval(-1, None):
            s = a
        with interval(1, -1):
            s = s[0, 0, 1] + a
        with interval(0, 1):
            s = s[0, 0, 1] - a


def tridiagonal(
    inf: Field[float], diag: Field[float], sup: Field[float], rhs: Field[float], out: Field[float]
):
    with computation(FORWARD):
        with interval(0, 1):
            sup = sup / diag
            rhs = rhs / diag
        with interval(1, None):
            sup = sup / (diag - sup[0, 0, -1] * inf)
            rhs = (rhs - inf * rhs[0, 0, -1]) / (diag - sup[0, 0, -1] * inf)
    with computation(BACKWARD):
        with interval(-1, None):
            out = rhs
        with interval(0, -1):
            out = rhs - sup * out[0, 0, 1]


def two_sweeps_meet(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            up = a
        with interval(1, None):
            up = up[0, 0, -1] * 0.5 + a
    with computation(BACKWARD):
        with interval(-1, None):
            down = a
        with interval(0, -1):
            down = down[0, 0, 1] * 0.25 + a
    with computation(PARALLEL), interval(...):
        b = up[1, 0, 0] - down[-1, 0, 0]


def recurrence_two_levels(a: Field[float], f: Field[float]):
    with computation(FORWARD):
        with interval(0, 2):
            f = a
        with interval(2, None):
            f = f[0, 0, -1] * 0.5 + f[0, 0, -2] * 0.25


def write_above(a: Field[float], b: Field[float]):
    with computation(FORWARD), interval(0, -1):
        b[0, 0, 1] = a + b


def write_below(a: Field[float], b: Field[float]):
    with computation(BACKWARD), interval(1, None):
        b[0, 0, -1] = a * 0.5 + b


def write_above_variable(n: Field[IJ, int], a: Field[float], b: Field[float]):
    with computation(FORWARD), interval(0, -1):
        b[0, 0, n] = a + b


def ij_temporary(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            total: Field[IJ, float] = a
        with interval(1, None):
            total = total * 0.5 + a
            b = total
    with computation(BACKWARD), interval(0, 1):
        b = total


def ij_accumulator(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            most: Field[IJ, float] = a
        with interval(1, None):
            most = max(most, a)
    with computation(PARALLEL), interval(...):
        b = a - most


def ij_argument_sum(a: Field[float], s: Field[IJ, float]):
    with computation(FORWARD):
        with interval(0, 1):
            s = a
        with interval(1, None):
            s += a


def carry_horizontal(a: Field[float], s: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            t = a
            s = t
        with interval(1, None):
            t = a + a[0, 0, -1]
            s = t[1, 0, 0] + t[-1, 0, 0] + s[0, 0, -1]


def sweep_then_parallel(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            t = a
        with interval(1, None):
            t = t[0, 0, -1] + a
    with computation(PARALLEL), interval(...):
        lap = t[1, 0, 0] + t[-1, 0, 0] + t[0, 1, 0] + t[0, -1, 0] - 4.0 * t
        b = lap[0, 1, 0] - lap


def parallel_between(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            b = a
        with interval(1, None):
            b = b[0, 0, -1] + a
    with computation(PARALLEL), interval(...):
        t = b * 2.0
    with computation(BACKWARD):
        with interval(-1, None):
            b = t
        with interval(0, -1):
            b = b[0, 0, 1] + t[0, 0, 1]


def min_scan(a: Field[float], low: Field[float], high: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            low = a
            high = a
        with interval(1, None):
            low = min(low[0, 0, -1], a)
            high = max(high[0, 0, -1], a)


def several_fields(a: Field[float], b: Field[float], c: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            b = a
            c = b
        with interval(1, None):
            b = c[0, 0, -1] + a
            c = b + c[0, 0, -1]


def jacobi_like(a: Field[float]):
    with computation(FORWARD), interval(1, None):
        a = 0.25 * (a[1, 0, 0] + a[-1, 0, 0] + a[0, 1, 0] + a[0, 0, -1])


def forward_horizontal_api(a: Field[float], b: Field[float]):
    with computation(FORWARD), interval(1, None):
        a = a[1, 0, -1] + a[0, 1, 0]
        b = a[-1, 0, 0] + a[0, 0, -1]


def backward_text_order(a: Field[float], b: Field[float]):
    with computation(BACKWARD):
        with interval(0, -1):
            b = b[0, 0, 1] + a
        with interval(-1, None):
            b = a
