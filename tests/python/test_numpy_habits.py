# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of lazy arrays: what is there stays lazy and gives NumPy's values, the rest says so."""

import pathlib
import re

import numpy as np
import pytest
from messages import said
from quickly import quickly

import lathe

_random = np.random.default_rng(5)
VALUES = {
    "v": _random.normal(size=7),
    "w": _random.normal(size=4),
    "m": _random.normal(size=(4, 5)),
    "c": np.sort(_random.random(6)) * 3,
    "i": np.array([12, -18, 0, 7, 30, 1, -5]),
    "j": np.array([8, 27, 5, 0, -45, 1, 10]),
    "s": np.array([12, -18, 0, 7, 100, 1, -128], "int8"),
    "f": np.array([0.0, -0.0, 1.0, 0.5, 3.75, -1e300, 5e-324, np.inf, -np.inf, np.nan, 0.49999999999999994]),
    "h": np.array([1.5, -2.25, 1000.0, 0.0, 6e-8], "float32"),
    "n": np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan], [-4.0, 5.0, np.nan]]),
    "b": np.array([True, False, True, True, False, True, False]),
}
SAME = """
np.modf(f) np.modf(h) np.modf(i) np.frexp(f) np.frexp(h) np.heaviside(f,0.5) np.heaviside(v,w[0]) np.heaviside(i,2)
np.gcd(i,j) np.lcm(i,j) np.gcd(i,6) np.gcd(s,4) np.gcd(s,s) np.lcm(s[:4],np.int8(2))
np.deg2rad(v) np.rad2deg(h) np.degrees(v) np.radians(i) np.float_power(np.abs(v),2) np.float_power(h,3)
np.logaddexp2(v,0.5) np.logaddexp2(f[7:9],f[7:9]) np.sinc(v) np.sinc(f[:4])
np.nan_to_num(f) np.nan_to_num(f,nan=2,posinf=7.0,neginf=-7.0) np.nan_to_num(h) np.nan_to_num(i)
np.isposinf(f) np.isneginf(f) np.select([v<0,v>1],[v,2*v],3.0) np.select([b],[i])
np.gradient(v) np.gradient(v,0.5) np.gradient(v,edge_order=2) np.gradient(c,c) np.gradient(v[:6],c,edge_order=2)
np.gradient(m) np.gradient(m,0.1,2.0) np.gradient(m,axis=1) np.gradient(m,2.0,axis=(0,1)) np.gradient(h) np.gradient(i)
np.trapezoid(v) np.trapezoid(v,dx=0.1) np.trapezoid(c,c) np.trapezoid(m,axis=0) np.trapezoid(m,m,axis=1)
np.interp(v,c,c**2) np.interp(v,c,c,left=-1.0,right=9.0) np.interp(c,c,c**2) np.interp(0.7,c,c) np.interp(f[9],c,c)
np.cov(m) np.cov(m,rowvar=False) np.cov(v) np.cov(v,2*v+1) np.cov(m,bias=True) np.cov(m,ddof=0)
np.corrcoef(m) np.corrcoef(v,v[::-1]) np.corrcoef(m,rowvar=False)
np.kron(v,w) np.kron(m,w) np.kron(m,m) np.kron(i,2)
np.convolve(v,w) np.convolve(w,v) np.convolve(v,w,'same') np.convolve(v,w[:3],'same') np.convolve(v,w,'valid')
np.convolve(i,j) np.convolve(v,2.0) np.correlate(v,w) np.correlate(v,w,'full') np.correlate(v,w,'same')
np.correlate(w,v,'full') np.correlate(i,j,'full')
np.ediff1d(m) np.ediff1d(i,to_end=9,to_begin=[1,2]) np.ptp(v) np.ptp(m,axis=0) np.ptp(i)
np.isin(i,j) np.isin(i,[0,7,99]) np.isin(v,v[2:4]) np.isin(i,j,invert=True) np.isin(f,f) np.isin(i,[]) np.isin(m,0.5)
np.digitize(v,c) np.digitize(c,c) np.digitize(c,c,right=True) np.digitize(c,c[::-1]) np.digitize(c,c[::-1],right=True)
np.polyval(w,v) np.polyval([1,2,3],i)
np.nansum(n) np.nansum(n,axis=0) np.nansum(i) np.nanprod(n,axis=1) np.nancumsum(n) np.nancumsum(n,axis=1)
np.nancumprod(n,axis=0) np.nanmax(n[::2],axis=1) np.nanmin(n[::2],axis=1) np.nanmax(n) np.nanmin(i) np.nanmean(n)
np.nanmean(n[::2],axis=1) np.nanmean(i) np.nanvar(n) np.nanvar(n[::2],axis=1) np.nanstd(n,ddof=1)
np.nanstd(n[::2],axis=1,keepdims=True) np.nanargmax(n[::2],axis=1) np.nanargmin(n)
np.average(m) np.average(m,axis=0) np.average(m,axis=1,weights=np.arange(5)) np.average(v,weights=np.abs(v))
np.average(m,weights=m*m) np.average(m,axis=0,returned=True) np.average(v,weights=v*v,returned=True)
np.percentile(v,30) np.percentile(m,[10,90],axis=0) np.quantile(v,0.25) np.median(m,axis=1)
np.flipud(m) np.fliplr(m) np.rot90(m) np.rot90(m,2) np.rot90(m,-1) np.rot90(m,4) np.diag(m) np.diag(v) np.diag(w,1)
np.diag(w,-2) np.diag(m,1) np.append(v,w) np.append(m,m,axis=0) np.dstack([m,m]) np.dstack([v,v])
np.array_split(v,3) np.array_split(m,2,axis=1) np.array_split(v,[2,5]) np.atleast_3d(v) np.atleast_3d(m)
np.vdot(v,v) np.add.reduce(m) np.multiply.reduce(v) np.maximum.reduce(m,axis=1) np.add.accumulate(m,axis=1)
np.sum(m,where=m>0) np.sum(m,axis=0,where=m>0,initial=2.0) np.prod(m,axis=1,where=m>0) np.mean(m,where=m>0)
np.mean(m,axis=0,where=m>-9) np.max(v,initial=3.0) np.min(m,axis=1,initial=-1.0,where=m>0) np.any(m>1,axis=0,where=m<2)
np.all(m>-1,where=m<0) np.clip(v,a_min=-0.5,a_max=0.5) np.clip(v,None,0.5) np.ones_like(m,shape=(2,2))
np.full_like(i,3,dtype=float) np.pad(v,3,mode='reflect') np.pad(m,((1,2),(6,0)),mode='reflect')
np.pad(m,2,mode='symmetric') np.pad(v,9,mode='symmetric') np.pad(v[:1],2,mode='reflect')
np.multiply.outer(v,w) np.divmod(i,7) np.where(v>0,v,0) np.clip(v,-0.5,0.5) np.linalg.norm(m) np.linalg.det(m[:,:4])
""".split()


def _check(found, wanted, exact=False):
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for f, w in zip(found, wanted):
            _check(f, w)
        return
    assert isinstance(found, lathe.Array), type(found)
    assert found.shape == np.shape(wanted) and found.dtype == np.asarray(wanted).dtype
    tolerance = 2e-6 if found.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("expression", SAME)
@pytest.mark.filterwarnings("ignore")
def test_it_gives_what_numpy_gives(expression):
    if "trapezoid" in expression and not hasattr(np, "trapezoid"):
        pytest.skip("NumPy 1 calls it trapz")
    with np.errstate(all="ignore"):
        wanted = eval(expression, {"np": np, **VALUES})
    with lathe.target("interpreter"):  # the same bits, and nothing to compile
        _check(eval(expression, {"np": np, **{k: lathe.asarray(v) for k, v in VALUES.items()}}), wanted)


def test_names_without_an_array():
    for name, arguments in {"logspace": (0, 3, 7), "geomspace": (1, 1000, 4), "tri": (3, 4, 1)}.items():
        _check(getattr(lathe, name)(*arguments), getattr(np, name)(*arguments))


def test_gcd_of_large_numbers():
    a, b = np.array([2**62, 7540113804746346429, 2**63 - 1]), np.array([2**40 * 3, 4660046610375530309, 7])
    np.testing.assert_array_equal(np.asarray(np.gcd(lathe.asarray(a), b)), np.gcd(a, b))
    with lathe.checked():  # nothing is divided by zero on the way
        np.testing.assert_array_equal(np.asarray(np.gcd(lathe.asarray(a), b)), np.gcd(a, b))


@pytest.mark.parametrize("call, text", [
    (lambda x: np.isnat(x), "np.isnat is not there for lazy arrays"),
    (lambda x: np.arctan2.accumulate(x), "np.arctan2.accumulate is not there for lazy arrays"),
    (lambda x: np.subtract.reduce(x), "np.subtract.reduce is not there for lazy arrays"),
    (lambda x: np.add.reduceat(x, [0, 2]), "np.add.reduceat is not there for lazy arrays"),
    (lambda x: np.add(x, 1, where=np.array([True, False, True])), "np.add with where= is not there for lazy arrays"),
    (lambda x: np.quantile(x, 0.5, method="lower"), "np.quantile with method= is not there for lazy arrays"),
    (lambda x: np.add.reduce(x, initial=3.0), "np.add.reduce with initial= is not there for lazy arrays"),
])
def test_what_is_not_there_says_so(call, text):
    with pytest.raises(TypeError) as caught:
        call(lathe.asarray([1.0, 2.0, 3.0]))
    assert said(caught) == f"{text}\n  help: np.asarray(x) gives NumPy the values"


def test_writing_in_place_by_a_ufunc():
    x = lathe.asarray([1.0, 2.0])
    y = x + 0
    assert lathe.add_at(x, [0, 0], 1.0).tolist() == [3, 2]
    np.add.at(x, [0, 0], 1.0)
    np.subtract.at(x, [1], [0.5])
    assert x.tolist() == [3, 1.5] and y.tolist() == [1, 2]
    with pytest.raises(TypeError) as caught:
        np.add.at(lathe.asarray([1, 2]), [0, 0], 1.5)
    assert "cannot be kept in an array of int64" in str(caught.value)
    with pytest.raises(TypeError) as caught:
        np.multiply.at(x, [0, 0], 1.0)
    assert said(caught) == ("np.multiply.at is not there for lazy arrays\n"
                            "  help: np.add.at(x, index, values) is; np.asarray(x).copy() can be written to")


@pytest.mark.parametrize("name, arguments", [
    ("put", ([0, -1, 3], [7.0, 8.0])), ("put", ([4, 9], 7.0, "clip")), ("put", ([4, 9], 7.0, "wrap")),
    ("copyto", (0.5,)), ("copyto", ([[1.0, 2.0, 3.0]],)), ("copyto", (3, "same_kind", [[True], [False]])),
    ("putmask", ([[True, False, True], [False, True, True]], [7.0, 8.0])),
    ("place", ([[True, False, True], [False, True, True]], [7.0, 8.0])),
    ("put_along_axis", (np.array([[1], [0]]), 9.0, 1)), ("put_along_axis", (np.array([1, 4]), [1.0, 2.0], None)),
    ("fill_diagonal", (5.0,)), ("fill_diagonal", ([7.0, 8.0],)),
])
def test_functions_that_write_into_their_argument(name, arguments):
    """The variable gets other values, as by x[...] = v; what was made from it before keeps the old ones."""
    want = np.arange(6.0).reshape(2, 3)
    for function in (getattr(np, name), getattr(lathe, name)):
        x = lathe.asarray(np.arange(6.0).reshape(2, 3))
        y = x * 1
        assert function(x, *arguments) is None
        wanted = want.copy()
        getattr(np, name)(wanted, *arguments)
        assert np.array_equal(x, wanted) and np.array_equal(y, want)
    into = np.zeros(2)
    np.copyto(into, lathe.asarray([1.0, 2.0]))
    assert into.tolist() == [1, 2]


def test_writing_is_refused_where_assignment_is():
    with pytest.raises(TypeError) as caught:
        lathe.copyto(lathe.arange(3), lathe.ones(3))
    assert said(caught).startswith("copyto: the result is float64, and cannot be kept in an array of int64")
    with pytest.raises(TypeError) as caught:
        lathe.put(np.zeros(3), 0, 1)
    assert said(caught) == ("put: writes into an array of lathe, not into ndarray\n"
                            "  help: np.put writes into NumPy's")


def test_methods_that_change_the_array():
    x = lathe.asarray([3.0, 1.0, 2.0])
    y = x + 0
    x.sort()
    assert x.tolist() == [1, 2, 3] and y.tolist() == [3, 1, 2]
    x.fill(7)
    assert x.tolist() == [7, 7, 7] and x.tobytes() == np.full(3, 7.0).tobytes()
    with pytest.raises(AttributeError, match=r"^arrays of lathe have no 'view'\n  help: NumPy's have: np.asarray\(x\).view$"):
        x.view("int64")
    with pytest.raises(AttributeError, match="^arrays of lathe have no 'relu'$"):
        x.relu()


@pytest.mark.parametrize("call, class_, text", [
    (lambda: lathe.asarray([[1], [1, 2]]), ValueError, "asarray: setting an array element with a sequence."),
    (lambda: lathe.sum([[1], [1, 2]]), ValueError, "sum: setting an array element with a sequence."),
    (lambda: lathe.einsum(3, lathe.ones(3)), TypeError, "einsum: the labels of axes are a str, or lists of ints from 0 to 51, not f64(3,)"),
    (lambda: lathe.pad(lathe.ones(3), 1, mode=4), TypeError, "pad: expected a str, not 4"),
    (lambda: lathe.asarray(2**70), OverflowError, "asarray: an int does not fit 64 bits"),
    (lambda: lathe.ones(3).sum(axis="a"), TypeError, "sum: expected an int, not 'a'"),
    (lambda: lathe.ones(3).sum(axis=1.0), TypeError, "sum: expected an int, not 1.0"),
    (lambda: lathe.ones(3)["a"], IndexError,
     "index: only integers, slices, ..., None and arrays of integers or bools are indices, not str"),
])
def test_arguments_of_the_wrong_type(call, class_, text):
    with pytest.raises(class_) as caught:
        call()
    assert said(caught).startswith(text)


def test_functions_that_lathe_does_not_have_get_the_values():
    x = lathe.asarray([3.0, 1.0, 2.0])
    assert isinstance(np.fft.rfft(x), np.ndarray)
    np.testing.assert_allclose(np.fft.rfft(x), np.fft.rfft([3.0, 1.0, 2.0]))


DTYPES = ("bool", "int8", "int16", "int64", "uint8", "uint64", "float16", "float32", "float64")


@pytest.mark.parametrize("name", ["add", "multiply", "true_divide", "floor_divide"])
@pytest.mark.filterwarnings("ignore")
def test_in_place_operators_cast_as_numpy_does(name):
    operator = {"add": "__iadd__", "multiply": "__imul__", "true_divide": "__itruediv__",
                "floor_divide": "__ifloordiv__"}[name]
    for left in DTYPES:
        for right in DTYPES:
            x, y = np.array([1, 0, 1], left), np.array([1, 1, 1], right)
            lazy, other = lathe.asarray(x.copy()), lathe.asarray(y)
            try:
                getattr(x, operator)(y)
            except TypeError:
                with pytest.raises(TypeError):
                    getattr(lazy, operator)(other)
                continue
            getattr(lazy, operator)(other)
            assert lazy.dtype == x.dtype, (left, right)
            with quickly():
                np.testing.assert_array_equal(np.asarray(lazy), x)


def test_in_place_with_numbers_and_out():
    x = lathe.asarray(np.ones(2, "float32"))
    x += lathe.asarray(np.full(2, 1e-12))
    assert x.dtype == np.float32 and x.tolist() == [1, 1]
    target = np.zeros(2, "float32")
    lathe.add(lathe.asarray([1.0, 2.0]), 1.0, out=target)
    assert target.tolist() == [2, 3]
    with pytest.raises(TypeError) as caught:
        lathe.add(lathe.asarray([1.0, 2.0]), 1.0, out=np.zeros(2, "int64"))
    assert said(caught) == ("out: the result is float64, and cannot be kept in an array of int64 (NumPy's rule "
                            "same_kind)\n  help: convert with astype first, or write x = x op y")


POWERS = [0, 1, 2, 3, 200, -1, True, False, 0.5, 2.0, np.int8(2), np.int64(2), np.float32(2), np.bool_(True), np.array(2)]


@pytest.mark.parametrize("of", [np.array([True, False, True]), np.array(False)], ids=["vector", "number"])
@pytest.mark.parametrize("other", [*POWERS, np.array([False, False, True]), np.array([1, 0, 3], "uint8")], ids=repr)
def test_powers_of_bools(of, other):
    """b ** 2 is int8 in NumPy, b ** 3 int64; and power(b, 2) is int64, too."""
    lazy, to = lathe.asarray(of), lathe.asarray(other) if isinstance(other, (np.ndarray, np.generic)) else other
    ways = (lambda m, x, y: x ** y, lambda m, x, y: y ** x, lambda m, x, y: m.power(x, y), lambda m, x, y: m.pow(x, y))
    for way in ways:
        try:
            with np.errstate(divide="ignore"):
                expected = np.asarray(way(np, of, other))
        except ValueError as refused:
            assert str(refused) == "Integers to negative integer powers are not allowed."
            with pytest.raises(ValueError) as caught:
                way(lathe, lazy, to)
            assert said(caught) == ("power: integers to negative integer powers are not allowed\n"
                                    "  help: convert the base to a float first")
            continue
        np.testing.assert_array_equal(np.asarray(way(lathe, lazy, to)), expected, strict=True)
    assert lathe.function(lambda x: x ** 2)(of).dtype == np.int8
    assert lathe.function(lambda x, n=2: x ** n)(of).dtype == np.int8


def test_powers_of_bools_in_place():
    b = lathe.asarray(np.array([True, False]))
    with pytest.raises(TypeError) as caught:
        b **= 2
    assert said(caught) == ("power: the result is int64, and cannot be kept in an array of bool (NumPy's rule "
                            "same_kind)\n  help: convert with astype first, or write x = x op y")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_sign_of_zeros(dtype):
    x = np.array([-0.0, 0.0, -3, 2, np.nan, -np.inf], dtype)
    mine = np.asarray(lathe.sign(lathe.asarray(x)))
    np.testing.assert_array_equal(mine, np.sign(x), strict=True)
    assert not np.signbit(mine[:2]).any()


DOCS = pathlib.Path(__file__).parents[2] / "docs"


def names_of_the_standard():
    import standard

    return {n for table in vars(standard).values() if isinstance(table, dict) for n in table}


def test_the_page_lists_the_names_that_are_there():
    known = names_of_the_standard()
    there = {n for n in dir(lathe) if not n.startswith("_") and hasattr(np, n) and n not in known
             and callable(getattr(lathe, n)) and not isinstance(getattr(lathe, n), type)} - {"size"}
    if hasattr(np, "trapezoid"):
        page = (DOCS / "array-api.md").read_text()
        section = page.partition("## NumPy's names besides")[2].partition("And `linalg.norm`")[0]
        listed = {n for line in section.splitlines() if line.startswith("`") for n in re.findall(r"`(\w+)`", line)}
        assert listed == there


def test_a_page_names_every_function():
    """NumPy's or not: who reads the pages finds all that is public."""
    import standard

    named = set()
    for page in ("array-api.md", "python.md", "python-stencils.md"):
        for code in re.findall(r"```.*?```|`[^`\n]+`", (DOCS / page).read_text(), re.S):
            named.update(re.findall(r"\w+", code))
    known = {lathe: names_of_the_standard(), lathe.linalg: set(standard.SIGNATURES["linalg"]), lathe.random: set()}
    for module, of_the_standard in known.items():
        there = {n for n in module.__all__ if callable(getattr(module, n)) and not isinstance(getattr(module, n), type)}
        assert there - of_the_standard - named == set(), f"{module.__name__}: no page of docs/ names these"
