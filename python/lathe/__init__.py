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
from . import _nan, _rearrange, _reduce, _search, _shape, _size, _special, _ufuncs, linalg, random  # noqa: E402,F401
from ._analysis import *  # noqa: E402,F403
from ._array import Array  # noqa: E402,F401
from ._core import Size  # noqa: E402,F401
from ._create import *  # noqa: E402,F403
from ._dtypes import (  # noqa: E402,F401
    bfloat16, bool, can_cast, finfo, float16, float32, float64, iinfo, int8, int16, int32, int64,
    isdtype, result_type, uint8, uint16, uint32, uint64)
from ._elementwise import *  # noqa: E402,F403
from ._evaluate import *  # noqa: E402,F403
from ._function import *  # noqa: E402,F403
from ._info import __array_namespace_info__  # noqa: E402,F401
from ._linear import *  # noqa: E402,F403
from ._nan import *  # noqa: E402,F403
from ._rearrange import *  # noqa: E402,F403
from ._reduce import *  # noqa: E402,F403
from ._search import *  # noqa: E402,F403
from ._shape import *  # noqa: E402,F403
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
euler_gamma = 0.5772156649015329
newaxis = None
ndarray = Array


TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._choose import *  # noqa: F403
    from ._indices import *  # noqa: F403
    from ._parts import *  # noqa: F403
    from ._polynomials import *  # noqa: F403
    from ._sets import *  # noqa: F403
    from ._small import *  # noqa: F403
# Modules that are loaded when one of their functions is first used: an import is to be quick.
_LATER = {
    "_choose": ("compress extract choose piecewise copyto putmask place put put_along_axis fill_diagonal"),
    "_indices": ("tril_indices triu_indices tril_indices_from triu_indices_from diag_indices "
              "diag_indices_from indices ix_ unravel_index ravel_multi_index mask_indices"),
    "_parts": ("insert delete block resize rollaxis sliding_window_view trim_zeros"),
    "_polynomials": ("vander polyadd polysub polymul polyder polyint polyfit hanning hamming blackman bartlett"),
    "_sets": ("union1d intersect1d setdiff1d setxor1d lexsort partition argpartition"),
    "_small": ("ndim shape isscalar iterable promote_types array_equal array_equiv asanyarray "
              "ascontiguousarray isreal iscomplex isrealobj iscomplexobj real_if_close angle divmod fix "
              "ldexp spacing bitwise_count unwrap matvec vecmat diagflat apply_along_axis "
              "apply_over_axes conjugate"),
}
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names.split()}
__all__ = sorted({n for n in globals() if not n.startswith("_")} - {"TYPE_CHECKING"} | {*_MODULE_OF})


def __dir__():
    return sorted({*globals(), *_MODULE_OF})


def __getattr__(name):
    import importlib

    if name in ("gt4py", "gtscript"):  # loaded when they are first used
        return importlib.import_module("." + name, __name__)
    if name in _MODULE_OF:
        found = globals()[name] = getattr(importlib.import_module("." + _MODULE_OF[name], __name__), name)
        return found
    raise AttributeError(f"module 'lathe' has no attribute '{name}'")
