# SPDX-License-Identifier: Apache-2.0
# float32_all: layouts
# mixed_floats:
# ints_and_floats:
# int_division:
# int_division_literals:
# small_ints:
# int64_with_float32:
# typed_by_first_value:
# half_temporary:
# zero_then_half:
# narrowing_store:
# named_dtype: dtype T=float32
# named_dtype_double: dtype T=float64 dtype S=int32
# retyped_float: dtype float=float32
# literal_float32:
# literal_int32:
# typed_temporaries:
# casts:
# float_to_int_saturates: in a=int:-200:200
# bool_arithmetic:
# floored_modulo:
# float_modulo:
# powers: close
# power_half: in a=pos
# int_powers: in a=int:-3:4
# numpy_constants:
# wrap_int8: in a=int:-100:100
# compare_mixed: in n=int:-2:3
# min_of_mixed:
# k_value:
# k_value_types:
# ternary_types:
# bool_from_compare:
# negative_zero:
"""Types of fields, temporaries, literals and casts."""
import numpy as np
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (
    FORWARD, K, PARALLEL, Field, computation, float32, float64, int32, int64, interval, mod,
)

DT = np.float32


def float32_all(a: Field[np.float32], b: Field[np.float32]):
    with computation(PARALLEL), interval(...):
        t = a[1, 0, 0] * a[-1, 0, 0]
        b = t + a / 3.0


def mixed_floats(a: Field[np.float32], d: Field[np.float64], b: Field[np.float32], c: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a * a
        b = t + d
        c = t * d + b


def ints_and_floats(n: Field[int], a: Field[np.float32], b: Field[np.float32], m: Field[int]):
    with computation(PARALLEL), interval(...):
        b = n * a + 1
        m = n * 2 + 7


def int_division(n: Field[int], m: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = n / (m * m + 1) + m / 3


def int_division_literals(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a * (1 / 2) + 2 / 3


def small_ints(a: Field[np.int8], b: Field[np.int16], c: Field[np.int32], d: Field[np.int64]):
    with computation(PARALLEL), interval(...):
        d = a + b * c
        c = a * b


def int64_with_float32(n: Field[np.int64], a: Field[np.float32], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = n + a
        b = t / 3


def typed_by_first_value(n: Field[np.int32], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = n
        t = a * 2.5
        b = t


def half_temporary(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = 1 / 2
        b = a * t


def zero_then_half(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t: int = 0
        t = 0.5 * a + 2.75
        b = t


def narrowing_store(a: Field[float], n: Field[np.int8], s: Field[np.float32]):
    with computation(PARALLEL), interval(...):
        n = a * 50.0
        s = a / 3.0


def named_dtype(a: Field["T"], b: Field["T"]):
    with computation(PARALLEL), interval(...):
        t = a * a[1, 0, 0]
        b = t


def named_dtype_double(a: Field["T"], n: Field["S"], b: Field["T"]):
    with computation(PARALLEL), interval(...):
        b = a * n


def retyped_float(a: Field[float], b: Field[float], c: Field[np.float64]):
    with computation(PARALLEL), interval(...):
        b = a / 3.0
        c = a * 0.1


@gtscript.stencil(backend="numpy", literal_float_precision=32)
def literal_float32(a: Field[np.float32], b: Field[np.float32], c: Field[np.float64]):
    with computation(PARALLEL), interval(...):
        b = a * 0.1 + 1 / 3
        c = a * 0.1


@gtscript.stencil(backend="numpy", literal_int_precision=32)
def literal_int32(a: Field[np.int32], b: Field[np.int64]):
    with computation(PARALLEL), interval(...):
        t = 2147483647
        b = t + a


def typed_temporaries(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        x: float32 = a / 3.0
        n: int32 = a * 10.0
        y: float64 = x
        m: int = n
        z: float = m / 3
        b = x + y + n * 2 + z


def casts(a: Field[float], n: Field[int], b: Field[float], c: Field[int]):
    with computation(PARALLEL), interval(...):
        b = float32(a) * 2 + float(n) / 3
        c = int(a * 3.0) + int32(a) + int64(n)


def float_to_int_saturates(a: Field[float], b: Field[np.int8], c: Field[np.int32]):
    with computation(PARALLEL), interval(...):
        b = a
        c = a * 1.0e9


def bool_arithmetic(a: Field[float], m: Field[bool], b: Field[float]):
    with computation(PARALLEL), interval(...):
        p = a > 0.0
        b = a * p + m * 2.0


def floored_modulo(n: Field[int], b: Field[int], c: Field[int]):
    with computation(PARALLEL), interval(...):
        b = n % 3
        c = n % -4 + mod(n, 5)


def float_modulo(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a % 0.75 + mod(a, -0.5)


def powers(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a**2 + abs(a) ** 1.5
        c = a**3


def power_half(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a**0.5 + a**2.0


def int_powers(a: Field[int], b: Field[int]):
    with computation(PARALLEL), interval(...):
        b = a**3 + 2**4


LIMIT = np.float32(0.1)
COUNT = np.int32(3)


def numpy_constants(a: Field[np.float32], b: Field[np.float32], c: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a * LIMIT
        t = COUNT
        c = LIMIT * COUNT + t


def wrap_int8(a: Field[np.int8], b: Field[np.int8]):
    with computation(PARALLEL), interval(...):
        b = a + a


def compare_mixed(n: Field[int], a: Field[np.float32], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = 1 if n < a else 2.5


def min_of_mixed(n: Field[int], a: Field[np.float32], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = min(n, a) + max(n, 1) + max(a, 0.1)


def k_value(a: Field[float], b: Field[float], n: Field[int]):
    with computation(PARALLEL), interval(1, None):
        b = a * K
        n = K - 1


def k_value_types(b: Field[float], c: Field[np.float32]):
    with computation(FORWARD), interval(...):
        b = K / 2
        c = K * 0.1


def ternary_types(m: Field[bool], n: Field[int], a: Field[np.float32], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = n if m else a
        b = t / 3


def bool_from_compare(a: Field[float], m: Field[bool], n: Field[bool]):
    with computation(PARALLEL), interval(...):
        m = a > 0.0 or a < -1.0
        n = not m[1, 0, 0]


def negative_zero(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a * 0.0
        b = 1.0 / max(t, -0.0) + 1.0 / min(t, 0.0)
