# SPDX-License-Identifier: Apache-2.0
"""Stencils as GT4Py's programs expect them."""

import hashlib

from ...stencils import FrozenStencil, Stencil
from .definitions import AccessKind, DomainInfo, FieldInfo, ParameterInfo

__all__ = ["AccessKind", "DomainInfo", "FieldInfo", "FrozenStencil", "ParameterInfo", "StencilObject"]


class StencilObject(Stencil):
    """A stencil with the name of a backend. Scalars must have exactly the type of the parameter, and nothing about
    it can be changed, as in GT4Py."""

    def __init__(self, recipe, strict=True, **about):
        super().__init__(recipe, strict, **about)
        self.__dict__["_gt_id_"] = hashlib.sha256(repr((recipe, self.backend)).encode()).hexdigest()[:10]

    def __setattr__(self, name, value):
        if name not in ("_recipe", "_strict", "_about", "definition_func", "_known_infos"):
            raise AttributeError(f"a stencil cannot be changed: there is no setting '{name}'")
        super().__setattr__(name, value)

    def __delattr__(self, name):
        raise AttributeError(f"a stencil cannot be changed: '{name}' stays")

    @property
    def backend(self):
        return self._about.get("backend", "numpy")

    def __eq__(self, other):
        return isinstance(other, StencilObject) and self._gt_id_ == other._gt_id_

    def __hash__(self):
        return hash(self._gt_id_)

    def __str__(self):
        return (f"<StencilObject: {self.options['module']}.{self.name}> [backend=\"{self.backend}\"]\n"
                f"    - fields: {self.field_info}\n    - parameters: {self.parameter_info}\n"
                f"    - version: {self._gt_id_}\n    - definition: {self.definition_func}")
