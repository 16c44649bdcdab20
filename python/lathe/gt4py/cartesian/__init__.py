# SPDX-License-Identifier: Apache-2.0
"""Stencils on cartesian grids."""

from . import (
    backend,
    config,
    definitions,
    frontend,
    gtscript,
    lazy_stencil,
    stencil_object,
)
from .stencil_object import StencilObject

__all__ = ["StencilObject", "backend", "config", "definitions", "frontend", "gtscript", "lazy_stencil", "stencil_object"]
