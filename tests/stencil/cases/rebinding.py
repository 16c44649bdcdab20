# SPDX-License-Identifier: Apache-2.0
# first:
# second:
# after_loop:
# of_namespace:
# of_enum:
# of_targets:
# of_values:
# not_imported:
# interval_first:
"""Names that the file binds again: a decorator looks them up where it stands."""
import enum
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import FORWARD, PARALLEL, Field, computation, interval

try:
    import math
except ImportError:
    math = None

if TYPE_CHECKING:
    SIXTH = 1.0 / 6.0
else:
    SIXTH = 0.125

FT = Field[np.float32]
A = 2.0
LIST = [1.0, 2.0]
TABLE = {"x": 1.0}


@gtscript.function
def f(x, y=A):
    return x * A + y


@gtscript.stencil(backend="numpy")
def first(a: FT, b: FT):
    with computation(PARALLEL), interval(...):
        b = f(a) + A


FT = Field[np.float64]
A = 3.0
g = f


@gtscript.function
def f(x):
    return x * 10.0 + A


@gtscript.stencil(backend="numpy")
def second(a: FT, b: FT):
    with computation(PARALLEL), interval(...):
        b = f(a) + A * SIXTH


for A in range(3):
    A = A * 2


@gtscript.stencil(backend="numpy")
def after_loop(a: FT, b: FT):
    with computation(PARALLEL), interval(...):
        b = f(a) - math.pi


class Settings:
    width = 1.0
    height = 2.0


Settings.width = 6.0
LIST[0] = 9.0
TABLE["x"] = 5.0
PARTS = LIST[0] + LIST[1] + TABLE["x"]


@gtscript.stencil(backend="numpy")
def of_namespace(a: FT, b: FT):
    with computation(PARALLEL), interval(...):
        b = a * Settings.width + PARTS - Settings.height


@gtscript.enum
class Mode(IntEnum):
    ONE = enum.auto()
    FIVE = 5
    SIX = enum.auto()


@gtscript.stencil(backend="numpy")
def of_enum(a: FT, b: FT):
    with computation(PARALLEL), interval(...):
        b = a * Mode.SIX + Mode.ONE


FIRST, SECOND = 1.0, 2.0
FIRST, SECOND = SECOND, FIRST + SECOND
[THIRD, (FOURTH, FIFTH)] = 3.0, [4.0, 5.0]


@gtscript.stencil(backend="numpy")
def of_targets(a: FT, b: FT):
    with computation(PARALLEL), interval(...):
        b = a + FIRST + 10.0 * SECOND + 100.0 * THIRD + 1000.0 * FOURTH + 10000.0 * FIFTH


EMPTY = {}
WIDTH = 5.0


class Outer:
    WIDTH = 1.0

    class Inner:
        HEIGHT = WIDTH


CHOSEN = 1.0 if EMPTY else 2.0
SAME = 1.0 if EMPTY is None else 2.0
WHOLE = 1.0 // 0.1
for KEY, VALUE in TABLE.items():
    VALUE = len(LIST)
HELD = LIST[0] + TABLE["x"]


@gtscript.stencil(backend="numpy")
def of_values(a: FT, b: FT):
    with computation(PARALLEL), interval(...):
        b = a + Outer.Inner.HEIGHT + CHOSEN * SAME + WHOLE + HELD


C = 4.0


def not_imported(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a * C


def interval_first(a: Field[float], b: Field[float]):
    with interval(...), computation(FORWARD):
        b = a + 1.0


if __name__ == "__main__":
    C = 5.0
