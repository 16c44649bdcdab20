# SPDX-License-Identifier: Apache-2.0
"""Where older versions of GT4Py have their errors."""

from .exceptions import (  # noqa: F401
    GTScriptAssertionError,
    GTScriptDataTypeError,
    GTScriptDefinitionError,
    GTScriptSymbolError,
    GTScriptSyntaxError,
    GTScriptValueError,
)
