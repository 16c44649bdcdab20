# SPDX-License-Identifier: Apache-2.0
"""Lathe: lazy arrays with NumPy's functions, and stencils in GTScript, compiled.

    import lathe, numpy as np
    x = lathe.asarray(np.linspace(0, 1, 1000))
    y = lathe.sqrt(lathe.sum(x * x)) / x.size      # nothing is computed yet
    print(float(y))                                # now it is

The namespace follows the Python array API standard (2024.12), with NumPy's names besides.
"""

import contextlib as _contextlib
import math as _math
import os as _os

import numpy as _np

from . import _core

# What is between the user's line and us: messages pass over it.
_core.add_package_folder(_os.path.dirname(__file__) + _os.sep)
_core.add_package_folder(_contextlib.__file__)
_core.add_package_folder(_os.path.dirname(_np.__file__) + _os.sep)

from . import _analysis, _array, _create, _elementwise, _evaluate, _function, _linear, _methods  # noqa: E402,F401,I001
from . import _choose, _indices, _nan, _parts, _polynomials, _rearrange, _reduce, _search, _sets, _shape, _size, _small, _special, _ufuncs, linalg, random  # noqa: E402,F401
from ._analysis import *  # noqa: E402,F403
from ._array import Array  # noqa: E402,F401
from ._choose import *  # noqa: E402,F403
from ._core import Size  # noqa: E402,F401
from ._create import *  # noqa: E402,F403
from ._dtypes import (  # noqa: E402,F401
    bfloat16, bool, can_cast, finfo, float16, float32, float64, iinfo, int8, int16, int32, int64,
    isdtype, result_type, uint8, uint16, uint32, uint64)
from ._elementwise import *  # noqa: E402,F403
from ._evaluate import *  # noqa: E402,F403
from ._function import *  # noqa: E402,F403
from ._indices import *  # noqa: E402,F403
from ._info import __array_namespace_info__  # noqa: E402,F401
from ._linear import *  # noqa: E402,F403
from ._nan import *  # noqa: E402,F403
from ._parts import *  # noqa: E402,F403
from ._polynomials import *  # noqa: E402,F403
from ._rearrange import *  # noqa: E402,F403
from ._reduce import *  # noqa: E402,F403
from ._search import *  # noqa: E402,F403
from ._sets import *  # noqa: E402,F403
from ._shape import *  # noqa: E402,F403
from ._small import *  # noqa: E402,F403
from ._small import euler_gamma  # noqa: E402,F401
from ._special import *  # noqa: E402,F403
from ._xarray import to_xarray  # noqa: E402,F401
from .errors import (  # noqa: E402,F401
    ArgumentError, AxisError, Cancelled, CompilerError, DefinitionsOnly, DivisionByZero, DTypeError,
    IndexOutOfRange, InternalError, LatheError, LatheWarning, MatrixError, MemoryRefused, NegativePower,
    NumberTooLarge, OutOfMemory, ProgramError, RunError, ScheduleError, UnknownLengths, UsageError)
from .stencils import FrozenStencil, Stencil, StencilError, stencil  # noqa: E402,F401

__version__ = "0.1.0"
__array_api_version__ = "2024.12"

e, pi, inf, nan = _math.e, _math.pi, _math.inf, _math.nan
newaxis = None
ndarray = Array


def __getattr__(name):
    if name in ("gt4py", "gtscript"):  # loaded when they are first used
        import importlib
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'lathe' has no attribute '{name}'")
