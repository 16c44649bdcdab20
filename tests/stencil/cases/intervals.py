# SPDX-License-Identifier: Apache-2.0
# copy_all:
# bottom_middle_top: layouts loops
# gap:
# one_level:
# levels_by_two:
# textual_order_parallel:
# external_bounds: external KB=2 external KT=-1
# nested_intervals:
# top_first:
# interval_single:
# disjoint_writes:
# separate_computations:
# only_top:
# docstring_and_pass:
"""Vertical intervals of PARALLEL computations."""
from gt4py.cartesian.gtscript import Field, PARALLEL, computation, interval


def copy_all(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a


def bottom_middle_top(a: Field[float], b: Field[float]):
    with computation(PARALLEL):
        with interval(0, 1):
            b = a * 2.0
        with interval(1, -1):
            b = a[0, 0, 1] - a[0, 0, -1]
        with interval(-1, None):
            b = a + 10.0


def gap(a: Field[float], b: Field[float]):
    with computation(PARALLEL):
        with interval(0, 1):
            b = a
        with interval(-2, -1):
            b = 2.0 * a


def one_level(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(1, 2):
        b = a[0, 0, 1] + a[0, 0, -1]


def levels_by_two(a: Field[float], b: Field[float]):
    with computation(PARALLEL):
        with interval(0, 2):
            b = a[1, 0, 0]
        with interval(2, -2):
            b = a[0, 1, 0]
        with interval(-2, None):
            b = a[-1, 0, 0]


def textual_order_parallel(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL):
        with interval(0, 1):
            b = a
        with interval(1, None):
            b = a * 2.0
            c = b


def external_bounds(a: Field[float], b: Field[float]):
    from __externals__ import KB, KT

    with computation(PARALLEL):
        with interval(0, KB):
            b = a
        with interval(KB, KT):
            b = -a
        with interval(KT, None):
            b = a * a


def nested_intervals(a: Field[float], b: Field[float]):
    with computation(PARALLEL):
        with interval(0, 1):
            t = a
            b = t
        with interval(1, None):
            t = a * 3.0
            b = t + a[0, 0, -1]


def top_first(a: Field[float], b: Field[float]):
    with computation(PARALLEL):
        with interval(-1, None):
            b = a
        with interval(0, -1):
            b = a[0, 0, 1]


def interval_single(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(0):
        b = a
    with computation(PARALLEL), interval(2):
        b = a * 2.0


def disjoint_writes(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL):
        with interval(1, 3):
            b = a
        with interval(3, None):
            c = a


def separate_computations(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(0, 1):
        t = a
    with computation(PARALLEL), interval(1, None):
        t = a * 2.0
    with computation(PARALLEL), interval(...):
        b = t[1, 0, 0] + t[-1, 0, 0]


def only_top(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(-3, -1):
        b = a[0, 0, 1] * a[0, 0, -1]


def docstring_and_pass(a: Field[float], b: Field[float]):
    """Copies."""
    with computation(PARALLEL), interval(...):
        """A comment."""
        b = a
