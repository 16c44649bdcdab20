# SPDX-License-Identifier: Apache-2.0
"""Derivatives, one function after another: <vjp(u), v> and <u, jvp(v)> against differences."""

import lazy
import numpy as np
from lazy import apply
from random_gradients import jvp, vjp, weights

CASES = []
H = 1e-5


def case(name, shapes, build, values=None):
    CASES.append((name, shapes, build, values or (lambda r, shape: r.uniform(0.3, 1.2, shape))))


def symmetric(x):
    return apply("add", [x, apply("matrix_transpose", [x])])


def definite(x):
    n = lazy.Size(lazy.lib.lathe_lazy_axis(x.handle, x.ndim - 1))
    return apply("add", [apply("matmul", [x, apply("matrix_transpose", [x])]),
                         apply("multiply", [apply("eye", [], sizes=[n, n]), 2.0])])


def with_zeros(r, shape):
    a = r.uniform(-1, 1, shape)
    a.flat[::3] = 0
    return a


def singular(r, shape):
    """Elimination meets a pivot that is exactly 0: the first one, or (two equal rows, of batches) the last one."""
    a = np.round(r.uniform(-4, 4, shape))
    if len(shape) == 2 or shape[-1] == 1:
        a[..., :1] = 0
    else:
        a[..., -1, :] = a[..., 0, :]
    return a


for axis in (0, 1):
    case("sort", [["n", "m"]], lambda x, axis=axis: apply("sort", [x], ints=[1, axis]))
    case("sort, the largest first", [["n", "m"]], lambda x, axis=axis: apply("sort", [x], ints=[1, axis, 1]))
    for exclusive in (0, 1):
        for name in ("cumsum", "cumprod"):
            case(f"{name}, {exclusive}", [["n", "m"]],
                 lambda x, a=axis, e=exclusive, name=name: apply(name, [x], ints=[1, a, e]), with_zeros)
    for name in ("cummax", "cummin"):
        case(name, [["n", "m"]], lambda x, a=axis, name=name: apply(name, [x], ints=[a]))
    case("linear_recurrence", [["n", "m"], ["n", "m"]],
         lambda a, b, axis=axis: apply("linear_recurrence", [a, b], ints=[axis]), with_zeros)
case("take by argsort", [["n"], ["n"]], lambda x, y: apply("take", [y, apply("argsort", [x])], ints=[1, 0]))
case("set where values meet", [["n"], [3]], lambda x, v: apply("set", [x, v], index=np.array([0, -1, 0])))
case("gamma", [["n"]], lambda x: apply("gamma", [apply("multiply", [x, 3.0])]))
case("lgamma", [["n"]], lambda x: apply("lgamma", [apply("multiply", [x, 5.0])]))
case("lgamma of negative ones", [["n"]], lambda x: apply("lgamma", [apply("subtract", [x, 4.5])]),
     lambda r, shape: r.uniform(-0.3, 0.3, shape))
case("cumulative_prod", [["n"]], lambda x: apply("cumulative_prod", [x], ints=[1, 0, 1]), with_zeros)
case("median", [["n", "m"]], lambda x: apply("median", [x], ints=[0, 1, 0]))
case("quantile", [["n", "m"]], lambda x: apply("quantile", [x, 0.3], ints=[0, 1, 0]))
for batch in ([], ["b"]):
    square = batch + ["n", "n"]
    case("solve", [square, batch + ["n", "m"]], lambda a, b: apply("solve", [definite(a), b]))
    for name in ("inv", "det", "cholesky"):
        case(name, [square], lambda a, name=name: apply(name, [definite(a)]))
    case("det of singular matrices", [square], lambda a: apply("det", [a]), singular)
    case("upper cholesky", [square], lambda a: apply("cholesky", [definite(a)], ints=[1]))
    case("slogdet", [square], lambda a: apply("slogdet", [definite(a)], ints=[1]))
    case("matrix_power", [square], lambda a: apply("matrix_power", [definite(a)], ints=[-2]))
    case("eigvalsh", [square], lambda a: apply("eigvalsh", [symmetric(a)]))
    # Signs of vectors are not told: their squares are.
    case("eigh", [square], lambda a: apply("square", [apply("eigh", [symmetric(a)], ints=[1])]))
    for dims in [square] + ([] if batch else [[5, 3]]):
        case("qr", [dims], lambda a: apply("square", [apply("qr", [a], ints=[0])]))
        case("r of qr", [dims], lambda a: apply("square", [apply("qr", [a], ints=[1])]))
    for dims in [square] if batch else [[5, 3], [3, 4]]:
        case("svdvals", [dims], lambda a: apply("svdvals", [a]))
        for part in range(3):
            case(f"svd, {part}", [dims], lambda a, part=part: apply("square", [apply("svd", [a], ints=[part, 0])]))
        case("pinv", [dims], lambda a: apply("pinv", [a]))
        for order in (2, -2):
            case("matrix_norm", [dims], lambda a, order=order: apply("matrix_norm", [a], reals=[order]))


def cases_of_names():
    """Every function that the library names and that takes one or two arrays of floats and no more: a new
    one is here by itself, and fails as long as derivative_map.cpp does not know it. The library is loaded."""
    x, y = (lazy.input(name, "float64", [lazy.size("n")]) for name in "xy")
    found = []
    for name in lazy.report([], 5).split():  # LATHE_REPORT_FUNCTIONS
        for operands in ([x], [x, y]):
            try:
                made = apply(name, operands)
            except lazy.LatheError:
                continue  # takes other arguments
            if made.dtype == np.float64 and made.shape == ("n",):
                move = 1 if name in ("arccosh", "acosh") else 0
                found.append((name, [["n"]] * len(operands), lambda *xs, name=name: apply(name, list(xs)),
                              lambda r, shape, move=move: r.uniform(0.3, 0.9, shape) + move))
    assert len(found) > 60, "hardly a function takes an array"
    return found


def check(name, shapes, build, values):
    problems = []
    xs = [lazy.input(f"x{i}", "float64", [lazy.size(d) if isinstance(d, str) else d for d in s])
          for i, s in enumerate(shapes)]
    ts = [lazy.input(f"t{i}", "float64", [lazy.size(d) if isinstance(d, str) else d for d in s])
          for i, s in enumerate(shapes)]
    y = build(*xs)
    u = weights(y)
    back = vjp(y, u, xs)
    dots = [apply("sum", [apply("multiply", [g, t])], ints=[0, 0]) for g, t in zip(back, ts)]
    ahead = apply("sum", [apply("multiply", [jvp(y, xs, ts), u])], ints=[0, 0])
    value = apply("sum", [apply("multiply", [y, u])], ints=[0, 0])
    for seed, lengths in enumerate([{"n": 4, "m": 3, "b": 2}, {"n": 1, "m": 2, "b": 1}]):
        r = np.random.RandomState(seed)
        at = [np.asarray(values(r, [lengths.get(d, d) for d in s])) for s in shapes]
        along = [r.standard_normal(a.shape) for a in at]

        def run(arrays, step):
            views = {f"x{i}": a + step * t for i, (a, t) in enumerate(zip(at, along))}
            views.update({f"t{i}": t for i, t in enumerate(along)})
            return [float(v.numpy()) for v in lazy.evaluate(arrays, lengths, views)]
        results = run(dots + [ahead], 0)
        want = (run([value], H)[0] - run([value], -H)[0]) / (2 * H)
        for kind, got in [("vjp", sum(results[:-1])), ("jvp", results[-1])]:
            if not abs(got - want) <= 1e-6 * (1 + abs(want)):
                problems.append(f"derivative of {name} {lengths}: {kind} says {got}, differences say {want}")
    return problems
