# SPDX-License-Identifier: Apache-2.0
"""dtypes are NumPy's own objects, so that both libraries agree on them; bfloat16, which NumPy does not
have, is an object of ours (or ml_dtypes' where that is installed)."""

import builtins

import numpy as np

from . import _core
from .errors import ArgumentError, DTypeError, NumberTooLarge


class _BFloat16:
    """The dtype bfloat16: the upper half of a float32."""

    name, kind, itemsize, str = "bfloat16", "f", 2, "<V2"

    def __repr__(self):
        return "dtype(bfloat16)"

    def __reduce__(self):
        return "bfloat16"


bfloat16 = _BFloat16()
bool = np.dtype("bool")
int8, int16, int32, int64 = (np.dtype(f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (np.dtype(f"uint{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (np.dtype(f"float{n}") for n in (16, 32, 64))

# The one table: by the number that the C ABI has for each.
DTYPES = (bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, bfloat16,
          float32, float64)
_CODES = {dtype: code for code, dtype in enumerate(DTYPES)}
# The library's own words for them: "f64".
SHORT_NAMES = _core.dtype_names
# Those that fields of stencils hold, and those that the standard has.
STENCIL_DTYPES = (bool, int8, int16, int32, int64, float32, float64)
STANDARD_DTYPES = (bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64)
_BY_NAME = {"bfloat16": bfloat16, "bf16": bfloat16, builtins.bool: bool, builtins.int: int64,
            builtins.float: float64}
_COMPLEX = "Lathe has no complex numbers"

_KINDS = {
    "bool": {"bool"},
    "signed integer": {"int8", "int16", "int32", "int64"},
    "unsigned integer": {"uint8", "uint16", "uint32", "uint64"},
    "real floating": {"float16", "bfloat16", "float32", "float64"},
    "complex floating": set(),
}
_KINDS["integral"] = _KINDS["signed integer"] | _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] | _KINDS["real floating"]


def check_fits(value, dtype, what):
    """The number, if an array of that dtype can hold it: OverflowError else, as in NumPy."""
    if dtype.kind in "iu" and isinstance(value, builtins.int):
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            raise NumberTooLarge(f"{what}: {value} does not fit into {dtype}, which holds {limits.min} to "
                                f"{limits.max}")
    return value


def as_dtype(given):
    """The dtype object for a dtype of anybody's, its name, or a type of Python."""
    try:
        if given in _CODES:
            return given
        if given in _BY_NAME:
            return _BY_NAME[given]
    except TypeError:
        pass
    if getattr(given, "name", None) == "bfloat16":
        return bfloat16
    try:
        found = np.dtype(given)
    except TypeError:
        raise DTypeError(f"{given!r} is not a dtype") from None
    if found not in _CODES:
        raise DTypeError(_COMPLEX if found.kind == "c" else f"Lathe has no arrays of {found}")
    return found


def code_of(given):
    """The C ABI's number; -1 for None."""
    if given is None:
        return -1
    code = _CODES.get(given) if isinstance(given, np.dtype) else None
    return _CODES[as_dtype(given)] if code is None else code


def promote(a, b):
    """The dtype of a result of both (NEP 50)."""
    if a == b:
        return a
    if bfloat16 not in (a, b):
        found = np.promote_types(a, b)
        return found if found in _CODES else float64
    other = b if a is bfloat16 else a
    if other in (float32, float64):
        return other
    if other == float16 or other.itemsize == 2 and other.kind in "iu":
        return float32
    return bfloat16 if other.itemsize == 1 else float64


def is_known(dtype):
    """Is it one of ours?"""
    return dtype in _CODES


def fits_kind(given, wanted):
    """May values of the one dtype be put into arrays of the other: NumPy's rule same_kind?"""
    given, wanted = (float16 if d is bfloat16 else d for d in (given, wanted))
    return np.can_cast(given, wanted, "same_kind")


def isdtype(dtype, kind):
    """Is the dtype one of a kind: a dtype, "bool", "signed integer", "unsigned integer", "integral",
    "real floating", "complex floating", "numeric", or a tuple of these?"""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    dtype = as_dtype(dtype)
    if isinstance(kind, builtins.str):
        if kind not in _KINDS:
            raise ArgumentError(f"isdtype: there is no kind {kind!r}; kinds are "
                             + ", ".join(repr(k) for k in _KINDS))
        return dtype.name in _KINDS[kind]
    return dtype == as_dtype(kind)


class finfo:
    """Limits of a float dtype."""

    def __init__(self, type, /):
        dtype = as_dtype(getattr(type, "dtype", type))
        if dtype.name not in _KINDS["real floating"]:
            raise DTypeError(f"finfo: {dtype} is not a float")
        self.dtype = dtype
        if dtype is bfloat16:
            self.bits, self.eps, self.max = 16, 2.0**-7, (2 - 2.0**-7) * 2.0**127
            self.smallest_normal = 2.0**-126
        else:
            of = np.finfo(dtype)
            self.bits, self.eps, self.max = of.bits, float(of.eps), float(of.max)
            self.smallest_normal = float(of.smallest_normal)
        self.min, self.tiny = -self.max, self.smallest_normal

    def __repr__(self):
        return f"finfo({self.dtype.name}: {self.min} to {self.max}, eps {self.eps})"


class iinfo:
    """Limits of an integer dtype."""

    def __init__(self, type, /):
        dtype = as_dtype(getattr(type, "dtype", type))
        if dtype.name not in _KINDS["integral"]:
            raise DTypeError(f"iinfo: {dtype} is not an integer")
        of = np.iinfo(dtype)
        self.dtype, self.bits, self.min, self.max = dtype, of.bits, int(of.min), int(of.max)

    def __repr__(self):
        return f"iinfo({self.dtype.name}: {self.min} to {self.max})"


def _dtype_of(x):
    return x.dtype if hasattr(x, "dtype") else as_dtype(x)


def result_type(*arrays_and_dtypes):
    """The dtype that an operation on all of them has; numbers of Python take that of the arrays."""
    if not arrays_and_dtypes:
        raise ArgumentError("result_type: needs at least one array or dtype")
    weak = [a for a in arrays_and_dtypes if isinstance(a, (builtins.bool, int, float))]
    strong = [_dtype_of(a) for a in arrays_and_dtypes
              if not isinstance(a, (builtins.bool, int, float))]
    found = as_dtype(strong[0]) if strong else None
    for other in strong[1:]:
        found = promote(found, as_dtype(other))
    for value in weak:
        own = as_dtype(type(value))
        if found is None:
            found = own
        elif own == float64 and found.kind != "f":
            found = float64
        elif own == int64 and found == bool:
            found = int64
    return found


def can_cast(from_, to, /):
    """Does every value of the one dtype fit the other?"""
    from_, to = as_dtype(_dtype_of(from_)), as_dtype(to)
    return promote(from_, to) == to
