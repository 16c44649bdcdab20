# SPDX-License-Identifier: Apache-2.0
"""The steps of random graphs: for each function how to choose its arguments, how to write it with lazy
arrays, and what NumPy computes."""

import numpy as np
from lazy import apply, to_size

STEPS = []


class Step:
    def __init__(self, name, make):
        self.name, self.make = name, make


def step(weight=1):
    def register(f):
        STEPS.extend([Step(f.__name__, f)] * weight)
        return f
    return register


def pick(g, test=lambda i: True):
    fitting = [i for i in g.items if test(i)]
    return g.rng.choice(fitting) if fitting else None


def index_of(g, *items):
    return ", ".join(f"v{g.items.index(i)}" for i in items)


def is_float(i): return i.dtype.kind == "f"
def is_int(i): return i.dtype.kind in "iu"
def is_bool(i): return i.dtype.kind == "b"


def together(a, b):
    """Shapes that broadcast for all sizes."""
    return all(x == y or x == "1" or y == "1" for x, y in zip(a.shape[::-1], b.shape[::-1]))


def pair(g, test=lambda i: True):
    a = pick(g, test)
    if a is None:
        return None
    # Now and then shapes that only fit for some sizes.
    loose = g.rng.random() < 0.08
    b = pick(g, lambda i: test(i) and (together(a, i) or loose))
    return a, b


UNARY = {
    "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "arctan": np.arctan, "exp": np.exp,
    "sqrt": np.sqrt, "log1p": np.log1p, "expm1": np.expm1, "cbrt": np.cbrt, "log": np.log,
    "arcsinh": np.arcsinh, "sinh": np.sinh, "exp2": np.exp2, "log2": np.log2,
}
UNARY_EXACT = {
    "absolute": np.absolute, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint,
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "logical_not": np.logical_not,
    "negative": np.negative, "sign": np.sign, "square": np.square, "invert": np.invert,
}


@step(4)
def unary(g):
    x = pick(g, lambda i: i.exact)
    if x is None or x.dtype == np.float16:
        return None
    name = g.rng.choice(list(UNARY))
    if is_bool(x) or x.dtype.itemsize == 1:
        return None  # float16 functions: compared elsewhere
    exact = name == "sqrt"
    return [x], lambda a: apply(name, [a]), UNARY[name], exact, f"{name}({index_of(g, x)})"


@step(4)
def unary_exact(g):
    name = g.rng.choice(list(UNARY_EXACT))

    def fits(i):
        if name in ("floor", "ceil", "trunc", "rint"):
            return is_float(i) and i.exact
        if name in ("negative", "sign"):
            return not is_bool(i) and (i.exact or name == "negative")
        if name == "invert":
            return not is_float(i)
        if name in ("absolute", "square"):
            return True
        return i.exact
    x = pick(g, fits)
    if x is None:
        return None
    return [x], lambda a: apply(name, [a]), UNARY_EXACT[name], x.exact, f"{name}({index_of(g, x)})"


BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
          "minimum": np.minimum, "maximum": np.maximum}
BINARY_EXACT = {
    "less": np.less, "less_equal": np.less_equal, "greater": np.greater, "equal": np.equal,
    "not_equal": np.not_equal, "greater_equal": np.greater_equal,
    "floor_divide": np.floor_divide, "remainder": np.remainder, "logical_and": np.logical_and,
    "logical_or": np.logical_or, "logical_xor": np.logical_xor, "fmod": np.fmod,
    "fmin": np.fmin, "fmax": np.fmax, "copysign": np.copysign,
}


@step(8)
def binary(g):
    found = pair(g)
    if not found or found[1] is None:
        return None
    a, b = found
    name = g.rng.choice(list(BINARY))
    if name == "subtract" and is_bool(a) and is_bool(b):
        return None
    exact = a.exact and b.exact
    if name.endswith("imum") and (is_float(a) or is_float(b)):
        return [a, b], lambda x, y: apply("add", [apply(name, [x, y]), 0]), \
            lambda x, y: BINARY[name](x, y) + 0, exact, f"{name}({index_of(g, a, b)}) + 0"
    return [a, b], lambda x, y: apply(name, [x, y]), BINARY[name], exact, f"{name}({index_of(g, a, b)})"


@step(4)
def with_number(g):
    a = pick(g)
    name = g.rng.choice(["add", "subtract", "multiply", "divide", "maximum"])
    number = g.rng.choice([1, 2, 3, 0.5, 1.25, 2.0, -1.5])  # no zeros: see binary()
    if isinstance(number, int) is False and is_int(a) and not a.exact:
        return None
    if name == "subtract" and is_bool(a) and isinstance(number, bool):
        return None
    f = BINARY[name]
    if g.rng.random() < 0.5:
        return [a], lambda x: apply(name, [x, number]), lambda x: f(x, number), a.exact, \
            f"{name}({index_of(g, a)}, {number})"
    return [a], lambda x: apply(name, [number, x]), lambda x: f(number, x), a.exact, \
        f"{name}({number}, {index_of(g, a)})"


@step(4)
def binary_exact(g):
    name = g.rng.choice(list(BINARY_EXACT))

    def fits(i):
        if name == "copysign":
            return i.exact and is_float(i)
        return i.exact
    found = pair(g, fits)
    if not found or found[1] is None:
        return None
    a, b = found
    mixed = {a.dtype, b.dtype}
    if np.dtype("uint64") in mixed and len(mixed) > 1:
        return None  # NumPy compares u64 with signed integers exactly; promotion to f64 is ours
    zero = 0 if name in ("fmin", "fmax") and (is_float(a) or is_float(b)) else None
    if zero is not None:
        return [a, b], lambda x, y: apply("add", [apply(name, [x, y]), 0]), \
            lambda x, y: BINARY_EXACT[name](x, y) + 0, True, f"{name}({index_of(g, a, b)}) + 0"
    return [a, b], lambda x, y: apply(name, [x, y]), BINARY_EXACT[name], True, \
        f"{name}({index_of(g, a, b)})"


@step(2)
def bits(g):
    name = g.rng.choice(["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"])
    shift = name.endswith("shift")
    found = pair(g, lambda i: is_int(i) or (is_bool(i) and not shift))
    if not found or found[1] is None:
        return None
    a, b = found
    if np.result_type(a.dtype, b.dtype).kind == "f":
        return None
    f = getattr(np, name)
    if shift:
        count = g.rng.randrange(4)
        return [a], lambda x: apply(name, [x, count]), lambda x: f(x, count), True, \
            f"{name}({index_of(g, a)}, {count})"
    return [a, b], lambda x, y: apply(name, [x, y]), f, True, f"{name}({index_of(g, a, b)})"


@step(3)
def where(g):
    c = pick(g, lambda i: i.exact)
    found = pair(g, lambda i: c is not None and together(c, i))
    if c is None or not found or found[1] is None:
        return None
    a, b = found
    return [c, a, b], lambda x, y, z: apply("where", [x, y, z]), \
        lambda x, y, z: np.where(np.asarray(x, bool), y, z), a.exact and b.exact, \
        f"where({index_of(g, c, a, b)})"


@step(3)
def astype(g):
    x = pick(g, lambda i: i.exact)
    if x is None:
        return None
    to = g.rng.choice(["float64", "float32", "int64", "int32", "bool", "int8", "float16", "uint8"])
    if is_float(x) and np.dtype(to).kind in "iu":
        # In range only: clipped first, without NaN.
        def build(a):
            finite = apply("where", [apply("isfinite", [a]), a, 0.0])
            return apply("astype", [apply("clip", [finite, 0.0, 100.0])], dtype=to)

        def compute(a):
            return np.clip(np.where(np.isfinite(a), a, np.zeros((), a.dtype)), 0, 100).astype(to)
        return [x], build, compute, True, f"clipped {to}({index_of(g, x)})"
    if is_float(x) and to == "float16" or x.dtype.itemsize > 2 and to == "float16":
        return None
    return [x], lambda a: apply("astype", [a], dtype=to), lambda a: np.asarray(a).astype(to), True, \
        f"{to}({index_of(g, x)})"


REDUCTIONS = {"sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max, "mean": np.mean,
              "var": np.var, "std": np.std, "any": np.any, "all": np.all,
              "count_nonzero": np.count_nonzero}


@step(8)
def reduction(g):
    name = g.rng.choice(list(REDUCTIONS))
    x = pick(g, lambda i: i.exact or name in ("sum", "mean", "min", "max"))
    if x is None or (x.dtype == np.float16 and name not in ("min", "max", "any", "all")):
        return None
    keepdims = g.rng.random() < 0.4
    axes = None
    if g.rng.random() < 0.8:
        axes = tuple(sorted(g.rng.sample(range(x.ndim), g.rng.randint(min(1, x.ndim), x.ndim))))
    exact = x.exact and (name in ("min", "max", "any", "all", "count_nonzero") or
                         (name in ("sum", "prod") and not is_float(x)))
    ints = [keepdims, axes is not None] + [a - x.ndim * (g.rng.random() < 0.5) for a in axes or ()]
    f = REDUCTIONS[name]
    if name in ("min", "max") and is_float(x):  # which of two zeros it is: not told
        return [x], lambda a: apply("add", [apply(name, [a], ints=ints), 0]), \
            lambda a: np.asarray(f(a, axis=axes, keepdims=keepdims)) + np.zeros((), x.dtype), exact, \
            f"{name}({index_of(g, x)}, {axes}, keepdims={keepdims}) + 0"
    if name == "count_nonzero":
        f = lambda a, **how: np.asarray(np.count_nonzero(a, **how), np.int64)  # noqa: E731
    if name == "mean" and not is_float(x):
        f = lambda a, **how: np.mean(np.asarray(a, float), **how)  # noqa: E731
    return [x], lambda a: apply(name, [a], ints=ints), \
        lambda a: f(a, axis=axes, keepdims=keepdims), exact, \
        f"{name}({index_of(g, x)}, {axes}, keepdims={keepdims})"


@step(2)
def arg_reduction(g):
    name = g.rng.choice(["argmin", "argmax"])
    x = pick(g, lambda i: i.exact)
    if x is None:
        return None
    axis = g.rng.choice([None] + list(range(x.ndim)))
    ints = [0, axis is not None] + ([axis] if axis is not None else [])
    return [x], lambda a: apply(name, [a], ints=ints), \
        lambda a: np.asarray(getattr(np, name)(a, axis=axis)), True, f"{name}({index_of(g, x)}, {axis})"


@step(2)
def scan(g):
    name = g.rng.choice(["cumsum", "cumsum", "cumprod"])
    x = pick(g, lambda i: i.exact and i.dtype != np.float16)
    if x is None:
        return None
    axis = g.rng.choice([None] + list(range(x.ndim)))
    ints = [axis is not None, axis or 0]
    return [x], lambda a: apply(name, [a], ints=ints), \
        lambda a: getattr(np, name)(a, axis=axis), not is_float(x), f"{name}({index_of(g, x)}, {axis})"


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
    import lazy
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
        import lazy
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
        if b.ndim == 0 or not b.exact or b.ndim > 2 and a.ndim > 2:
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


@step(2)
def sort(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact)
    if x is None:
        return None
    axis = g.rng.randrange(x.ndim)
    if g.rng.random() < 0.5:
        return [x], lambda a: apply("sort", [a], ints=[1, axis]), lambda a: np.sort(a, axis), True, \
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
