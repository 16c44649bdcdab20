# SPDX-License-Identifier: Apache-2.0
"""The array API standard, function by function: names, signatures, dtypes; results are in
test_results.py."""

import inspect
import math
import pathlib

import numpy as np
import pytest
import standard

import lathe

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "array-api.md"


def wanted_parameters(text):
    scope = {}
    exec(f"def f({text}): pass", scope)
    return inspect.signature(scope["f"]).parameters


def check_signature(function, text):
    """Ours may take more, by keyword and with a default; what the standard requires may have one, and what it
    takes by keyword may be taken by place, after the rest: tril(x, -1) as in NumPy."""
    wanted = wanted_parameters(text)
    ours = dict(inspect.signature(function).parameters)
    for name, parameter in wanted.items():
        found = ours.pop(name, None)
        assert found is not None, f"{function.__name__} has no parameter {name}"
        if parameter.default is not inspect.Parameter.empty:
            assert found.default == parameter.default, (function.__name__, name)
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            assert found.kind in (parameter.kind, parameter.POSITIONAL_OR_KEYWORD), (
                function.__name__, name)
        else:
            assert found.kind == parameter.kind, (function.__name__, name)
    places = [n for n, p in inspect.signature(function).parameters.items()
              if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and n in wanted]
    first = [n for n, p in wanted.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    assert places[:len(first)] == first
    for name, parameter in ours.items():
        assert parameter.default is not inspect.Parameter.empty, (function.__name__, name)


@pytest.mark.parametrize("name", [n for n in standard.SIGNATURES if n != "linalg"])
def test_functions_have_the_signature_of_the_standard(name):
    check_signature(getattr(lathe, name), standard.SIGNATURES[name])


@pytest.mark.parametrize("name", standard.SIGNATURES["linalg"])
def test_linalg_has_the_signature_of_the_standard(name):
    check_signature(getattr(lathe.linalg, name), standard.SIGNATURES["linalg"][name])


def test_constants():
    for name, value in standard.CONSTANTS.items():
        found = getattr(lathe, name)
        assert found is value or found == value or math.isnan(found) and math.isnan(value)


def test_dtypes():
    info = lathe.__array_namespace_info__()
    assert list(info.dtypes()) == standard.DTYPES
    for name in standard.DTYPES:
        dtype = getattr(lathe, name)
        assert dtype == np.dtype(name)
        assert lathe.zeros(3, dtype=dtype).dtype == dtype
    assert info.dtypes(kind="signed integer") == {
        n: getattr(lathe, n) for n in ("int8", "int16", "int32", "int64")}
    assert info.default_dtypes()["real floating"] == lathe.float64
    assert info.devices() == ["cpu"] and info.default_device() == "cpu"
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True,
                                   "max dimensions": 64}


def test_arrays_have_the_methods_of_the_standard():
    x = lathe.asarray([1.0, 2.0])
    for name in standard.METHODS + standard.ATTRIBUTES:
        assert hasattr(type(x), name), name
    assert x.__array_namespace__() is lathe
    assert x.__array_namespace__(api_version="2024.12") is lathe
    assert x.to_device("cpu") is x
    assert x.device == "cpu"
    assert lathe.__array_api_version__ == "2024.12"


def test_what_is_left_out_is_listed_with_its_reason():
    text = DOCS.read_text()
    for name, reason in standard.LEFT_OUT.items():
        assert not hasattr(lathe, name)
        assert f"`{name}`" in text and reason in text


@pytest.mark.parametrize("kind", ["bool", "signed integer", "unsigned integer", "integral",
                                  "real floating", "complex floating", "numeric"])
def test_isdtype(kind):
    for name in standard.DTYPES:
        assert lathe.isdtype(getattr(lathe, name), kind) == np.isdtype(np.dtype(name), kind)
    assert lathe.isdtype(lathe.float32, (lathe.int8, kind, "real floating"))


def test_promotion_is_numpys():
    for a in standard.DTYPES:
        for b in standard.DTYPES:
            want = np.promote_types(a, b)
            assert lathe.result_type(getattr(lathe, a), getattr(lathe, b)) == want
            x, y = lathe.zeros(3, dtype=a), lathe.zeros(3, dtype=b)
            if a != "bool" or b != "bool":
                assert (x + y).dtype == want
    assert lathe.result_type(lathe.float32, 1.0) == lathe.float32
    assert lathe.result_type(lathe.int8, 1.0) == lathe.float64
    assert lathe.result_type(lathe.zeros(2, dtype="int8"), 1) == lathe.int8
    assert lathe.can_cast(lathe.int8, lathe.int16) and not lathe.can_cast(lathe.int16, lathe.int8)


def test_limits():
    for name in ("float16", "float32", "float64"):
        ours, theirs = lathe.finfo(getattr(lathe, name)), np.finfo(name)
        for what in ("bits", "eps", "max", "min", "smallest_normal"):
            assert getattr(ours, what) == getattr(theirs, what)
        assert ours.dtype == np.dtype(name)
    for name in standard.DTYPES[1:9]:
        ours, theirs = lathe.iinfo(name), np.iinfo(name)
        assert (ours.bits, ours.max, ours.min) == (theirs.bits, theirs.max, theirs.min)
    assert lathe.finfo(lathe.bfloat16).eps == 2.0**-7
