# SPDX-License-Identifier: Apache-2.0
"""Steps of random graphs: functions of the array API standard, statistics, linear algebra. See
functions.py."""

import lazy
import numpy as np
from functions_shape import in_order
from lazy import apply
from steps import index_of, is_bool, is_float, is_int, pair, pick, step


def axis_size(array, axis):
    return lazy.Size(lazy.lib.lathe_lazy_axis(array.handle, axis % array.ndim))


@step(1)
def nextafter(g):
    found = pair(g, lambda i: i.exact and is_float(i))
    if not found or found[1] is None:
        return None
    a, b = found
    return [a, b], lambda x, y: apply("nextafter", [x, y]), np.nextafter, True, f"nextafter({index_of(g, a, b)})"


@step(1)
def signbit(g):
    x = pick(g, lambda i: i.exact and is_float(i))
    if x is None:
        return None
    # Of NaN: every NaN is one value here.
    return [x], lambda a: apply("logical_and", [apply("signbit", [a]), apply("equal", [a, a])]), \
        lambda a: np.signbit(a) & (a == a), True, f"signbit({index_of(g, x)})"


@step(1)
def cumulative(g):
    x = pick(g, lambda i: i.ndim > 0 and not is_float(i) and not is_bool(i))
    if x is None:
        return None
    axis, name = g.rng.randrange(x.ndim), g.rng.choice(["cumulative_sum", "cumulative_prod"])
    total, begin = (np.cumsum, 0) if name.endswith("sum") else (np.cumprod, 1)

    def compute(a):
        t = total(a, axis)
        first = np.full(a.shape[:axis] + (1,) + a.shape[axis + 1:], begin, t.dtype)
        return np.concatenate([first, t], axis)
    return [x], lambda a: apply(name, [a], ints=[1, axis, 1]), compute, x.exact, f"{name}({index_of(g, x)}, {axis})"


@step(1)
def diff(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    axis, times = g.rng.randrange(x.ndim), g.rng.randrange(3)
    return [x], lambda a: apply("diff", [a], ints=[axis, times]), lambda a: np.diff(a, times, axis), x.exact, \
        f"diff({index_of(g, x)}, {axis}, {times})"


@step(1)
def unique_parts(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact)
    if x is None:
        return None
    which = g.rng.choice(["unique_indices", "unique_inverse", "unique_counts"])
    how = {"return_" + {"unique_indices": "index"}.get(which, which[7:]): True}

    def compute(a):
        out = np.unique(a, **how)[1]
        return out.reshape(a.shape) if which == "unique_inverse" else out
    return [x], lambda a: apply(which, [a]), compute, True, f"{which}({index_of(g, x)})"


@step(1)
def search(g):
    a = pick(g, lambda i: i.ndim == 1 and i.exact)
    v = pick(g, lambda i: a is not None and i.exact and i.dtype == a.dtype)
    if v is None:
        return None
    side = g.rng.randrange(2)
    return [a, v], lambda x, y: apply("searchsorted", [apply("sort", [x]), y], ints=[side]), \
        lambda x, y: np.asarray(np.searchsorted(np.sort(x), y, ["left", "right"][side])), True, \
        f"searchsorted({index_of(g, a, v)}, {side})"


@step(1)
def isin(g):
    x = pick(g, lambda i: i.exact)
    a = pick(g, lambda i: x is not None and i.exact and i.dtype == x.dtype)
    if a is None:
        return None
    return [x, a], lambda v, others: apply("isin", [v, others]), lambda v, others: np.asarray(np.isin(v, others)), \
        True, f"isin({index_of(g, x, a)})"


@step(1)
def digitize(g):
    a = pick(g, lambda i: i.ndim == 1 and i.exact and is_int(i))
    x = pick(g, lambda i: a is not None and i.exact and i.dtype == a.dtype)
    if x is None:
        return None
    right, falls = g.rng.randrange(2), g.rng.randrange(2)

    def compute(v, bins):
        if not len(bins):
            raise IndexError("ours asks for the first and the last one")
        return np.asarray(np.digitize(v, np.sort(bins)[::-1] if falls else np.sort(bins), bool(right)))
    return [x, a], lambda v, bins: apply("digitize", [v, apply("sort", [bins], ints=[1, -1, falls])], ints=[right]), \
        compute, True, f"digitize({index_of(g, x, a)}, {right}, {falls})"


@step(1)
def descending(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact and is_int(i))
    if x is None:
        return None
    axis = g.rng.randrange(x.ndim)
    if g.rng.random() < 0.5:
        return [x], lambda a: apply("sort", [a], ints=[1, axis, 1]), lambda a: np.flip(in_order(a, axis), axis), True, \
            f"sort({index_of(g, x)}, {axis}, descending)"
    return [x], lambda a: apply("argsort", [a], ints=[1, axis, 1]), \
        lambda a: np.argsort(-a.astype(float), axis, kind="stable"), True, f"argsort({index_of(g, x)}, {axis}, descending)"


@step(1)
def statistic(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact and i.dtype in (np.float64, np.int64, np.float32))
    if x is None:
        return None
    axis, q = g.rng.randrange(x.ndim), g.rng.choice([None, 0.0, 0.25, 0.6, 1.0])

    def compute(a):
        if a.shape[axis] == 0:
            raise ValueError("nothing to sort")
        # NumPy takes differences of infinities on the way; what comes of that is not told.
        out = np.median(a, axis) if q is None else np.quantile(a, q, axis)
        return np.asarray(out).astype(a.dtype if a.dtype.kind == "f" else float)

    def build(a):
        if is_float(x):
            a = apply("where", [apply("isinf", [a]), 7.0, a])
        return apply("median", [a], ints=[0, 1, axis]) if q is None else apply("quantile", [a, q], ints=[0, 1, axis])
    return [x], build, lambda a: compute(np.where(np.isinf(a), np.asarray(7.0, a.dtype), a) if a.dtype.kind == "f" else a), \
        False, f"quantile({index_of(g, x)}, {q}, {axis})"


@step(1)
def counts(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact and is_int(i))
    if x is None:
        return None

    def build(a):
        flat = apply("reshape", [apply("astype", [a], dtype="int64")], sizes=[-1])
        return apply("bincount", [apply("remainder", [flat, 5])], sizes=[5])
    return [x], build, lambda a: np.bincount(np.remainder(a.ravel().astype(np.int64), 5), minlength=5), True, \
        f"bincount({index_of(g, x)} % 5)"


def is_input(g, i):
    """What lends its shape alone: an index out of range that nothing needs is not looked at."""
    return i in g.items[:len(g.inputs)]


@step(1)
def meshgrid(g):
    a, b = pick(g, lambda i: i.ndim == 1), pick(g, lambda i: i.ndim == 1 and is_input(g, i))
    if a is None or b is None:
        return None
    ij = g.rng.randrange(2)
    return [a, b], lambda x, y: apply("meshgrid", [x, y], ints=[0, ij]), \
        lambda x, y: np.meshgrid(x, y, indexing=["xy", "ij"][ij])[0], a.exact, \
        f"meshgrid({index_of(g, a, b)})[0], {ij}"


@step(1)
def broadcast_arrays(g):
    found = pair(g)
    if not found or found[1] is None or not is_input(g, found[1]):
        return None
    a, b = found
    return [a, b], lambda x, y: apply("broadcast_arrays", [x, y], ints=[0]), \
        lambda x, y: np.array(np.broadcast_arrays(x, y)[0]), a.exact, f"broadcast_arrays({index_of(g, a, b)})[0]"


@step(1)
def cross(g):
    a = pick(g, lambda i: i.ndim > 0 and i.shape[-1] == "3" and not is_bool(i))
    b = pick(g, lambda i: a is not None and i.shape == a.shape and not is_bool(i))
    if b is None or np.float16 in (a.dtype, b.dtype):
        return None
    return [a, b], lambda x, y: apply("cross", [x, y]), np.cross, a.exact and b.exact, f"cross({index_of(g, a, b)})"


@step(1)
def norm(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact and i.dtype == np.float64)
    if x is None:
        return None
    axis, order = g.rng.randrange(x.ndim), g.rng.choice([0, 1, 2, 3])
    return [x], lambda a: apply("vector_norm", [a], ints=[0, 0, axis], reals=[order]), \
        lambda a: np.linalg.norm(a, order, axis), False, f"vector_norm({index_of(g, x)}, {order}, {axis})"


def gram(a):
    """x x' + 2: positive definite, whatever x is."""
    s = apply("tanh", [apply("where", [apply("isfinite", [a]), a, 0.0])])
    n = axis_size(a, a.ndim - 2)
    return apply("add", [apply("matmul", [s, apply("matrix_transpose", [s])]),
                         apply("multiply", [apply("eye", [], sizes=[n, n]), 2.0])])


def numpy_gram(a):
    s = np.tanh(np.where(np.isfinite(a), a, 0.0))
    return s @ np.swapaxes(s, -1, -2) + 2 * np.eye(a.shape[-2])


MATRICES = {
    "inv": np.linalg.inv, "det": np.linalg.det, "cholesky": np.linalg.cholesky, "eigvalsh": np.linalg.eigvalsh,
    "svdvals": lambda a: np.linalg.svd(a, compute_uv=False), "pinv": np.linalg.inv,
    "slogdet": lambda a: np.linalg.slogdet(a)[1], "solve": lambda a: np.linalg.solve(a, 2 * a @ a),
    "matrix_power": lambda a: np.linalg.matrix_power(a, -2), "qr": lambda a: np.linalg.qr(a)[1],
    "matrix_norm": lambda a: np.linalg.norm(a, "fro", (-2, -1)),
}


@step(2)
def matrix(g):
    x = pick(g, lambda i: i.ndim in (2, 3) and i.exact and i.dtype == np.float64)
    if x is None:
        return None
    name = g.rng.choice(list(MATRICES))

    def build(a):
        a = gram(a)
        if name == "solve":
            return apply(name, [a, apply("multiply", [apply("matmul", [a, a]), 2.0])])
        return apply(name, [a], ints={"slogdet": [1], "matrix_power": [-2], "qr": [1]}.get(name, []))
    return [x], build, lambda a: np.asarray(MATRICES[name](numpy_gram(a))), False, f"{name}(gram({index_of(g, x)}))"
