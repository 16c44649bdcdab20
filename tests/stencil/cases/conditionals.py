# SPDX-License-Identifier: Apache-2.0
# ternary_like: layouts loops
# nested_document:
# eddie: layouts loops
# eddie_with_initial:
# eddie_else:
# versions_do_not_mix:
# mask_is_kept:
# scalar_flag: set flag=True
# scalar_flag_off: set flag=False loose
# scalar_compare: set n=3
# elif_chain:
# writes_temporary_and_field:
# offset_after_branch:
# branch_in_sweep:
# branch_carries_level:
# nested_three:
# bool_field:
# logical:
# ternaries:
# ternary_nested:
# k_condition:
# k_condition_in_sweep:
# not_condition:
# branch_reads_other_branch:
# if_inside_scalar_if: set flag=True
# temporary_first_in_branches:
# both_branches_shift:
# scalar_bool_and_field: set flag=True
# self_shift_in_branch:
# shift_twice_in_branch:
# mixed_extents_in_branch:
"""`if` on fields and on scalars."""
from gt4py.cartesian.gtscript import BACKWARD, FORWARD, K, PARALLEL, Field, computation, interval


def ternary_like(some_field: Field[float], out: Field[float], inp: Field[float]):
    with computation(PARALLEL), interval(...):
        if some_field > 0.0:
            out = inp
        else:
            out = 2.0 * inp


def nested_document(some_field: Field[float], some_other: Field[float], inp: Field[float], out: Field[float]):
    with computation(PARALLEL), interval(...):
        if some_field > 0.0:
            if some_other < 0.0:
                out = some_field
            else:
                out = some_other
        else:
            out = inp


def eddie(some_field: Field[float], inout: Field[float]):
    with computation(PARALLEL), interval(...):
        tmp = inout * 3.0
        if some_field > 0.0:
            tmp = inout
            inout = tmp[-1, 0, 0]


def eddie_with_initial(some_field: Field[float], inout: Field[float]):
    with computation(PARALLEL), interval(...):
        tmp = 0.0
        if some_field > 0.0:
            tmp = inout
            inout = tmp[-1, 0, 0]


def eddie_else(some_field: Field[float], inout: Field[float]):
    with computation(PARALLEL), interval(...):
        tmp = 1.0
        if some_field > 0.0:
            tmp = inout
            inout = tmp[-1, 0, 0]
        else:
            tmp = inout * 2.0
            inout = tmp[1, 0, 0] + tmp[0, 1, 0]


def versions_do_not_mix(m: Field[float], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if m > 0.0:
            a = b * 2.0
            b = a[1, 0, 0]
        else:
            b = a[1, 0, 0]
            a = b[-1, 0, 0]


def mask_is_kept(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if a > 0.0:
            a = -1.0
            b = a
        else:
            a = 1.0
            b = a * 2.0


def scalar_flag(a: Field[float], b: Field[float], c: Field[float], flag: bool):
    with computation(PARALLEL), interval(...):
        if flag:
            b = a
            c = b[1, 0, 0]
        else:
            b = 1.0
            c = 1.0


def scalar_flag_off(a: Field[float], b: Field[float], c: Field[float], *, flag: bool):
    with computation(PARALLEL), interval(...):
        if flag:
            b = a
            c = b[1, 0, 0]
        else:
            b = a * 0.5
            c = b[0, 1, 0]


def scalar_compare(a: Field[float], b: Field[float], n: int):
    with computation(FORWARD), interval(...):
        if n > 2 and n % 2 == 1:
            b = a
        elif n == 2:
            b = a * 2.0
        else:
            b = 0.0


def elif_chain(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if a > 1.0:
            b = 1.0
        elif a > 0.0:
            b = 2.0
        elif a > -1.0:
            b = a
        else:
            b = 4.0


def writes_temporary_and_field(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = 0.0
        if a > 0.0:
            t = a
            b = t + a[1, 0, 0]
        else:
            t = -a
            b = t - a[0, 1, 0]
        b = b + t[1, 0, 0] + t[0, -1, 0]


def offset_after_branch(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if a[1, 0, 0] > a:
            flux = a[1, 0, 0]
        else:
            flux = a
        b = flux - flux[-1, 0, 0]


def branch_in_sweep(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            b = a
        with interval(1, None):
            if b[0, 0, -1] > a:
                b = b[0, 0, -1] * 0.5
            else:
                b = a


def branch_carries_level(a: Field[float], b: Field[float]):
    with computation(BACKWARD):
        with interval(-1, None):
            t = a
            b = t
        with interval(0, -1):
            t = t[0, 0, 1]
            if a > 0.0:
                t = t[0, 0, 1] + a
                b = t[1, 0, 0]
            else:
                b = t[-1, 0, 0]


def nested_three(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        b = 0.0
        if a > -1.0:
            b = a
            if c > 0.0:
                b = b + c
                if a[1, 0, 0] > 0.0:
                    b = b * b[1, 0, 0]
                else:
                    c = b[-1, 0, 0]
            else:
                b = b[0, 1, 0]


def bool_field(m: Field[bool], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        wet = a > 0.0 and not m
        if m:
            b = a
        elif wet[1, 0, 0]:
            b = a[1, 0, 0]
        else:
            b = -1.0


def logical(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        if (a > 0.0 and b > 0.0) or (a < -1.0 and not b > 1.0):
            c = 1.0
        else:
            c = -1.0


def ternaries(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = (a if a > 0.0 else -a) + (1 if a[1, 0, 0] > 0.5 else 0.5)


def ternary_nested(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = 1.0 if a > 1.0 else 2.0 if a > 0.0 else 3.0 if a > -1.0 else a


def k_condition(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if K > 1:
            b = a
        else:
            b = -a


def k_condition_in_sweep(a: Field[float], b: Field[float]):
    with computation(FORWARD), interval(...):
        if K % 2 == 0:
            b = a + K
        else:
            b = a - K


def not_condition(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if not a > 0.0:
            b = a
        else:
            b = 0.0


def branch_reads_other_branch(m: Field[float], a: Field[float]):
    with computation(PARALLEL), interval(...):
        if m > 0.0:
            a = a[1, 0, 0] + 10.0
            a = a[1, 0, 0] + 100.0
        else:
            a = a[-1, 0, 0] - 10.0
            a = a[-1, 0, 0] - 100.0


def if_inside_scalar_if(a: Field[float], b: Field[float], flag: bool):
    with computation(PARALLEL), interval(...):
        if flag:
            t = a[1, 0, 0]
            if t > a:
                b = t
            else:
                b = t[0, 1, 0]
        else:
            b = a


def temporary_first_in_branches(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if a > 0.0:
            t = a[1, 0, 0]
        else:
            t = a[0, 1, 0] * 2.0
        b = t + t[0, -1, 0]


def both_branches_shift(m: Field[float], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if m > 0.0:
            t = a[1, 0, 0]
            b = t
        else:
            t = a[-2, 0, 0]
            b = t * 2.0


def scalar_bool_and_field(a: Field[float], b: Field[float], flag: bool):
    with computation(PARALLEL), interval(...):
        if flag and a > 0.0:
            b = a
        else:
            b = a * a


def self_shift_in_branch(m: Field[float], a: Field[float]):
    with computation(PARALLEL), interval(...):
        if m > 0.0:
            a = a[1, 0, 0]


def shift_twice_in_branch(m: Field[float], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a + b
        if m[0, 1, 0] > 0.0:
            t = t[1, 0, 0]
            a = t[0, 1, 0]
            t = a[1, 0, 0] + t
        b = t[-1, 0, 0]


def mixed_extents_in_branch(m: Field[float], a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        if m > 0.0:
            t = a[1, 0, 0]
            b = a[-1, 0, 0]
        else:
            t = c[0, 1, 0]
            b = c
        c = t[2, 0, 0] + t[0, -2, 0] + b[1, 0, 0]
