# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions of NumPy's that are made of others."""

import math

from ._array import apply, to_array
from ._dtypes import as_dtype, bool as bool_dtype, check_fits, code_of, finfo, float16, float32, float64, promote
from ._elementwise import FUNCTIONS, as_floats as _float, finish, where
from .errors import ArgumentError, DTypeError

_f = FUNCTIONS


def modf(x, /):
    """The part after the point and the part before it, both with the sign of x."""
    x = _float(x, "modf")
    whole = _f["trunc"](x)
    part = where(_f["isinf"](x), 0.0, x - whole)
    return _f["copysign"](part, x), whole


def frexp(x, /):
    """m and e with x = m * 2**e and m from 0.5 to 1."""
    x = _float(x, "frexp")
    size = abs(x)
    is_plain = _f["isfinite"](x) & (x != 0)
    safe = where(is_plain, size, 1.0)
    exponent = _f["floor"](_f["log2"](safe)) + 1
    # In two steps, neither of which leaves the range; then the logarithm's last bit is put right.
    half = _f["floor"](-exponent / 2)
    mantissa = safe * _f["exp2"](half) * _f["exp2"](-exponent - half)
    mantissa, exponent = (where(mantissa >= 1, mantissa / 2, mantissa),
                          where(mantissa >= 1, exponent + 1, exponent))
    mantissa, exponent = (where(mantissa < 0.5, mantissa * 2, mantissa),
                          where(mantissa < 0.5, exponent - 1, exponent))
    exponent = apply("astype", (where(is_plain, exponent, 0.0),), dtype=code_of("int32"))
    return where(is_plain, _f["copysign"](mantissa, x), x), exponent


def heaviside(x1, x2, /, *, out=None):
    """0 for negative x1, 1 for positive ones, x2 for 0."""
    x1 = _float(x1, "heaviside")
    if not isinstance(x2, (int, float)):
        x2 = to_array(x2, "heaviside")
    step = where(x1 < 0, 0.0, where(x1 > 0, 1.0, x1))  # NaN stays what it is
    return finish(where(x1 == 0, x2, step), out)


def _typed(x, other, what):
    """As an array; a number of Python has the dtype of the other one."""
    if not isinstance(x, int) or isinstance(other, int):
        return to_array(x, what)
    dtype = to_array(other, what).dtype
    return apply("full", (check_fits(x, dtype, what),), None, (), dtype=code_of(dtype))


def _integers(x1, x2, what):
    x1, x2 = _typed(x1, x2, what), _typed(x2, x1, what)
    for x in (x1, x2):
        if x.dtype.kind not in "iu":
            raise DTypeError(f"{what}: takes integers, not {x.dtype}\n  help: convert with astype first")
    dtype = promote(x1.dtype, x2.dtype)
    if dtype.kind not in "iu":
        raise DTypeError(f"{what}: {x1.dtype} and {x2.dtype} have no integer dtype in common\n"
                         "  help: convert with astype first")
    # Without their signs: that of the least integer has no positive twin of its own dtype.
    sizes = (abs(apply("astype", (x,), dtype=code_of(dtype))) for x in (x1, x2))
    bare = as_dtype(f"uint{8 * dtype.itemsize}")
    return dtype, *(apply("astype", (x,), dtype=code_of(bare)) for x in sizes)


def _divisor(a, b):
    # Euclid's algorithm takes most steps for neighbours in Fibonacci's sequence.
    for _ in range(math.ceil(8 * a.dtype.itemsize / math.log2((1 + 5**0.5) / 2)) + 1):
        a, b = where(b == 0, a, b), a % _f["maximum"](b, 1)
    return a


def gcd(x1, x2, /, *, out=None):
    """The greatest common divisor of integers."""
    dtype, a, b = _integers(x1, x2, "gcd")
    return finish(apply("astype", (_divisor(a, b),), dtype=code_of(dtype)), out)


def lcm(x1, x2, /, *, out=None):
    """The least common multiple of integers."""
    dtype, a, b = _integers(x1, x2, "lcm")
    return finish(apply("astype", (a // _f["maximum"](_divisor(a, b), 1) * b,), dtype=code_of(dtype)), out)


def deg2rad(x, /, *, out=None):
    """Degrees as radians."""
    return finish(_float(x, "deg2rad") * (math.pi / 180), out)


def rad2deg(x, /, *, out=None):
    """Radians as degrees."""
    return finish(_float(x, "rad2deg") * (180 / math.pi), out)


def float_power(x1, x2, /, *, out=None):
    """x1 to the power of x2, in float64."""
    a, b = (apply("astype", (to_array(x, "float_power"),), dtype=code_of(float64)) for x in (x1, x2))
    return finish(a**b, out)


def logaddexp2(x1, x2, /, *, out=None):
    """log2(2**x1 + 2**x2)."""
    x1, x2 = _float(x1, "logaddexp2"), _float(x2, "logaddexp2")
    larger, smaller = _f["maximum"](x1, x2), _f["minimum"](x1, x2)
    away = where(larger == smaller, 0.0, smaller - larger)  # also of two infinities
    return finish(larger + _f["log1p"](_f["exp2"](away)) * (1 / math.log(2)), out)


def sinc(x, /):
    """sin(pi x) / (pi x), and 1 at 0."""
    x = to_array(x, "sinc")
    if x.dtype.kind != "f":
        x = apply("astype", (x,), dtype=code_of(float64))
    y = math.pi * where(x == 0, 1.0, x)
    return where(x == 0, 1.0, _f["sin"](y) / y)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Numbers in place of NaN and of infinities; without others, the largest and the smallest."""
    x = to_array(x, "nan_to_num")
    if x.dtype.kind != "f":
        return x._same()
    limits = finfo(x.dtype)
    x = where(_f["isnan"](x), nan, x)
    x = where(x == math.inf, limits.max if posinf is None else posinf, x)
    return where(x == -math.inf, limits.min if neginf is None else neginf, x)


def isposinf(x, /):
    """Is it positive and infinite?"""
    return to_array(x, "isposinf") == math.inf


def isneginf(x, /):
    """Is it negative and infinite?"""
    return to_array(x, "isneginf") == -math.inf


def select(condlist, choicelist, default=0):
    """The choice of the first condition that holds, or the default."""
    if len(condlist) != len(choicelist):
        raise ArgumentError(f"select: {len(condlist)} conditions cannot choose among {len(choicelist)}")
    found = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        condition = to_array(condition, "select")
        if condition.dtype != bool_dtype:
            raise DTypeError(f"select: conditions are bools, not {condition.dtype}")
        found = where(condition, choice, found)
    return to_array(found, "select")


degrees, radians = rad2deg, deg2rad
SPECIAL = {f.__name__: f for f in (modf, frexp, heaviside, gcd, lcm, deg2rad, rad2deg, float_power, logaddexp2)}
SPECIAL.update(degrees=degrees, radians=radians)
__all__ = [*SPECIAL, "sinc", "nan_to_num", "isposinf", "isneginf", "select"]
