# SPDX-License-Identifier: Apache-2.0
# scaled: set a=0.5
# several: set dt=0.25 set n=3 set flag=False
# keyword_only: set dt=0.125
# defaults:
# default_overridden: set alpha=0.75
# unused_scalar: set used=2.0
# scalar_types: set f=0.1 set i=7 set b=True
# scalar_in_offset: set n=1
# externals_in_arithmetic: external A=2 external B=0.5 external C=True
# externals_from_decorator:
# externals_override: external A=10
# namespace_constants:
# module_constants:
# math_constants:
# enums: set mode=1
# enum_in_condition: in n=int:0:3
# inlined: external FLAG=True external N=3
# inlined_off: external FLAG=False external N=2
# inlined_elif: external N=5 external FLAG=True
# inlined_with_offsets: external WIDE=False
# assertion: external N=3
# none_external: external X=None
# external_in_region:
# external_function: external N=2
# nested_external_import: external S=4
"""Scalars, externals, constants of the file, enums, compile-time conditionals."""
import math
from enum import IntEnum
from types import SimpleNamespace

import numpy as np
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (
    FORWARD, I, PARALLEL, Field, __INLINED, compile_assert, computation, horizontal, interval, region,
)

GRAVITY = 9.81
LEVELS = 2
HALF = GRAVITY / 2
constants = SimpleNamespace(cp=1004.0, rd=287.0, nested=SimpleNamespace(x=3))


@gtscript.enum
class Mode(IntEnum):
    LINEAR = 0
    SQUARE = 1
    CUBE = 2


def scaled(x: Field[float], y: Field[float], a: float):
    with computation(PARALLEL), interval(...):
        y = a * x


def several(x: Field[float], y: Field[float], dt: float, n: int, flag: bool):
    with computation(PARALLEL), interval(...):
        y = x * dt + n
        if flag:
            y = 0.0


def keyword_only(x: Field[float], y: Field[float], *, dt: float):
    with computation(FORWARD), interval(...):
        y = x + dt


def defaults(x: Field[float], y: Field[float], alpha: float = 0.5, n: int = 3):
    with computation(PARALLEL), interval(...):
        y = alpha * x + n


def default_overridden(x: Field[float], y: Field[float], *, alpha: float = 0.5):
    with computation(PARALLEL), interval(...):
        y = alpha * x


def unused_scalar(x: Field[float], y: Field[float], used: float, unused: float):
    with computation(PARALLEL), interval(...):
        y = used * x


def scalar_types(x: Field[float], y: Field[float], f: np.float32, i: np.int32, b: bool):
    with computation(PARALLEL), interval(...):
        y = x * f + i / 2
        if b and i > 3:
            y = y + 1.0


def scalar_in_offset(x: Field[float], y: Field[float], n: int):
    with computation(PARALLEL), interval(0, -1):
        y = x[0, 0, n]


def externals_in_arithmetic(x: Field[float], y: Field[float]):
    from __externals__ import A, B, C

    with computation(PARALLEL), interval(...):
        y = x * A + B * A
        if C and x > 0.0:
            y = -y


@gtscript.stencil(backend="numpy", externals={"A": 3.0, "N": 2})
def externals_from_decorator(x: Field[float], y: Field[float]):
    from __externals__ import A, N

    with computation(PARALLEL), interval(...):
        y = A * x[N, 0, 0]


@gtscript.stencil(backend="numpy", externals={"A": 3})
def externals_override(x: Field[float], y: Field[float]):
    from __externals__ import A

    with computation(PARALLEL), interval(...):
        y = A * x


def namespace_constants(x: Field[float], y: Field[float]):
    with computation(PARALLEL), interval(...):
        y = x * constants.rd / constants.cp + constants.nested.x


def module_constants(x: Field[float], y: Field[float]):
    with computation(PARALLEL), interval(0, LEVELS):
        y = x * GRAVITY - HALF


def math_constants(x: Field[float], y: Field[float]):
    with computation(PARALLEL), interval(...):
        y = x * math.pi + np.pi


def enums(x: Field[float], y: Field[float], mode: Mode):
    with computation(PARALLEL), interval(...):
        if mode == Mode.SQUARE:
            y = x * x
        elif mode == Mode.CUBE:
            y = x * x * x
        else:
            y = x


def enum_in_condition(n: Field[int], x: Field[float], y: Field[float]):
    with computation(PARALLEL), interval(...):
        y = x
        if n == Mode.SQUARE:
            y = x * x
        y = y + Mode.CUBE


def inlined(x: Field[float], y: Field[float]):
    from __externals__ import FLAG, N

    with computation(PARALLEL), interval(...):
        if __INLINED(FLAG and N > 2):
            y = x[1, 0, 0]
        else:
            y = x[-1, 0, 0]


def inlined_off(x: Field[float], y: Field[float]):
    from __externals__ import FLAG, N

    with computation(PARALLEL), interval(...):
        if __INLINED(FLAG and N > 2):
            y = x[5, 0, 0]
        else:
            y = x[-1, 0, 0]


def inlined_elif(x: Field[float], y: Field[float]):
    from __externals__ import FLAG, N

    with computation(PARALLEL), interval(...):
        if __INLINED(N < 3):
            y = x
        elif __INLINED(FLAG):
            y = x * 2.0
        else:
            y = 0.0


def inlined_with_offsets(x: Field[float], y: Field[float]):
    from __externals__ import WIDE

    with computation(PARALLEL), interval(...):
        if __INLINED(WIDE):
            t = x[3, 0, 0]
        else:
            t = x[1, 0, 0]
        y = t + t[0, 1, 0]


def assertion(x: Field[float], y: Field[float]):
    from __externals__ import N

    with computation(PARALLEL), interval(...):
        compile_assert(N > 2)
        y = x * N


def none_external(x: Field[float], y: Field[float]):
    from __externals__ import X

    with computation(PARALLEL), interval(...):
        if __INLINED(X is None):
            y = x
        else:
            y = x * 2.0


@gtscript.stencil(backend="numpy", externals={"i0": I[0] + 1, "i1": I[-1]})
def external_in_region(x: Field[float], y: Field[float]):
    from __externals__ import i0, i1

    with computation(PARALLEL), interval(...):
        y = x
        with horizontal(region[i0:i1, :]):
            y = x * 2.0


@gtscript.function
def shifted(f):
    from __externals__ import N

    return f[N, 0, 0]


def external_function(x: Field[float], y: Field[float]):
    with computation(PARALLEL), interval(...):
        y = shifted(x)


def nested_external_import(x: Field[float], y: Field[float]):
    with computation(PARALLEL):
        from __externals__ import S

        with interval(...):
            y = x * S
