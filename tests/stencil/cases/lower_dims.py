# SPDX-License-Identifier: Apache-2.0
# plane_factor: layouts
# column_profile: layouts
# row_fields:
# plane_offset:
# column_offset:
# mixed_axes: layouts
# write_plane_forward:
# plane_in_condition:
# column_table:
# ik_and_jk:
# plane_written_then_read:
# plane_max_level:
"""Fields that lack axes."""
from gt4py.cartesian.gtscript import (
    BACKWARD, FORWARD, I, IJ, IK, J, JK, K, PARALLEL, Field, computation, interval,
)


def plane_factor(a: Field[float], f: Field[IJ, float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a * f


def column_profile(a: Field[float], p: Field[K, float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a + p


def row_fields(x: Field[I, float], y: Field[J, float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = x * y + x[1] - y[-1]


def plane_offset(f: Field[IJ, float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = f[1, 0] - f[0, -1] + f[I - 1] * f[J + 1]


def column_offset(p: Field[K, float], b: Field[float]):
    with computation(PARALLEL), interval(1, -1):
        b = p[1] - p[-1] + p[K + 1]


def mixed_axes(a: Field[IJ, float], p: Field[K, float], q: Field[IK, float], b: Field[float]):
    with computation(PARALLEL), interval(1, None):
        b = a[1, 0] * p[-1] + q[1, -1]


def write_plane_forward(a: Field[float], s: Field[IJ, float], t: Field[IJ, float]):
    with computation(FORWARD):
        with interval(0, 1):
            s = a
            t = a[1, 0, 0]
        with interval(1, None):
            s = s + a
            t = max(t, s[1, 0])


def plane_in_condition(m: Field[IJ, bool], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if m[1, 0]:
            b = a
        else:
            b = -a


def column_table(ak: Field[K, float], bk: Field[K, float], ps: Field[IJ, float], p: Field[float]):
    with computation(PARALLEL), interval(0, -1):
        p = 0.5 * (ak + ak[1] + (bk + bk[1]) * ps)


def ik_and_jk(x: Field[IK, float], y: Field[JK, float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = x[1, 0] * y[-1, 0] + x


def plane_written_then_read(a: Field[float], s: Field[IJ, float], b: Field[float]):
    with computation(FORWARD), interval(0, 1):
        s = a * 2.0
    with computation(PARALLEL), interval(...):
        b = a + s + s[1, 0]


def plane_max_level(a: Field[float], top: Field[IJ, int]):
    with computation(BACKWARD):
        with interval(-1, None):
            top = 0
        with interval(0, -1):
            if a > 1.0 and top == 0:
                top = K
