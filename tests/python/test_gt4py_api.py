# SPDX-License-Identifier: Apache-2.0
"""lathe.gt4py: the names, options, storages and errors of GT4Py's cartesian interface."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from messages import said

import lathe
import lathe.gt4py.storage as storage
from lathe.gt4py import cartesian
from lathe.gt4py.cartesian import backend, definitions, gtscript
from lathe.gt4py.cartesian.frontend import exceptions
from lathe.gt4py.cartesian.gtscript import *  # noqa: F403
from lathe.gt4py.cartesian.gtscript import PARALLEL, Field, computation, interval

BACKENDS = ["debug", "numpy", "gt:cpu_ifirst", "gt:cpu_kfirst", "gt:gpu", "dace:cpu", "dace:cpu_kfirst",
            "dace:cpu_KJI", "dace:gpu", "dace:gpu_IJK"]
# What `from gt4py.cartesian.gtscript import *` gives, and what else programs use of it.
NAMES = """BACKWARD FORWARD Field I IJ IJK IK J JK K PARALLEL Sequence __INLINED __externals__ __gtscript__ abs acos acosh
asin asinh atan atanh cbrt ceil compile_assert computation cos cosh erf erfc exp externals float32 float64 floor function
gamma horizontal int32 int64 interval isfinite isinf isnan lazy_stencil log log10 max min mod region round
round_away_from_zero sin sinh sqrt stencil tan tanh trunc""".split()
MORE = "GlobalTable Axis AxisIndex AxisInterval ShiftedAxis LazyStencil builtins enum mask_from_axes".split()


def copy(a: Field[float], b: Field[float], *, s: float = 1.0):
    with computation(PARALLEL), interval(...):
        b = s * a


def test_names():
    assert set(NAMES) <= set(gtscript.__all__)
    for name in NAMES + MORE:
        assert hasattr(gtscript, name), name
    for module in ("backend", "config", "definitions", "frontend", "gtscript", "stencil_object"):
        assert hasattr(cartesian, module)
    assert gtscript.FORWARD == 1 and gtscript.BACKWARD == -1 and gtscript.PARALLEL == 0


def test_star_takes_nothing_away():
    assert abs(-2) == 2 and min(3, 1) == 1 and max([1, 4]) == 4 and round(2.5) == 2 and sqrt(4) == 2  # noqa: F405


def test_modules_that_definitions_name():
    text = ("import lathe.gt4py.cartesian.__gtscript__, lathe.gt4py.cartesian.__externals__\n"
            "from __gtscript__ import PARALLEL, computation\nimport __externals__\nprint(PARALLEL)")
    out = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert out.stdout == "PARALLEL\n"


def test_it_is_imported_on_demand():
    text = "import sys, lathe\nprint([m for m in sys.modules if m.startswith('lathe.gt4py') or m == 'lathe.gtscript'])"
    out = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert out.stdout == "[]\n"


@pytest.mark.parametrize("name", BACKENDS)
def test_every_backend(name):
    made = gtscript.stencil(backend=name, definition=copy)
    a = storage.from_array(np.random.default_rng(0).random((4, 5, 6)), backend=name)
    b = storage.zeros((4, 5, 6), backend=name)
    made(a, b)
    assert np.array_equal(a, b) and made.backend == name
    assert backend.from_name(name).storage_info["is_optimal_layout"](a, "IJK")


def test_backends_that_do_not_exist():
    for call in (lambda: gtscript.stencil(backend="nunpy", definition=copy), lambda: gtscript.lazy_stencil("nunpy")):
        with pytest.raises(ValueError) as caught:
            call()
        assert said(caught) == "there is no backend 'nunpy'\n  help: did you mean 'numpy'?"
    with pytest.raises(RuntimeError, match="^there is no storage for backend 'x'"):
        storage.empty((1,), backend="x")


def test_ways_to_make_a_stencil():
    @gtscript.stencil(backend="numpy", rebuild=True, opt_level="3", verbose=True)
    def one(a: Field[float], b: Field[float]):
        with computation(PARALLEL), interval(...):
            b = a

    info = {}
    two = gtscript.stencil("numpy", one, name="a.b.two", build_info=info, literal_float_precision=32)
    three = gtscript.stencil("numpy")(copy)
    assert (one.name, two.name, three.name) == ("one", "two", "copy")
    assert two.options["module"] == "a.b" and two.options["literal_float_precision"] == 32
    assert one.options["backend_opts"] == {"opt_level": "3", "verbose": True} and one.options["module"] == __name__
    assert set(info) == {"parse_time", "module_time", "codegen_time", "build_time", "load_time"}
    assert isinstance(one, cartesian.StencilObject) and callable(one.definition_func)
    assert pickle.loads(pickle.dumps(three)) == three and three != one and hash(three) == hash(gtscript.stencil("numpy", copy))


@pytest.mark.parametrize("option, text", [
    ({"externals": 3}, "invalid 'externals': 3 is not a dict"), ({"name": 3}, "invalid 'name': 3 is not a str"),
    ({"rebuild": 1}, "invalid 'rebuild': 1 is not a bool"), ({"dtypes": ()}, "invalid 'dtypes': () is not a dict"),
    ({"literal_int_precision": 8}, "invalid 'literal_int_precision': 8, not 32 or 64"),
])
def test_options_that_are_wrong(option, text):
    with pytest.raises(ValueError) as caught:
        gtscript.stencil(backend="numpy", definition=copy, **option)
    assert said(caught) == text


def test_options_that_no_backend_has():
    with pytest.warns(RuntimeWarning, match="^backend 'numpy' has no option colour$"):
        gtscript.stencil(backend="numpy", definition=copy, colour="red", _hidden=1)


def test_a_stencil_stays_as_it_is():
    made = gtscript.stencil(backend="numpy", definition=copy)
    with pytest.raises(AttributeError, match="^a stencil cannot be changed: there is no setting 'x'(?m:$)"):
        made.x = 3
    with pytest.raises(AttributeError, match="^a stencil cannot be changed: 'name' stays(?m:$)"):
        del made.name
    assert made.field_info["a"].access == definitions.AccessKind.READ
    assert "copy" in str(made)


def test_lazy_stencils():
    lazy = gtscript.lazy_stencil(backend="numpy", definition=copy, check_syntax=False)
    assert lazy.backend.name == "numpy" and lazy._made is None
    b = np.zeros((2, 2, 2))
    lazy(np.ones((2, 2, 2)), b, s=2.0)
    assert (b == 2).all() and lazy.field_info["b"].dtype == float
    assert isinstance(gtscript.lazy_stencil("numpy", copy, eager=True), cartesian.StencilObject)

    def wrong(a: Field[float]):
        with computation(PARALLEL), interval(...):
            a = nothing  # noqa: F821
    gtscript.lazy_stencil("numpy", wrong, check_syntax=False)
    with pytest.raises(exceptions.GTScriptSymbolError):
        gtscript.lazy_stencil("numpy", wrong)


@pytest.mark.parametrize("value, text", [
    (2, "scalar 's' is float64, and an int is given\n  help: write 2.0"),
    (np.float32(2), "scalar 's' is float64, and a numpy.float32 is given"),
])
def test_scalars_have_exactly_their_type(value, text):
    made = gtscript.stencil(backend="numpy", definition=copy)
    with pytest.raises(TypeError) as caught:
        made(np.ones((2, 2, 2)), np.zeros((2, 2, 2)), s=value)
    assert said(caught) == text


ERRORS = {
    "a = nothing": exceptions.GTScriptSymbolError,
    "from __externals__ import X": exceptions.GTScriptSymbolError,
    "a = TEXT": exceptions.GTScriptValueError,
    "a = a[1, 0]": exceptions.GTScriptSyntaxError,
    "compile_assert(1 > 2)": exceptions.GTScriptAssertionError,
    "t: TEXT = 0.0": exceptions.GTScriptDataTypeError,
}


@pytest.mark.parametrize("line", ERRORS)
def test_errors(line, tmp_path, monkeypatch):
    name = f"wrong_{abs(hash(line))}"
    (tmp_path / f"{name}.py").write_text(
        "from lathe.gt4py.cartesian.gtscript import *\nTEXT = [1]\ndef wrong(a: Field[float]):\n"
        f"    with computation(PARALLEL), interval(...):\n        {line}\n        a = 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__(name)
    with pytest.raises(ERRORS[line]) as caught:
        gtscript.stencil(backend="numpy", definition=module.wrong)
    error = caught.value
    assert type(error) is ERRORS[line] and isinstance(error, (definitions.GTError, ValueError))
    assert isinstance(error, lathe.StencilError) and error.loc.line == 5
    assert f"{name}.py:5:" in str(error)


def test_fields_hold_what_gt4py_has():
    made = gtscript.stencil(backend="numpy", definition=copy, dtypes={float: np.float32})
    assert made.field_info["a"].dtype == np.float64  # as in GT4Py: only names of dtypes are replaced


def test_storages():
    for name, dense in (("numpy", 2), ("gt:cpu_ifirst", 0), ("dace:cpu", 1)):
        x = storage.empty((3, 4, 5), np.float32, backend=name, aligned_index=(1, 2, 3))
        assert x.strides[dense] == 4 and x.shape == (3, 4, 5) and x.dtype == np.float32
        assert x[1:, 2:, 3:].__array_interface__["data"][0] % 64 == 0
    assert (storage.ones((2, 3), int, backend="numpy") == 1).all()
    assert (storage.full((2,), 7.5, backend="numpy", dimensions=("K",)) == 7.5).all()
    x = storage.zeros((3, 4, 5), (np.float64, (2,)), backend="gt:gpu")
    assert x.shape == (3, 4, 5, 2) and x.strides[0] == 8 and x.strides[3] == 8 * 60
    given = np.arange(6).reshape(2, 3)
    assert storage.from_array(given, backend="numpy").dtype == np.float64
    made = storage.from_array(given, None, backend="gt:cpu_ifirst", dimensions="JK")
    assert np.array_equal(made, given) and made.dtype == given.dtype and made.strides == (8, 16)


@pytest.mark.parametrize("arguments, class_, text", [
    ({"shape": (0, 1)}, ValueError, "shape (0, 1) has a size that is not positive"),
    ({"shape": 3}, TypeError, "shape is 3, not a sequence of ints"),
    ({"shape": (1, 2), "aligned_index": (1,)}, ValueError, "aligned_index (1,) has 1 numbers, and there are 2 dimensions"),
    ({"shape": (1,), "aligned_index": (-1,)}, ValueError, "aligned_index (-1,) has a negative number"),
    ({"shape": (1,), "dimensions": ("X",)}, ValueError, "invalid dimensions ('X',): they are I, J, K, and numbers for data"),
    ({"shape": (1,), "dimensions": "IJ"}, ValueError, "dimensions ('I', 'J') and shape (1,) have different lengths"),
])
def test_storages_that_are_refused(arguments, class_, text):
    with pytest.raises(class_) as caught:
        storage.zeros(backend="numpy", **arguments)
    assert said(caught) == text
