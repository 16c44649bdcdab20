# SPDX-License-Identifier: Apache-2.0
"""Each function of the namespace on arrays, and in a traced function whose lengths are symbols, against NumPy at two
sizes."""

import re

import namespace
import numpy as np
import pytest

import lathe


def flat(result):
    if isinstance(result, (tuple, list)):
        return [part for r in result for part in flat(r)]
    return [np.asarray(result)]


def same(found, wanted, text):
    found, wanted = flat(found), flat(wanted)
    assert len(found) == len(wanted), text
    for a, b in zip(found, wanted):
        assert a.shape == b.shape and a.dtype == b.dtype, (text, a, b)
        if a.dtype != object and a.dtype.kind not in "SU":
            assert np.allclose(a, b, rtol=1e-7, atol=1e-9, equal_nan=True), (text, a, b)


def names_of(text):
    every = namespace.arrays(5)
    return [n for n in dict.fromkeys(re.findall(r"(?<![.\w])[A-Za-z]\w*\b(?!=[^=])", text)) if n in every]


@pytest.mark.parametrize("line", namespace.EXPRESSIONS)
def test_results(line):
    text = line.removeprefix("- ")
    if any(not hasattr(np, n) for n in re.findall(r"\bm\.(\w+)", text)) or "linalg" in text and any(
            not hasattr(np.linalg, n) for n in re.findall(r"\blinalg\.(\w+)", text)):
        pytest.skip("this NumPy has no such function")
    names = names_of(text)
    code = compile(text, line, "eval")

    def call(m, *given):
        return eval(code, {"m": m, "np": np, "len_or_size": lambda x: x.shape[0], **dict(zip(names, given))})

    traced = lathe.function(lambda *given: call(lathe, *given))
    # How Python's names are composed is tried here, not kernels: those would take minutes.
    with lathe.target("interpreter"), np.errstate(all="ignore"):
        for n in (5, 8):
            every = namespace.arrays(n)
            given = [every[name] for name in names]
            wanted = call(np, *given)
            same(call(lathe, *map(lathe.asarray, given)), wanted, text)
            same(traced(*given), wanted, f"traced: {text}")
    assert traced.trace_count == (0 if line.startswith("- ") else 1)


def test_modules_that_are_loaded_later():
    import importlib

    for module, names in lathe._LATER.items():
        assert importlib.import_module(f"lathe.{module}").__all__ == names.split()
    scope = {}
    exec("from lathe import *", scope)
    assert scope["choose"] is lathe.choose and scope["sum"] is lathe.sum and "_core" not in scope


def test_nothing_is_forgotten():
    tried = {n for text in namespace.EXPRESSIONS for n in re.findall(r"\bm\.(\w+)", text)}
    there = {n for n in dir(lathe) if not n.startswith("_") and hasattr(np, n) and callable(getattr(lathe, n))
             and not isinstance(getattr(lathe, n), type)}
    assert there - tried - namespace.OTHERS == set()
