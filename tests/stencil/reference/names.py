# SPDX-License-Identifier: Apache-2.0
"""The names of GTScript, so that a file can be executed."""

import types

import numpy as np

from .values import NATIVE, RANK, Refused


class FieldType:
    def __init__(self, axes="IJK", dtype=np.dtype(float), dims=(), table=False):
        self.axes, self.dtype, self.dims, self.table = axes, dtype, tuple(dims), table


class Axis:
    def __init__(self, name):
        self.name = name

    def __getitem__(self, n):
        if n not in (0, -1):
            raise Refused("only the first and the last point of an axis have a name")
        return AxisIndex(self.name, n == -1, 0)


class AxisIndex:
    def __init__(self, axis, from_end, offset):
        self.axis, self.from_end, self.offset = axis, from_end, offset

    def __add__(self, n):
        return AxisIndex(self.axis, self.from_end, self.offset + n)

    __radd__ = __add__

    def __sub__(self, n):
        return self + -n

    def at(self, n):
        return self.offset + (n - 1 if self.from_end else 0)


class _Field:
    def __init__(self, table=False):
        self.table = table

    def __getitem__(self, what):
        axes = "" if self.table else "IJK"
        if isinstance(what, tuple) and isinstance(what[0], Axes):
            axes, what = what[0].text, what[1]
        dims = ()
        if isinstance(what, tuple):
            what, dims = what
            dims = dims if isinstance(dims, tuple) else (dims,)
        return FieldType(axes, what, dims, self.table)


class Axes:
    def __init__(self, text):
        self.text = text


class AxisAxes(Axes, Axis):
    def __init__(self, text):
        Axes.__init__(self, text)
        Axis.__init__(self, text)


class Function:
    """With its names as they are where it is decorated."""

    def __init__(self, python):
        self.python, self.seen = python, dict(python.__globals__)


class StencilMark:
    def __init__(self, python, options):
        self.python, self.options, self.seen = python, options, dict(python.__globals__)


def _stencil(*args, **options):
    if args and isinstance(args[0], types.FunctionType):
        return StencilMark(args[0], options)
    if len(args) > 1 and isinstance(args[1], types.FunctionType):
        return StencilMark(args[1], options)
    definition = options.pop("definition", None)
    if definition is not None:
        return StencilMark(definition, options)
    return lambda python: StencilMark(python, options)


BUILTINS = {}


def gtscript():
    m = types.ModuleType("gt4py.cartesian.gtscript")
    m.Field, m.GlobalTable = _Field(), _Field(True)
    for name in ["I", "J", "K"]:
        setattr(m, name, AxisAxes(name))
    for name in ["IJ", "IK", "JK", "IJK"]:
        setattr(m, name, Axes(name))
    for name in ["PARALLEL", "FORWARD", "BACKWARD", "computation", "interval", "horizontal", "region",
                 "compile_assert", "__INLINED"] + list(NATIVE) + ["min", "max", "abs", "round"]:
        BUILTINS[name] = name
        setattr(m, name, Word(name))
    for name in RANK[1:]:
        setattr(m, name, getattr(np, name))
    m.function = m.lazy_function = Function
    m.stencil = m.lazy_stencil = _stencil
    m.enum = lambda c: c
    m.__all__ = [n for n in vars(m) if n == "__INLINED" or not n.startswith("_")]
    return m


class Word:
    def __init__(self, name):
        self.name = name
