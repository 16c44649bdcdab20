# SPDX-License-Identifier: Apache-2.0
"""Every stencil of tests/stencil/cases, made by Python out of objects, is the program that `lathe` makes of the file's
text, which tests/stencil compares with an interpreter of GTScript."""

import ast
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import types

import numpy as np
import pytest

import lathe
import lathe.gt4py.cartesian.gtscript as gtscript

CASES = sorted((pathlib.Path(__file__).parents[1] / "stencil" / "cases").glob("*.py"))
COMMAND = os.path.join(os.path.dirname(lathe.__file__), "lathe")


def load(path, monkeypatch):
    """The module, in which gt4py is lathe.gt4py, with all definitions and their decorators' options."""
    for name in ("gt4py", "gt4py.cartesian", "gt4py.cartesian.gtscript"):
        monkeypatch.setitem(sys.modules, name, sys.modules["lathe." + name])
    definitions = {}

    def keep(*_, definition=None, externals=None, dtypes=None, literal_int_precision=64, literal_float_precision=64, **__):
        def decorate(made):
            # With the names that its decorator sees.
            function = types.FunctionType(made.__code__, dict(made.__globals__), made.__name__, made.__defaults__, made.__closure__)
            function.__annotations__, function.__kwdefaults__ = made.__annotations__, made.__kwdefaults__
            definitions[function.__name__] = (function, externals or {}, dtypes or {}, literal_int_precision,
                                              literal_float_precision)
            return function
        return decorate if definition is None else decorate(definition)
    monkeypatch.setattr(gtscript, "stencil", keep)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, definitions


def named(line, word):
    found, last = {}, None
    for part in line.split():
        if part in ("set", "external", "dtype", "in", "size"):
            last = part
        elif last == word and "=" in part:
            key, value = part.split("=", 1)
            found[key] = value
    return found


def program_of_text(path, name, externals, dtypes):
    words = [w for k, v in externals.items() for w in ("--external", f"{k}={v}")]
    words += [w for k, v in dtypes.items() for w in ("--dtype", f"{k}={v}")]
    done = subprocess.run([COMMAND, "explain", f"{path}:{name}", "--stage", "source", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout[done.stdout.index("program "):].rstrip("\n")


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_the_same_programs(path, monkeypatch):
    module, definitions = load(path, monkeypatch)
    count = 0
    for line in path.read_text().splitlines():
        head = re.match(r"# (\w+):(.*)", line)
        if not head:
            if line.startswith("#"):
                continue
            break
        name, rest = head[1], head[2]
        externals, dtypes = named(rest, "external"), named(rest, "dtype")
        function, own, own_dtypes, int_bits, float_bits = definitions.get(name, (getattr(module, name, None), {}, {}, 64, 64))
        assert function is not None, name
        made = lathe.stencil(
            function, externals={**own, **{k: ast.literal_eval(v) for k, v in externals.items()}},
            dtypes={**own_dtypes, **{k: np.dtype(v) for k, v in dtypes.items()}}, literal_int_precision=int_bits,
            literal_float_precision=float_bits)
        assert made.program.rstrip("\n") == program_of_text(path, name, externals, dtypes), name
        count += 1
    assert count >= 5
