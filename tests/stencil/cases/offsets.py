# SPDX-License-Identifier: Apache-2.0
# laplacian: layouts loops
# shift_each_way:
# axis_names:
# axis_names_partial:
# ellipsis_offset:
# self_shift:
# self_shift_both:
# temp_chain: layouts loose
# wide:
# one_sided:
# extents_of_document:
# rule_four_forward:
# api_written_then_read_with_offset:
# api_read_then_written:
# corner:
# vertical_and_horizontal:
# reassigned_temporary:
# constant_offset_names: external SHIFT=2
# unused_argument:
# negative_halo:
"""Offsets in I and J, extents, statements that read what they write."""
from gt4py.cartesian.gtscript import FORWARD, I, J, K, PARALLEL, Field, computation, interval

STEP = 1


def laplacian(phi: Field[float], out: Field[float]):
    with computation(PARALLEL), interval(...):
        out = -4.0 * phi + (phi[-1, 0, 0] + phi[1, 0, 0] + phi[0, -1, 0] + phi[0, 1, 0])


def shift_each_way(a: Field[float], w: Field[float], e: Field[float], s: Field[float], n: Field[float]):
    with computation(PARALLEL), interval(...):
        w = a[-1, 0, 0]
        e = a[1, 0, 0]
        s = a[0, -1, 0]
        n = a[0, 1, 0]


def axis_names(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(1, -1):
        b = a[I - 1, J + 1, K] + a[I, J, K + 1] - a[I, J, K - 1]


def axis_names_partial(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(1, None):
        b = a[I + STEP] + a[J - 1] + a[K - 1] + a[I + 1, K - 1]


def ellipsis_offset(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a[...] + a[0, 0, 0]


def self_shift(a: Field[float]):
    with computation(PARALLEL), interval(...):
        a = a[1, 0, 0]


def self_shift_both(a: Field[float]):
    with computation(PARALLEL), interval(...):
        a = a[1, 0, 0] - a[-1, 0, 0] + a[0, 1, 0] - a[0, -1, 0]


def temp_chain(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a[1, 0, 0] + a[0, 1, 0]
        u = t[-1, 0, 0] + t[0, -1, 0]
        v = u[1, 1, 0] - t[-1, -1, 0]
        b = v[-1, 0, 0] + u


def wide(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a[-3, 2, 0] - a[3, -2, 0]


def one_sided(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a[2, 0, 0]
        b = t[1, 0, 0] + t[2, 0, 0]


def extents_of_document(b: Field[float], a: Field[float]):
    with computation(PARALLEL), interval(...):
        u = a
        b = u[-2, 0, 0] + u[1, 0, 0] + u[0, -1, 0] + u[0, -2, 0]


def rule_four_forward(a: Field[float], b: Field[float], tmp: Field[float]):
    with computation(FORWARD), interval(...):
        a = tmp[1, 1, 0]
        b = 2.0 * a[1, 1, 0]


def api_written_then_read_with_offset(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        a = b * 2.0
        b = a[1, 0, 0] + a[-1, 0, 0]


def api_read_then_written(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a[1, 0, 0]
        a = b
        b = t[-1, 0, 0] + a[1, 0, 0]


def corner(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a[1, 1, 0] + a[-1, -1, 0] + a[1, -1, 0] + a[-1, 1, 0]


def vertical_and_horizontal(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(1, -1):
        b = a[1, -1, 1] - a[-1, 1, -1]


def reassigned_temporary(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        t = t[1, 0, 0] + t[-1, 0, 0]
        t = t[0, 1, 0] + t[0, -1, 0]
        b = t


def constant_offset_names(a: Field[float], b: Field[float]):
    from __externals__ import SHIFT

    with computation(PARALLEL), interval(...):
        b = a[SHIFT - 1, -SHIFT, 0]


def unused_argument(a: Field[float], b: Field[float], unused: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a


def negative_halo(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(1, None):
        b = a[2, -1, 0]
