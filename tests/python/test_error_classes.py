# SPDX-License-Identifier: Apache-2.0
"""Every error is a LatheError, what Python calls it, and tells the user's own line."""

import ast
import contextlib
import pathlib
import pickle

import numpy as np
import pytest
from messages import said

import lathe
import lathe.gt4py.storage as storage
from lathe.gtscript import PARALLEL, Field, I, computation, interval


def definition(a: Field[float], b: Field[float], *, w: float = 1.0):
    with computation(PARALLEL), interval(...):
        b = w * a


copy = lathe.stencil(definition)
x, masked = lathe.ones((2, 3)), np.ma.array([1.0, 2.0], mask=[True, False])
LINES = [
    (ValueError, lathe.ArgumentError, lambda: x + lathe.ones(2)),
    (ValueError, lathe.ArgumentError, lambda: lathe.reshape(x, (6,), order="X")),
    (ValueError, lathe.AxisError, lambda: x.sum(axis=2)),
    (IndexError, lathe.AxisError, lambda: lathe.moveaxis(x, 0, 5)),
    (IndexError, lathe.IndexOutOfRange, lambda: x[5]),
    (IndexError, lathe.IndexOutOfRange, lambda: x[0, 0, 0]),
    (IndexError, lathe.IndexOutOfRange, lambda: x[[0, 7]].compute()),
    (IndexError, lathe.IndexOutOfRange, lambda: x[0.5]),
    (IndexError, lathe.IndexOutOfRange, lambda: x[np.array([True, False, True])]),
    (TypeError, lathe.DTypeError, lambda: x & 1),
    (TypeError, lathe.DTypeError, lambda: lathe.asarray([1], dtype=complex)),
    (TypeError, lathe.DTypeError, lambda: lathe.grad(lathe.arange(3).sum(), x)),
    (TypeError, lathe.DTypeError, lambda: lathe.input("u", (3,)).compute(u=np.ones(3, int))),
    (TypeError, lathe.UsageError, lambda: len(lathe.asarray(3.0))),
    (TypeError, lathe.UsageError, lambda: lathe.asarray(masked)),
    (TypeError, lathe.UsageError, lambda: lathe.add(x, object())),
    (TypeError, lathe.UsageError, lambda: np.isnat(x)),
    (TypeError, lathe.UsageError, lambda: lathe.explain(3)),
    (TypeError, lathe.UsageError, lambda: I["a"]),
    (OverflowError, lathe.NumberTooLarge, lambda: lathe.asarray([1], dtype="int8") + 300),
    (OverflowError, lathe.NumberTooLarge, lambda: lathe.full(3, 300, dtype="uint8")),
    (OverflowError, lathe.NumberTooLarge, lambda: x + -2**70),
    (BufferError, lathe.MemoryRefused, lambda: lathe.ones(3).compute().__dlpack__(copy=False)),
    (ValueError, lathe.ArgumentError, lambda: lathe.input("u", ("n",)).compute()),
    (ValueError, lathe.ArgumentError, lambda: bool(lathe.input("u", ()) > 0)),
    (ValueError, lathe.ArgumentError, lambda: lathe.set_threads(-1)),
    (ValueError, lathe.ArgumentError, lambda: contextlib.ExitStack().enter_context(lathe.target("gpu"))),
    (np.linalg.LinAlgError, lathe.MatrixError, lambda: lathe.linalg.inv(np.zeros((2, 2))).compute()),
    (np.linalg.LinAlgError, lathe.linalg.LinAlgError, lambda: lathe.linalg.cholesky(-np.eye(2)).compute()),
    (RuntimeError, lathe.MatrixError, lambda: lathe.linalg.solve(np.zeros((2, 2)), np.ones(2)).compute()),
    (TypeError, lathe.DTypeError, lambda: copy(np.ones((2, 2, 2)), np.ones((2, 2, 2), "f4"))),
    (TypeError, lathe.DTypeError, lambda: copy(np.ones((2, 2, 2)), np.ones((2, 2, 2)), w="a")),
    (TypeError, lathe.UsageError, lambda: copy(np.ones((2, 2, 2)))),
    (ValueError, lathe.ArgumentError, lambda: copy(np.ones((2, 2, 2)), np.ones((2, 2)))),
    (TypeError, lathe.UsageError, lambda: lathe.stencil(3)),
    (TypeError, lathe.UsageError, lambda: storage.zeros((2, 3), dtype="foo", backend="numpy")),
    (RuntimeError, lathe.DefinitionsOnly, lambda: Field[float].at(K=0)),
]


@pytest.mark.parametrize("python, ours, call", LINES, ids=range(len(LINES)))
def test_class_and_line(python, ours, call):
    with pytest.raises(python) as caught:
        call()
    error = caught.value
    assert isinstance(error, lathe.LatheError) and type(error) is ours
    assert f"at {__file__}:{call.__code__.co_firstlineno}" in str(error)
    assert error.message and str(error).startswith(error.message)


def test_they_can_be_pickled():
    with pytest.raises(lathe.LatheError) as caught:
        x[5]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), type(again), again.code, again.kind, again.message) == (
        str(caught.value), lathe.IndexOutOfRange, 3, caught.value.kind, caught.value.message)


def test_nothing_is_raised_that_has_no_line():
    """In the package itself: every `raise` is of a class of ours, or goes on with what was caught."""
    folder = pathlib.Path(lathe.__file__).parent
    allowed = {"AttributeError", "SourceMissing", "error", "missing"}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Raise) or node.exc is None:
                continue
            call = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")
            class_ = getattr(lathe.errors, name.lstrip("_"), None)
            ours = isinstance(class_, type) and issubclass(class_, lathe.LatheError)
            assert ours or name in allowed | {"StencilError", "_not_there", ""}, f"{path}:{node.lineno}: {name}"


def test_masked_arrays_are_refused_everywhere():
    help_ = "\n  help: give x.filled(value), or choose by it: lathe.where(x.mask, value, x.data)"
    u = np.ma.array(np.ones((2, 2, 2)), mask=False)
    calls = {"asarray": lambda: lathe.asarray(masked), "add": lambda: lathe.ones(2) + masked,
             "argument": lambda: lathe.function(lambda v: v)(masked), "sum": lambda: lathe.sum(masked),
             "argument 'a'": lambda: copy(u, np.ones((2, 2, 2))), "argument 'b'": lambda: copy(np.ones((2, 2, 2)), u),
             "u": lambda: lathe.input("u", (2,)).compute(u=masked), "out": lambda: lathe.ones(2).compute(out=masked)}
    for what, call in calls.items():
        with pytest.raises(TypeError) as caught:
            call()
        assert said(caught) == f"{what}: Lathe has no masked arrays, and the mask would be lost{help_}"
    assert lathe.asarray(masked.filled(7)).tolist() == [7, 2]
    assert lathe.where(masked.mask, 0.0, masked.data).tolist() == [0, 2]


def test_checked_runs_find_divisions_by_zero():
    a, b = lathe.asarray(np.arange(20)), lathe.asarray(np.arange(20) % 5)
    assert (a // b)[:3].tolist() == [0, 1, 1]
    line = test_checked_runs_find_divisions_by_zero.__code__.co_firstlineno + 5
    with lathe.checked(), pytest.raises(ZeroDivisionError) as caught:
        (a + a // b).compute()
    assert str(caught.value) == (
        "an integer is divided by zero\n  note: at i = 0\n"
        f"  note: floor_divide at {__file__}:{line}: i64(20,)\n"
        "  help: guard it: where(b != 0, a // b, 0); without checking the result is 0")
    with lathe.checked(), pytest.raises(lathe.DivisionByZero):
        lathe.function(lambda p, q: p % q)(np.ones(3, int), np.zeros(3, int))
    with lathe.checked(), pytest.raises(lathe.NegativePower) as caught:
        (a ** (b - 2)).compute()
    assert str(caught.value).startswith("an integer is taken to a negative power\n  note: at i = 0\n  note: power at ")
    with lathe.checked():
        assert lathe.where(b != 0, a // b, 0)[:3].tolist() == [0, 1, 1]
        assert a.reshape(4, 5)[1:].sum().item() == 180  # sizes and indices are divided, too


def test_checked_stencils_find_divisions_by_zero():
    def remainders(a: Field[np.int64], b: Field[np.int64]):
        with computation(PARALLEL), interval(...):
            b = a % b

    stencil = lathe.stencil(remainders)
    a, b = np.full((2, 2, 3), 7), np.zeros((2, 2, 3), int)
    stencil(a, b)
    assert (b == 0).all()
    with lathe.checked(), pytest.raises(lathe.DivisionByZero) as caught:
        stencil(a, b)
    assert caught.value.message == "statement 'b' divides by zero in 'a[i, j, k] % b[i, j, k]'"
    with pytest.raises(ZeroDivisionError):
        lathe.stencil(remainders, checked=True)(a, b)
    with lathe.checked():
        stencil(a, np.full((2, 2, 3), 4))
