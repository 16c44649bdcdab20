# SPDX-License-Identifier: Apache-2.0
"""What a newcomer tried and found wrong."""

import pickle

import numpy as np
import pytest
from messages import said

import lathe


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
