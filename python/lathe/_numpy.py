# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of our arrays stay lazy: np.sin(x) is lathe.sin(x)."""

import inspect

import numpy as np

from . import _core, _elementwise, _linear, _small, _ufuncs
from ._array import Array, cast_back, to_array
from ._elementwise import FUNCTIONS, finish
from ._special import SPECIAL
from ._ufuncs import ACCUMULATIONS, REDUCTIONS
from .errors import LatheError, UsageError

# Ufuncs that are functions of other modules of ours, or operators.
_UFUNCS = {
    **SPECIAL, "conjugate": _elementwise.conj, "matmul": _linear.matmul, "vecdot": _linear.vecdot,
    **{f.__name__: f for f in (_small.divmod, _small.matvec, _small.vecmat, _small.ldexp, _small.spacing,
                               _small.bitwise_count)},
}


def _not_there(what):
    return UsageError(f"{what} is not there for lazy arrays\n  help: np.asarray(x) gives NumPy the values")


def call_ufunc(ufunc, method, inputs, kwargs):
    """np.sin(x), np.add.reduce(x) ... of an array of ours."""
    import lathe

    name = ufunc.__name__
    what = f"np.{name}" if method == "__call__" else f"np.{name}.{method}"
    out, where, dtype = kwargs.pop("out", None), kwargs.pop("where", True), kwargs.pop("dtype", None)
    for given in (*inputs, *(out or ())):
        if _defers(given):
            return NotImplemented
    if method == "at":
        if name not in ("add", "subtract") or not isinstance(inputs[0], Array):
            raise UsageError(f"{what} is not there for lazy arrays\n"
                             "  help: np.add.at(x, index, values) is; np.asarray(x).copy() can be written to")
        x, index, values = inputs
        values = cast_back(to_array(values, what), x.dtype, what)
        x._become(lathe.add_at(x, index, values if name == "add" else -values))
        return None
    if where is not True:
        raise _not_there(f"{what} with where=")
    if method == "__call__" and not kwargs:
        function = FUNCTIONS.get(name) or _UFUNCS.get(name)
        if function is None:
            raise _not_there(what)
        if dtype is not None:
            inputs = tuple(lathe.astype(to_array(x), dtype) for x in inputs)
        found = function(*inputs)
        if isinstance(found, tuple):
            return tuple(finish(f, o) for f, o in zip(found, out or (None,) * len(found)))
        return finish(found, out)
    if method == "reduce" and name in REDUCTIONS:
        if kwargs.get("initial", None) is None:
            kwargs.pop("initial", None)
        axis, keepdims = kwargs.pop("axis", 0), kwargs.pop("keepdims", False)
        if kwargs:
            raise _not_there(f"{what} with {', '.join(kwargs)}=")
        return _ufuncs.reduce(name, inputs[0], axis, dtype, out, keepdims)
    if method == "accumulate" and name in ACCUMULATIONS:
        return _ufuncs.accumulate(name, inputs[0], kwargs.get("axis", 0), dtype, out)
    if method == "outer" and name in FUNCTIONS:
        return _ufuncs.outer(name, *inputs, out=out)
    raise _not_there(f"{what} with {', '.join(kwargs)}=" if method == "__call__" else what)


def _defers(x):
    """Does somebody else know better: an array with a say of its own in ufuncs?"""
    theirs = getattr(type(x), "__array_ufunc__", None)
    return not isinstance(x, (Array, _core.Size)) and theirs is not None and theirs is not np.ndarray.__array_ufunc__


# NumPy's functions that take arguments in another way than the standard's.
def _concatenate(arrays, axis=0, out=None):
    from ._shape import concat

    return finish(concat(arrays, axis=axis), out)


def _reduction(name, combine, neutral):
    """With NumPy's `where` and `initial`."""
    def function(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True, **how):
        import lathe

        if dtype is not None:
            how["dtype"] = dtype
        if where is not True:
            a = to_array(a, name)
            a = lathe.where(where, a, lathe.astype(to_array(neutral), a.dtype))
        found = getattr(lathe, name)(a, axis=axis, keepdims=bool(keepdims), **how)
        return finish(found if initial is None else combine(found, initial), out)

    return function


def _mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    import lathe

    if where is True:
        return lathe.mean(a, axis=axis, dtype=dtype, keepdims=bool(keepdims), out=out)
    a = lathe.astype(to_array(a), dtype) if dtype is not None else to_array(a)
    spread = lathe.broadcast_arrays(to_array(where), a)[0]
    count = lathe.sum(spread, axis=axis, keepdims=bool(keepdims))
    total = lathe.sum(lathe.where(spread, a, lathe.zeros_like(a)), axis=axis, keepdims=bool(keepdims))
    return finish(total / (lathe.astype(count, total.dtype) if total.dtype.kind == "f" else count), out)


def _extremum(name, combine):
    def function(a, axis=None, out=None, keepdims=False, initial=None, where=True):
        import lathe

        if where is not True:
            if initial is None:
                raise UsageError(f"np.{name} with where= needs initial=: what nothing is chosen of has no extremum")
            a = to_array(a, name)
            a = lathe.where(where, a, lathe.astype(to_array(initial), a.dtype))
        found = getattr(lathe, name)(a, axis=axis, keepdims=bool(keepdims))
        return finish(found if initial is None else combine(found, initial), out)

    return function


def _place(name):
    """Of NumPy's argmin and argmax."""
    def function(a, axis=None, out=None, *, keepdims=False):
        import lathe

        return finish(getattr(lathe, name)(a, axis=axis, keepdims=bool(keepdims)), out)

    return function


def _truth(name, neutral):
    def function(a, axis=None, out=None, keepdims=False, *, where=True):
        import lathe

        if where is not True:
            a = lathe.where(where, to_array(a, name) != 0, neutral)
        return finish(getattr(lathe, name)(a, axis=axis, keepdims=bool(keepdims)), out)

    return function


def _clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    return _elementwise.clip(a, a_min if min is None else min, a_max if max is None else max, out=out)


def _like(name):
    def function(a, *value, dtype=None, order="K", subok=True, shape=None, device=None):
        import lathe

        if shape is None:
            return getattr(lathe, name)(a, *value, dtype=dtype)
        plain = getattr(lathe, name.removesuffix("_like"))
        return plain(shape, *value, dtype=to_array(a, name).dtype if dtype is None else dtype)

    return function


def _ordering(name):
    """sort and argsort: always stable, whatever kind of sorting is asked for."""
    def function(a, axis=-1, kind=None, *, stable=None):
        import lathe

        return getattr(lathe, name)(a, axis=axis)

    return function


def _einsum(subscripts, *operands, out=None, optimize=False):
    """In the order of our own, whether it is to be optimized or not."""
    return finish(_linear.einsum(subscripts, *operands), out)


def _positional(name, *keywords):
    """A function whose keyword-only arguments NumPy takes by place."""

    def function(*args, **how):
        import lathe

        fixed = args[: len(args) - max(0, len(args) - _leading[name])]
        for keyword, value in zip(keywords, args[_leading[name]:]):
            how[keyword] = value
        return getattr(lathe, name)(*fixed, **how)

    return function


_leading = {"expand_dims": 1, "flip": 1, "roll": 2, "repeat": 2, "stack": 1, "take": 2, "diff": 1,
            "median": 1, "quantile": 2, "percentile": 2, "cumulative_sum": 1,
            "cumulative_prod": 1, "tensordot": 2, "take_along_axis": 2, "searchsorted": 2, "trace": 1,
            "cross": 2, "average": 1, "count_nonzero": 1, "unique": 4, "histogram": 3}
_SPECIAL = {
    "concatenate": _concatenate,
    "sum": _reduction("sum", FUNCTIONS["add"], 0), "prod": _reduction("prod", FUNCTIONS["multiply"], 1), "mean": _mean,
    "min": _extremum("min", FUNCTIONS["minimum"]), "max": _extremum("max", FUNCTIONS["maximum"]),
    "amin": _extremum("min", FUNCTIONS["minimum"]), "amax": _extremum("max", FUNCTIONS["maximum"]),
    "argmin": _place("argmin"), "argmax": _place("argmax"), "any": _truth("any", False), "all": _truth("all", True),
    "clip": _clip, **{name: _like(name) for name in ("zeros_like", "ones_like", "empty_like", "full_like")},
    "expand_dims": _positional("expand_dims", "axis"), "flip": _positional("flip", "axis"),
    "roll": _positional("roll", "axis"), "repeat": _positional("repeat", "axis"),
    "stack": _positional("stack", "axis"), "take": _positional("take", "axis"),
    "diff": _positional("diff", "n", "axis"), "tensordot": _positional("tensordot", "axes"),
    "median": _positional("median", "axis"), "quantile": _positional("quantile", "axis"),
    "percentile": _positional("percentile", "axis"), "trace": _positional("trace", "offset"),
    "take_along_axis": _positional("take_along_axis", "axis"),
    "searchsorted": _positional("searchsorted", "side", "sorter"),
    "average": _positional("average", "axis", "weights", "returned"),
    "sort": _ordering("sort"), "argsort": _ordering("argsort"), "einsum": _einsum,
    "count_nonzero": _positional("count_nonzero", "axis"),
    "shape": lambda a: a.shape, "ndim": lambda a: a.ndim, "size": lambda a: a.size,
    "iscomplexobj": lambda a: False, "isrealobj": lambda a: True,
    "array_repr": lambda a, *rest, **how: repr(a), "array_str": lambda a, *rest, **how: str(a),
}
# They write into their first argument: NumPy into its own.
_WRITERS = frozenset(("copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"))


def _spread(name):
    def function(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, correction=None):
        import lathe

        found = getattr(lathe, name)(a, axis=axis, keepdims=bool(keepdims),
                                     correction=ddof if correction is None else correction)
        return finish(found if dtype is None else lathe.astype(found, dtype), out)

    return function


_SPECIAL["var"], _SPECIAL["std"] = _spread("var"), _spread("std")


def call_function(function, args, kwargs):
    import lathe

    name = function.__name__
    module = getattr(function, "__module__", "")
    if name in _WRITERS and args and not isinstance(args[0], Array):
        return function(*_values(args), **_values(kwargs))
    if name in _SPECIAL and not module.endswith("linalg"):
        ours = _SPECIAL[name]
    elif module.endswith("linalg"):
        ours = getattr(lathe.linalg, name, None)
    else:
        ours = getattr(lathe, name, None)
        # Only functions: np.testing and such ask for values.
        if not callable(ours) or not module.startswith("numpy") or "testing" in module:
            ours = None
    if ours is None:
        # What Lathe does not have NumPy does, on the values.
        return function(*_values(args), **_values(kwargs))
    kwargs = {k: v for k, v in kwargs.items() if v is not np._NoValue}
    try:
        return ours(*args, **kwargs)
    except TypeError as error:
        if isinstance(error, LatheError):
            raise
        unknown = [k for k in kwargs if k not in inspect.signature(ours).parameters]
        if not unknown:
            raise
        raise _not_there(f"np.{name} with {', '.join(unknown)}=") from None


def _values(x):
    if isinstance(x, Array):
        return np.asarray(x)
    if isinstance(x, (list, tuple)):
        return type(x)(map(_values, x))
    if isinstance(x, dict):
        return {k: _values(v) for k, v in x.items()}
    return x
