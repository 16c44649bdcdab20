# SPDX-License-Identifier: Apache-2.0
# variable_offset: in n=int:-1:2
# variable_offset_minus: in n=int:0:2
# variable_offset_with_shift: in n=int:0:2
# variable_offset_expression: in n=int:0:2
# absolute_level:
# absolute_level_expression: in n=int:0:3
# absolute_of_plane: in top=int:0:2
# search_level: in p=pos
# offset_of_temporary: in n=int:0:2
# runtime_interval_scalars: set lo=1 set hi=3 size 3x2x4 size 2x2x6
# runtime_interval_fields: in lo=int:0:3 in hi=int:2:5 size 4x3x5 size 3x3x6
# runtime_interval_sweep: in top=int:0:5 size 3x3x5 size 2x4x6
# runtime_interval_single: set n=2 size 3x3x4
# runtime_interval_temporary: in n=int:1:4 size 3x3x5
# runtime_data_index: in bounds=int:0:4 size 3x2x4
# variable_write: in n=int:0:2
# k_minus_offset: in n=int:0:3
# offset_from_scalar: set n=-1
# lag_of_temporary: set d=1
# level_of_temporary: in n=int:0:3 size 3x2x3 size 2x4x5
# last_levels_of_temporary: set d=2 loops
# several_orders:
"""Levels that come from data."""
from gt4py.cartesian.gtscript import (
    BACKWARD, FORWARD, IJ, K, PARALLEL, Field, computation, interval,
)


def variable_offset(a: Field[float], n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(1, -1):
        b = a[0, 0, n]


def variable_offset_minus(a: Field[float], n: Field[IJ, int], b: Field[float]):
    with computation(PARALLEL), interval(1, None):
        b = a[K - n] + a[0, 0, -n]


def variable_offset_with_shift(a: Field[float], n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(0, -1):
        b = a[1, -1, n]


def variable_offset_expression(a: Field[float], n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(1, -1):
        b = a[0, 0, 1 - n] * a[0, 0, n * 2 - 1]


def absolute_level(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a - a.at(K=0)


def absolute_level_expression(a: Field[float], n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(0, 3):
        b = a.at(K=n) + a.at(K=2 - n)


def absolute_of_plane(a: Field[float], top: Field[IJ, int], b: Field[float]):
    with computation(FORWARD), interval(1, None):
        b = a.at(K=top) * a.at(K=top + 0)


def search_level(p: Field[float], found: Field[IJ, int], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            found = 0
        with interval(1, None):
            if p > p[0, 0, -1] and found == 0:
                found = K
    with computation(PARALLEL), interval(...):
        b = p.at(K=found)


def offset_of_temporary(a: Field[float], n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a * 2.0
    with computation(PARALLEL), interval(0, -1):
        b = t[0, 0, n] + t[1, 0, 0]


def runtime_interval_scalars(a: Field[float], b: Field[float], lo: int, hi: int):
    with computation(PARALLEL), interval(lo, hi):
        b = a * 2.0


def runtime_interval_fields(a: Field[float], b: Field[float], lo: Field[IJ, int], hi: Field[IJ, int]):
    with computation(PARALLEL), interval(lo, hi):
        b = a * 2.0
        t = b
        b = t + 1.0


def runtime_interval_sweep(a: Field[float], b: Field[float], top: Field[IJ, int]):
    with computation(FORWARD), interval(0, 1):
        b = a
    with computation(FORWARD), interval(1, top):
        b = b[0, 0, -1] + a
    with computation(BACKWARD), interval(top, -1):
        b = b[0, 0, 1] * 0.5


def runtime_interval_single(a: Field[float], b: Field[float], n: int):
    with computation(PARALLEL), interval(n):
        b = a


def runtime_interval_temporary(a: Field[float], b: Field[float], n: Field[IJ, int]):
    with computation(FORWARD), interval(0, 1):
        top: Field[IJ, int] = n + 1
    with computation(PARALLEL), interval(0, top):
        b = a


def runtime_data_index(a: Field[float], b: Field[float], bounds: Field[IJ, (int, (2,))]):
    with computation(PARALLEL), interval(bounds[0, 0][0], bounds[0, 0][1]):
        b = a + 1.0


def variable_write(a: Field[float], n: Field[int], b: Field[float]):
    with computation(FORWARD), interval(0, -1):
        b[0, 0, n] = a


def k_minus_offset(a: Field[float], n: Field[int], b: Field[float]):
    with computation(FORWARD), interval(2, None):
        b = a[0, 0, -n] + a.at(K=K - n)


def offset_from_scalar(a: Field[float], b: Field[float], n: int):
    with computation(PARALLEL), interval(1, None):
        b = a[0, 0, n]


def lag_of_temporary(a: Field[float], b: Field[float], d: int):
    with computation(PARALLEL), interval(...):
        t = a * 2.0
    with computation(PARALLEL), interval(...):
        b = 0.0
        if K >= d:
            b = t[0, 0, -d]


def level_of_temporary(a: Field[float], n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a * 2.0
    with computation(PARALLEL), interval(...):
        b = t.at(K=n) + t.at(K=1)


def last_levels_of_temporary(a: Field[float], b: Field[float], d: int):
    with computation(PARALLEL), interval(...):
        t = a[1, 0, 0] - a
    with computation(PARALLEL), interval(2, None):
        b = t[0, 1, -d] + t.at(K=K - d)


def several_orders(a: Field[float], b: Field[float], c: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            t = a
        with interval(1, None):
            t = t[0, 0, -1] * 0.5 + a[1, 0, 0]
    with computation(BACKWARD):
        with interval(-1, None):
            u = t
            b = u
        with interval(0, -1):
            u = u[0, 0, 1] * 0.5 + t[0, 1, 0]
            b = u - t[0, 0, 1]
    with computation(PARALLEL):
        with interval(0, -1):
            c = u[1, 0, 0] + t[-1, 0, 1]
        with interval(-1, None):
            c = b[0, 0, -1]
