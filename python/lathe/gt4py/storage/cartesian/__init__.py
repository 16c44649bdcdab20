# SPDX-License-Identifier: Apache-2.0
from . import interface, layout, layout_registry

__all__ = ["interface", "layout", "layout_registry"]
