# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions: the standard's names, and NumPy's."""

import numpy as np

from . import _core
from ._array import Array, _like, apply, cast_back, to_array
from ._dtypes import as_dtype, code_of, float16, float32, float64, is_known
from .errors import ArgumentError


def finish(result, out):
    """`out=`: the values go there, now."""
    if out is None:
        return result
    if isinstance(out, tuple):
        (out,) = out
    if isinstance(out, Array):
        out._become(_like(out, result, "out"))
        return out
    if isinstance(out, np.ndarray) and is_known(out.dtype):
        result = cast_back(result, out.dtype, "out")
    _core.compute((result,), None, (out,))
    return out


def _one(name, c_name, doc):
    def function(x, /, *, out=None):
        return finish(apply(c_name, (x,)), out)

    return _named(function, name, doc)


def _two(name, c_name, doc):
    def function(x1, x2, /, *, out=None):
        return finish(apply(c_name, (x1, x2)), out)

    return _named(function, name, doc)


def _named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__module__ = "lathe"
    function.__doc__ = doc
    return function


# name: (function of the library, what it is). NumPy's other names follow below.
ONE = {
    "abs": ("absolute", "The absolute value of each element."),
    "acos": ("arccos", "The inverse cosine."),
    "acosh": ("arccosh", "The inverse hyperbolic cosine."),
    "asin": ("arcsin", "The inverse sine."),
    "asinh": ("arcsinh", "The inverse hyperbolic sine."),
    "atan": ("arctan", "The inverse tangent."),
    "atanh": ("arctanh", "The inverse hyperbolic tangent."),
    "bitwise_invert": ("invert", "All bits turned; not of bools."),
    "cbrt": ("cbrt", "The cube root."),
    "ceil": ("ceil", "The next integer that is not smaller."),
    "cos": ("cos", "The cosine."),
    "cosh": ("cosh", "The hyperbolic cosine."),
    "erf": ("erf", "The error function."),
    "erfc": ("erfc", "One minus the error function."),
    "exp": ("exp", "e to the power of each element."),
    "exp2": ("exp2", "2 to the power of each element."),
    "expm1": ("expm1", "exp(x) - 1, exact near 0."),
    "floor": ("floor", "The next integer that is not larger."),
    "gamma": ("gamma", "The gamma function."),
    "isfinite": ("isfinite", "Is it neither infinite nor NaN?"),
    "isinf": ("isinf", "Is it an infinity?"),
    "isnan": ("isnan", "Is it NaN?"),
    "lgamma": ("lgamma", "The logarithm of the gamma function."),
    "log": ("log", "The natural logarithm."),
    "log10": ("log10", "The logarithm to the base 10."),
    "log1p": ("log1p", "log(1 + x), exact near 0."),
    "log2": ("log2", "The logarithm to the base 2."),
    "logical_not": ("logical_not", "Is it 0?"),
    "negative": ("negative", "Minus each element."),
    "positive": ("positive", "Each element."),
    "reciprocal": ("reciprocal", "One divided by each element."),
    "rint": ("rint", "The nearest integer, ties to even, as a float."),
    "rsqrt": ("rsqrt", "One divided by the square root."),
    "sign": ("sign", "-1, 0 or 1."),
    "signbit": ("signbit", "Is the sign bit set?"),
    "sin": ("sin", "The sine."),
    "sinh": ("sinh", "The hyperbolic sine."),
    "sqrt": ("sqrt", "The square root."),
    "square": ("square", "Each element times itself."),
    "tan": ("tan", "The tangent."),
    "tanh": ("tanh", "The hyperbolic tangent."),
    "trunc": ("trunc", "The next integer towards 0."),
}
TWO = {
    "add": ("add", "The sum."),
    "atan2": ("arctan2", "The angle of the point (x2, x1)."),
    "bitwise_and": ("bitwise_and", "Bits that both have."),
    "bitwise_left_shift": ("left_shift", "The bits of x1 moved to the left."),
    "bitwise_or": ("bitwise_or", "Bits that one of them has."),
    "bitwise_right_shift": ("right_shift", "The bits of x1 moved to the right."),
    "bitwise_xor": ("bitwise_xor", "Bits that just one of them has."),
    "copysign": ("copysign", "x1 with the sign of x2."),
    "divide": ("divide", "The quotient, a float."),
    "equal": ("equal", "Are they equal?"),
    "floor_divide": ("floor_divide", "The quotient, rounded down."),
    "fmax": ("fmax", "The larger one; NaN only if both are."),
    "fmin": ("fmin", "The smaller one; NaN only if both are."),
    "fmod": ("fmod", "The remainder with the sign of x1."),
    "greater": ("greater", "Is x1 larger?"),
    "greater_equal": ("greater_equal", "Is x1 larger, or equal?"),
    "hypot": ("hypot", "The length of the vector (x1, x2)."),
    "less": ("less", "Is x1 smaller?"),
    "less_equal": ("less_equal", "Is x1 smaller, or equal?"),
    "logaddexp": ("logaddexp", "log(exp(x1) + exp(x2))."),
    "logical_and": ("logical_and", "Is neither 0?"),
    "logical_or": ("logical_or", "Is one of them not 0?"),
    "logical_xor": ("logical_xor", "Is just one of them not 0?"),
    "maximum": ("maximum", "The larger one."),
    "minimum": ("minimum", "The smaller one."),
    "multiply": ("multiply", "The product."),
    "nextafter": ("nextafter", "The next float from x1 towards x2."),
    "not_equal": ("not_equal", "Do they differ?"),
    "pow": ("power", "x1 to the power of x2."),
    "remainder": ("remainder", "The remainder with the sign of x2."),
    "subtract": ("subtract", "The difference."),
}
_NUMPY = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
    "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "bitwise_not": "bitwise_invert",
    "invert": "bitwise_invert", "left_shift": "bitwise_left_shift", "mod": "remainder",
    "power": "pow", "right_shift": "bitwise_right_shift", "true_divide": "divide",
}
FUNCTIONS = {}
for _name, (_c_name, _doc) in ONE.items():
    FUNCTIONS[_name] = _one(_name, _c_name, _doc)
for _name, (_c_name, _doc) in TWO.items():
    FUNCTIONS[_name] = _two(_name, _c_name, _doc)
for _name, _standard in _NUMPY.items():
    FUNCTIONS[_name] = FUNCTIONS[_standard]


def as_floats(x, what):
    """As an array of floats, of the size that NumPy takes for integers."""
    x = to_array(x, what)
    if x.dtype.kind == "f":
        return x
    wanted = float16 if x.dtype.itemsize == 1 else float32 if x.dtype.itemsize == 2 else float64
    return apply("astype", (x,), dtype=code_of(wanted))


def fabs(x, /, *, out=None):
    """The absolute value, a float."""
    return finish(abs(as_floats(x, "fabs")), out)


FUNCTIONS["fabs"] = fabs
globals().update(FUNCTIONS)


def clip(x, /, min=None, max=None, *, out=None):
    """Each element, but not less than min and not more than max. The dtype stays."""
    x = to_array(x, "clip")
    given = tuple(b for b in (min, max) if b is not None)
    if not given:
        return finish(x._same(), out)
    result = apply("clip", (x, *given), (min is not None, max is not None))
    if result._dtype != x._dtype and all(hasattr(b, "dtype") for b in given):
        result = apply("astype", (result,), dtype=x._dtype)
    return finish(result, out)


def round(x, /, decimals=0, *, out=None):
    """The nearest number with so many decimals, ties to even."""
    return finish(apply("round", (x,), (decimals,)), out)


around = round


def where(condition, x1=None, x2=None, /):
    """x1 where the condition holds, else x2. With the condition alone: nonzero()."""
    if x1 is None and x2 is None:
        from ._search import nonzero

        return nonzero(condition)
    if x1 is None or x2 is None:
        raise ArgumentError("where: needs both values, or none")
    return apply("where", (condition, x1, x2))


def real(x, /):
    """x: Lathe has no complex numbers."""
    return to_array(x, "real")


def conj(x, /):
    """x: Lathe has no complex numbers."""
    return to_array(x, "conj")


def imag(x, /):
    """Zeros: Lathe has no complex numbers."""
    return apply("zeros_like", (x,))


def astype(x, dtype, /, *, copy=True, device=None):
    """Converted. Floats to integers round towards 0 and saturate; NaN becomes 0."""
    if device not in (None, "cpu"):
        raise ArgumentError(f"astype: there is no device {device!r}, only 'cpu'")
    x = to_array(x, "astype")
    dtype = as_dtype(dtype)
    if x.dtype == dtype:
        return x._same() if copy else x
    return apply("astype", (x,), dtype=code_of(dtype))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|a - b| <= atol + rtol * |b|, elementwise."""
    a, b = to_array(a, "isclose"), to_array(b, "isclose")
    if a.dtype.kind != "f" and b.dtype.kind != "f":  # differences of integers may wrap
        a, b = astype(a, "float64"), astype(b, "float64")
    near = abs(a - b) <= atol + rtol * abs(b)
    found = where(FUNCTIONS["isfinite"](a) & FUNCTIONS["isfinite"](b), near, a == b)
    return found | (FUNCTIONS["isnan"](a) & FUNCTIONS["isnan"](b)) if equal_nan else found


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Are all elements close? Computed now."""
    return bool(apply("all", (isclose(a, b, rtol, atol, equal_nan),), (0, 0)))


__all__ = [*FUNCTIONS, "clip", "round", "around", "where", "real", "conj", "imag", "astype",
           "isclose", "allclose"]
