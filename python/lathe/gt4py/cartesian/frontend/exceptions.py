# SPDX-License-Identifier: Apache-2.0
"""GT4Py's errors of definitions. Each is a lathe.StencilError too, with Lathe's text: what GT4Py finds later, and
raises as a plain ValueError, is one as well."""

import json
from collections import namedtuple

from .... import _core
from ....errors import fill
from ....stencils import StencilError
from .. import definitions

Location = namedtuple("Location", "line column scope")


class GTScriptSyntaxError(definitions.GTSyntaxError, StencilError):
    def __init__(self, message, *, loc=None):
        super().__init__(message or "a syntax error", says_where=True)
        self.loc = loc


class GTScriptSymbolError(GTScriptSyntaxError):
    def __init__(self, name, message=None, *, loc=None):
        super().__init__(message or f"unknown symbol '{name}'", loc=loc)
        self.name = name


class GTScriptDefinitionError(GTScriptSyntaxError):
    def __init__(self, name, value, message=None, *, loc=None):
        super().__init__(message or f"invalid definition of '{name}'", loc=loc)
        self.name, self.value = name, value


class GTScriptValueError(GTScriptDefinitionError):
    pass


class GTScriptDataTypeError(GTScriptSyntaxError):
    def __init__(self, name, data_type, message=None, *, loc=None):
        super().__init__(message or f"invalid data type of '{name}'", loc=loc)
        self.name, self.data_type = name, data_type


class GTScriptAssertionError(definitions.GTSpecificationError, StencilError):
    def __init__(self, source, *, loc=None):
        super().__init__(source, says_where=True)
        self.loc = loc


def translate(error):
    """The error of GT4Py's that a StencilError is."""
    text, loc = str(error), None
    for problem in json.loads(error.json):
        if "line" in problem:
            loc = Location(problem["line"], problem["column"], problem["file"])
            break
    if error.kind == _core.KIND_SYMBOL:
        made = GTScriptSymbolError(error.about, text, loc=loc)
    elif error.kind == _core.KIND_VALUE:
        made = GTScriptValueError(error.about, None, text, loc=loc)
    elif error.kind == _core.KIND_DTYPE:
        made = GTScriptDataTypeError(error.about, None, text, loc=loc)
    elif error.kind == _core.KIND_ASSERTION:
        made = GTScriptAssertionError(text, loc=loc)
    else:
        made = GTScriptSyntaxError(text, loc=loc)
    return fill(made, error.code, error.kind, error.message, error.json, error.about)
