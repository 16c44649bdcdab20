# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of lathe.Size. Sizes and ints make sizes of + - * // %, as shapes need them; everything else
makes lazy arrays, by the rules of lathe.asarray(size): n / 2 is a float64 without axes."""

import math
import operator

import numpy as np

from . import _core
from ._array import Array, apply
from .errors import UsageError

_Size = _core.Size
_WHOLE = (int, np.integer, _Size)
_COMPARISONS = {"equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le,
                "greater": operator.gt, "greater_equal": operator.ge}
_EXACT = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
          "floor_divide": operator.floordiv, "remainder": operator.mod, **_COMPARISONS}


def least(a, b):
    """The smaller one of two lengths, also of symbols."""
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    return apply("arange", (), None, (0, a, 1))[:b].shape[0]


def _plain(x):
    """NumPy's integers as Python's, which sizes are made of."""
    return int(x) if isinstance(x, np.integer) else x


def _operator(name, exact, reflected):
    """A method of sizes; `exact` is the one of sizes and ints alone, if there is one."""
    def method(self, other, /):
        if exact is not None and isinstance(other, _WHOLE):
            return exact(self, _plain(other))
        if isinstance(other, Array) or not isinstance(other, (float, np.ndarray, np.generic, *_WHOLE)):
            return NotImplemented  # the other one may know
        return apply(name, (other, self) if reflected else (self, other))

    return method


# A float between two integers: n < 2.5 is n < 3, and n <= 2.5 is n <= 2.
_NEAREST = {"__lt__": math.ceil, "__ge__": math.ceil, "__le__": math.floor, "__gt__": math.floor}


def _comparison(name, exact):
    def method(self, other, /):
        if not isinstance(other, (float, np.floating)):
            return exact(self, _plain(other))
        if math.isnan(other):
            return False
        if math.isinf(other):
            return (other > 0) == (name in ("__lt__", "__le__"))
        return exact(self, _NEAREST[name](other))

    return method


def _ufunc(self, ufunc, method, *inputs, **kwargs):
    """np.sqrt(n), np.float64(2) * n, np.int64(2) * n."""
    from ._numpy import call_ufunc

    exact = _EXACT.get(ufunc.__name__)
    if ufunc.__name__ in _COMPARISONS:  # NumPy gives its numbers as arrays here
        inputs = tuple(x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x for x in inputs)
        if "equal" != ufunc.__name__ != "not_equal":
            inputs = tuple(float(x) if isinstance(x, np.floating) else x for x in inputs)
            if any(isinstance(x, float) for x in inputs) and not kwargs:
                return exact(*map(_plain, inputs))
    if exact is not None and method == "__call__" and not kwargs and all(isinstance(x, _WHOLE) for x in inputs):
        return exact(*map(_plain, inputs))
    return call_ufunc(ufunc, method, inputs, kwargs)


def _format(self, how):
    if how:
        raise UsageError(f"the size {self!r} is a symbol and has no value yet that {how!r} could format\n"
                         "  help: without a format its name is shown; what the function returns of it is an int")
    return repr(self)


for _name, _function in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("floordiv", "floor_divide"),
                         ("mod", "remainder"), ("truediv", "divide"), ("pow", "power")):
    for _method in (f"__{_name}__", f"__r{_name}__"):
        setattr(_Size, _method, _operator(_function, getattr(_Size, _method, None), _method[2] == "r"))
for _name in _NEAREST:
    setattr(_Size, _name, _comparison(_name, getattr(_Size, _name)))
_Size.__divmod__ = lambda self, other: (self // other, self % other)
_Size.__rdivmod__ = lambda self, other: (other // self, other % self)
_Size.__neg__ = lambda self: 0 - self
_Size.__pos__ = lambda self: self
_Size.__abs__ = lambda self: apply("absolute", (self,))
_Size.__array_ufunc__ = _ufunc
_Size.__format__ = _format
