# SPDX-License-Identifier: Apache-2.0
"""GT4Py's errors of definitions. Each is a lathe.StencilError too, with Lathe's text: what GT4Py finds later, and
raises as a plain ValueError, is one as well."""

import json
import re
from collections import namedtuple

from ....stencils import StencilError
from .. import definitions

Location = namedtuple("Location", "line column scope")


class GTScriptSyntaxError(definitions.GTSyntaxError, StencilError):
    def __init__(self, message, *, loc=None):
        super().__init__(message or "a syntax error")
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
        super().__init__(source)
        self.loc = loc


_SYMBOL = re.compile(r"unknown symbol|unknown call of|external '[^']*' has no value")
_VALUE = re.compile(r"missing or invalid value|not a number")
_DTYPE = re.compile(r"invalid data type|the dtype '|the type of ")
_ASSERTION = re.compile(r"assertion failed|compile_assert")


def translate(error):
    """The error of GT4Py's that a StencilError is."""
    text, message = str(error), error.message
    loc = None
    for problem in json.loads(error.json):
        if "line" in problem:
            loc = Location(problem["line"], problem["column"], problem["file"])
            break
    quoted = re.search(r"'([^']*)'", message)
    name = quoted[1] if quoted else ""
    if _SYMBOL.match(message):
        made = GTScriptSymbolError(name, text, loc=loc)
    elif _VALUE.match(message):
        made = GTScriptValueError(name, None, text, loc=loc)
    elif _DTYPE.match(message):
        made = GTScriptDataTypeError(name, None, text, loc=loc)
    elif _ASSERTION.match(message):
        made = GTScriptAssertionError(text, loc=loc)
    else:
        made = GTScriptSyntaxError(text, loc=loc)
    made.code, made.message, made.json = error.code, message, error.json
    return made
