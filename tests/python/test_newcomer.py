# SPDX-License-Identifier: Apache-2.0
"""What a newcomer tried and found wrong."""

import pickle

import itertools

import numpy as np
import pytest
from messages import said

import lathe
from lathe.gtscript import PARALLEL, Field, computation, interval


def doubled(x):
    x *= 2
    return (x * x).sum()


def assigned(x):
    x[1:3] = x[0] * x[0]
    return (x * x).sum()


@lathe.function
def negated(x):
    x *= -1
    return x


def test_derivatives_of_functions_that_assign():
    x = np.arange(1.0, 5)
    assert np.array_equal(lathe.grad(doubled)(x), 8 * x)
    assert np.array_equal(lathe.grad(assigned)(x), [10, 0, 0, 8])
    value, gradient = lathe.value_and_grad(doubled)(x)
    assert float(value) == 120 and np.array_equal(gradient, 8 * x)


def test_a_function_called_by_a_function_keeps_its_hands_off():
    def twice(x):
        return negated(x) + negated(x)

    assert np.array_equal(lathe.function(twice)(np.ones(2)), [-2, -2])


@pytest.mark.parametrize("f, expected", [
    (lambda x: x.sum(), [1, 1, 1]), (lambda x: x.mean() * 3, [1, 1, 1]),
    (lambda x: x[[0, 0, 2]].sum(), [2, 0, 1]), (lambda x: (x + 2).sum(), [1, 1, 1])])
def test_derivatives_that_do_not_read_the_array(f, expected):
    assert np.allclose(lathe.grad(f)(np.ones(3)), expected)


def test_only_the_shape_is_read():
    zeros = lathe.function(lambda x: lathe.zeros_like(x))
    for n in (0, 1, 3, 40):
        assert np.array_equal(zeros(np.ones(n)), np.zeros(n))


@pytest.mark.parametrize("n", [3, 30])
def test_derivatives_with_arrays_from_outside(n):
    target, x = np.ones(n), np.arange(float(n))
    gradient = lathe.grad(lambda w: lathe.mean((w - target) ** 2))
    for scale in (1, 2):
        assert np.allclose(gradient(scale * x), 2 * (scale * x - target) / n)


def test_decorated_functions_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(negated)) is negated


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "uint64", "float32", "float64", lathe.bfloat16])
def test_arrays_without_axes_are_pickled(dtype, protocol):
    for x in (lathe.sum(lathe.ones(3)), lathe.ones((2, 3)).T, lathe.ones((0, 2))):
        x = x.astype(dtype)
        found = pickle.loads(pickle.dumps(x, protocol))
        assert found.shape == x.shape and found.dtype == x.dtype
        assert found.tolist() == x.tolist()


def test_words_of_the_language_are_names_like_others():
    f = lathe.function(lambda input, sum, where: input * 2 + sum - where)
    assert np.array_equal(f(np.ones(3), np.ones(3), 1.5), [1.5, 1.5, 1.5])


def test_many_axes():
    assert (lathe.ones((1,) * 17) + 1).compute().shape == (1,) * 17


def test_functions_do_not_branch_on_sizes():
    with pytest.raises(TypeError, match="whether x_0 is 5 is not known"):
        lathe.function(lambda x: x if x.shape[0] == 5 else -x)(np.ones(5))


def test_numbers_that_do_not_fit():
    x = lathe.zeros(3, dtype="uint8")
    with pytest.raises(OverflowError) as refused:
        x[0] = 300
    assert said(refused) == "set: 300 does not fit into uint8, which holds 0 to 255"
    with pytest.raises(OverflowError) as refused:
        lathe.full(3, -129, dtype="int8")
    assert said(refused) == "full: -129 does not fit into int8, which holds -128 to 127"
    assert np.array_equal(x, [0, 0, 0])


def test_assignments_keep_the_shape():
    @lathe.function
    def add(a, b):
        a += b
        return a

    assert np.array_equal(add(np.ones(5), np.ones(1)), np.full(5, 2.0))
    with pytest.raises(lathe.ArgumentError):
        add(np.ones(1), np.ones(5))


def test_bytes_in_the_other_order():
    with pytest.raises(TypeError) as refused:
        lathe.asarray(np.ones(3, ">f8"))
    assert said(refused) == (
        "asarray: Lathe has no arrays of >f8\n"
        "  help: turn the bytes with x.astype(x.dtype.newbyteorder(\"=\"))")


@pytest.mark.parametrize("label", ["my axis", "lat (deg)", "größe", "sum", "for", "2x", "a.b", "°", "i"])
def test_axes_of_any_name(label):
    x = lathe.asarray(np.arange(60.0).reshape(3, 20)).named(label, "j")
    assert x.labels == (label, "j") and (x * 2).labels == (label, "j")
    assert np.array_equal((x * 2 + x).sum(axis=1), 3 * np.arange(60.0).reshape(3, 20).sum(axis=1))
    y = x * 2
    assert f"[{label}, j]" in repr(y.compute()) and y.program() and y.listing() and y.domain()


def test_axes_of_a_data_array():
    xarray = pytest.importorskip("xarray")
    a = xarray.DataArray(np.ones((2, 3)), dims=("my lat", "länge"))
    assert lathe.function(lambda x: x * 2)(a).dims == ("my lat", "länge")


@pytest.mark.parametrize("name", ["sum", "for", "input", "size", "f64", "n"])
def test_words_of_the_language_as_names(name):
    x = lathe.input("x" if name != "x" else "y", (lathe.size(name), name))
    assert str(x.shape) == f"({name}, {name})"
    assert (x + 1).compute(x=np.zeros((2, 2))).tolist() == [[1, 1], [1, 1]]
    u = lathe.input(name, ("k",))
    assert (u * lathe.asarray(u.shape[0])).compute({name: np.ones(3)}).tolist() == [3, 3, 3]


def test_names_that_are_none():
    for make in (lambda: lathe.size("my n"), lambda: lathe.input("x", ("my n",))):
        with pytest.raises(ValueError) as refused:
            make()
        assert said(refused) == ("size: 'my n' is not a name\n"
                                 "  help: use letters, digits and _, and begin with no digit")
    for call, text in {lambda: lathe.size(3): "size: a name is a str, not 3",
                       lambda: lathe.input(None): "input: a name is a str, not None",
                       lambda: lathe.scalar(2.0): "scalar: a name is a str, not 2.0",
                       lambda: lathe.ones(2).named(5): "named: the name of an axis is a str or None, not 5"}.items():
        with pytest.raises(TypeError) as refused:
            call()
        assert said(refused) == text


def test_listings_of_pinned_arrays_that_are_there():
    data, u = lathe.asarray(np.ones((20, 30))), lathe.input("u", ("n",))
    assert (data.pin() * 2).listing() == (
        "for i\n  for j\n    <> x0_i_j = x0[i, j]  {id=x0_i_j}\n    c[i, j] = x0_i_j * 2.0  {dep=x0_i_j}\n  end\nend\n")
    assert (u.pin() * 2).listing() == "for i\n  <> u_i = u[i]  {id=u_i}\n  c[i] = u_i * 2.0  {dep=u_i}\nend\n"
    assert np.array_equal(data.pin() * 2, np.full((20, 30), 2.0))
    for y in (lathe.cumsum(u).pin() * 2, lathe.sort(u).pin() + 1, u[u > 0].pin() + 1, u[u > 0] + 1,
              lathe.nonzero(u)[0]):
        assert y.listing() and y.domain() and "loops" in y._repr_html_()


def test_branches_on_values_of_a_traced_function():
    @lathe.function
    def f(x):
        if x.sum() > 0:
            return x
        return -x

    with pytest.raises(ValueError) as refused:
        f(np.ones(3))
    assert said(refused) == (
        "the values of this array are not known yet: it depends on x, x_0\n"
        "  help: compute(name=value) gives them. In a traced function lathe.where(condition, a, b) chooses by "
        "values; what `if`, `range` and float() ask must be a static argument: an int, a bool or a str")
    with pytest.raises(TypeError) as refused:
        lathe.function(lambda x: x if x.shape[0] > 2 else -x)(np.ones(3))
    assert said(refused) == (
        "whether x_0 is more than 2 is not known before there are arrays\n  help: a traced function runs once for all "
        "sizes and cannot branch on them; lathe.where chooses by values")


def test_sizes_compare():
    n = lathe.size("n")
    assert n == n and not n < n and n <= n and n >= n and not n > n
    known = lathe.asarray(np.ones(20)).shape[0]
    assert known > 19 and known <= 20 and not known < 20


def test_names_that_compute_does_not_know():
    x, dt = lathe.input("x", ("n",)), lathe.scalar("dt")
    with pytest.raises(TypeError) as refused:
        (x * dt).compute(x=np.ones(3), dt=1.0, dtt=2.0)
    assert said(refused) == ("compute: there is no input, scalar or size 'dtt'\n"
                             "  help: those without a value are x, n, dt")
    with pytest.raises(TypeError) as refused:
        lathe.compute(lathe.ones(3), lathe.ones(2), q=3)
    assert said(refused) == "compute: got a value for 'q', and needs none"
    with pytest.raises(ValueError) as refused:
        (x * dt).compute(x=np.ones(3), dt=np.ones(3))
    assert said(refused) == ("scalar 'dt' is one number, and an array is given\n"
                             "  help: what varies is an input with axes")
    with pytest.raises(ValueError) as refused:
        (x * dt).compute(x=3.0, dt=1.0)
    assert said(refused) == ("input 'x' is an array, and a number is given\n"
                             "  help: give an array of shape (n,) for it")
    a, b = lathe.compute(x * 2, dt + 1, x=np.ones(2), dt=3)
    assert a.tolist() == [2, 2] and b.item() == 4


def test_the_inverse_of_a_singular_matrix():
    with pytest.raises(np.linalg.LinAlgError) as refused:
        lathe.linalg.inv(np.zeros((2, 2))).compute()
    assert refused.value.message == "inv: the matrix is singular"
    with pytest.raises(np.linalg.LinAlgError) as refused:
        lathe.linalg.solve(np.zeros((2, 2)), np.ones(2)).compute()
    assert refused.value.message == "solve: the matrix is singular"


@pytest.mark.parametrize("call, text", [
    (lambda: negated(), "negated(): missing a required argument: 'x'"),
    (lambda: negated(1, 2), "negated(): too many positional arguments"),
    (lambda: negated(1, y=2), "negated(): got an unexpected keyword argument 'y'"),
    (lambda: lathe.function(3), "function: takes a function, not 3"),
    (lambda: lathe.function(lambda x: x + np.zeros(x.shape))(np.ones(3)),
     "the size x_0 is a symbol and has no value yet\n  help: use it as it is in shapes, lathe.zeros(x.shape), and "
     "arithmetic; lathe.asarray(size) is an array that holds it. len(), range() and `for row in x` need a length that "
     "is known"),
])
def test_calls_of_functions_that_are_wrong(call, text):
    with pytest.raises(TypeError) as refused:
        call()
    assert said(refused) == text


def test_a_function_without_a_name():
    import functools

    f = lathe.function(functools.partial(lambda x, y: x * y, y=2.0))
    assert repr(f) == "<lathe.function partial>" and f(np.ones(2)).tolist() == [2, 2]


def test_a_dataset_is_many_arrays():
    xarray = pytest.importorskip("xarray")
    data = xarray.Dataset({"t": ("x", np.ones(3))})
    f = lathe.function(lambda d: d["t"] * 2)
    with pytest.raises(TypeError) as refused:
        f(data)
    assert said(refused) == ("a Dataset is many arrays: give those that the function needs\n"
                             "  help: dict(dataset.data_vars) holds them by name")
    assert f(dict(data.data_vars)).dims == ("x",)


def test_lists_are_operands():
    x = lathe.asarray([1, 2])
    for found, wanted in [(x == [1, 2], [True, True]), (x != (1, 3), [False, True]), (x + [1.5, 2], [2.5, 4.0]),
                          ([1, 2] - x, [0, 0]), (lathe.asarray(2) * [1, 2, 3], [2, 4, 6]), (x < [2, 2], [True, False]),
                          (x @ [3, 4], 11), (lathe.where(x == [0, 2], x, -1), [-1, 2])]:
        assert np.array_equal(np.asarray(found), wanted)


def test_functions_of_integers_that_would_wrap():
    u, i8, i32 = np.uint32, np.int8, np.int32
    cases = [
        (np.logaddexp, [np.array([1], u), np.array([4], u)]),
        (np.isclose, [np.array([5], u), np.array([2**32 - 1], u)]),
        (np.isclose, [np.array([0]), np.array([-2**63])]),
        (np.isclose, [np.array([True]), np.array([True])]),
        (np.hypot, [np.array([-128], i8), np.array([0], i8)]),
        (np.hypot, [np.array([np.nan, np.inf, -np.inf, 3.0]), np.array([np.inf, np.nan, 1.0, 4.0])]),
        (np.fabs, [np.array([-128, 5], i8)]),
        (np.sinc, [np.array([0, 100], i8)]),
        (np.sinc, [np.array([0.0, 0.5])]),
        (np.diag, [np.array([1.0, np.nan, np.inf, -2.0])]),
        (np.cov, [np.zeros((2, 5), np.float32) + np.arange(5)]),
    ]
    for function, arguments in cases:
        found = np.asarray(function(*[lathe.asarray(a) for a in arguments]))
        assert np.allclose(found, function(*arguments), rtol=1e-6, atol=1e-16, equal_nan=True), (function, arguments)
    x, w = np.array([100000, 3], i32), np.array([100000, 1], i32)
    assert float(lathe.average(lathe.asarray(x), weights=lathe.asarray(w))) == np.average(x, weights=w)
    assert np.asarray(lathe.fabs(lathe.asarray(np.array([-128], i8)))).dtype == np.float16
    assert np.asarray(lathe.cov(lathe.asarray(np.ones((2, 5), np.float32)))).dtype == np.float64
    assert np.isnan(np.asarray(lathe.cov(lathe.asarray(np.zeros((2, 0)))))).all()
    assert not np.signbit(np.asarray(lathe.diag(lathe.asarray([-1.0, -2.0])))[0, 1])


def test_correlate_is_centred_on_the_longer_one():
    rng = np.random.default_rng(3)
    for n, m in [(2, 4), (4, 2), (3, 5), (5, 5), (1, 4)]:
        a, v = rng.standard_normal(n), rng.standard_normal(m)
        for mode in ["full", "same", "valid"]:
            found = np.asarray(lathe.correlate(lathe.asarray(a), lathe.asarray(v), mode))
            assert np.allclose(found, np.correlate(a, v, mode)), (n, m, mode)


def test_fromfunction_counts_in_floats():
    found = np.asarray(lathe.fromfunction(lambda i, j: i / 2 + j, (3, 2)))
    assert found.dtype == np.float64 and np.array_equal(found, np.fromfunction(lambda i, j: i / 2 + j, (3, 2)))
    assert np.asarray(lathe.fromfunction(lambda i: i, (3,), dtype=lathe.int32)).dtype == np.int32


@pytest.mark.parametrize("how", [
    {"bins": [0, 1, 2, 5]}, {"bins": [0, 1, 2, 5], "density": True}, {"bins": np.array([0, 1, 1, 5.0]), "weights": True},
    {"bins": 4, "range": (0, 4), "weights": True, "density": True}, {"bins": [2.0, 2.0]}])
def test_histograms(how):
    x = np.array([1, 2, 3, 5, 5, 0.5, -1, np.nan, 2])
    if "weights" in how:
        how = {**how, "weights": np.arange(9.0)}
    theirs = np.histogram(x, **how)
    for ours in (lathe.histogram(lathe.asarray(x), **how), np.histogram(lathe.asarray(x), **how)):
        np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-15)
        np.testing.assert_array_equal(ours[1], theirs[1])
        assert ours[0].dtype == theirs[0].dtype


def test_histograms_that_cannot_be():
    x = lathe.asarray([1.0, 2])
    for bins, text in (([2, 1], "the ends of bins must not fall\n  help: sort them"),
                       ([1], "the ends of bins are an array with one axis and two elements or more, "
                             "not 1 axes and 1 elements"),
                       ("auto", "'auto' chooses bins by the data\n"
                                "  help: np.histogram_bin_edges(np.asarray(x), bins) gives their ends")):
        with pytest.raises(lathe.ArgumentError) as refused:
            lathe.histogram(x, bins)
        assert said(refused) == "histogram: " + text
    with pytest.raises(lathe.ArgumentError) as refused:
        lathe.bincount(lathe.asarray([3, -1, 2]))
    assert said(refused) == ("bincount: counts integers from 0 on, and -1 is among them\n"
                             "  help: add what makes the least of them 0")


def test_rows_that_occur_and_matrices_of_one_row():
    a = np.array([[3, 4], [1, 2], [3, 4]])
    theirs = np.unique(a, return_counts=True, axis=0)
    for ours in (lathe.unique(lathe.asarray(a), return_counts=True, axis=0),
                 np.unique(lathe.asarray(a), return_counts=True, axis=0)):
        assert all(np.array_equal(x, y) for x, y in zip(ours, theirs))
    x = np.arange(1.0, 4)
    for k in (-1, 0, 1):
        assert np.array_equal(np.triu(lathe.asarray(x), k), np.triu(x, k))
        assert np.array_equal(np.tril(lathe.asarray(x), k), np.tril(x, k))


def test_products_of_stacks_whose_lengths_may_be_one():
    m = lathe.size("m")
    a, b = lathe.input("a", (m, 2, 3)), lathe.input("b", (m + 1, 3, 2))
    x, y = np.arange(6.0).reshape(1, 2, 3), np.arange(12.0).reshape(2, 3, 2)
    assert np.array_equal((a @ b).compute(a=x, b=y), x @ y)
    with pytest.raises(lathe.ArgumentError):
        (a @ b).compute(a=np.ones((2, 2, 3)), b=np.ones((3, 3, 2)))


def test_sizes_that_are_values_keep_their_names():
    k = lathe.size("k")
    c, b = lathe.input("c", (lathe.size("n"), k)), lathe.input("b", (lathe.size("n"),))
    rows = lathe.nonzero(c)[0]
    x, y = np.array([[0.0, 1, 0], [2, 0, 3]]), np.array([0.0, 1])
    some, sums = lathe.any(b), lathe.cumulative_sum(rows)
    assert bool(some.compute(b=y)) and np.array_equal(sums.compute(c=x), np.cumsum(np.nonzero(x)[0]))
    both = lathe.any(b) + lathe.cumulative_sum(rows)
    assert np.array_equal(both.compute(b=y, c=x), np.any(y) + np.cumsum(np.nonzero(x)[0]))


@pytest.mark.parametrize("step", [
    lambda u, xp: xp.concatenate([u[:1], u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:]), u[-1:]]),
    lambda u, xp: u + 0.25 * (xp.roll(u, 1) - 2 * u + xp.roll(u, -1)),
    lambda u, xp: xp.where(xp.roll(u, 1) > xp.roll(u, -1), xp.roll(u, 2), 0.5 * (u + xp.roll(u, -2)))])
def test_programs_grow_with_the_steps_of_a_loop_over_time(step):
    x = np.random.default_rng(1).integers(0, 64, 50) / 64.0
    lengths = []
    for steps in (10, 20, 40):
        ours, theirs = lathe.asarray(x), x
        for _ in range(steps):
            ours, theirs = step(ours, lathe), step(theirs, np)
        lengths.append(len(ours.program()))
    np.testing.assert_allclose(ours, theirs, rtol=1e-13)
    assert lengths[2] < 2.5 * lengths[1] < 6.5 * lengths[0]


def test_lengths_that_hold_each_other_are_short_texts():
    u = lathe.input("u", (lathe.size("n"),))
    for _ in range(40):
        u = lathe.concatenate([u[:3], u[2:-2], u[-5:]])
    assert len(str(u.shape)) < 2000
    assert u.compute(u=np.arange(20.0)).shape == (180,)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8])
def test_divisors_of_the_least_integer(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    a = np.array([6, most, least, least, 0, least, 12, least + 1], dtype)
    b = np.array([least, least, 6, least, least, 0, 18, least], dtype)
    with np.errstate(all="ignore"), lathe.target("interpreter"):  # dozens of steps: long to compile
        assert np.array_equal(lathe.gcd(lathe.asarray(a), lathe.asarray(b)), np.gcd(a, b))
        assert np.array_equal(lathe.lcm(lathe.asarray(a), lathe.asarray(b)), np.lcm(a, b))
    assert lathe.gcd(lathe.asarray(a), 4).dtype == dtype


@lathe.stencil
def neighbours(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a[-1, 0, 0] + a[1, 0, 0]


@lathe.stencil
def upwind_sum(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        c = a[-1, 0, 0] + b[2, 0, 0]


def test_one_point_has_one_index_in_arrays_of_one_shape():
    a, out = np.arange(6.0)[:, None, None], np.full((6, 1, 1), -1.0)
    neighbours(a, out)
    assert np.array_equal(out[:, 0, 0], [-1, 2, 4, 6, 8, -1])
    short = np.zeros((4, 1, 1))
    neighbours(a, short)
    assert np.array_equal(short[:, 0, 0], [2, 4, 6, 8])
    out = np.full((6, 1, 1), -1.0)
    upwind_sum(a, a.copy(), out)  # one reads before, the other after
    assert np.array_equal(out[:, 0, 0], [-1, 3, 5, 7, -1, -1])
    out[:] = -1
    upwind_sum(a, a.copy(), out, domain=(4, 1, 1))
    assert np.array_equal(out[:, 0, 0], [2, 4, 6, 8, -1, -1])


@pytest.mark.parametrize("how", [
    {"prepend": 0.0}, {"append": 7}, {"prepend": 1, "append": 2.5}, {"prepend": 0, "axis": 0}, {"append": 1, "n": 2}])
@pytest.mark.parametrize("dtype", ["int64", "float64", "float32"])
def test_differences_with_numbers_before_and_after(how, dtype):
    x = np.array([[1, 5, 2], [3, 1, 4]], dtype)
    found, expected = np.diff(lathe.asarray(x), **how), np.diff(x, **how)
    assert found.dtype == expected.dtype and np.array_equal(found, expected)
    with pytest.raises(lathe.AxisError):
        lathe.diff(x, prepend=0, axis=2)


@pytest.mark.parametrize("at_zero", [0.5, np.array([1, 2, 3, 4], np.float32), np.array([1.0, 2, 3, 4])])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_heaviside_keeps_the_dtype(dtype, at_zero):
    x = np.array([-1, 0, 2, 0 if dtype == "int64" else np.nan], dtype)
    found, expected = lathe.heaviside(x, at_zero), np.heaviside(x, at_zero)
    assert found.dtype == expected.dtype and np.array_equal(found.numpy(), expected, equal_nan=True)


def test_keywords_that_choose_how_numpy_does_it():
    x = np.array([[1.0, 5, 2], [3, 1, 2]])
    lazy = lathe.asarray(x)
    for optimize in (True, False, "greedy"):
        assert np.array_equal(np.einsum("ij,kj->ik", lazy, lazy, optimize=optimize), x @ x.T)
    for kind in (None, "stable", "quicksort", "mergesort"):
        assert np.array_equal(np.sort(lazy, 0, kind), np.sort(x, 0))
        assert np.array_equal(np.argsort(lazy, kind=kind), np.argsort(x, kind="stable"))
    with pytest.raises(TypeError) as caught:
        np.sort(lazy, axis=0, order="a")
    assert said(caught) == ("np.sort with order= is not there for lazy arrays\n"
                            "  help: np.asarray(x) gives NumPy the values")


def test_diagonals_by_place():
    x = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(lathe.tril(x, -1), np.tril(x, -1)) and np.array_equal(lathe.triu(x, 1), np.triu(x, 1))
    lazy = lathe.asarray(x)
    assert np.array_equal(np.tril(lazy, 1), np.tril(x, 1)) and np.array_equal(np.triu(lazy, k=-1), np.triu(x, -1))


def test_messages_name_what_there_is():
    x = lathe.ones((2, 3))
    with pytest.raises(ValueError) as caught:
        lathe.pad(x, 1, mode="mean")
    assert said(caught) == ("pad: there is no mode 'mean'\n"
                            "  help: modes are 'constant', 'edge', 'wrap', 'reflect' and 'symmetric'")
    with pytest.raises(TypeError) as caught:
        lathe.einsum(x, [0, "j"], [1, 0])
    assert said(caught) == ("einsum: the labels of axes are a str, or lists of ints from 0 to 51, not [0, 'j']\n"
                            "  help: einsum('ij,jk->ik', a, b), or einsum(a, [0, 1], b, [1, 2], [0, 2])")


def test_infinities_stay_where_they_are():
    rows = [[np.inf, 1.0], [np.nan, 1.0], [1.0, 2.0, np.inf], [1.0], [2.0, -np.inf, 3.0, 4.0, 5.0]]
    for a, v in itertools.product(rows, rows):
        for name, mode in itertools.product(("convolve", "correlate"), ("full", "same", "valid")):
            with np.errstate(invalid="ignore"):
                want = getattr(np, name)(a, v, mode)
            np.testing.assert_array_equal(getattr(lathe, name)(lathe.asarray(a), v, mode).numpy(), want)
    for a in (*rows, [0.0, -np.inf, np.inf, np.nan], [1.0, np.inf], [np.inf, -np.inf]):
        with np.errstate(invalid="ignore"):
            assert np.array_equal(lathe.nanmedian(lathe.asarray(a)).numpy(), np.nanmedian(a), equal_nan=True), a
