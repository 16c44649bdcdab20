# SPDX-License-Identifier: Apache-2.0
"""Lengths that are not known while a function is traced: what is refused, with which words, and what is done all the
same. Sizes as numbers, bools as indices, running extremes. (test_namespace.py has the functions one by one.)"""

import numpy as np
import pytest
from messages import said
from quickly import quickly

import lathe


@pytest.fixture(autouse=True)
def how_it_is_run():
    with quickly():
        yield


def test_parts_that_cannot_be_counted_are_refused():
    with pytest.raises(TypeError) as caught:
        lathe.function(lambda x: lathe.unstack(x)[0])(np.ones((3, 2)))
    assert said(caught) == (
        "unstack: axis 0 has length x_0, a symbol: how many parts there are is not known before there are arrays\n"
        "  help: x[0], x[1] ... are those that are needed; functions of whole arrays, with axis=, need no parts")
    for split in (lathe.split, lathe.array_split):
        with pytest.raises(TypeError) as caught:
            lathe.function(lambda x: split(x, x.shape[0]))(np.ones(3))
        assert said(caught) == (
            f"{split.__name__}: into x_0 parts, a symbol: how many there are is not known before there are arrays\n"
            "  help: reshape makes the parts rows of one array; a static argument, an int, is a number of parts")
    assert [len(lathe.function(lambda x, n: lathe.array_split(x, n))(np.ones(7), n)) for n in (2, 3)] == [2, 3]
    with pytest.raises(TypeError) as caught:
        lathe.function(lambda x: lathe.delete(x, slice(None, None, 2)))(np.ones(3))
    assert said(caught) == ("delete: a slice of x_0 places, a symbol\n"
                            "  help: join the parts: concat((x[:a], x[b:]))")


def test_equal_parts_are_looked_for_when_lengths_are_known():
    f = lathe.function(lambda x: lathe.split(x, 3))
    assert [p.tolist() for p in f(np.arange(6.0))] == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(ValueError):
        f(np.arange(7.0))
    assert [p.tolist() for p in f(np.arange(3.0))] == [[0], [1], [2]] and f.trace_count == 1
    with pytest.raises(ValueError) as caught:
        lathe.split(lathe.arange(7), 3)
    assert said(caught) == ("split: 7 elements make no 3 equal parts\n"
                            "  help: array_split makes parts of different lengths")


def test_lengths_that_values_decide():
    """In a function of lathe.function values are there; lazy arrays of inputs have none."""
    f = lathe.function(lambda x, times: lathe.repeat(x, times) * 2)
    for times in ([1, 0, 2], [3, 1, 1]):
        assert f(np.arange(3.0), np.array(times)).tolist() == (np.repeat(np.arange(3.0), times) * 2).tolist()
    g = lathe.function(lambda k: lathe.bincount(k))
    assert g(np.array([1, 1, 3])).tolist() == [0, 2, 0, 1] and g(np.array([0])).tolist() == [1]
    n = lathe.size("n")
    k = lathe.input("k", (n,), lathe.int64)
    with pytest.raises(ValueError) as caught:
        lathe.bincount(k)
    assert said(caught).startswith("bincount: the result is as long as the largest element says, and values are not known yet")
    assert lathe.bincount(k, minlength=n).compute(k=np.array([1, 1, 2])).tolist() == [0, 2, 1]
    with pytest.raises(ValueError) as caught:
        lathe.repeat(lathe.input("x", (n,)), k)
    assert said(caught).startswith("repeat: the result is as long as the numbers say, and their values are not known yet")


def test_sizes_meet_floats_that_are_no_integers():
    n = lathe.size("n")
    for value in (float("inf"), -float("inf"), float("nan"), np.float32("inf")):  # known of any length
        assert (n < value, n <= value, n > value, n >= value) == (4 < value, 4 <= value, 4 > value, 4 >= value)
        assert (value < n, value > n) == (value < 4, value > 4)
    for compare, words in ((lambda: n < 2.5, "less than 3"), (lambda: n <= 2.5, "at most 2"), (lambda: n > -0.5, "more than -1"),
                           (lambda: n >= 2.5, "at least 3"), (lambda: 2.5 > n, "less than 3"), (lambda: n < 3.0, "less than 3"),
                           (lambda: n > np.float32(2.5), "more than 2")):
        with pytest.raises(TypeError) as caught:
            compare()
        assert said(caught).startswith(f"whether n is {words} is not known before there are arrays")
    with pytest.raises(TypeError):
        lathe.size("n") < "a"


def test_bools_as_indices():
    x = np.arange(6.0).reshape(2, 3)
    a = lathe.asarray(x)
    assert a[np.True_].shape == (1, 2, 3) and a[..., False, :].shape == (2, 0, 3)
    y, want = lathe.asarray(x), x.copy()
    y[True] = 7
    y[False] = 8
    want[True], want[False] = 7, 8
    assert np.array_equal(y, want)
    with pytest.raises(ValueError) as caught:
        a[True, 0]
    assert said(caught) == ("index: a bool stands alone or among slices, not among other indices: (True, 0)\n"
                            "  help: index twice; lathe.where chooses by one condition")


def test_running_extremes_and_their_derivatives():
    f = lathe.function(lambda x: lathe.maximum.accumulate(x))
    assert f(np.array([1.0, 3, 2, 5])).tolist() == [1, 3, 3, 5] and f(np.ones(0)).shape == (0,)
    assert np.array_equal(lathe.minimum.accumulate([3.0, np.nan, 1.0]), [3.0, np.nan, np.nan], equal_nan=True)
    weights = np.array([1.0, 10, 100, 1000])
    slope = lathe.grad(lambda x: lathe.sum(lathe.maximum.accumulate(x) * weights))
    assert slope(np.array([1.0, 3, 2, 5])).tolist() == [1, 110, 0, 1000]
    slope = lathe.grad(lambda x: lathe.sum(lathe.minimum.accumulate(x) * weights))
    assert slope(np.array([4.0, 3, 3, 5])).tolist() == [1, 1110, 0, 0]


def test_corners_of_small_functions():
    nan = np.nan
    np.testing.assert_array_equal(lathe.trim_zeros(lathe.asarray([0, nan, 1.0, 0])), [nan, 1])
    np.testing.assert_array_equal(lathe.delete(lathe.asarray([1, 2, 3]), [True, False, True]), [2])
    scaled = lathe.ldexp(lathe.asarray([1.0]).astype(lathe.bfloat16), lathe.asarray([100]))
    assert float(scaled.astype("float64")[0]) == 2.0**100
    np.testing.assert_array_equal(lathe.arange(0.0, 1e20, 1e19), np.arange(0.0, 1e20, 1e19))
    with pytest.raises(IndexError):
        lathe.choose(lathe.asarray([-1, 0]), [[1, 2], [3, 4]]).compute()


def test_running_extremes_of_nan_depend_on_the_first_one():
    slope = lathe.grad(lambda x: lathe.sum(lathe.maximum.accumulate(x)))(np.array([1, np.nan, 2, np.nan]))
    np.testing.assert_array_equal(slope, [1, 3, 0, 0])
