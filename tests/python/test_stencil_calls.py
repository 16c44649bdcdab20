# SPDX-License-Identifier: Apache-2.0
"""Calls of stencils: origins, domains, any memory, numbers, times, refusals."""

import array
import re

import numpy as np
import pytest
from messages import said

import lathe
from lathe.gtscript import IJ, PARALLEL, Field, computation, interval


@lathe.stencil
def lap(u: Field[float], v: Field[float], w: Field[IJ, float] = None, *, c: float = 4.0):
    with computation(PARALLEL), interval(...):
        v = u[-1, 0, 0] + u[1, 0, 0] + u[0, -1, 0] + u[0, 1, 0] - c * u


@lathe.stencil
def numbers(v: Field[float], n: Field[np.int16], *, r: np.float32, i: np.int16, b: bool):
    with computation(PARALLEL), interval(...):
        v = r if b else -r
        n = i


def by_numpy(u, c=4.0):
    x = u[1:-1, 1:-1]
    return u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - c * x


@pytest.fixture
def u():
    return np.random.default_rng(0).random((9, 8, 5))


def test_without_origin_and_domain(u):
    v = np.zeros((7, 6, 5))
    assert lap(u, v) is None
    assert np.array_equal(v, by_numpy(u))
    lap(v=v, u=u, c=3.0)
    assert np.array_equal(v, by_numpy(u, 3.0))
    lap(u, v, None)
    assert np.array_equal(v, by_numpy(u))


@pytest.mark.parametrize("origin", [(2, 3, 1), [2, 3, 1], {"_all_": (2, 3, 1)}, {"u": (2, 3, 1), "v": np.array([2, 3, 1])},
                                    {"u": (2, 3, 1), "_all_": (2, 3, 1)}])
def test_origins_and_domain(u, origin):
    v = np.full((9, 8, 5), -1.0)
    lap(u, v, origin=origin, domain=(4, np.int64(3), 2))
    wanted = np.full((9, 8, 5), -1.0)
    wanted[2:6, 3:6, 1:3] = by_numpy(u)[1:5, 2:5, 1:3]
    assert np.array_equal(v, wanted)


def test_one_number_is_the_origin_of_all_axes(u):
    v = np.zeros((9, 8, 5))
    lap(u, v, origin=1, domain=(2, 2, 2))
    assert np.array_equal(v[1:3, 1:3, 1:3], by_numpy(u)[:2, :2, 1:3]) and v.sum() == v[1:3, 1:3, 1:3].sum()


def test_any_strides(u):
    for order in ("C", "F"):
        for step in (1, -1, 2):
            x = np.asarray(u, order=order)[:, :, ::step]
            v = np.zeros((5, 6, 7)).transpose(2, 1, 0)[:, :, :x.shape[2]]
            lap(x, v)
            assert np.array_equal(v, by_numpy(x))
    x = np.broadcast_to(u[:, :, :1], (9, 8, 4))  # stride 0
    v = np.zeros((7, 6, 4))
    lap(x, v)
    assert np.array_equal(v, by_numpy(x))


class Interface:
    def __init__(self, x):
        self.x, self.__array_interface__ = x, x.__array_interface__


class DLPack:
    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **how):
        return self.x.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class Subclass(np.ndarray):
    pass


class Storage(np.ndarray):
    """Has GT4Py's attributes."""
    __gt_dims__ = ("K", "I", "J")
    __gt_origin__ = (0, 1, 1)


@pytest.mark.parametrize("wrap", [Interface, DLPack, memoryview, lambda x: x.view(Subclass)])
def test_memory_of_others(u, wrap):
    v = np.zeros((7, 6, 5))
    lap(wrap(u), wrap(v))
    assert np.array_equal(v, by_numpy(u))


def test_what_is_only_read_may_be_a_list(u):
    v = np.zeros((7, 6, 5))
    lap(u.tolist(), v)
    assert np.array_equal(v, by_numpy(u))


def test_dimensions_and_origins_of_storages(u):
    x = np.ascontiguousarray(u.transpose(2, 0, 1)).view(Storage)
    v = np.zeros((9, 8, 5))
    lap(x, v, origin={"v": (0, 0, 0)}, domain=(7, 6, 5))
    assert np.array_equal(v[:7, :6], by_numpy(u))


def test_read_only_memory(u):
    u.flags.writeable = False
    v = np.zeros((7, 6, 5))
    lap(u, v)
    assert np.array_equal(v, by_numpy(u))
    v.flags.writeable = False
    with pytest.raises(ValueError) as caught:
        lap(u, v)
    assert "read-only" in str(caught.value) or "read only" in str(caught.value)


def test_fields_that_share_memory(u):
    x = u.copy()
    lap(x, x[1:-1, 1:-1])
    assert np.array_equal(x[1:-1, 1:-1], by_numpy(u))


def test_scalars():
    v, n = np.zeros((2, 2, 2)), np.zeros((2, 2, 2), "i2")
    for r, i, b in ((1.5, 3, True), (np.float64(1.5), np.int8(3), np.bool_(True)), (np.float32(1.5), np.uint8(3), True)):
        v[...], n[...] = 0, 0
        numbers(v, n, r=r, i=i, b=b)
        assert (v == 1.5).all() and (n == 3).all()
    numbers(v, n, r=2, i=-4, b=False)
    assert (v == -2).all() and (n == -4).all()


@pytest.mark.parametrize("wrong, class_, text", [
    ({"r": "x"}, TypeError, "scalar 'r' is float32, and a str is given"),
    ({"r": True}, TypeError, "scalar 'r' is float32, and a bool is given"),
    ({"i": 2.0}, TypeError, "scalar 'i' is int16, and a float is given\n  help: write np.int16(2.0)"),
    ({"i": 40000}, ValueError, "scalar 'i' is int16, which cannot hold 40000"),
    ({"b": 1}, TypeError, "scalar 'b' is bool, and an int is given\n  help: write bool(1)"),
    ({"r": np.zeros((2, 2, 2))}, TypeError,
     "scalar 'r' is float32, and a numpy.ndarray is given\n  help: a scalar is one number; what varies is a field"),
    ({"r": lathe.zeros(3)}, TypeError,
     "scalar 'r' is float32, and a lathe.Array is given\n  help: a scalar is one number; what varies is a field"),
    ({"b": None}, TypeError, "numbers() misses a value for 'b'"),
    ({"v": 3.0}, TypeError, "argument 'v': expected an array, not a float"),
    ({"v": [1.0]}, TypeError, "argument 'v' is written, and a list has no memory that could be\n"
     "  help: give a NumPy array, or anything with a buffer or DLPack"),
    ({"v": np.zeros((2, 2, 2), complex)}, TypeError, "argument 'v': Lathe has no arrays of complex128"),
    ({"v": np.zeros((2, 2, 2), "f4")}, TypeError, "field 'v' is float64, and the array given is float32\n"
     "  help: convert the array, or compile the stencil for its dtype"),
    ({"v": np.zeros((2, 2))}, ValueError, "the array for 'v' has 2 dimensions, and the field has 3\n"
     "  help: its axes are IJK"),
    ({"x": 3}, TypeError, "numbers() got an unexpected keyword argument 'x'\n  help: its arguments are v, n, r, i, b"),
    ({"domain": (1, 2)}, ValueError, "invalid 'domain' value (1, 2)\n  help: it is three sizes, of I, J and K"),
    ({"domain": 3}, ValueError, "invalid 'domain' value 3\n  help: it is three sizes, of I, J and K"),
    ({"domain": (1, 0, 1)}, ValueError, "the compute domain (1, 0, 1) contains zero sizes"),
    ({"domain": (1, -1, 1)}, ValueError, "invalid 'domain' value (1, -1, 1)"),
    ({"domain": (1, 1.5, 1)}, TypeError, "invalid 'domain' value (1, 1.5, 1): 1.5 is a float\n  help: sizes and indices are ints"),
    ({"origin": (0, 0.0, 0)}, TypeError,
     "invalid origin (0, 0.0, 0) of field 'v': 0.0 is a float\n  help: sizes and indices are ints"),
    ({"origin": {"q": (0, 0, 0)}}, ValueError,
     "an origin is given for 'q', which is not a field of stencil 'numbers'"),
    ({"origin": {"v": (0, 0)}}, ValueError,
     "invalid origin (0, 0) of field 'v', whose axes are IJK\n  help: give one number per axis"),
    ({"origin": "x"}, ValueError, "invalid origin 'x' of field 'v', whose axes are IJK\n  help: give one number per axis"),
    ({"origin": (-1, 0, 0)}, ValueError,
     "invalid origin (-1, 0, 0) of field 'v': it is the index of an element\n  help: count from 0"),
])
def test_refused_calls_write_nothing(wrong, class_, text):
    v, n = np.full((2, 2, 2), 7.0), np.full((2, 2, 2), 7, "i2")
    arguments = {"v": v, "n": n, "r": 1.0, "i": 1, "b": True, **wrong}
    with pytest.raises(class_) as caught:
        numbers(**arguments)
    assert said(caught) == text
    assert (v == 7).all() and (n == 7).all()


def test_refused_shapes_show_the_definition_and_the_call(u):
    with pytest.raises(ValueError) as caught:
        lap(u, np.zeros((7, 6, 5)), domain=(8, 6, 5))
    lines = re.sub(r"test_stencil_calls.py:\d+", "FILE:LINE", str(caught.value)).splitlines()
    assert lines[0] == "the array for 'u' has 9 in I, but must have at least 10"
    assert lines[1].startswith("  --> ") and lines[1].rpartition("/")[2].startswith("FILE:LINE:")
    assert lines[-2].startswith("  note: called at ") and lines[-2].endswith("/FILE:LINE")
    assert lines[-1] == "  help: its origin is 1, the domain has 8, and the stencil reads 1 after it"


@lathe.stencil
def pick(u: Field[np.float64], level: Field[np.int64], v: Field[np.float64]):
    with computation(PARALLEL), interval(...):
        v = u[0, 0, level]


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_level_that_is_not_there(target):
    u, level, v = np.ones((3, 2, 4)), np.zeros((3, 2, 4), np.int64), np.zeros((3, 2, 4))
    level[1, 1, 2] = 7
    with lathe.target(target), pytest.raises(IndexError) as caught:
        pick(u, level, v)
    lines = str(caught.value).splitlines()
    assert lines[0] == "statement 'v' reads 'u' at [1, 1, 9], but u covers [0..3, 0..2, 0..4]"
    assert lines[3].partition(" | ")[2] == "        v = u[0, 0, level]"
    assert lines[-1] == ("  help: an index that is computed must name a level that the array has: keep it inside "
                         "with min and max, or give a field more levels; temporaries have those of the domain")


@lathe.stencil
def between(pe: Field[np.float64], lev: Field[IJ, np.int64], v: Field[np.float64]):
    with computation(PARALLEL), interval(...):
        v = pe[0, 0, lev] - pe.at(K=lev - 2)


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_levels_beyond_the_domain(target, order):
    """An interface field has a level more than the domain, and data may ask for it."""
    rng = np.random.default_rng(3)
    pe = np.asarray(rng.random((4, 3, 7)), order=order)
    lev = rng.integers(0, 2, (4, 3))
    v = np.zeros((4, 3, 5), order=order)
    i, j = np.indices((4, 3))
    with lathe.target(target):
        between(pe, lev, v, origin={"pe": (0, 0, 2), "_all_": (0, 0, 0)}, domain=(4, 3, 4))
        for k in range(4):
            np.testing.assert_array_equal(v[:, :, k], pe[i, j, 2 + k + lev] - pe[i, j, lev])
        assert (v[:, :, 4] == 0).all()
        lev[3, 1] = 2
        with pytest.raises(IndexError, match=r"reads 'pe' at \[3, 1, 5\], but pe covers \[0..4, 0..3, -2..5\]"):
            between(pe, lev, v, origin={"pe": (0, 0, 2), "_all_": (0, 0, 0)}, domain=(4, 3, 4))


def test_python_says_the_rest(u):
    v = np.zeros((7, 6, 5))
    for call, text in ((lambda: lap(u), "lap() misses a value for 'v'"),
                       (lambda: lap(), "lap() misses a value for 'u', 'v'"),
                       (lambda: lap(u, v, None, 4.0), "lap() takes 3 positional arguments, and 4 are given"),
                       (lambda: lap(u, v, u=u), "lap() got two values for argument 'u'")):
        with pytest.raises(TypeError) as caught:
            call()
        assert said(caught) == text


def test_times(u):
    v, info = np.zeros((9, 8, 5)), {}
    lap(u, v, origin={"v": (1, 1, 0)}, exec_info=info)
    assert info["domain"] == (7, 6, 5) and info["origin"] == {"u": (1, 1, 0), "v": (1, 1, 0)}
    names = ["call_start_time", "call_run_start_time", "run_start_time", "run_cpp_start_time", "run_cpp_end_time",
             "run_end_time", "call_run_end_time", "call_end_time"]
    times = [info[name] for name in names]
    assert times == sorted(times)
    info = {"__aggregate_data": True}
    for _ in range(3):
        lap(u, v, exec_info=info)
    assert info["lap"]["ncalls"] == 3
    assert info["lap"]["total_call_time"] >= info["lap"]["total_run_time"] > 0


def test_frozen(u):
    v = np.zeros((9, 8, 5))
    frozen = lap.freeze(origin={"u": (2, 1, 0), "v": (0, 0, 1)}, domain=(3, 4, 2))
    frozen(u=u, v=v, c=2.0)
    wanted = np.zeros((9, 8, 5))
    wanted[:3, :4, 1:3] = by_numpy(u, 2.0)[1:4, :4, :2]
    assert np.array_equal(v, wanted)
    info = {}
    frozen(u, v, exec_info=info)
    assert info["domain"] == (3, 4, 2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'domain'"):
        frozen(u, v, domain=(1, 1, 1))
    with pytest.raises(ValueError, match="^the array for 'u' has 3 in I, but must have at least 6"):
        frozen(np.zeros((3, 8, 5)), v)
    with pytest.raises(ValueError, match="^invalid 'domain' value 5"):
        lap.freeze(domain=5)
    assert repr(frozen).startswith("<frozen <lathe stencil 'lap'")


def test_run(u):
    v = np.zeros((7, 6, 5))
    lap.run(_domain_=(7, 6, 5), _origin_={"u": (1, 1, 0), "v": (0, 0, 0)}, exec_info=None, u=u, v=v, c=4.0)
    assert np.array_equal(v, by_numpy(u))


def test_what_it_tells():
    from lathe.stencil_info import AccessKind
    info = lap.field_info
    assert info["u"].access == AccessKind.READ and info["u"].boundary == ((1, 1), (1, 1), (0, 0))
    assert info["v"].access == AccessKind.WRITE and info["w"].access == AccessKind.NONE
    assert info["w"].axes == ("I", "J") and info["w"].ndim == 2 and info["w"].domain_mask == (True, True, False)
    assert lap.parameter_info["c"].dtype == np.float64
    assert lap.domain_info == (("I", "J"), "K", 0, 3)
    assert lap.options["float_bits"] == 64 and lap.program.startswith("program lap(")


def test_other_buffers():
    @lathe.stencil
    def double(a: Field[IJ, float], b: Field[float]):
        with computation(PARALLEL), interval(...):
            b = 2.0 * a
    b = np.zeros((2, 1, 3))
    double(memoryview(array.array("d", [1, 2])).cast("B").cast("d", (2, 1)), b)
    assert b[:, 0, 0].tolist() == [2, 4]


def test_settings(u):
    results = []
    for manager in (lathe.threads(1), lathe.target("interpreter"), lathe.checked(), lathe.target("c")):
        with manager:
            v = np.zeros((7, 6, 5))
            lap(u, v)
            results.append(v)
    assert all(np.array_equal(v, by_numpy(u)) for v in results)


def test_checked_mode_finds_what_nobody_wrote():
    def half(n: Field[np.int64], a: Field[float], b: Field[float]):
        with computation(PARALLEL), interval(...):
            b = a[0, 0, n]

    made, always = lathe.stencil(half), lathe.stencil(half, checked=True)
    n, a, b = np.full((1, 1, 3), 7), np.zeros((1, 1, 3)), np.zeros((1, 1, 3))
    with lathe.checked(), pytest.raises(lathe.LatheError) as caught:
        made(n, a, b)
    with pytest.raises(lathe.LatheError) as again:
        always(n, a, b)
    first, second = (re.sub(r"\n  note: called at .*test_stencil_calls.py:\d+", "", str(e.value)) for e in (caught, again))
    assert first == second != str(caught.value) and "a[0, 0, n]" in first


def test_lazy_arrays_are_computed_and_never_written(u):
    v = np.zeros((7, 6, 5))
    lap(lathe.asarray(u) * 2.0, v)
    assert np.array_equal(v, by_numpy(u * 2.0))
    with pytest.raises(TypeError) as caught:
        lap(u, lathe.zeros((7, 6, 5)))
    assert said(caught) == ("argument 'v' is written, and a lathe.Array is a value that does not change\n"
                                 "  help: give a NumPy array, or anything with a buffer or DLPack")
