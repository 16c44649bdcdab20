# SPDX-License-Identifier: Apache-2.0
# Written by tools/make_stubs.py.
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np

from ._array import Array, ArrayLike, Axis, DType, Shape
from ._core import Size

def bits(seed: int, shape: Shape = ...) -> Array: ...
def uniform(seed: int, shape: Shape = ..., *, low: float = 0.0, high: float = 1.0, dtype: DType | None = ...) -> Array: ...
def normal(seed: int, shape: Shape = ..., *, mean: float = 0.0, std: float = 1.0, dtype: DType | None = ...) -> Array: ...
def integers(seed: int, low: float, high: float, shape: Shape = ...) -> Array: ...

__all__ = ['bits', 'uniform', 'normal', 'integers']
