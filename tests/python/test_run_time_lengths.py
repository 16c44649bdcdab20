# SPDX-License-Identifier: Apache-2.0
"""Derivatives of arrays whose lengths are known when they are computed: of slices of one axis, and
of axes that are 1 at run time and spread. Differences decide, at several lengths."""

import itertools

import lathe
import numpy as np
import pytest

A20 = np.cos(np.arange(20.0))


def set_part(x, value, *index):
    z = x + 0
    z[index] = value
    return z


# The shapes of what is derived by, a function of them, and the lengths that it is tried at.
MANY = [{"n": n} for n in (1, 2, 3, 4, 7)]
ONE_OR_EQUAL = [{"n": 5, "m": 5}, {"n": 5, "m": 1}, {"n": 1, "m": 5}, {"n": 1, "m": 1}]
CASES = {
    "central difference": ([("n",)], lambda x: x[2:] - x[:-2], MANY),
    "difference": ([("n",)], lambda x: x[1:] - x[:-1], MANY),
    "product of neighbours": ([("n",), ("n",)], lambda x, w: x[:-1] * w[1:], MANY),
    "diff": ([("n",)], lambda x: lathe.diff(x) ** 2, MANY),
    "stencil": ([("n", "m")],
                lambda u: u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] * u[1:-1, 2:] - 4 * u[1:-1, 1:-1],
                [{"n": 3, "m": 3}, {"n": 5, "m": 4}, {"n": 4, "m": 6}]),
    "every other": ([(lathe.size("n") * 2,)], lambda y: y[::2] * y[1::2], [{"n": 0}, {"n": 1}, {"n": 3}]),
    "slices of slices": ([("n",)], lambda x: x[1:][:-2] * x[2:-1], MANY),
    "from the end": ([("n",)], lambda x: x[::-1][1:] * x[:-1], MANY),
    "with data": ([("n",)], lambda x: (x - A20) ** 2, [{"n": 20}, {"n": 1}]),
    "with a constant length": ([("n",)], lambda x: x * lathe.asarray(np.arange(4.0)), [{"n": 4}, {"n": 1}]),
    "sum of two": ([("n",), ("m",)], lambda x, b: x + b * x, ONE_OR_EQUAL),
    "quotient": ([("n",), ("m",)], lambda x, b: x / b, ONE_OR_EQUAL),
    "first column": ([("n", "m")], lambda a: a * a[:, :1], ONE_OR_EQUAL + [{"n": 3, "m": 4}]),
    "sum with the transpose": ([("n", "m")], lambda a: a + a.T * a, ONE_OR_EQUAL),
    "three": ([("n", "m"), ("m",), ("n", 1)], lambda a, b, c: a * b + c * b, ONE_OR_EQUAL + [{"n": 3, "m": 4}]),
    "set": ([("n",), ("m",)], lambda z, b: set_part(z, b, slice(1, None)) ** 2,
            [{"n": 5, "m": 4}, {"n": 5, "m": 1}, {"n": 2, "m": 1}]),
    "clip": ([("n",), ("m",)], lambda a, b: lathe.minimum(a, b), ONE_OR_EQUAL),
    "where": ([("n",), ("m",)], lambda a, b: lathe.where(a > b, a, b * b), ONE_OR_EQUAL),
    "broadcast_to": ([("n",)], lambda x: lathe.broadcast_to(x * x, ("k",)),
                     [{"n": 3, "k": 3}, {"n": 1, "k": 3}]),
    "matmul of batches": ([("n", 2, 3), ("m", 3, 2)], lambda a, b: a @ b, ONE_OR_EQUAL),
    "einsum": ([("n", 3), ("m", 3)], lambda a, b: lathe.einsum("ij,ij->j", a, b), ONE_OR_EQUAL),
    "einsum, kept": ([("n", 3), ("m", 3)], lambda a, b: lathe.einsum("ij,ij->i", a, b), ONE_OR_EQUAL),
    "vecdot": ([("n", 3), ("m", 3)], lambda a, b: lathe.vecdot(a, b), ONE_OR_EQUAL),
}


@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_what_differences_say(name):
    shapes, function, lengths = CASES[name]
    xs = [lathe.input(f"x{i}", shape) for i, shape in enumerate(shapes)]
    ts = [lathe.input(f"t{i}", shape) for i, shape in enumerate(shapes)]
    y = lathe.sum(lathe.sin(function(*xs)))
    along = sum(lathe.sum(g * t) for g, t in zip(lathe.grad(y, xs), ts))
    for at in lengths:
        random = np.random.RandomState(3)
        values = [random.uniform(0.5, 1.5, [length(d, at) for d in shape]) for shape in shapes]
        steps = [random.standard_normal(v.shape) for v in values]
        h = 1e-6

        def value(scale):
            return float(y.compute(**{f"x{i}": v + scale * s for i, (v, s) in enumerate(zip(values, steps))},
                                   **needed(at, shapes)))
        want = (value(h) - value(-h)) / (2 * h)
        given = {**{f"x{i}": v for i, v in enumerate(values)}, **{f"t{i}": s for i, s in enumerate(steps)}}
        assert abs(float(along.compute(**given, **needed(at, shapes))) - want) < 1e-5 * (1 + abs(want)), at


def length(d, at):
    return at[d] if isinstance(d, str) else d if isinstance(d, int) else 2 * at["n"]


def needed(at, shapes):
    """The sizes that no shape gives."""
    return {name: n for name, n in at.items() if name not in itertools.chain(*shapes) and name == "k"}


def test_lengths_of_slices_are_one_length():
    x, y = lathe.input("x", ("n",)), lathe.input("y", (lathe.size("n") * 2,))
    assert [str(a.shape[0]) for a in (x[1:] - x[:-1], x[2:] - x[:-2], lathe.diff(x), x[1:][:-2], y[::2] * y[1::2],
                                      x[2:5] * x[1:4])] == [
        "max(0, n - 1)", "max(0, n - 2)", "max(0, n - 1)", "max(0, n - 3)", "n",
        "spread(max(0, min(3, n - 2)), max(0, min(3, n - 1)))"]
    u = lathe.input("u", ("n", "m"))
    stencil = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    assert [str(d) for d in stencil.shape] == ["max(0, n - 2)", "max(0, m - 2)"]
