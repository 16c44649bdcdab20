# SPDX-License-Identifier: Apache-2.0
"""What a newcomer tried with lengths that are symbols: sizes as numbers, masks, lengths that turn out to be 1."""

import numpy as np
import pytest
from messages import said

import lathe


def test_sizes_that_functions_return_are_ints():
    f = lathe.function(lambda x: (x.shape[0], x.shape))
    for n in (3, 1, 0, 7):
        found = f(np.ones((n, 2)))
        assert found == (n, (n, 2)) and all(type(length) is int for length in (found[0], *found[1]))
    assert f.trace_count == 1
    positive = lathe.function(lambda x: x[x > 0].shape[0])
    assert [positive(np.array(x)) for x in ([1.0, -1, 2], [-1.0], [5.0, 4, 3, -1])] == [2, 0, 3]
    mixed = lathe.function(lambda x: {"rows": 2 * x.shape[0] + 1, "more": [x + 1, lathe.ones((2, 5)).shape]})
    found = mixed(np.ones(4))
    assert found["rows"] == 9 and found["more"][1] == (2, 5) and type(found["more"][1][0]) is int
    assert np.array_equal(found["more"][0], np.full(4, 2.0))
    for rows, columns in ((1, 3), (2, 3)):  # traced by lengths
        reshaped = lathe.function(lambda x, y: (x.reshape(y.shape), x.shape, y.shape))
        assert reshaped(np.ones(rows * columns), np.ones((rows, columns)))[1:] == ((rows * columns,), (rows, columns))


@pytest.mark.parametrize("formula", [
    "1.0 / n", "n / 2", "2 / n", "n ** 0.5", "n ** 2", "2 ** n", "n * 0.5", "n - 1.0", "1.0 - n", "2 * np.pi / n",
    "np.float64(2) * n", "np.float32(2) * n", "np.sqrt(n)", "n / n", "n // 2.0", "abs(n - 7)", "np.ones(2) * n",
    "n * np.ones(2)", "np.maximum(n, 3)"])
def test_arithmetic_of_sizes_that_makes_arrays(formula):
    with_size = lathe.function(lambda x: eval(formula, {"np": np, "n": x.shape[0]}))
    with_array = lathe.function(lambda x: eval(formula, {"np": np, "n": lathe.asarray(x.shape[0])}))
    for n in (4, 5):
        found, same = with_size(np.ones(n)), with_array(np.ones(n))
        assert found.dtype == same.dtype and found.shape == same.shape
        assert np.allclose(found, eval(formula, {"np": np, "n": n})) and found.tolist() == same.tolist()


@pytest.mark.parametrize("formula", [
    "n + 1", "1 - n", "-n", "+n", "3 * n * n", "7 // n", "n % 3", "np.int64(2) * n", "n - np.int32(1)",
    "np.int64(7) % n", "divmod(n, 2)[1]"])
def test_arithmetic_of_sizes_that_stays_exact(formula):
    assert isinstance(eval(formula, {"np": np, "n": lathe.size("n")}), lathe.Size)
    f = lathe.function(lambda x: eval(formula, {"np": np, "n": x.shape[0]}))
    assert [f(np.ones(n)) for n in (4, 5)] == [eval(formula, {"np": np, "n": n}) for n in (4, 5)]


def test_sizes_without_values_are_refused():
    n = lathe.size("n")
    assert f"{n}" == "n"
    with pytest.raises(TypeError) as caught:
        f"{n:3d}"
    assert said(caught) == (
        "the size n is a symbol and has no value yet that '3d' could format\n"
        "  help: without a format its name is shown; what the function returns of it is an int")
    with pytest.raises(TypeError) as caught:
        n == np.int64(3)
    assert said(caught) == (
        "whether n is 3 is not known before there are arrays\n  help: a traced function runs once for all sizes "
        "and cannot branch on them; lathe.where chooses by values")


def without(x, m):
    x[m] = 0
    return x


def filled(x, m):
    x[m] = x[m] * 10
    return x


FIRST_AND_LAST = np.array([True, False, True])
MASKED = {
    "part": lambda x, m: x[m], "sum": lambda x, m: x[m].sum(), "compared": lambda x, m: x[m > 0],
    "length": lambda x, m: x[m].shape[0], "assigned": without, "assigned arrays": filled,
    "rows": lambda x, m: (x[:, None] * x)[m], "columns": lambda x, m: (x[:, None] * x)[:, m],
    "both": lambda x, m: (x[:, None] * x)[m[:, None] & m], "closure": lambda x, m: x[:3][FIRST_AND_LAST],
    "twice": lambda x, m: x[m][x[m] > 1]}


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("name", MASKED)
def test_masks_that_are_arguments(name, target):
    f = lathe.function(MASKED[name])
    with lathe.target(target):
        for n in (3, 5, 4):
            x, m = np.arange(1.0, n + 1), np.arange(n) % 2 == 0
            assert np.array_equal(f(x, m), MASKED[name](x.copy(), m))
    assert f.trace_count == 1


def test_masks_that_are_arguments_have_derivatives_and_lengths():
    gradient = lathe.grad(lambda x, m: (x[m] ** 2).sum())
    assert np.array_equal(gradient(np.array([1.0, 2, 3]), FIRST_AND_LAST), [2, 0, 6])
    x, m = lathe.input("x", "n"), lathe.input("m", "k", dtype="bool")
    assert np.array_equal(x[m].compute(x=np.arange(3.0), m=FIRST_AND_LAST), [0, 2])
    for length in (1, 2, 4):
        with pytest.raises(IndexError) as caught:
            x[m].compute(x=np.arange(3.0), m=np.ones(length, bool))
        assert said(caught) == (f"index: the mask bool(k,) = ({length},) does not fit, axis 0 is k = {length} and n = 3\n"
                                "  help: bind sizes that fit")


def put_whole(a, b):
    a[:, :] = b
    return a


def put_rows(a, b):
    a[[0, 2]] = b
    return a


def put_slice(a, b):
    a[1:3] = b
    return a


def put_masked(a, b):
    a[a[:, 0] > 0] = b
    return a


def added(a, b):
    if isinstance(a, np.ndarray):
        np.add.at(a, [0, 1], b)
        return a
    return lathe.add_at(a, [0, 1], b)


SPREAD = {"broadcast_to": lambda a, b: np.broadcast_to(b, a.shape), "set": put_whole, "rows": put_rows,
          "slice": put_slice, "mask": put_masked, "add_at": added}


@pytest.mark.parametrize("name", SPREAD)
def test_lengths_that_turn_out_to_be_one(name):
    f = lathe.function(SPREAD[name])
    for shape in ((4, 3), (1, 3), (4, 1), (1, 1), (2, 3), (2, 1), (4, 2)):
        a, b = np.ones((4, 3)), np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape)
        try:
            expected = SPREAD[name](a.copy(), b)
        except ValueError:
            with pytest.raises(ValueError):
                f(a, b)
        else:
            assert np.array_equal(f(a, b), expected)
    assert f.trace_count == 1


def test_lengths_that_do_not_fit():
    f = lathe.function(lambda a, b: lathe.broadcast_to(b, a.shape))
    with pytest.raises(ValueError) as caught:
        f(np.ones((4, 3)), np.ones((2, 3)))
    assert said(caught) == ("broadcast_to: shapes cannot be broadcast together: f64(b_0, b_1) = (2, 3) and "
                            "(a_0, a_1) = (4, 3), axis 0 is a_0 = 4 and b_0 = 2\n"
                            "  help: lengths must be equal, or one of them 1")
    with pytest.raises(ValueError) as caught:
        f(np.ones((1, 3)), np.ones((4, 3)))
    assert said(caught) == ("broadcast_to: f64(b_0, b_1) = (4, 3) cannot be broadcast to (a_0, a_1) = (1, 3), axis 0 "
                            "is spread(a_0, b_0) = 4 and a_0 = 1")


def test_derivatives_of_lengths_that_turn_out_to_be_one():
    gradient = lathe.grad(lambda a, b: (put_whole(a * 1, b) * a).sum() + (lathe.broadcast_to(b, a.shape) * a).sum(),
                          argnums=1)
    for shape, axes in (((4, 3), ()), ((1, 3), 0), ((4, 1), 1), ((1, 1), (0, 1))):
        assert np.array_equal(gradient(np.ones((4, 3)), np.ones(shape)),
                              2 * np.ones((4, 3)).sum(axis=axes, keepdims=True))


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("labels, shapes", [
    ("ij,j->i", [((3, 1), (5,)), ((3, 5), (5,)), ((3, 5), (1,)), ((3, 1), (1,))]),
    ("ij,jk,kl->il", [((3, 1), (5, 2), (2, 4)), ((3, 5), (5, 1), (2, 4)), ((3, 1), (1, 1), (2, 4))])])
def test_summed_lengths_that_turn_out_to_be_one(labels, shapes, target):
    f = lathe.function(lambda *factors: lathe.einsum(labels, *factors))
    with lathe.target(target):
        for given in shapes:
            factors = [np.arange(1.0, 1 + np.prod(shape)).reshape(shape) for shape in given]
            assert np.array_equal(f(*factors), np.einsum(labels, *factors))
    assert f.trace_count == 1


@pytest.mark.parametrize("first, then", [(1, 2), (2, 1)])
@pytest.mark.parametrize("axes", [(1, 3), (4, 1)])
def test_one_matrix_for_a_batch_of_any_length(first, then, axes):
    batch = lathe.input("x", (lathe.size("m"), *axes[:1], lathe.size("n")))
    matrix = np.arange(1.0, 1 + axes[1] * 3).reshape(1, 3, axes[1])
    product = lathe.matmul(batch, lathe.asarray(matrix))
    for m in (first, then):
        x = np.arange(1.0, 1 + m * axes[0] * 3).reshape(m, axes[0], 3)
        assert np.array_equal(product.compute(x=x), x @ matrix)


def test_derivatives_through_slices_that_meet_numbers():
    r = np.random.default_rng(3)
    x, w, u = r.random((3, 4, 2)), r.random((2, 6)), r.random((3, 6))

    def loss(w, u, x):
        h = lathe.zeros((4, 3))
        for t in range(3):
            z = x[t] @ w + h @ u
            h = lathe.tanh(z[:, :3]) * z[:, 3:]
        return lathe.sum(h * h)

    value, gradient = lathe.value_and_grad(loss)(w, u, x)
    for at in ((0, 0), (1, 5)):
        more, less = w.copy(), w.copy()
        more[at] += 1e-6
        less[at] -= 1e-6
        slope = (float(loss(more, u, lathe.asarray(x))) - float(loss(less, u, lathe.asarray(x)))) / 2e-6
        assert abs(float(gradient[at]) - slope) < 1e-6 * abs(slope) + 1e-8


@pytest.mark.parametrize("edge_order", [1, 2])
def test_gradient_of_an_axis_that_turns_out_to_be_too_short(edge_order):
    rows = lathe.function(lambda x: lathe.gradient(x, 0.5, axis=1, edge_order=edge_order))
    for length in (20, 5, edge_order + 1):
        x = np.random.default_rng(length).random((3, length))
        assert np.allclose(rows(x), np.gradient(x, 0.5, axis=1, edge_order=edge_order), rtol=1e-14, atol=0)
    with pytest.raises(IndexError) as caught:
        rows(np.ones((3, edge_order)))
    assert said(caught) == (f"index: index {edge_order} is out of range for an axis of length x_1 = {edge_order}: "
                            f"f64(x_0, x_1) = (3, {edge_order}), axis 1")
    at = np.array([0.0, 1, 3, 4])
    uneven = lathe.function(lambda x, t: lathe.gradient(x, t, edge_order=edge_order))
    assert np.allclose(uneven(at ** 2, at), np.gradient(at ** 2, at, edge_order=edge_order))


def test_interp_has_a_slope_at_its_points():
    at, values = np.array([0.0, 1, 3, 4]), np.array([0.0, 2, 2, -1])
    slope = lathe.grad(lambda x: lathe.interp(x, at, values).sum())
    x = np.array([-1.0, 0, 0.5, 1, 2, 3, 3.5, 4, 5])
    assert np.array_equal(slope(x), [0, 2, 2, 0, 0, -3, -3, 0, 0])
    assert np.array_equal(lathe.interp(x, at, values), np.interp(x, at, values))
    steep = np.array([1.0, 2, 2, 3]), np.array([0.0, 1, 5, 6])  # a step: the value behind it
    assert np.array_equal(lathe.interp([1.0, 1.5, 2, 2.5, 3], *steep), np.interp([1.0, 1.5, 2, 2.5, 3], *steep))
    infinite = np.array([0.0, 1, 2]), np.array([0.0, np.inf, 3])
    found, wanted = lathe.interp([0.0, 1, 2], *infinite), np.interp([0.0, 1, 2], *infinite)
    assert np.array_equal(found, wanted)
    ends = np.array([-np.inf, 0, 1, np.inf]), np.array([5.0, 2, 3, 7])
    assert np.array_equal(lathe.interp([-np.inf, 0, 0.5, 1, np.inf], *ends), [5, 2, 2.5, 3, 7])
