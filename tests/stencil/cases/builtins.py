# SPDX-License-Identifier: Apache-2.0
# trigonometry: close in a=unit
# inverse_trigonometry: close in a=unit
# hyperbolic: close
# inverse_hyperbolic: close in a=unit
# roots: in a=pos
# cube_roots: close
# exponentials: close
# logarithms: close in a=pos
# error_functions: close
# gamma_function: close in a=pos
# rounding: in a=int:-9:10
# round_half:
# tests_of_numbers: in n=int:-1:2
# minima:
# absolute:
# of_ints: close in n=int:1:9
# of_float32: close in a=pos
# modulo:
"""Native functions."""
import numpy as np
from gt4py.cartesian.gtscript import (
    PARALLEL, Field, acos, acosh, asin, asinh, atan, atanh, cbrt, ceil, computation, cos, cosh, erf,
    erfc, exp, floor, gamma, interval, isfinite, isinf, isnan, log, log10, mod, round_away_from_zero,
    sin, sinh, sqrt, tan, tanh, trunc,
)


def trigonometry(a: Field[float], b: Field[float], c: Field[float], d: Field[float]):
    with computation(PARALLEL), interval(...):
        b = sin(a)
        c = cos(a)
        d = tan(a)


def inverse_trigonometry(a: Field[float], b: Field[float], c: Field[float], d: Field[float]):
    with computation(PARALLEL), interval(...):
        b = asin(a)
        c = acos(a)
        d = atan(a)


def hyperbolic(a: Field[float], b: Field[float], c: Field[float], d: Field[float]):
    with computation(PARALLEL), interval(...):
        b = sinh(a)
        c = cosh(a)
        d = tanh(a)


def inverse_hyperbolic(a: Field[float], b: Field[float], c: Field[float], d: Field[float]):
    with computation(PARALLEL), interval(...):
        b = asinh(a)
        c = acosh(a + 2.5)
        d = atanh(a)


def roots(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = sqrt(a[1, 0, 0]) + sqrt(2)


def cube_roots(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = cbrt(a)


def exponentials(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = exp(a)


def logarithms(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        b = log(a)
        c = log10(a)


def error_functions(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        b = erf(a)
        c = erfc(a)


def gamma_function(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = gamma(a + 1.0)


def rounding(a: Field[float], b: Field[float], c: Field[float], d: Field[float], e: Field[float]):
    with computation(PARALLEL), interval(...):
        b = floor(a / 4.0)
        c = ceil(a / 4.0)
        d = trunc(a / 4.0)
        e = round_away_from_zero(a / 2.0)


def round_half(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = round(floor(a * 4.0) / 2.0)


def tests_of_numbers(n: Field[int], b: Field[bool], c: Field[bool], d: Field[bool]):
    with computation(PARALLEL), interval(...):
        x = 1.0 / n
        b = isfinite(x)
        c = isinf(x)
        d = isnan(x - x)


def minima(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = min(max(a, -0.5), a[1, 0, 0]) + max(0, a)


def absolute(a: Field[float], n: Field[int], b: Field[float], m: Field[int]):
    with computation(PARALLEL), interval(...):
        b = abs(a)
        m = abs(n)


def of_ints(n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = sqrt(n)
        b = t * log(n)


def of_float32(a: Field[np.float32], b: Field[np.float32], c: Field[np.float32]):
    with computation(PARALLEL), interval(...):
        b = exp(a)
        c = log(a)


def modulo(a: Field[float], n: Field[int], b: Field[float], m: Field[int]):
    with computation(PARALLEL), interval(...):
        b = mod(a, 0.3)
        m = mod(n, 3)
