# SPDX-License-Identifier: Apache-2.0
"""Stencils of a file, run on arrays."""

import ast
import enum
import sys
import types

import numpy as np

from .computations import Interpreter
from .names import FieldType, StencilMark, gtscript
from .statements import find_function, see
from .values import Field

_MODULES = {}


def load(path):
    """The names of a file, executed with GTScript's words as stand-ins."""
    if path in _MODULES:
        return _MODULES[path]
    if "gt4py.cartesian.gtscript" not in sys.modules:
        words = gtscript()
        for name in ["gt4py", "gt4py.cartesian"]:
            sys.modules[name] = types.ModuleType(name)
        sys.modules["gt4py"].cartesian = sys.modules["gt4py.cartesian"]
        sys.modules["gt4py.cartesian"].gtscript = words
        sys.modules["gt4py.cartesian.gtscript"] = words
    text = open(path, encoding="utf-8").read()
    tree = ast.parse(text)
    names = {"__name__": "stencils", "__file__": path}
    exec(compile(tree, path, "exec"), names)  # noqa: S102
    names["__tree__"] = tree
    _MODULES[path] = names
    return names


def forget(path):
    """A file that is about to be removed."""
    _MODULES.pop(path, None)


def annotations(path, name):
    module = load(path)
    python = module[name]
    options = {}
    if isinstance(python, StencilMark):
        python, options = python.python, python.options
    return python, options


def run(path, name, fields, scalars, domain, origins, externals=None, dtypes=None):
    """Runs a stencil on `fields`, in place. True when everything that it wrote is defined."""
    module = dict(load(path))
    python, options = annotations(path, name)
    words = {}
    for key, value in {**options.get("dtypes", {}), **(dtypes or {})}.items():
        words[{float: "float", int: "int"}.get(key, key)] = np.dtype(value)
    real = words.get("float", np.dtype(f"float{options.get('literal_float_precision', 64)}"))
    whole = words.get("int", np.dtype(f"int{options.get('literal_int_precision', 64)}"))
    module["__externals__"] = {**module, **options.get("externals", {}), **(externals or {})}
    machine = Interpreter(module, domain, (whole, real), words)
    frame, numbers = {}, {}
    for argument, kind in python.__annotations__.items():
        if isinstance(kind, FieldType):
            if argument not in fields or fields[argument] is None:
                continue
            f = Field(argument, kind, machine.dtype_of(kind.dtype), True)
            numbers[argument] = machine.add_field(f)
            machine.fill(numbers[argument], fields[argument], origins.get(argument, ()))
            frame[argument] = ("field", numbers[argument])
        elif argument in scalars:
            t = machine.int_type if isinstance(kind, enum.EnumMeta) else machine.dtype_of(kind)
            frame[argument] = ("scalar", np.asarray(scalars[argument], t))
    node = find_function(module["__tree__"], python)
    if isinstance(module[name], StencilMark):
        see(frame, node, module[name].seen)
    with np.errstate(all="ignore"):
        machine.stencil(frame, node)
    fine = True
    for argument, number in numbers.items():
        fine = machine.take(number, fields[argument], origins.get(argument, ())) and fine
    return fine
