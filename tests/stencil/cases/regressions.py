# SPDX-License-Identifier: Apache-2.0
# k_as_argument:
# counter_in_region: in m=int:0:3
# counter_in_sweep: in m=int:0:3
# set_twice_in_sweep: loose
# set_in_both_sweeps: loose
# region_in_branch: loose
# top_only:
# second_from_top:
# same_name_in_function:
# elements_one_by_one: loose
# while_reads_before: loose in m=int:0:3
# branch_ends_no_need: loose
# function_in_regions_of_branch: loose loops
# chain_of_windows: loose loops layouts
# both_sides_set: loose
# written_in_nested_branch: loops
# level_test_in_sweep: loose
# element_in_nested_branch:
"""Reduced from random stencils: each was wrong once."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (
    BACKWARD, FORWARD, I, J, K, PARALLEL, Field, computation, horizontal, interval, region,
)


@gtscript.function
def mean(x, y):
    return 0.5 * (x + y)


@gtscript.function
def twice_set(x):
    flux = x * 2.0
    if x < 0.0:
        flux = -x
    return flux


def k_as_argument(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = mean(a, K)


def counter_in_region(m: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(1, -1):
        with horizontal(region[I[-1], :]):
            n = 0
            while n < m + 1:
                b = b + 1.0
                n += 1


def counter_in_sweep(m: Field[int], a: Field[float], b: Field[float]):
    with computation(BACKWARD), interval(...):
        t = a
        with horizontal(region[: I[0] + 2, :]):
            n = 0
            while n < m:
                t = t * 0.5 + a
                n += 1
        b = t[1, 0, 0] + t[0, -1, 0]


def set_twice_in_sweep(a: Field[float], b: Field[float], c: Field[float]):
    with computation(BACKWARD), interval(...):
        t = a[0, -1, 0]
        b = t
        t = c
    with computation(PARALLEL), interval(...):
        a = t[2, 0, 0] + t[0, -2, 0]


def set_in_both_sweeps(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            t = a[1, 0, 0]
        with interval(1, None):
            t = b[0, 1, 0]
            if t > 0.0:
                t = t[-1, 0, 0]
            t = a
    with computation(BACKWARD), interval(...):
        b = t[0, -2, 0] + t[2, 0, 0]


def region_in_branch(a: Field[float], b: Field[float]):
    with computation(FORWARD), interval(...):
        t = a
        if b[2, 0, 0] > 0.0:
            with horizontal(region[I[0], J[-1]]):
                t = 2.0
        else:
            a = 0.5
    with computation(PARALLEL), interval(...):
        b = t[1, 0, 0]


def top_only(a: Field[float], b: Field[float], z: Field[K, float]):
    with computation(PARALLEL), interval(...):
        t = b[0, 1, 0] + a
        u = a
        if u[0, -1, 0] <= t:
            u = z
    with computation(PARALLEL), interval(-1, None):
        a = u


def second_from_top(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        u = b[0, 0, 0]
        if t > 0.0:
            u = t[0, 1, 0]
    with computation(PARALLEL), interval(-3, -2):
        b = u[1, 0, 0] + t[0, 0, 1]


def same_name_in_function(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        flux = twice_set(a)
        flux = twice_set(flux[1, 0, 0])
        b = flux


def elements_one_by_one(a: Field[float], b: Field[float]):
    t: Field[(float, (2,))]
    with computation(PARALLEL), interval(...):
        t[0, 0, 0][0] = a[1, 0, 0]
        t[0, 0, 0][1] = b[0, 1, 0]
        b = t[2, 0, 0][0] - t[0, -2, 0][1]


def while_reads_before(m: Field[int], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        n = 0
        while n < m:
            t = a * 0.5
            b = t[1, 0, 0]
            n += 1


def branch_ends_no_need(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a * 3.0
        if b > 0.0:
            t = a
            b = t[-1, 0, 0] + t[0, 2, 0]


def both_sides_set(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a[3, 0, 0]
        b = t
        if b > 0.0:
            t = a
        else:
            t = -a
        b = t[-2, 0, 0] - t[0, 2, 0]


def written_in_nested_branch(a: Field[float], c: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if a > 0.0:
            if c > 0.0:
                b = 7.0


def element_in_nested_branch(a: Field[float], c: Field[float], v: Field[(float, (2,))]):
    with computation(PARALLEL), interval(...):
        if a > 0.0:
            if c > 0.0:
                v[0, 0, 0][1] = 7.0


def level_test_in_sweep(a: Field[float], b: Field[float], c: Field[float]):
    with computation(FORWARD), interval(...):
        if K > 0:
            t = c[2, 0, 0]
        else:
            t = a[0, 1, 0] + b
    with computation(PARALLEL), interval(...):
        a = a + t[0, -1, 0]


@gtscript.function
def upwinded(q, c):
    flux = q[-1, 0, 0] * c
    if c < 0.0:
        flux = q * c
    return flux


def function_in_regions_of_branch(b: Field[float], c: Field[float]):
    with computation(BACKWARD):
        with interval(-1, None):
            if b[0, -1, 0] <= 1.0:
                c = max(c, 0.5)
                with horizontal(region[I[0] + 1 :, :]):
                    b = -0.25 / (2.0 + abs(c)) - upwinded(c, b)
            c = abs(b)


def chain_of_windows(a: Field[float], b: Field[float], out: Field[float]):
    with computation(PARALLEL), interval(...):
        slope = (a[1, 0, 0] - a[-1, 0, 0]) / (2.0 + abs(a)) if a > 0.2 else 0.0
        face = a[-1, 0, 0] - (slope - slope[-1, 0, 0]) / 6.0
        left = face
        right = face[1, 0, 0]
        if (right - a) * (a - left) <= 0.0:
            left = a
            right = a
        elif left > 0.5:
            left = 3.0 * a - 2.0 * right
        flux = b * (right[-1, 0, 0] - left[-1, 0, 0]) / (1.0 + abs(b))
        out = a - (flux[1, 0, 0] - flux)
