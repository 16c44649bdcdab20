# SPDX-License-Identifier: Apache-2.0
"""Arrays in the layout of a backend: plain NumPy arrays."""

from . import cartesian
from .cartesian import layout, layout_registry
from .cartesian.interface import empty, from_array, full, ones, zeros
from .cartesian.layout_registry import from_name, register

__all__ = [
    "cartesian", "empty", "from_array", "from_name", "full", "layout", "layout_registry", "ones", "register", "zeros",
]
