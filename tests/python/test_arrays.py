# SPDX-License-Identifier: Apache-2.0
"""lathe.Array: what it is, how it meets NumPy and others, how assignment feels."""

import array as python_array
import copy
import operator
import pickle

import numpy as np
import pytest
from messages import said

import lathe


@pytest.fixture(autouse=True)
def quick():
    with lathe.target("interpreter"):
        yield


def test_nothing_is_computed_before_somebody_looks():
    x = lathe.asarray(np.arange(4.0))
    y = x * 2 + 1
    assert not y.is_computed
    assert repr(y) == "f64(4,) = (array(4,) * 2.0) + 1.0"
    assert float(y[3]) == 7 and not y.is_computed
    np.testing.assert_array_equal(np.asarray(y), [1, 3, 5, 7])
    assert y.is_computed
    assert repr(y) == "f64(4,) [1.0, 3.0, 5.0, 7.0]" == str(y)


def test_memory_is_shared_both_ways():
    a = np.arange(6.0).reshape(2, 3)[:, ::-1]
    x = lathe.asarray(a)
    assert np.shares_memory(np.asarray(x), a)
    a[0, 0] = 99
    assert x[0, 0].item() == 99
    y = lathe.asarray(a, copy=True)
    assert not np.shares_memory(np.asarray(y), a)
    z = np.asarray(x + 1)
    assert np.shares_memory(z, np.asarray(lathe.asarray(z)))
    assert not np.asarray(x + 1).flags.writeable
    assert np.array(x + 1).flags.writeable


def test_asarray():
    assert lathe.asarray([1, 2]).dtype == lathe.int64
    assert lathe.asarray([1, 2.5]).dtype == lathe.float64
    assert lathe.asarray(True).dtype == lathe.bool
    assert lathe.asarray([1, 2], dtype=lathe.float32).dtype == lathe.float32
    assert lathe.asarray(np.float32(3)).dtype == lathe.float32
    assert lathe.asarray(python_array.array("i", [3, 4])).tolist() == [3, 4]
    assert lathe.asarray([lathe.asarray([1, 2]), [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert lathe.empty((2, 3)).shape == (2, 3) == lathe.empty_like(lathe.zeros((2, 3))).shape
    x = lathe.asarray([1])
    assert lathe.asarray(x) is x and lathe.asarray(x, copy=True) is not x
    with pytest.raises(ValueError, match="^asarray: numbers and lists of Python cannot be had without a copy(?m:$)"):
        lathe.asarray([1], copy=False)
    with pytest.raises(ValueError, match="^asarray: the array is int64: float32 needs a copy(?m:$)"):
        lathe.asarray(np.arange(3), dtype="float32", copy=False)
    with pytest.raises(TypeError, match="^asarray: Lathe has no arrays of complex128(?m:$)"):
        lathe.asarray(np.zeros(2, complex))
    with pytest.raises(TypeError, match="^Lathe has no complex numbers(?m:$)"):
        lathe.zeros(3, dtype=complex)
    with pytest.raises(ValueError, match="^zeros: there is no device 'gpu', only 'cpu'(?m:$)"):
        lathe.zeros(3, device="gpu")


def test_dlpack():
    a = np.arange(6, dtype="int32").reshape(2, 3)
    x = lathe.from_dlpack(a)
    assert np.shares_memory(np.asarray(x), a)
    back = np.from_dlpack(x)
    assert np.shares_memory(back, a) and not back.flags.writeable
    assert x.__dlpack_device__() == (1, 0)
    np.testing.assert_array_equal(np.from_dlpack(x + 1), a + 1)
    copied = np.from_dlpack(x, copy=True)
    assert not np.shares_memory(copied, a)
    with pytest.raises(BufferError, match="must be copied"):
        x.__dlpack__(copy=False)
    with pytest.raises(TypeError, match="^from_dlpack: list has no __dlpack__(?m:$)"):
        lathe.from_dlpack([1])
    for dtype in ("bool", "int8", "uint64", "float16", "float32"):
        b = np.ones(3, dtype)
        np.testing.assert_array_equal(np.from_dlpack(lathe.asarray(b)), b)


def test_buffers():
    x = lathe.asarray(np.arange(4.0)) + 1
    with pytest.raises(BufferError, match=r"^the array has no values yet: compute\(\) it first(?m:$)"):
        memoryview(x)
    x.compute()
    view = memoryview(x)
    assert view.tolist() == [1, 2, 3, 4] and view.readonly and view.format == "d"
    x[0] = 7  # the buffer keeps what it had
    assert view.tolist() == [1, 2, 3, 4] and x.tolist() == [7, 2, 3, 4]


def test_bfloat16():
    x = lathe.asarray([1.0, 3.14159], dtype=lathe.bfloat16)
    assert x.dtype is lathe.bfloat16 and x.dtype.itemsize == 2
    assert np.asarray(x).dtype == np.float32
    assert x.tolist() == [1.0, 3.140625]
    assert (x + x).dtype is lathe.bfloat16
    assert lathe.result_type(lathe.bfloat16, lathe.float16) == lathe.float32
    assert pickle.loads(pickle.dumps(x)).dtype is lathe.bfloat16


def test_assignment():
    x = lathe.zeros((3, 4))
    before = x + 0
    x[1] = 5
    x[:, 0] = lathe.arange(3)
    x[0, 1:3] += 2
    x[lathe.asarray([2, 2]), lathe.asarray([1, 3])] = 9
    x[x == 9] = -1
    x[0, 2:] = np.full((1, 2), 3)
    x[1, 1:] = np.full((1, 1, 3), 6)
    want = np.zeros((3, 4))
    want[1] = 5
    want[:, 0] = np.arange(3)
    want[0, 1:3] += 2
    want[2, [1, 3]] = -1
    want[0, 2:] = 3
    want[1, 1:] = np.full((1, 1, 3), 6)
    np.testing.assert_array_equal(x, want)
    np.testing.assert_array_equal(before, np.zeros((3, 4)))
    y = x
    y += 1
    assert y is x
    np.testing.assert_array_equal(x, want + 1)
    x[...] = 3
    np.testing.assert_array_equal(x, np.full((3, 4), 3.0))


@pytest.mark.parametrize("op", ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow"])
def test_in_place_operators(op):
    a = np.array([3.0, 4.0, 5.0])
    x = lathe.asarray(a)
    y = getattr(operator, op)(x, 2.0)
    assert y is x
    np.testing.assert_array_equal(x, getattr(operator, op)(a.copy(), 2.0))
    np.testing.assert_array_equal(a, [3, 4, 5])  # the memory of others is never written


def test_what_in_place_operators_refuse():
    x = lathe.arange(3)
    with pytest.raises(TypeError) as caught:
        x += 0.5
    assert said(caught) == (
        "add: the result is float64, and cannot be kept in an array of int64 (NumPy's rule same_kind)\n"
        "  help: convert with astype first, or write x = x op y")
    with pytest.raises(ValueError) as caught:
        x += lathe.zeros((2, 3), dtype="int64")
    assert said(caught) == (
        "add: the result has shape (2, 3), and cannot be kept in an array of shape (3,)")
    with pytest.raises(TypeError) as caught:
        x[0] = 1.5
    assert said(caught) == ("set: 1.5 cannot be put into an array of int64\n"
                                 "  help: convert the array with astype first")
    with pytest.raises(TypeError) as caught:
        x[0] = lathe.zeros(())
    assert said(caught) == ("set: values of float64 cannot be put into an array of int64\n"
                                 "  help: convert them with astype first")
    assert x.tolist() == [0, 1, 2]


def test_numbers():
    x = lathe.asarray(2.5)
    assert (float(x), int(x), bool(x), complex(x), x.item()) == (2.5, 2, True, 2.5 + 0j, 2.5)
    assert operator.index(lathe.asarray(3)) == 3 and [10, 20, 30, 40][lathe.asarray(3)] == 40
    assert f"{x:.2f}" == "2.50" and round(x, 0).item() == 2.0
    assert len(lathe.zeros((4, 2))) == 4
    assert [v.item() for v in lathe.arange(3)] == [0, 1, 2]
    assert 3 in lathe.arange(5) and 7 not in lathe.arange(5)
    with pytest.raises(TypeError) as caught:
        bool(lathe.zeros(3))
    assert said(caught) == (
        "the truth of an array with axes, float64(3,), is not one value\n  help: use any() or all()")
    with pytest.raises(TypeError, match="^only arrays of integers are an index, not float64(?m:$)"):
        operator.index(x)
    with pytest.raises(TypeError, match="^unhashable type: 'Array'(?m:$)"):
        hash(x)
    with pytest.raises(TypeError, match=r"^len\(\) of an array without axes(?m:$)"):
        len(x)


def test_values_that_depend_on_inputs():
    n = lathe.size("n")
    x = lathe.input("x", (n,))
    total = lathe.sum(x)
    with pytest.raises(ValueError) as caught:
        float(total)
    assert said(caught) == (
        "the values of this array are not known yet: it depends on x, n\n"
        "  help: compute(name=value) gives them. In a traced function lathe.where(condition, a, b) chooses by "
        "values; what `if`, `range` and float() ask must be a static argument: an int, a bool or a str")
    with pytest.raises(ValueError) as caught:
        total.compute()
    assert said(caught) == ("input 'x' has no data\n  help: give an array of shape (n,) for it")
    assert total.compute(x=np.arange(4.0)).item() == 6
    assert total.compute({"x": np.arange(5.0)}).item() == 10
    a, b = lathe.compute(total, x * 2, x=np.ones(3))
    assert a.item() == 3 and b.tolist() == [2, 2, 2]
    s = lathe.scalar("s")
    assert (x * s).compute(x=np.ones(2), s=3.0).tolist() == [3, 3]
    assert lathe.zeros((n, 2)).compute(n=3).shape == (3, 2)


def test_sizes():
    n, m = lathe.size("n"), lathe.size("m")
    x = lathe.input("x", (n, m))
    assert x.shape == (n, m) and x.ndim == 2 and repr(x.size) == "m*n"
    assert repr(n + 1) == "n + 1" and repr(2 * n - n) == "n" and n - n == 0
    assert repr(n // 2) == "n//2" and n == lathe.size("n")
    with pytest.raises(TypeError) as refused:
        n != m
    assert said(refused) == (
        "whether n is m is not known before there are arrays\n"
        "  help: a traced function runs once for all sizes and cannot branch on them; "
        "lathe.where chooses by values")
    assert lathe.concat([x, x]).shape[0] == 2 * n
    assert x[1:-1].compute(x=np.ones((5, 2))).shape == (3, 2)
    with pytest.raises(TypeError) as caught:
        int(n)
    assert said(caught) == (
        "the size n is a symbol and has no value yet\n  help: use it as it is in shapes, lathe.zeros(x.shape), and "
        "arithmetic; lathe.asarray(size) is an array that holds it. len(), range() and `for row in x` need a length that "
        "is known")
    assert lathe.asarray(n).compute(n=4).item() == 4
    with pytest.raises(ValueError, match="is not a name"):
        lathe.size("2n")


def test_numpy_functions_stay_lazy():
    a = np.linspace(0.1, 1, 6).reshape(2, 3)
    x = lathe.asarray(a)
    for f in (np.sin, np.sqrt, lambda v: np.add(v, 1), lambda v: 1 + np.maximum(v, 0.5),
              lambda v: np.sum(v, axis=0), lambda v: np.mean(v), lambda v: np.concatenate([v, v]),
              lambda v: np.stack([v, v], axis=1), lambda v: np.where(v > 0.5, v, 0.0),
              lambda v: np.transpose(v), lambda v: np.reshape(v, (3, 2)), lambda v: np.add.reduce(v, axis=1),
              lambda v: np.add.outer(v[0], v[1]), lambda v: np.expand_dims(v, 0), lambda v: np.var(v, axis=1, ddof=1),
              lambda v: np.einsum("ij,kj->ik", v, v), lambda v: np.linalg.norm(v), lambda v: np.clip(v, 0.2, 0.7),
              lambda v: np.diff(v, axis=0), lambda v: np.tensordot(v, v, 2), lambda v: a @ v.T, lambda v: a + v,
              lambda v: np.multiply.accumulate(v[0]), lambda v: np.roll(v, 1, 0), lambda v: np.argmax(v, 1),
              lambda v: np.max(v, axis=0), lambda v: np.split(v, [1])[0], lambda v: np.float64(2) * v,
              lambda v: np.array([1.0, 2.0, 3.0]) * v, lambda v: np.linalg.svd(v, full_matrices=False)[1]):
        ours, theirs = f(x), f(a)
        assert isinstance(ours, lathe.Array)
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-14)
    # What Lathe does not have NumPy does, on the values.
    np.testing.assert_array_equal(np.histogram2d(x[0], x[1])[0], np.histogram2d(a[0], a[1])[0])
    out = np.zeros((2, 3))
    assert np.add(x, 1, out=out) is out
    np.testing.assert_array_equal(out, a + 1)


def test_out():
    x = lathe.asarray(np.arange(6.0).reshape(2, 3))
    out = np.zeros((3, 4))[:, ::2].T
    assert lathe.multiply(x, 2, out=out) is out
    np.testing.assert_array_equal(out, np.arange(6.0).reshape(2, 3) * 2)
    target = lathe.zeros((2, 3))
    assert lathe.sin(x, out=target) is target
    np.testing.assert_allclose(target, np.sin(np.arange(6.0).reshape(2, 3)))
    (x + 1).compute(out=out)
    assert out[1, 2] == 6
    small = np.zeros(2)
    with pytest.raises(ValueError, match=r"^the result is f64\(2, 3\), but the array that is to take it"):
        (x + 1).compute(out=small)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="^out: the array is read-only(?m:$)"):
        (x + 1).compute(out=out)


def test_copies_and_pickles():
    x = lathe.asarray(np.arange(6).reshape(2, 3)).named("row", "column") + 1
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.copy()):
        np.testing.assert_array_equal(y, np.arange(6).reshape(2, 3) + 1)
        assert y.dtype == x.dtype and y.labels == ("row", "column")
        y[0, 0] = 50
        assert x[0, 0].item() == 1
    with pytest.raises(TypeError, match="^only arrays whose values can be computed are pickled"):
        pickle.dumps(lathe.input("x", ("n",)))


def test_labels_and_pins():
    x = lathe.input("A", ("n", "n"))
    v = lathe.input("x", ("n",))
    k = (x @ v).pin_cse()
    c = lathe.sin(k)[:, None] * lathe.cos(k)[None, :]
    assert "t0: f64(n,) of matmul" in c.explain()
    assert c.program().startswith("program array(n: size)\n")
    assert "for" in c.listing() and c.domain()
    assert lathe.explain(c) == c.program() + "\n" + c.explain()
    assert x.named("i", "j").T.labels == ("j", "i")
    assert x.named("i", None).labels == ("i", None)
    a = np.random.default_rng(0).random((4, 4))
    np.testing.assert_allclose(c.compute(A=a, x=np.ones(4)), np.outer(np.sin(a @ np.ones(4)), np.cos(a @ np.ones(4))),
                               rtol=1e-12)
    np.testing.assert_array_equal((v.pin() + v).compute(x=a[0]), a[0] * 2)
    np.testing.assert_array_equal((v.named("i") + v).compute(x=a[0]), a[0] * 2)
    with pytest.raises(ValueError) as caught:
        (v + lathe.input("x", (4,))).compute(x=a[0])
    assert said(caught) == ("two inputs are both called 'x': f64(n,) and f64(4,)\n"
                                 "  help: give one of them another name")


def test_a_value_and_its_derivatives_share_work():
    n, m, k = (lathe.size(name) for name in "nmk")
    x, w, b = lathe.input("x", (n, m)), lathe.input("w", (m, k)), lathe.input("b", (k,))

    def loss():
        return lathe.sum(lathe.tanh(x @ w + b) ** 2)

    y = loss()
    together = lathe.explain(y, *lathe.grad(y, [x, w, b]))
    # One product forward and two back; nothing but the value needs the function itself.
    assert (together.count(" contract "), together.count(" tanh(")) == (3, 1), together
    # Whoever writes it three times has the same program, but for the lines that it was written in.
    apart = [loss(), *(lathe.grad(loss(), [v])[0] for v in (x, w, b))]
    assert lathe.explain(*apart).partition("\n\nt0")[0] == together.partition("\n\nt0")[0]


def test_notebooks():
    x = lathe.input("x", ("n", 3))
    lazy = (lathe.exp(x) * 2)._repr_html_()
    assert "(n, 3)" in lazy and "float64" in lazy and "exp" in lazy and "<pre>" in lazy and "loops" in lazy
    from lathe._explain import cost

    y = lathe.input("y", (3,))
    assert cost(lathe.exp(x @ y) * 2 + 1) == [("out0", "n * 3", 2, 4)]
    done = lathe.asarray([1, 2]).compute()._repr_html_()
    assert "[1, 2]" in done and "int64" in done


def test_settings(tmp_path):
    before = lathe.get_threads()
    assert lathe.set_threads(1) == before and lathe.get_threads() == 1
    with lathe.threads(2):
        assert lathe.get_threads() == 2
    assert lathe.get_threads() == 1
    lathe.set_threads(0)
    assert lathe.get_threads() == before
    with pytest.raises(ValueError, match="^set_threads: the number of threads is at least 1"):
        lathe.set_threads(-1)
    with pytest.raises(ValueError, match="^target: there is no target 'cuda'; targets are 'c' and 'interpreter'(?m:$)"):
        with lathe.target("cuda"):
            pass
    with lathe.checked():
        assert lathe.sum(lathe.arange(5)).item() == 10
    assert lathe.cache.path and lathe.cache.size >= 0 and lathe.cache.kernels >= 0
    assert "kernels" in repr(lathe.cache)


def test_random_numbers_are_functions_of_the_seed():
    a, b = lathe.random.normal(7, (1000,)), lathe.random.normal(7, (1000,))
    np.testing.assert_array_equal(a, b)
    assert abs(float(a.mean())) < 0.1 and abs(float(a.std()) - 1) < 0.1
    u = np.asarray(lathe.random.uniform(1, (50, 2), low=-1, high=1, dtype="float32"))
    assert u.dtype == np.float32 and u.min() >= -1 and u.max() < 1
    i = np.asarray(lathe.random.integers(3, 2, 5, (100,)))
    assert set(i) == {2, 3, 4} and lathe.random.bits(1, 3).dtype == lathe.uint64
