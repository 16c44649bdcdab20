# SPDX-License-Identifier: Apache-2.0
# count_up: in n=int:0:6
# newton: in a=pos
# while_with_offset:
# while_in_branch:
# branch_in_while:
# nested_while: in n=int:0:4
# while_in_sweep:
# while_neighbours:
# while_temporary_extended:
# while_on_bool:
# saturation: in t=pos in q=pos close
# while_k_offset: in n=int:0:3
# while_in_region:
# while_typed_counter: in n=int:0:5
"""`while` at a point."""
from gt4py.cartesian.gtscript import (
    FORWARD, I, J, PARALLEL, Field, computation, exp, horizontal, interval, region, sqrt,
)


def count_up(n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        c = 0
        b = 1.0
        while c < n:
            b = b * 1.5
            c += 1


def newton(a: Field[float], root: Field[float]):
    with computation(PARALLEL), interval(...):
        x = a
        error = 1.0
        while error > 1e-6:
            x = 0.5 * (x + a / x)
            error = abs(x * x - a)
        root = x


def while_with_offset(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = abs(a) + 0.1
        while t < 2.0:
            t = t + abs(a[1, 0, 0]) + 0.05
        b = t[1, 0, 0] - t[0, -1, 0]


def while_in_branch(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        if a > 0.0:
            t = a
            while t < 4.0:
                t = t * 2.0 + 0.125
            b = t
        else:
            b = a[1, 0, 0]


def branch_in_while(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        n = 0
        while n < 5:
            if t > 0.0:
                t = t - 0.75
            else:
                t = t * -1.5 + 0.1
            n += 1
        b = t + t[0, 1, 0]


def nested_while(n: Field[int], b: Field[int]):
    with computation(PARALLEL), interval(...):
        total = 0
        x = 0
        while x < n:
            y = 0
            while y < x + 1:
                total += x * y + 1
                y += 1
            x += 1
        b = total


def while_in_sweep(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            b = a
        with interval(1, None):
            t = b[0, 0, -1]
            while t > 0.5:
                t = t * 0.5
            b = t + a


def while_neighbours(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        n = 0
        while n < 3:
            a = 0.5 * a + 0.25 * (a[1, 0, 0] + a[-1, 0, 0])
            n += 1
        b = a


def while_temporary_extended(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        n = 0
        t = a
        while n < 4 and t > -1.0:
            t = t - 0.5
            n += 1
        b = t[1, 0, 0] + t[-1, 0, 0] + n[0, 1, 0]


def while_on_bool(m: Field[bool], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        go = m
        b = a
        while go:
            b = b + 1.0
            go = b < 2.0


def saturation(t: Field[float], q: Field[float], out: Field[float]):
    with computation(PARALLEL), interval(...):
        temp = t * 20.0 + 270.0
        n = 0
        step = 1.0
        while n < 10 and abs(step) > 0.001:
            qs = 0.0038 * exp(17.27 * (temp - 273.0) / (temp - 36.0))
            step = (q * 0.01 - qs) / (1.0 + qs)
            temp = temp + step
            n += 1
        out = temp


def while_k_offset(n: Field[int], a: Field[float], b: Field[float]):
    with computation(FORWARD), interval(2, None):
        c = 0
        b = 0.0
        while c < n:
            b = b + a[0, 0, -c]
            c += 1


def while_in_region(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[I[0] : I[-1], J[0]], region[I[-1], :]):
            while b < 2.0:
                b = b + 0.75


def while_typed_counter(n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        c: int = 0
        x: float = 0.0
        while c < n:
            x = x + sqrt(float(c))
            c = c + 1
        b = x
