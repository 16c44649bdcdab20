# SPDX-License-Identifier: Apache-2.0
"""What NumPy's ufuncs have besides being called: lathe.maximum.accumulate(x), lathe.add.reduce(x),
lathe.subtract.outer(x, y)."""

import functools
import math

from . import _nan, _reduce
from ._array import apply, to_array
from ._dtypes import bool as bool_dtype, code_of, uint8
from ._elementwise import FUNCTIONS, TWO, finish, where

REDUCTIONS = {"add": _reduce.sum, "multiply": _reduce.prod, "minimum": _reduce.min, "maximum": _reduce.max,
              "logical_and": _reduce.all, "logical_or": _reduce.any, "fmax": _nan.nanmax, "fmin": _nan.nanmin}


def _as(x, dtype):
    return apply("astype", (x,), dtype=code_of(dtype))


def _extremes(name, x, axis):
    """The largest (least) so far."""
    if x.dtype != bool_dtype:
        return apply(name, (x,), (axis,))
    return _as(apply(name, (_as(x, uint8),), (axis,)), bool_dtype)


def _numbers(name, x, axis):
    """The largest (least) number so far: NaN only before the first."""
    if x.dtype.kind != "f":
        return _extremes(name, x, axis)
    is_number = ~FUNCTIONS["isnan"](x)
    found = _extremes(name, where(is_number, x, -math.inf if name == "cummax" else math.inf), axis)
    return where(_extremes("cummax", is_number, axis), found, math.nan)


def _sums(name):
    return lambda x, axis, dtype: apply(name, (x,), (1, axis), dtype=code_of(dtype))


ACCUMULATIONS = {
    "add": _sums("cumsum"), "multiply": _sums("cumprod"),
    "maximum": lambda x, axis, dtype: _extremes("cummax", x, axis),
    "minimum": lambda x, axis, dtype: _extremes("cummin", x, axis),
    "fmax": lambda x, axis, dtype: _numbers("cummax", x, axis),
    "fmin": lambda x, axis, dtype: _numbers("cummin", x, axis),
    "logical_or": lambda x, axis, dtype: _extremes("cummax", x != 0, axis),
    "logical_and": lambda x, axis, dtype: _extremes("cummin", x != 0, axis),
}


def reduce(name, x, /, axis=0, dtype=None, out=None, keepdims=False):
    """All elements along an axis (or axes, or None for all), combined."""
    how = {} if dtype is None else {"dtype": dtype}
    return finish(REDUCTIONS[name](to_array(x, name), axis=axis, keepdims=keepdims, **how), out)


def accumulate(name, x, /, axis=0, dtype=None, out=None):
    """The first 1, 2, 3 ... elements along an axis, combined."""
    x = to_array(x, name)
    if dtype is not None and name not in ("add", "multiply"):
        x = _as(x, dtype)
    return finish(ACCUMULATIONS[name](x, axis, dtype), out)


def outer(name, a, b, /, *, out=None):
    """Each element of a with each of b."""
    a, b = to_array(a, name), to_array(b, name)
    return finish(FUNCTIONS[name](apply("reshape", (a,), (0,), (*a.shape, *(1,) * b.ndim)), b), out)


for _name in TWO:
    for _names, _method in ((REDUCTIONS, reduce), (ACCUMULATIONS, accumulate), (TWO, outer)):
        if _name in _names:
            setattr(FUNCTIONS[_name], _method.__name__, functools.partial(_method, _name))
