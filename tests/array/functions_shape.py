# SPDX-License-Identifier: Apache-2.0
"""Steps of random graphs: shapes, indices, contractions, sorting. See functions.py."""

import lazy
import numpy as np
from lazy import apply, to_size
from steps import index_of, is_bool, is_float, is_int, pick, step


@step(3)
def transpose(g):
    x = pick(g, lambda i: i.ndim > 1)
    if x is None:
        return None
    order = list(range(x.ndim))
    g.rng.shuffle(order)
    return [x], lambda a: apply("transpose", [a], ints=order), lambda a: np.transpose(a, order), \
        x.exact, f"transpose({index_of(g, x)}, {order})"


@step(3)
def reshape(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    kind = g.rng.choice(["flat", "join", "one", "fortran"])
    if kind == "flat" or x.ndim == 1:
        if x.ndim == 1 and g.rng.random() < 0.5:
            return [x], lambda a: apply("reshape", [a], sizes=[1, -1, 1]), \
                lambda a: np.reshape(a, (1, a.shape[0], 1)), x.exact, f"reshape({index_of(g, x)}, 1, -1, 1)"
        return [x], lambda a: apply("reshape", [a], sizes=[-1]), \
            lambda a: np.reshape(a, (a.size,)), x.exact, f"reshape({index_of(g, x)}, -1)"
    if kind == "fortran":
        return [x], lambda a: apply("reshape", [a], ints=[1], sizes=[-1]), \
            lambda a: np.reshape(a, (a.size,), order="F"), x.exact, f"reshape({index_of(g, x)}, -1, F)"
    if kind == "one":
        axis = g.rng.randrange(x.ndim + 1)
        return [x], lambda a: apply("expand_dims", [a], ints=[axis]), \
            lambda a: np.expand_dims(a, axis), x.exact, f"expand_dims({index_of(g, x)}, {axis})"
    at = g.rng.randrange(x.ndim - 1)
    first = x.shape[:at]
    if not all(s.isdigit() or s in g.sizes for s in first + x.shape[at + 2:]):
        return None
    dims = [g.sizes.get(s, s) for s in first] + [-1] + [g.sizes.get(s, s) for s in x.shape[at + 2:]]

    def compute(a):
        return np.reshape(a, a.shape[:at] + (a.shape[at] * a.shape[at + 1],) + a.shape[at + 2:])
    if any(s == "0" for s in x.shape):
        return None

    def build(a):
        sizes = list(dims)
        sizes[at] = 1
        joined = [to_size(int(s)) if s.isdigit() else g.sizes[s] for s in x.shape[at:at + 2]] if all(
            s.isdigit() or s in g.sizes for s in x.shape[at:at + 2]) else None
        if joined is None:
            return apply("reshape", [a], sizes=dims)
        sizes[at] = joined[0] * joined[1]
        return apply("reshape", [a], sizes=sizes)
    if not all(s.isdigit() or s in g.sizes for s in x.shape):
        return None
    return [x], build, compute, x.exact, f"join axes {at} of {index_of(g, x)}"


def random_slice(rng):
    def bound():
        return rng.choice([None, None, 0, 1, 2, 3, -1, -2, -3, 5, -9, 40])
    return slice(bound(), bound(), rng.choice([None, None, 1, 2, 3, -1, -1, -2, -3]))


@step(8)
def basic_index(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    index = []
    for _ in range(g.rng.randint(1, x.ndim)):
        if g.rng.random() < 0.15:
            index.append(None)
        index.append(random_slice(g.rng) if g.rng.random() < 0.8 else g.rng.choice([0, -1, 1]))
    if g.rng.random() < 0.2:
        index.insert(0, Ellipsis)
    index = tuple(index)
    return [x], lambda a: a[index], lambda a: np.array(a[index]), x.exact, f"{index_of(g, x)}[{index}]"


@step(4)
def set_slice(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    index = tuple(random_slice(g.rng) if g.rng.random() < 0.8 else g.rng.choice([0, -1])
                  for _ in range(g.rng.randint(1, x.ndim)))
    number = g.rng.choice([1, 2, 3])

    def compute(a):
        a = a.copy()
        a[index] = number
        return a
    return [x], lambda a: apply("set", [a, number], index=index), compute, x.exact, \
        f"set({index_of(g, x)}, {index}, {number})"


@step(2)
def set_reversed(g):
    x = pick(g, lambda i: i.ndim == 1)
    if x is None:
        return None
    step_ = g.rng.choice([1, 2, -1, -2])

    def compute(a):
        b = a.copy()
        b[::step_] = (a[::-1])[:len(a[::step_])]
        return b

    def build(a):
        length = a[::step_]
        source = apply("take", [a[::-1], apply("arange", [], sizes=[0, size_of(length), 1])], ints=[1, 0])
        return apply("set", [a, source], index=slice(None, None, step_))
    return [x], build, compute, x.exact, f"set_reversed({index_of(g, x)}, {step_})"


def size_of(array):
    return lazy.Size(lazy.lib.lathe_lazy_axis(array.handle, 0))


@step(4)
def gather(g):
    x = pick(g, lambda i: i.ndim > 0)
    ix = pick(g, lambda i: is_int(i) and i.exact and i.ndim < 3)
    if x is None or ix is None:
        return None
    axis = g.rng.randrange(x.ndim)

    # In range: modulo the length, negative ones too.
    def build(a, i):
        n = lazy.Size(lazy.lib.lathe_lazy_axis(a.handle, axis))
        j = apply("remainder", [apply("astype", [i], dtype="int64"), n])
        j = apply("subtract", [j, apply("floor_divide", [lazy.to_lazy(n), 2])])
        return a[(slice(None),) * axis + (j,)]

    def compute(a, i):
        n = a.shape[axis]
        j = np.remainder(i.astype(np.int64), n) - n // 2
        return np.array(a[(slice(None),) * axis + (j,)])
    return [x, ix], build, compute, x.exact, f"gather({index_of(g, x, ix)}, axis {axis})"


@step(4)
def mixed_gather(g):
    """Index arrays, integers, slices and new axes mixed by NumPy's rules."""
    x = pick(g, lambda i: i.ndim > 1)
    if x is None:
        return None
    rows = np.array(g.rng.choice([[0, -1, 0], [[0], [-1]], [-1]]))
    others = np.array(g.rng.choice([[0, 0, -1], [[0, -1, 0]], [0]]))
    index = []
    arrays = 0
    for _ in range(x.ndim):
        kind = g.rng.choice(["array", "slice", "integer", "array"])
        if kind == "array" and arrays < 2:
            index.append([rows, others][arrays])
            arrays += 1
        elif kind == "slice":
            index.append(random_slice(g.rng))
        elif kind == "integer":
            index.append(g.rng.choice([0, -1]))
        else:
            index.append(slice(None))
        if g.rng.random() < 0.1:
            index.append(None)
    if arrays == 0:
        index[0] = rows
    index = tuple(index)
    text = [i.tolist() if isinstance(i, np.ndarray) else i for i in index]
    return [x], lambda a: a[index], lambda a: np.array(a[index]), x.exact, f"{index_of(g, x)}[{text}]"


@step(2)
def scatter(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    at = np.array(g.rng.choice([[0, -1, 0], [-1, 0], [0]]))
    add = g.rng.random() < 0.4
    if add and (is_bool(x) or not x.exact):
        add = False
    values = np.array([1, 2, 3][:len(at)]).astype(x.dtype).reshape((-1,) + (1,) * (x.ndim - 1))

    def compute(a):
        a = a.copy()
        if add:
            np.add.at(a, at, values)
        else:
            a[at] = values
        return a
    name = "add_at" if add else "set"
    return [x], lambda a: apply(name, [a, values], index=at), compute, x.exact and not (
        add and x.dtype == np.float16), f"{name}({index_of(g, x)}, {at.tolist()})"


@step(3)
def mask(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact)
    if x is None:
        return None
    limit = g.rng.choice([0, 1])
    whole = g.rng.random() < 0.5

    def build(a):
        m = apply("greater", [apply("astype", [a], dtype="float64"), float(limit)])
        if not whole and a.ndim == 2:
            m = m[(slice(None), 0)]
        return a[m]

    def compute(a):
        m = np.asarray(a, float) > limit
        if not whole and a.ndim == 2:
            m = m[:, 0]
        return a[m]
    return [x], build, compute, True, f"{index_of(g, x)}[> {limit}, whole={whole}]"


@step(2)
def concatenate(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    axis = g.rng.randrange(x.ndim)
    others = [i for i in g.items if i.ndim == x.ndim and all(
        a == b or n == axis for n, (a, b) in enumerate(zip(i.shape, x.shape)))]
    parts = [x] + [g.rng.choice(others) for _ in range(g.rng.randint(1, 2))]
    exact = all(p.exact for p in parts)
    return parts, lambda *a: apply("concatenate", a, ints=[axis]), \
        lambda *a: np.concatenate(a, axis), exact, f"concatenate({index_of(g, *parts)}, {axis})"


@step(1)
def stack(g):
    x = pick(g)
    axis = g.rng.randrange(x.ndim + 1)
    y = g.rng.choice([i for i in g.items if i.shape == x.shape])
    return [x, y], lambda *a: apply("stack", a, ints=[axis]), lambda *a: np.stack(a, axis), \
        x.exact and y.exact, f"stack({index_of(g, x, y)}, {axis})"


@step(1)
def flip(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    axis = g.rng.randrange(x.ndim)
    return [x], lambda a: apply("flip", [a], ints=[axis]), lambda a: np.flip(a, axis).copy(), x.exact, \
        f"flip({index_of(g, x)}, {axis})"


@step(2)
def roll(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    shift = g.rng.choice([-7, -1, 1, 2, 30])
    axis = g.rng.choice([None] + list(range(x.ndim)))
    return [x], lambda a: apply("roll", [a], ints=[shift] + ([] if axis is None else [axis])), \
        lambda a: np.roll(a, shift, axis), x.exact, f"roll({index_of(g, x)}, {shift}, {axis})"


@step(2)
def triangle(g):
    x = pick(g, lambda i: i.ndim > 1)
    if x is None:
        return None
    name, k = g.rng.choice(["tril", "triu"]), g.rng.choice([-1, 0, 1])
    return [x], lambda a: apply(name, [a], ints=[k]), lambda a: getattr(np, name)(a, k), x.exact, \
        f"{name}({index_of(g, x)}, {k})"


@step(2)
def diagonal(g):
    x = pick(g, lambda i: i.ndim > 1)
    if x is None:
        return None
    k = g.rng.choice([-2, -1, 0, 1])
    return [x], lambda a: apply("diagonal", [a], ints=[k, 0, 1]), \
        lambda a: np.diagonal(a, k, 0, 1).copy(), x.exact, f"diagonal({index_of(g, x)}, {k})"


@step(2)
def pad(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    widths = [(g.rng.randrange(3), g.rng.randrange(3)) for _ in range(x.ndim)]
    mode = g.rng.choice(["constant", "constant", "edge", "wrap"])
    flat = [w for p in widths for w in p]
    if mode == "constant":
        return [x], lambda a: apply("pad", [a, 1], sizes=flat, text=mode), \
            lambda a: np.pad(a, widths, constant_values=1), x.exact, f"pad({index_of(g, x)}, {widths})"

    def compute(a):
        if 0 in a.shape:
            raise ValueError("nothing to pad with")
        return np.pad(a, widths, mode=mode)
    if not all(w for w in flat):
        return None
    return [x], lambda a: apply("pad", [a], sizes=flat, text=mode), compute, x.exact, \
        f"pad({index_of(g, x)}, {widths}, {mode})"


@step(4)
def matmul(g):
    a = pick(g, lambda i: i.ndim > 0 and i.exact)
    if a is None:
        return None

    def fits(b):
        if b.ndim == 0 or not b.exact:
            return False
        loose = g.rng.random() < 0.3  # lengths that broadcast for some sizes
        if b.ndim > 2 and a.ndim > 2 and not loose and not all(
                x == y or "1" in (x, y) for x, y in zip(a.shape[-3::-1], b.shape[-3::-1])):
            return False
        return a.shape[-1] == (b.shape[0] if b.ndim == 1 else b.shape[-2])
    b = pick(g, fits)
    if b is None or np.float16 in (a.dtype, b.dtype):
        return None
    exact = not is_float(a) and not is_float(b)
    if exact and np.result_type(a.dtype, b.dtype).kind == "f":
        return None
    return [a, b], lambda x, y: apply("matmul", [x, y]), lambda x, y: np.asarray(x @ y), exact, \
        f"matmul({index_of(g, a, b)})"


@step(3)
def einsum(g):
    a = pick(g, lambda i: 0 < i.ndim < 3 and i.exact)
    if a is None or a.dtype == np.float16:
        return None
    letters = "ij"[:a.ndim]
    b = pick(g, lambda i: i.ndim == a.ndim and i.shape == a.shape and i.exact and i.dtype != np.float16)
    if b is None or is_bool(a) or is_bool(b):
        return None
    if np.result_type(a.dtype, b.dtype).kind == "f" and not (is_float(a) or is_float(b)):
        return None
    text = g.rng.choice([f"{letters},{letters}->", f"{letters},{letters}->{letters[::-1]}",
                         f"{letters},{letters}->{letters[0]}", f"{letters},k{letters[1:]}->k{letters[0]}"])
    if text.count("k") and a.ndim == 1:
        text = "i,j->ji"
    t = np.result_type(a.dtype, b.dtype)
    return [a, b], lambda x, y: apply("einsum", [x, y], text=text), \
        lambda x, y: np.asarray(np.einsum(text, x.astype(t), y.astype(t))), t.kind != "f", \
        f"einsum({text!r}, {index_of(g, a, b)})"


@step(1)
def outer(g):
    a, b = pick(g, lambda i: i.exact), pick(g, lambda i: i.exact)
    if a is None or a.ndim + b.ndim > 4:
        return None
    return [a, b], lambda x, y: apply("outer", [x, y]), \
        lambda x, y: np.multiply.outer(np.ravel(x), np.ravel(y)), True, f"outer({index_of(g, a, b)})"


def in_order(a, axis):
    """np.sort, and -0 before 0: so it is on every machine (ir/calls.h)."""
    if a.dtype.kind != "f":
        return np.sort(a, axis)
    return np.take_along_axis(a, np.lexsort((~np.signbit(a), a), axis), axis)


@step(2)
def sort(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact)
    if x is None:
        return None
    axis = g.rng.randrange(x.ndim)
    if g.rng.random() < 0.5:
        return [x], lambda a: apply("sort", [a], ints=[1, axis]), lambda a: in_order(a, axis), True, \
            f"sort({index_of(g, x)}, {axis})"
    return [x], lambda a: apply("argsort", [a], ints=[1, axis]), \
        lambda a: np.argsort(a, axis, kind="stable"), True, f"argsort({index_of(g, x)}, {axis})"


@step(1)
def unique(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact)
    if x is None:
        return None
    return [x], lambda a: apply("unique", [a]), np.unique, True, f"unique({index_of(g, x)})"


@step(1)
def nonzero(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact)
    if x is None:
        return None
    axis = g.rng.randrange(x.ndim)
    return [x], lambda a: apply("nonzero", [a], ints=[axis]), lambda a: np.nonzero(a)[axis], True, \
        f"nonzero({index_of(g, x)}, {axis})"


@step(1)
def repeat(g):
    x = pick(g, lambda i: i.ndim > 0)
    if x is None:
        return None
    times, axis = g.rng.randrange(4), g.rng.randrange(x.ndim)
    if g.rng.random() < 0.5:
        return [x], lambda a: apply("repeat", [a], ints=[times, 1, axis]), \
            lambda a: np.repeat(a, times, axis), x.exact, f"repeat({index_of(g, x)}, {times}, {axis})"
    reps = [g.rng.randint(1, 2) for _ in range(x.ndim)]
    return [x], lambda a: apply("tile", [a], ints=reps), lambda a: np.tile(a, reps), x.exact, \
        f"tile({index_of(g, x)}, {reps})"
