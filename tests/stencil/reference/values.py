# SPDX-License-Identifier: Apache-2.0
"""Numbers as GTScript has them, planes of them, fields."""

import math

import numpy as np

HALO = 12
RANK = ["bool", "int8", "int16", "int32", "int64", "float32", "float64"]


class Refused(Exception):
    """The program, or its call, is not one that has a meaning."""


def rank(dtype):
    return RANK.index(np.dtype(dtype).name)


def common(*dtypes):
    return np.dtype(max(dtypes, key=rank))


def convert(x, dtype):
    """float -> int saturates, NaN -> 0; int -> int wraps."""
    x, dtype = np.asarray(x), np.dtype(dtype)
    if x.dtype == dtype:
        return x
    if dtype.kind == "i" and x.dtype.kind == "f":
        info = np.iinfo(dtype)
        whole = np.trunc(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf))
        low, high = whole < float(info.min), whole >= -float(info.min)
        r = np.where(low | high, 0, whole).astype(np.int64).astype(dtype)
        return np.where(low, info.min, np.where(high, info.max, r)).astype(dtype)
    if dtype.kind == "b":
        return x != 0
    return x.astype(dtype)


def _gamma(x):
    return np.vectorize(_one_gamma, otypes=[np.float64])(x)


def _one_gamma(x):
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def _wide(f):
    """Computed in double, rounded once: closer than 1 ulp in float32."""
    return lambda x: f(x.astype(np.float64)).astype(x.dtype)


def _scalar(f):
    return _wide(np.vectorize(f, otypes=[np.float64]))


NATIVE = {
    "sin": _wide(np.sin), "cos": _wide(np.cos), "tan": _wide(np.tan), "asin": _wide(np.arcsin),
    "acos": _wide(np.arccos), "atan": _wide(np.arctan), "sinh": _wide(np.sinh),
    "cosh": _wide(np.cosh), "tanh": _wide(np.tanh), "asinh": _wide(np.arcsinh),
    "acosh": _wide(np.arccosh), "atanh": _wide(np.arctanh), "exp": _wide(np.exp),
    "log": _wide(np.log), "log10": _wide(np.log10), "gamma": _wide(_gamma), "cbrt": _wide(np.cbrt),
    "erf": _scalar(math.erf), "erfc": _scalar(math.erfc),
    "sqrt": np.sqrt, "isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round_away_from_zero": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), "mod": None,
}


def minimum(a, b, least):
    """NaN wins; -0 is below +0."""
    r = np.minimum(a, b) if least else np.maximum(a, b)
    if r.dtype.kind != "f":
        return r
    zeros = (a == 0) & (b == 0)
    negative = (np.signbit(a) | np.signbit(b)) if least else (np.signbit(a) & np.signbit(b))
    return np.where(zeros, np.where(negative, -0.0, 0.0).astype(r.dtype), r)


class Plane:
    """Values on I and J (or one for all), and which of them are valid."""

    def __init__(self, data, valid=True):
        self.data, self.valid = np.asarray(data), np.asarray(valid)

    @property
    def dtype(self):
        return self.data.dtype

    def cast(self, dtype):
        return Plane(convert(self.data, dtype), self.valid)


class Field:
    def __init__(self, name, type_, dtype, api):
        self.name, self.axes, self.dims, self.table = name, type_.axes, type_.dims, type_.table
        self.dtype, self.api = np.dtype(dtype), api
