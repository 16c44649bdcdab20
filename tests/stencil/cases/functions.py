# SPDX-License-Identifier: Apache-2.0
# call_once:
# shifts_callers_field:
# argument_is_expression:
# argument_is_assigned:
# two_results:
# swap_by_function:
# nested_calls:
# calls_in_branches:
# keyword_and_default: external ALPHA=0.5
# local_names_are_own:
# constant_argument:
# function_with_branch:
# call_in_ternary:
# function_of_externals: external WEIGHT=3
# call_in_sweep:
# k_offset_in_function:
# same_function_twice:
# call_in_region:
# call_in_while:
# function_with_inlined_if: external MODE=1
# results_into_offsets:
"""Functions are spliced in."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (
    FORWARD, PARALLEL, Field, I, J, __INLINED, computation, horizontal, interval, region,
)


@gtscript.function
def lap(phi):
    return -4.0 * phi + phi[-1, 0, 0] + phi[1, 0, 0] + phi[0, -1, 0] + phi[0, 1, 0]


@gtscript.function
def clipped(x, low=-0.5, high=0.5):
    x = max(x, low)
    x = min(x, high)
    return x


@gtscript.function
def both(x, y):
    total = x + y
    return total, x - y


@gtscript.function
def exchange(x, y):
    return y, x


@gtscript.function
def twice(x):
    t = x + x
    return t


@gtscript.function
def positive(x):
    r = 0.0
    if x > 0.0:
        r = x
    else:
        r = -0.5 * x
    return r


@gtscript.function
def below(x):
    return x[0, 0, -1]


@gtscript.function
def scaled(x):
    from __externals__ import WEIGHT

    return x * WEIGHT


@gtscript.function
def by_mode(x):
    from __externals__ import MODE

    if __INLINED(MODE == 1):
        r = x * 2.0
    else:
        r = x[1, 0, 0]
    return r


def call_once(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = lap(a)


def shifts_callers_field(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = lap(a)
        b = lap(t)


def argument_is_expression(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = lap(a * a) + lap(a[1, 0, 0])


def argument_is_assigned(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = clipped(a) + a


def two_results(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        b, c = both(a, a[1, 0, 0])


def swap_by_function(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        a, b = exchange(a, b)


def nested_calls(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = clipped(lap(twice(a)), high=1.5)


def calls_in_branches(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        if a > 0.0:
            b = twice(a) + positive(a)
        else:
            b = positive(a[1, 0, 0])


def keyword_and_default(a: Field[float], b: Field[float]):
    from __externals__ import ALPHA

    with computation(PARALLEL), interval(...):
        b = clipped(a, high=ALPHA) + clipped(low=0.25, x=a)


def local_names_are_own(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a * 10.0
        total = a
        b = twice(a) + t
        c, d = both(t, a)
        b = b + total + c * d


def constant_argument(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = clipped(a, -1.0, 2) + twice(3.0)


def function_with_branch(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = positive(a)
        b = t[1, 0, 0] - positive(t)


def call_in_ternary(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = twice(a) if a > 0.0 else positive(a)


def function_of_externals(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = scaled(a) + scaled(x=a[0, 1, 0])


def call_in_sweep(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            b = twice(a)
        with interval(1, None):
            b = below(b) + positive(a)


def k_offset_in_function(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            t = a
            b = t
        with interval(1, None):
            t = a * 2.0
            b = below(t) + below(a)


def same_function_twice(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = clipped(a) * clipped(a[1, 0, 0]) + clipped(clipped(a), high=0.25)


def call_in_region(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[I[0], :], region[:, J[-1]]):
            b = positive(a) + twice(a[0, 0, 0])


def call_in_while(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        while b < 3.0:
            b = twice(b * b + 0.5)


def function_with_inlined_if(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = by_mode(a)


def results_into_offsets(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        s, d = both(a, a[0, 1, 0])
        b = s[1, 0, 0] * d[-1, 0, 0]
