# SPDX-License-Identifier: Apache-2.0
"""From Python functions to stencils: names, types, functions of other files, messages."""

import linecache
import math

import numpy as np
import pytest
from messages import said
import stencil_library as library
from stencil_library import FloatField, weighted

import lathe
from lathe import gtscript
from lathe.gtscript import (
    FORWARD, IJ, PARALLEL, Field, GlobalTable, I, K, __INLINED, computation, function, horizontal, interval, region,
    sqrt,
)

HERE = __file__
COUNT = 3
EDGE = I[0] + 1
TABLE = np.zeros(3)


@lathe.stencil
def bare(a: Field[float], b: Field[float]):
    """What it does."""
    with computation(PARALLEL), interval(...):
        b = 2.0 * a


@lathe.stencil(name="renamed", externals={"SHIFT": 10})
def with_arguments(a: Field[float], b: Field[float]):
    from __externals__ import SHIFT
    with computation(PARALLEL), interval(...):
        b = a + SHIFT


def line_of(text):
    """The line of this file that ends so."""
    lines = linecache.getlines(HERE)
    return next(n for n, line in enumerate(lines, 1) if line.rstrip().endswith(text))


def run(stencil, *arrays, **more):
    out = np.zeros((4, 3, 5))
    stencil(*arrays, out, **more)
    return out


def test_as_decorator_and_called():
    a = np.random.default_rng(0).random((4, 3, 5))
    assert np.array_equal(run(bare, a), 2 * a)
    assert np.array_equal(run(with_arguments, a), a + 10)
    assert (bare.name, with_arguments.name) == ("bare", "renamed")
    assert bare.__name__ == "bare" and bare.__doc__ == "What it does."
    again = lathe.stencil(bare, name="again")
    assert again.name == "again" and np.array_equal(run(again, a), 2 * a)
    assert repr(bare) == f"<lathe stencil 'bare' of {HERE}>"


def test_names_are_those_of_python():
    order, limit = 2, np.float64(0.25)

    @function
    def local(x):
        return x[COUNT - 2, 0, 0] * limit

    def definition(a: Field[float], out: Field[float]):
        from __externals__ import WEIGHT
        with computation(PARALLEL), interval(...):
            t = 0.0
            if __INLINED(order > 1):
                t = local(a)
            out = weighted(t, a) + library.settings.shift + library.settings.inner.scale + math.pi + sqrt(COUNT)

    made = lathe.stencil(definition, externals={"WEIGHT": 2.0})
    a = np.random.default_rng(1).random((5, 3, 5))
    wanted = a[1:] * 0.25 * 9.81 + a[:-1] * 2 + 9.81 + 3 + 0.5 + math.pi + math.sqrt(3)
    np.testing.assert_allclose(run(made, a), wanted, rtol=1e-14)


def test_types_are_those_of_python():
    scalar, dims = np.int32, (2, 3)

    def definition(a: FloatField, s: library.Surface, c: gtscript.Field[K, scalar], v: Field[(np.float64, dims)],
                   t: GlobalTable[(float, (4,))], f: Field[bool], out: Field[np.float64], *, x: np.float32,
                   mode: library.Mode, on: bool, n: int = 4):
        with computation(PARALLEL), interval(...):
            u: FloatField = a + x
            out = u + s + c + v[0, 0, 0][1, 2] + t.A[3] + n
            if mode == library.Mode.WARM and on and f:
                out = -out

    made = lathe.stencil(definition)
    info = made.field_info
    assert {name: (str(i.dtype), "".join(i.axes), i.data_dims) for name, i in info.items()} == {
        "a": ("float32", "IJK", ()), "s": ("float64", "IJ", ()), "c": ("int32", "K", ()),
        "v": ("float64", "IJK", (2, 3)), "t": ("float64", "", (4,)), "f": ("bool", "IJK", ()),
        "out": ("float64", "IJK", ())}
    assert {name: str(i.dtype) for name, i in made.parameter_info.items()} == {
        "x": "float32", "mode": "int64", "on": "bool", "n": "int64"}
    rng = np.random.default_rng(2)
    a, s, c = rng.random((4, 3, 5)).astype("f4"), rng.random((4, 3)), np.arange(5, dtype="i4")
    v, t, f = rng.random((4, 3, 5, 2, 3)), rng.random(4), rng.random((4, 3, 5)) > 0.5
    out = np.zeros((4, 3, 5))
    made(a, s, c, v, t, f, out, x=1.5, mode=library.Mode.WARM, on=True)
    wanted = (a + np.float32(1.5)) + s[..., None] + c + v[..., 1, 2] + t[3] + 4
    np.testing.assert_allclose(out, np.where(f, -wanted, wanted), rtol=1e-6)


def test_annotations_that_are_text(tmp_path, monkeypatch):
    (tmp_path / "text_types.py").write_text(
        "from __future__ import annotations\nimport numpy as np\nfrom lathe.gtscript import *\n"
        "from stencil_library import Surface\n"
        "def f(a: Field[np.float32], s: Surface, b: Field['real'], *, x: 'real'):\n"
        "    with computation(PARALLEL), interval(...):\n        b = a + s + x\n")
    monkeypatch.syspath_prepend(tmp_path)
    import text_types
    made = lathe.stencil(text_types.f, dtypes={"real": np.float64})
    assert [str(i.dtype) for i in made.field_info.values()] == ["float32", "float64", "float64"]
    assert made.field_info["s"].axes == ("I", "J")
    assert made.parameter_info["x"].dtype == np.float64


def test_dtypes_of_words_and_literals():
    def definition(a: Field[float], b: Field[float], n: Field[int], *, s: float):
        with computation(PARALLEL), interval(...):
            b = a * s + 0.1
            n = 3

    made = lathe.stencil(definition, dtypes={float: np.float32, int: np.int32})
    assert [str(i.dtype) for i in made.field_info.values()] == ["float32", "float32", "int32"]
    assert made.parameter_info["s"].dtype == np.float32
    b, n = np.zeros((2, 2, 2), "f4"), np.zeros((2, 2, 2), "i4")
    made(np.ones((2, 2, 2), "f4"), b, n, s=0.5)
    assert b[0, 0, 0] == np.float32(0.5) + np.float32(0.1) and n[1, 1, 1] == 3
    short = lathe.stencil(bare, literal_float_precision=32)
    assert short.field_info["a"].dtype == np.float64
    with pytest.raises(ValueError, match="^the precision of literals is 32 or 64 bits, not 16(?m:$)"):
        lathe.stencil(bare, literal_float_precision=16)


def test_regions_and_orders_as_objects():
    @lathe.stencil
    def edges(a: Field[float], out: Field[float]):
        with computation(FORWARD):
            with interval(0, 1):
                out = a
            with interval(1, None):
                out = out[0, 0, -1] + a
        with computation(PARALLEL), interval(...):
            with horizontal(region[EDGE, :]):
                out = -1.0

    a = np.random.default_rng(3).random((4, 3, 5))
    wanted = np.cumsum(a, axis=2)
    wanted[1] = -1
    np.testing.assert_allclose(run(edges, a), wanted, rtol=1e-15)


def test_messages_show_the_users_lines():
    def definition(a: Field[float], b: Field[float]):
        with computation(PARALLEL), interval(...):
            b = a + TABLE  # the table
            b = missing_name  # noqa: F821

    with pytest.raises(lathe.StencilError) as caught:
        lathe.stencil(definition)
    first, second = line_of("# the table"), line_of("b = missing_name  # noqa: F821")
    margin = " " * len(str(first))
    assert str(caught.value) == (
        f"missing or invalid value: 'TABLE', which is a numpy.ndarray\n  --> {HERE}:{first}:21\n{margin} |\n"
        f"{first} |             b = a + TABLE  # the table\n{margin} |                     ^^^^^\n"
        "  help: stencils use numbers, bools, fields and functions\n"
        f"error: unknown symbol 'missing_name'\n  --> {HERE}:{second}:17\n{margin} |\n"
        f"{second} |             b = missing_name  # noqa: F821\n{margin} |                 ^^^^^^^^^^^^\n"
        "  help: assign it first, pass it as an argument, or import it: from __externals__ import missing_name")
    assert caught.value.message == "missing or invalid value: 'TABLE', which is a numpy.ndarray"
    assert isinstance(caught.value, ValueError)


def test_messages_show_the_lines_of_other_files():
    def definition(a: Field[float], b: Field[float]):
        with computation(PARALLEL), interval(...):
            b = library.broken(a)

    with pytest.raises(lathe.StencilError) as caught:
        lathe.stencil(definition)
    text = str(caught.value)
    assert text.startswith("unknown symbol 'undefined_number'\n  --> " + library.__file__)
    assert f"note: in function 'broken', which is called here\n  --> {HERE}:{line_of('library.broken(a)')}" in text


@pytest.mark.parametrize("value, text", [
    (library.plain, "'plain' is not a gtscript function"),
    (len, "unknown call of 'CALLED', which is a builtin_function_or_method"),
    (bare, "unknown call of 'CALLED', which is a stencil: stencils call gtscript functions only"),
])
def test_what_cannot_be_called(value, text):
    CALLED = value

    def definition(a: Field[float], b: Field[float]):
        with computation(PARALLEL), interval(...):
            b = CALLED(a)

    with pytest.raises(lathe.StencilError) as caught:
        lathe.stencil(definition)
    assert caught.value.message == text


def test_what_is_no_definition():
    with pytest.raises(TypeError, match="^a stencil is made of a function, not of int(?m:$)"):
        lathe.stencil(3)
    with pytest.raises(TypeError, match="^externals is a list, not a dict(?m:$)"):
        lathe.stencil(bare, externals=[])
    with pytest.raises(TypeError, match="^the name of a stencil is a str, not an int(?m:$)"):
        lathe.stencil(bare, name=3)
    with pytest.raises(TypeError) as caught:
        lathe.stencil(bare, dtypes={"a": "complex128"})
    assert said(caught) == ("dtypes['a'] is 'complex128', not a dtype of fields: bool, int8, int16, int32, int64, "
                                 "float32 or float64")


SOURCE = """from lathe.gtscript import *
def scaled(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = FACTOR * a
"""


def test_source_from_linecache_as_notebooks_do_it():
    name = "<ipython-input-7>"
    linecache.cache[name] = (len(SOURCE), None, SOURCE.splitlines(True), name)
    names = {"FACTOR": 3.0}
    exec(compile(SOURCE, name, "exec"), names)
    a = np.random.default_rng(4).random((4, 3, 5))
    assert np.array_equal(run(lathe.stencil(names["scaled"]), a), 3 * a)
    names["FACTOR"] = 4.0
    assert np.array_equal(run(lathe.stencil(names["scaled"]), a), 4 * a)


def test_source_that_is_not_there():
    names = {}
    exec(SOURCE, names)
    with pytest.raises(lathe.StencilError) as caught:
        lathe.stencil(names["scaled"])
    assert said(caught) == ("the source of 'scaled' cannot be read: there is no text for <string>\n"
                                 "  help: define it in a file, or in a cell of a notebook")


def test_a_file_that_changed(tmp_path, monkeypatch):
    path = tmp_path / "changing.py"
    path.write_text(SOURCE.replace("FACTOR", "2.0"))
    monkeypatch.syspath_prepend(tmp_path)
    import changing
    assert lathe.stencil(changing.scaled).name == "scaled"
    path.write_text("\n\n\n" + SOURCE)
    with pytest.raises(lathe.StencilError) as caught:
        lathe.stencil(changing.scaled)
    assert said(caught) == (f"there is no function 'scaled' at line 2 of {path}\n"
                                 "  help: the file has changed since Python read it: start Python again")


def test_types_of_fields():
    assert repr(Field[IJ, np.float32]) == "Field[IJ, float32]"
    assert repr(GlobalTable[(int, (3,))]) == "GlobalTable[(int64, (3,))]"
    assert Field[(float, 3)].data_dims == (3,) and Field[I, float].axes == (I,)
    for wrong in (np.uint8, "complex128"):
        if wrong is np.uint8:
            with pytest.raises(ValueError, match="^invalid data type 'uint8': fields hold bool, int8"):
                Field[wrong]
    with pytest.raises(ValueError, match="^invalid type of a field"):
        Field[float, float, float]
    with pytest.raises(ValueError, match="^invalid type of a table"):
        GlobalTable[float]


def sum(a: Field[float], b: Field[float]):  # noqa: A001
    with computation(PARALLEL), interval(...):
        b = 2.0 * a


def words(sum: Field[float], input: Field[float], *, output: float):  # noqa: A002
    with computation(PARALLEL), interval(...):
        temp = sum * output
        input = temp + 1.0


@pytest.mark.parametrize("name", [None, "sum", "input", "for", "my stencil"])
def test_words_of_our_language_as_names(name):
    a = np.ones((4, 3, 5))
    stencil = lathe.stencil(sum, name=name)
    assert stencil.name == (name or "sum") and np.array_equal(run(stencil, a), 2 * a)
    b = np.zeros((4, 3, 5))
    lathe.stencil(words, name=name)(a, b, output=3.0)
    assert (b == 4).all()


def arrays(a: np.ndarray, b: "list"):
    with computation(PARALLEL), interval(...):
        b = a


def test_types_that_are_no_fields():
    with pytest.raises(lathe.StencilError) as caught:
        lathe.stencil(arrays)
    line = arrays.__code__.co_firstlineno
    first, second = str(caught.value).split("error: ")
    assert first.startswith(f"the type of 'a' is the class numpy.ndarray\n  --> {HERE}:{line}:")
    assert second.startswith(f"the type of 'b' is the class list\n  --> {HERE}:{line}:")
    for text in (first, second):
        assert text.strip().endswith("help: write Field[float] for a field, float for a scalar")


def test_a_lambda_is_no_definition():
    with pytest.raises(TypeError) as caught:
        lathe.stencil(lambda a, b: a)
    assert said(caught) == "a stencil is made of a function with `def`, not of a lambda: its body is statements"
