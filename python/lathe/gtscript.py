# SPDX-License-Identifier: Apache-2.0
"""The words of GTScript, so that definitions are ordinary Python.

    from lathe.gtscript import PARALLEL, Field, computation, interval

Nothing here computes: a definition is read as text, and these are the names that it may use. docs/gtscript.md
has the language.
"""

import numpy as _np

from . import _dtypes, errors as _errors

__all__ = [
    "BACKWARD", "FORWARD", "I", "IJ", "IJK", "IK", "J", "JK", "K", "PARALLEL", "Field",
    "GlobalTable", "Sequence", "__INLINED", "__externals__", "__gtscript__", "abs", "acos", "acosh",
    "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "compile_assert", "computation", "cos",
    "cosh", "enum", "erf", "erfc", "exp", "externals", "float32", "float64", "floor", "function",
    "gamma", "horizontal", "int32", "int64", "interval", "isfinite", "isinf", "isnan", "log",
    "log10", "max", "min", "mod", "region", "round", "round_away_from_zero", "sin", "sinh", "sqrt",
    "tan", "tanh", "trunc",
]

__externals__ = "externals: from __externals__ import NAME, inside a definition"
__gtscript__ = "these words"

int32, int64, float32, float64 = _np.int32, _np.int64, _np.float32, _np.float64


class Order(int):
    """In which order the levels of a computation are done."""

    def __new__(cls, value, name):
        self = super().__new__(cls, value)
        self.name = name
        return self

    def __repr__(self):
        return self.name

    def __reduce__(self):
        return self.name


FORWARD = Order(1, "FORWARD")
BACKWARD = Order(-1, "BACKWARD")
PARALLEL = Order(0, "PARALLEL")


class AxisIndex:
    """A point of an axis, for regions: I[0], I[-1] - 2."""

    def __init__(self, axis, index, offset=0):
        self.axis, self.index, self.offset = axis, index, offset

    def __add__(self, offset):
        return AxisIndex(self.axis, self.index, self.offset + int(offset))

    __radd__ = __add__

    def __sub__(self, offset):
        return self + -int(offset)

    def _key(self):
        return str(self.axis), self.index, self.offset

    def __eq__(self, other):
        return isinstance(other, AxisIndex) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"{self.axis}[{self.index}] + {self.offset}"


class AxisInterval:
    """I[0:2], for regions."""

    def __init__(self, axis, start, end):
        self.axis, self.start, self.end = axis, start, end

    def __len__(self):
        return self.end - self.start

    def __repr__(self):
        return f"{self.axis}[{self.start}:{self.end}]"


class ShiftedAxis:
    """I + 1, as an offset: u[I + 1]."""

    def __init__(self, name, shift):
        self.name, self.shift = name, shift

    def __add__(self, shift):
        return ShiftedAxis(self.name, self.shift + shift)

    def __sub__(self, shift):
        return ShiftedAxis(self.name, self.shift - shift)

    def __repr__(self):
        return f"{self.name}{self.shift:+d}"


class Axis:
    """I, J or K."""

    def __init__(self, name):
        self.name = name

    @property
    def __gt_axis_name__(self):
        return self.name

    def __getitem__(self, index):
        if isinstance(index, slice):
            return AxisInterval(self.name, index.start, index.stop)
        if isinstance(index, int):
            return AxisIndex(self.name, index)
        raise _errors.UsageError(f"axis {self.name} takes an int or a slice, not {type(index).__name__}")

    def __add__(self, shift):
        return ShiftedAxis(self.name, shift)

    def __sub__(self, shift):
        return ShiftedAxis(self.name, -shift)

    def __eq__(self, other):
        return getattr(other, "__gt_axis_name__", None) == self.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return self.name


I, J, K = Axis("I"), Axis("J"), Axis("K")  # noqa: E741
IJ, IK, JK, IJK = (I, J), (I, K), (J, K), (I, J, K)


def mask_from_axes(axes):
    """Which of I, J and K are there."""
    axes = (axes,) if isinstance(axes, Axis) else axes
    return [axis in axes for axis in IJK]


class FieldType:
    """What Field[...] and GlobalTable[...] give: the type of an argument or a temporary."""

    def __init__(self, dtype, axes=IJK, data_dims=(), *, is_table=False):
        self.word = dtype if dtype is float or dtype is int else None  # dtypes={float: ...} is about it
        if not isinstance(dtype, str):
            made = _np.dtype(dtype)
            dtype, more = made.base, made.shape
            data_dims = data_dims or more
            if dtype not in _dtypes.STENCIL_DTYPES:
                raise _errors.ArgumentError(
                    f"invalid data type '{dtype}': fields hold bool, int8, int16, int32, int64, "
                    "float32 or float64 (float and int also)")
        self.dtype = dtype
        self.axes = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
        self.data_dims = tuple(data_dims) if isinstance(data_dims, (tuple, list)) else (data_dims,)
        self.is_table = is_table

    def at(self, *, K, ddim=None):
        raise _errors.DefinitionsOnly("field.at(K=...) stands in definitions only")

    def __eq__(self, other):
        return isinstance(other, FieldType) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self):
        return str(self.dtype), self.axes, self.data_dims, self.is_table

    def __repr__(self):
        element = f"({self.dtype}, {self.data_dims})" if self.data_dims else str(self.dtype)
        if self.is_table:
            return f"GlobalTable[{element}]"
        return f"Field[{''.join(map(str, self.axes))}, {element}]"


def _is_axes(spec):
    return hasattr(spec, "__gt_axis_name__") or (
        isinstance(spec, (tuple, list)) and bool(spec) and all(hasattr(a, "__gt_axis_name__") for a in spec))


class _FieldMaker:
    def __getitem__(self, spec):
        axes, data_dims = IJK, ()
        if isinstance(spec, tuple) and len(spec) == 2 and _is_axes(spec[0]):
            axes, spec = spec
        if isinstance(spec, (tuple, list)):
            if len(spec) != 2 or _is_axes(spec[1]):
                raise _errors.ArgumentError(f"invalid type of a field: Field[{spec}]; write Field[float], "
                                 "Field[IJ, float] or Field[(float, (3,))]")
            spec, data_dims = spec
        return FieldType(spec, axes, data_dims)

    def __repr__(self):
        return "Field"


class _TableMaker:
    def __getitem__(self, spec):
        if not isinstance(spec, (tuple, list)) or len(spec) != 2:
            raise _errors.ArgumentError(f"invalid type of a table: GlobalTable[{spec}]; write GlobalTable[(float, (3,))]")
        return FieldType(spec[0], (), spec[1], is_table=True)

    def __repr__(self):
        return "GlobalTable"


class _SequenceMaker:
    def __getitem__(self, spec):
        return spec, None


Field, GlobalTable, Sequence = _FieldMaker(), _TableMaker(), _SequenceMaker()


def function(definition):
    """Marks a function that stencils may call: it is spliced in, with the file's names as they are now."""
    definition.__gtscript_function__ = True
    names = definition.__globals__
    definition.__gtscript_names__ = {n: names[n] for n in definition.__code__.co_names if n in names}
    return definition


def enum(class_):
    """Marks an enum whose members are ints: IntEnum itself is enough."""
    import enum as _enum
    if not (isinstance(class_, type) and issubclass(class_, _enum.IntEnum)):
        raise _errors.UsageError(f"'{getattr(class_, '__name__', class_)}' is not an enum of ints: derive it from enum.IntEnum")
    return class_


class _Block:
    """What `with` takes."""

    def __enter__(self):
        return None

    def __exit__(self, *_):
        return None


def computation(order):
    """with computation(PARALLEL), computation(FORWARD), computation(BACKWARD)"""
    return _Block()


def interval(*levels):
    """with interval(...), interval(0, 1), interval(1, None), interval(-1, None)"""
    return _Block()


def horizontal(*regions):
    """with horizontal(region[I[0], :], ...)"""
    return _Block()


class _Region:
    def __getitem__(self, index):
        return index


region = _Region()


def externals(*names):
    return names


def __INLINED(condition):
    """if __INLINED(condition): decided when the stencil is compiled."""
    raise _errors.DefinitionsOnly("'__INLINED' stands in definitions only")


def compile_assert(condition):
    """Refuses to compile when it is false."""
    raise _errors.DefinitionsOnly("'compile_assert' stands in definitions only")


# Outside of definitions these are Python's own, so that `import *` takes nothing away.
from builtins import abs, max, min, round  # noqa: E402, F401
from math import (  # noqa: E402, F401
    acos, acosh, asin, asinh, atan, atanh, ceil, cos, cosh, erf, erfc, exp, floor, gamma, isfinite, isinf, isnan,
    log, log10, sin, sinh, sqrt, tan, tanh, trunc,
)
from operator import mod  # noqa: E402, F401


def cbrt(x):
    """The cube root."""
    return float(_np.cbrt(x))


def round_away_from_zero(x):
    """To the nearest integer, halves outwards."""
    return float(_np.copysign(_np.floor(_np.abs(x) + 0.5), x))
