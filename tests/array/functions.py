# SPDX-License-Identifier: Apache-2.0
"""Steps of random graphs: for each function how to choose its arguments, how to write it with lazy
arrays, and what NumPy computes. Here elementwise functions, reductions and scans."""

import numpy as np
from lazy import apply
from steps import index_of, is_bool, is_float, is_int, pair, pick, step, together

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
    if np.dtype("uint64") in mixed and len(mixed) > 1 and name not in (
            "less", "less_equal", "greater", "equal", "not_equal", "greater_equal"):
        return None  # in f64, which NumPy and we reach on different ways
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


@step(1)
def linear_recurrence(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact and i.dtype == np.float64)
    if x is None:
        return None
    axis = g.rng.randrange(x.ndim)

    def compute(a):
        y = np.zeros_like(a)
        last = None
        for i in range(a.shape[axis]):
            at = (slice(None),) * axis + (i,)
            last = a[at] if last is None else 0.5 * last + a[at]
            y[at] = last
        return y
    return [x], lambda a: apply("linear_recurrence", [0.5, a], ints=[axis]), compute, True, \
        f"linear_recurrence(0.5, {index_of(g, x)}, {axis})"


@step(1)
def vector_norm(g):
    x = pick(g, lambda i: i.ndim > 0 and i.exact and i.dtype == np.float64)
    if x is None:
        return None
    axis, order = g.rng.randrange(x.ndim), g.rng.choice([1, 2])
    return [x], lambda a: apply("vector_norm", [a], ints=[order, 0, axis]), \
        lambda a: np.sum(np.abs(a), axis) if order == 1 else np.sqrt(np.sum(a * a, axis)), False, \
        f"vector_norm({index_of(g, x)}, {order}, {axis})"
