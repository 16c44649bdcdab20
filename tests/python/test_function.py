# SPDX-License-Identifier: Apache-2.0
"""lathe.function and derivatives."""

import pickle

import numpy as np
import pytest
from messages import said

import lathe


@pytest.fixture(autouse=True)
def quick():
    with lathe.target("interpreter"):
        yield


def test_traced_once_for_all_sizes():
    calls = []

    @lathe.function
    def f(x, y):
        calls.append(x.shape)
        return lathe.sin(x) * y + 1

    for n in (0, 1, 5, 40):
        x, y = np.linspace(0, 1, n), np.ones(n)
        np.testing.assert_allclose(f(x, y), np.sin(x) + 1, rtol=1e-14)
    assert len(calls) == 1 == f.trace_count
    assert calls[0] == (lathe.size("x_0"),)
    f(np.ones(3, "float32"), np.ones(3))
    f(np.ones((3, 2)), np.ones(2))
    assert f.trace_count == 3
    with pytest.raises(ValueError, match="shapes cannot be broadcast together"):
        f(np.ones(3), np.ones(4))
    assert f.__name__ == "f" and repr(f) == "<lathe.function f>"


def test_numbers_are_inputs_and_the_rest_is_static():
    seen = []

    @lathe.function
    def f(x, scale, power=2, *, mode="plain"):
        seen.append((power, mode))
        y = x ** power * scale
        return -y if mode == "minus" else y

    x = np.array([1.0, 2.0], "float32")
    for scale in (0.5, 1.5, 2.5):
        y = f(x, scale)
        assert y.dtype == np.float32 and y.tolist() == [scale, 4 * scale]
    assert f(x, 1.0, 3).tolist() == [1, 8]
    assert f(x, 1.0, mode="minus").tolist() == [-1, -4]
    assert f(x, np.float64(0.5)).dtype == np.float64
    assert seen == [(2, "plain"), (3, "plain"), (2, "minus"), (2, "plain")]
    assert f(x, 1.0, True).tolist() == [1, 2] and len(seen) == 5  # True is not 1


def test_containers():
    @lathe.function
    def f(parts, weights):
        total = sum(p * weights["scale"] for p in parts)
        return {"total": total, "parts": [p + 1 for p in parts], "name": "sum"}

    a, b = np.ones(3), np.arange(3.0)
    r = f([a, b], {"scale": np.float64(2)})
    assert r["name"] == "sum" and r["total"].tolist() == [2, 4, 6] and r["parts"][1].tolist() == [1, 2, 3]
    pair = lathe.function(lambda x: (x, x + 1))(a)
    assert type(pair) is tuple and pair[1].tolist() == [2, 2, 2]
    assert f.trace_count == 1 and f([b, b], {"scale": np.float64(1)})["total"].tolist() == [0, 2, 4]
    assert f.trace_count == 1


def test_lazy_arguments_and_functions_of_functions():
    inner = lathe.function(lambda x: x * 2)
    outer = lathe.function(lambda x: inner(x) + 1)
    assert outer(np.ones(2)).tolist() == [3, 3]
    lazy = inner(lathe.input("x", ("n",)))
    assert not lazy.is_computed and lazy.compute(x=np.ones(2)).tolist() == [2, 2]
    assert inner(lathe.asarray([1.0, 2.0])).tolist() == [2, 4]
    assert repr(outer.trace(np.ones(2))) == "f64(x_0,) = (x * 2.0) + 1.0"


def test_out_and_methods():
    class Model:
        def __init__(self, w):
            self.w = w

        @lathe.function
        def __call__(self, x):
            return x * self.w

        def __hash__(self):
            return 1

        def __eq__(self, other):
            return self is other

    assert Model(3.0)(np.ones(2)).tolist() == [3, 3]
    f = lathe.function(lambda x: (x + 1, x * 2))
    a, b = np.zeros(3), np.zeros(3)
    f(np.ones(3), out=(a, b))
    assert a.tolist() == [2, 2, 2] and b.tolist() == [2, 2, 2]
    f(np.zeros(3), out=[a, b])
    assert a.tolist() == [1, 1, 1] and b.tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="^out: takes one array for each result(?m:$)"):
        f(np.ones(3), out=a)
    x = np.arange(4.0)
    lathe.function(lambda x: x[::-1] + 0)(x, out=x)  # in place
    assert x.tolist() == [3, 2, 1, 0]


def test_out_again_and_again():
    """Calls with a target share what was prepared with calls without."""
    f = lathe.function(lambda x, y: x[::-1] * 2 + y)
    wide = np.zeros((5, 6))
    for i in range(12):
        x, y = np.arange(5.0) + i, np.arange(5.0) * i
        want = x[::-1] * 2 + y
        target = [None, np.zeros(5), wide[:, 1], np.zeros(10)[::-2], x, y, wide[1, :5]][i * 5 % 7]
        if target is None:
            assert np.asarray(f(x, y)).tolist() == want.tolist()
            continue
        made = f(x, y, out=target)
        assert target.tolist() == want.tolist()
        assert np.shares_memory(np.asarray(made), target)
        taken = r"^the result is f64\(5,\), but the array that is to take it has "
        with pytest.raises(lathe.ArgumentError, match=taken + r"f32 elements and shape \(5,\)(?m:$)"):
            f(x, y, out=np.zeros(5, np.float32))
        with pytest.raises(lathe.ArgumentError, match=taken + r"f64 elements and shape \(4,\)(?m:$)"):
            f(x, y, out=np.zeros(4))
    assert wide[:, 2:].sum() == wide[1, 2:].sum()


def test_out_faults_and_lifetimes():
    f = lathe.function(lambda x, i: x[i[::-1]])
    x = np.full(16, 3)
    for n in (10, 1000):
        for _ in range(3):
            f(x, np.ones(n, np.int64), out=np.zeros(n, np.int64))
        for _ in range(2):  # what is written must not be read again
            i = np.ones(n, np.int64)
            i[0] = 99
            with pytest.raises(lathe.IndexOutOfRange):
                f(x, i, out=i)
    g = lathe.function(lambda x: x * 2)
    for _ in range(3):  # nobody else holds the memory
        assert g(np.ones(200000), out=np.zeros(200000)).tolist()[::99999] == [2, 2, 2]
        assert lathe.compute(lathe.ones(200000) * 3, out=np.zeros(200000)).tolist()[::99999] == [3, 3, 3]


def test_derivatives_of_integers():
    help_line = "  help: give floats: x.astype(float), or 1.0 in place of 1"
    for f, x, who in ((lambda x: lathe.sum(x * x), np.array([1, 2]), "argument 0 is int64"),
                      (lambda x: lathe.sum(x > 0), np.ones(2), "the result is int64")):
        with pytest.raises(lathe.DTypeError) as error:
            lathe.grad(f)(x)
        lines = str(error.value).splitlines()
        assert [lines[0], lines[-1]] == [f"grad: {who}, and only floats have derivatives", help_line]


def test_other_arrays():
    f = lathe.function(lambda x, y: x + y)
    assert f(memoryview(np.ones(2)), lathe.asarray([1.0, 2.0])).tolist() == [2, 3]
    assert f(np.ones(2)[::-1], np.float64(1)).tolist() == [2, 2]
    with pytest.raises(TypeError, match="^argument: Lathe has no arrays of complex128(?m:$)"):
        f(np.ones(2, complex), np.ones(2))


def _square(x):
    return x * x


def test_pickled():
    f = pickle.loads(pickle.dumps(lathe.function(_square)))
    assert f(np.arange(3.0)).tolist() == [0, 1, 4]


def test_grad():
    def loss(w, x, y):
        return lathe.mean((lathe.tanh(x @ w) - y) ** 2)

    rng = np.random.default_rng(0)
    w, x, y = rng.standard_normal(3), rng.standard_normal((5, 3)), rng.standard_normal(5)
    g = lathe.grad(loss)(w, x, y)
    eps = 1e-6
    for i in range(3):
        d = np.zeros(3)
        d[i] = eps
        slope = (float(loss(w + d, x, y)) - float(loss(w - d, x, y))) / (2 * eps)
        assert abs(float(g[i]) - slope) < 1e-7
    value, (gw, gx) = lathe.value_and_grad(loss, argnums=(0, 1))(w, x, y)
    assert value.item() == pytest.approx(float(loss(w, x, y)), abs=1e-15)
    np.testing.assert_array_equal(gw, g)
    assert gx.shape == (5, 3)


@pytest.mark.parametrize("order", [1.5, 2, 3])
def test_grad_of_lengths_of_zero(order):
    length = lathe.grad(lambda v: lathe.sum(lathe.linalg.vector_norm(v, axis=1, ord=order)))
    x = np.array([[3.0, 0, 4], [0, 0, 0]])
    size = (x[0] ** order).sum() ** (1 / order - 1)
    np.testing.assert_allclose(length(x), [x[0] ** (order - 1) * size, [0, 0, 0]], rtol=1e-14)
    assert np.asarray(length(np.ones((2, 0)))).shape == (2, 0)


def test_grad_of_trees_and_with_more_results():
    def loss(p, x):
        y = x @ p["w"] + p["b"]
        return lathe.sum(y * y), y

    p = {"w": np.ones(2), "b": np.float64(0.5)}
    g, y = lathe.grad(loss, has_aux=True)(p, np.ones((3, 2)))
    assert set(g) == {"w", "b"} and g["w"].tolist() == [15, 15] and g["b"].item() == 15
    assert y.tolist() == [2.5, 2.5, 2.5]


def test_grad_of_arrays():
    x = lathe.input("x", ("n",))
    y = lathe.sum(x ** 3)
    assert lathe.grad(y, x).compute(x=np.array([1.0, 2.0])).tolist() == [3, 12]
    (g,) = lathe.grad(y, [x])
    assert lathe.vjp(x * x, x, lathe.ones_like(x)).compute(x=np.array([3.0])).tolist() == [6]
    assert lathe.jvp(x * x, x, x).compute(x=np.array([3.0])).tolist() == [18]
    with pytest.raises(ValueError) as caught:
        lathe.grad(x, x)
    assert said(caught) == "grad: needs a single number, not float64(n,)\n  help: sum it, or use vjp"
    with pytest.raises(ValueError) as caught:
        lathe.grad(lambda x: x * 2)(np.ones(3))
    assert said(caught) == (
        "grad: needs a single number, not float64(x_0,)\n  help: sum it, or use vjp")
    with pytest.raises(ValueError, match=r"^grad: there is no argument 2: the function got 1(?m:$)"):
        lathe.grad(lambda x: lathe.sum(x), argnums=2)(np.ones(3))


def test_derivatives_take_inputs_that_they_do_not_need():
    x, w = (lathe.input(name, ("n",)) for name in "xw")
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    g = lathe.grad(lathe.sum(x * w), [x, w])
    for _ in range(3):  # the later ones with a plan
        assert g[0].compute(x=a, w=b).tolist() == [3, 4]
        assert g[1].compute(x=a, w=b).tolist() == [1, 2]
    assert g[0].compute(w=b).tolist() == [3, 4]
    assert [r.tolist() for r in lathe.compute(g[0] + 1, g[1], x=a, w=b)] == [[4, 5], [1, 2]]
    assert lathe.zeros_like(x).compute(x=a).tolist() == [0, 0]
    with pytest.raises(ValueError, match="'x'"):
        g[0].compute(x=np.ones(3), w=b)
    with pytest.raises(TypeError, match="no input, scalar or size 'z'"):
        g[0].compute(x=a, w=b, z=a)
    # What a derivative comes to is still what it is, for another one.
    assert lathe.grad(lathe.sum(g[0] * g[0]), w).compute(x=a, w=b).tolist() == [6, 8]
    assert lathe.grad(lathe.sum(g[0] * w), g[0]).compute(x=a, w=b).tolist() == [3, 4]


def test_grad_of_many_numbers():
    many = [lathe.input(f"p{i}", ()) for i in range(800)]
    total = many[0]
    for p in many[1:]:
        total = total * 0.5 + lathe.sin(p)
    slopes = lathe.grad(total, many)
    values = {f"p{i}": 0.0 for i in range(800)}
    assert slopes[-1].compute(**values).item() == 1 and slopes[-2].compute(**values).item() == 0.5


def test_errors_tell_the_users_line():
    def wrong(x):
        return x + lathe.zeros(7)

    line = wrong.__code__.co_firstlineno + 1
    with pytest.raises(ValueError) as caught:
        wrong(lathe.zeros((2, 3)))
    assert str(caught.value) == (
        "add: shapes cannot be broadcast together: f64(2, 3) and f64(7,), axis 1 is 3 and 7\n"
        f"  note: at {__file__}:{line}\n"
        "  help: lengths must be equal, or one of them 1; reshape or expand_dims moves axes")
    assert isinstance(caught.value, lathe.LatheError) and caught.value.code == 3
    assert caught.value.message.startswith("add: shapes") and '"help"' in caught.value.json
    # Also of what is found later, for sizes that are bound then.
    with pytest.raises(ValueError) as caught:
        lathe.function(wrong)(np.ones(5))
    assert f"at {__file__}:{line}" in str(caught.value)


@pytest.mark.parametrize("make, error, text", [
    (lambda: lathe.zeros(3)[5], IndexError, "index: index 5 is out of range for axis 0 of f64(3,)"),
    (lambda: lathe.zeros(3)[0, 0], IndexError, "index: too many indices: f64(3,) has 1 axis, but 2 are indexed"),
    (lambda: lathe.arange(3)[lathe.asarray([0, 7])].compute(), IndexError, "an index is out of range: the array"),
    (lambda: lathe.sum(lathe.zeros(3), axis=2), IndexError, "sum: axis 2 is out of range for 1 axis"),
    (lambda: lathe.zeros(3) & 1, TypeError, "bitwise_and: takes integers or bools, not f64"),
    (lambda: ~lathe.zeros(3), TypeError, "invert: takes integers or bools, not f64"),
    (lambda: lathe.zeros(3)[lathe.zeros(2)], IndexError, "index: an index array must hold integers or bools, not f64"),
    (lambda: lathe.zeros(3)[1.5], IndexError, "index: only integers, slices, ..., None and arrays"),
    (lambda: lathe.zeros(3)[::0], ValueError, "index: a slice cannot have step 0"),
    (lambda: lathe.reshape(lathe.zeros(3), (2, 2)), ValueError, "reshape: f64(3,) has 3 elements and cannot become (2, 2)"),
    (lambda: lathe.zeros(3) + "text", TypeError, "unsupported operand type(s) for +: 'Array' and 'str'"),
    (lambda: lathe.sin("text"), TypeError, "sin: expected an array or a number, not str"),
    (lambda: lathe.asarray([1], dtype="int8") + 300, OverflowError, "add: the number 300 does not fit i8"),
    (lambda: lathe.einsum("ij,jk->ik", lathe.zeros(3), lathe.zeros(3)), ValueError, "einsum: 'ij' names 2 axes"),
    (lambda: lathe.linalg.inv(lathe.zeros((2, 3))), ValueError, "inv: takes square matrices, not f64(2, 3)"),
    (lambda: lathe.linalg.inv(lathe.zeros((2, 2))).compute(), lathe.LatheError, ""),
    (lambda: lathe.matmul(lathe.zeros((2, 3)), lathe.zeros((2, 3))), ValueError, "matmul: lengths do not match"),
    (lambda: lathe.zeros(-1), ValueError, "full: a length is negative: (-1,)"),
    (lambda: lathe.max(lathe.zeros(0)), ValueError, "max: the axis 0 of f64(0,) is empty and has no extremum"),
])
def test_classes_of_errors(make, error, text):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value).startswith(text)
