# SPDX-License-Identifier: Apache-2.0
"""What the stencils of test_stencil*.py import from another file."""

import enum
import types

import numpy as np

from lathe.gtscript import IJ, Field, function

FloatField = Field[np.float32]
Surface = Field[IJ, np.float64]
GRAVITY = 9.81
settings = types.SimpleNamespace(shift=3, inner=types.SimpleNamespace(scale=0.5))


class Mode(enum.IntEnum):
    COLD = 1
    WARM = 2


@function
def weighted(x, y, bias=GRAVITY):
    from __externals__ import WEIGHT
    return x * GRAVITY + y * WEIGHT + bias


@function
def broken(x):
    return x * undefined_number  # noqa: F821


def plain(x):
    return x
