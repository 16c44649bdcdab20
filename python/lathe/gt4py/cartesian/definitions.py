# SPDX-License-Identifier: Apache-2.0
"""What stencils tell about themselves, and the errors of GT4Py."""

from ...stencil_info import AccessKind, Boundary, DomainInfo, FieldInfo, ParameterInfo

__all__ = [
    "AccessKind", "Boundary", "DomainInfo", "FieldInfo", "GTError", "GTSemanticError", "GTSpecificationError",
    "GTSyntaxError", "ParameterInfo",
]


class GTError(Exception):
    pass


class GTSyntaxError(GTError):
    def __init__(self, message, *, frontend="gtscript", **how):
        super().__init__(message, **how)
        self.frontend = frontend


class GTSpecificationError(GTError):
    pass


class GTSemanticError(GTError):
    pass
