# SPDX-License-Identifier: Apache-2.0
"""Lathe: lazy arrays with NumPy's functions, and stencils in GTScript, compiled."""

from . import _core
from .errors import (
    ArgumentError,
    Cancelled,
    CompilerError,
    DTypeError,
    IndexOutOfRange,
    InternalError,
    LatheError,
    LatheWarning,
    OutOfMemory,
    ProgramError,
    RunError,
    ScheduleError,
    UsageError,
)

__version__ = "0.1.0"

from .stencils import FrozenStencil, Stencil, StencilError, stencil  # noqa: E402
