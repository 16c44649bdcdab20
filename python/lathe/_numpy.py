# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of our arrays stay lazy: np.sin(x) is lathe.sin(x)."""

import numpy as np

from . import _elementwise, _linear
from ._array import Array, to_array
from ._elementwise import FUNCTIONS, finish
from ._special import SPECIAL
from .errors import UsageError

# Ufuncs that are functions of other modules of ours, or operators.
_UFUNCS = {
    **SPECIAL, "conjugate": _elementwise.conj, "matmul": _linear.matmul, "vecdot": _linear.vecdot,
    "divmod": lambda a, b: (to_array(a, "divmod") // b, to_array(a, "divmod") % b),
    "matvec": lambda a, b: _linear.matmul(a, to_array(b, "matvec")[..., None])[..., 0],
    "vecmat": lambda a, b: _linear.matmul(to_array(a, "vecmat")[..., None, :], b)[..., 0, :],
}
_REDUCTIONS = {"add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max",
               "logical_and": "all", "logical_or": "any"}
_ACCUMULATIONS = {"add": "cumsum", "multiply": "cumprod"}


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
        raise UsageError(f"{what} writes in place, and arrays of Lathe are values\n"
                         "  help: x = lathe.add_at(x, index, values); np.asarray(x).copy() can be written to")
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
    if method == "reduce" and name in _REDUCTIONS:
        if kwargs.get("initial", None) is None:
            kwargs.pop("initial", None)
        axis, keepdims = kwargs.pop("axis", 0), kwargs.pop("keepdims", False)
        if kwargs:
            raise _not_there(f"{what} with {', '.join(kwargs)}=")
        how = {} if dtype is None else {"dtype": dtype}
        return finish(getattr(lathe, _REDUCTIONS[name])(inputs[0], axis=axis, keepdims=keepdims, **how), out)
    if method == "accumulate" and name in _ACCUMULATIONS:
        return finish(getattr(lathe, _ACCUMULATIONS[name])(inputs[0], kwargs.get("axis", 0), dtype), out)
    if method == "outer" and name in FUNCTIONS:
        a, b = map(to_array, inputs)
        return finish(FUNCTIONS[name](a.reshape(*a.shape, *(1,) * b.ndim), b), out)
    raise _not_there(f"{what} with {', '.join(kwargs)}=" if method == "__call__" else what)


def _defers(x):
    """Does somebody else know better: an array with a say of its own in ufuncs?"""
    theirs = getattr(type(x), "__array_ufunc__", None)
    return not isinstance(x, Array) and theirs is not None and theirs is not np.ndarray.__array_ufunc__


# NumPy's functions that take arguments in another way than the standard's.
def _concatenate(arrays, axis=0, out=None):
    from ._shape import concat

    return finish(concat(arrays, axis=axis), out)


def _reduction(name):
    def function(a, axis=None, dtype=None, out=None, keepdims=False, **how):
        import lathe

        if dtype is not None:
            how["dtype"] = dtype
        return finish(getattr(lathe, name)(a, axis=axis, keepdims=keepdims, **how), out)

    return function


def _extremum(name):
    def function(a, axis=None, out=None, keepdims=False):
        import lathe

        return finish(getattr(lathe, name)(a, axis=axis, keepdims=bool(keepdims)), out)

    return function


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
            "tril": 1, "triu": 1, "median": 1, "quantile": 2, "percentile": 2, "cumulative_sum": 1,
            "cumulative_prod": 1, "tensordot": 2, "take_along_axis": 2, "searchsorted": 2, "trace": 1,
            "cross": 2, "average": 1, "count_nonzero": 1, "unique": 4, "histogram": 3, "sort": 1,
            "argsort": 1}
_SPECIAL = {
    "concatenate": _concatenate,
    "sum": _reduction("sum"), "prod": _reduction("prod"), "mean": _reduction("mean"),
    "min": _extremum("min"), "max": _extremum("max"), "amin": _extremum("min"),
    "amax": _extremum("max"), "argmin": _extremum("argmin"), "argmax": _extremum("argmax"),
    "any": _extremum("any"), "all": _extremum("all"),
    "expand_dims": _positional("expand_dims", "axis"), "flip": _positional("flip", "axis"),
    "roll": _positional("roll", "axis"), "repeat": _positional("repeat", "axis"),
    "stack": _positional("stack", "axis"), "take": _positional("take", "axis"),
    "diff": _positional("diff", "n", "axis"), "tril": _positional("tril", "k"),
    "triu": _positional("triu", "k"), "tensordot": _positional("tensordot", "axes"),
    "median": _positional("median", "axis"), "quantile": _positional("quantile", "axis"),
    "percentile": _positional("percentile", "axis"), "trace": _positional("trace", "offset"),
    "take_along_axis": _positional("take_along_axis", "axis"),
    "searchsorted": _positional("searchsorted", "side", "sorter"),
    "average": _positional("average", "axis", "weights", "returned"), "sort": _positional("sort", "axis"),
    "argsort": _positional("argsort", "axis"),
    "count_nonzero": _positional("count_nonzero", "axis"),
    "shape": lambda a: a.shape, "ndim": lambda a: a.ndim, "size": lambda a: a.size,
    "iscomplexobj": lambda a: False, "isrealobj": lambda a: True,
    "array_equal": lambda a, b: bool(
        to_array(a).shape == to_array(b).shape and (to_array(a) == to_array(b)).all()),
    "array_repr": lambda a, *rest, **how: repr(a), "array_str": lambda a, *rest, **how: str(a),
    "copyto": None,
}


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
    return ours(*args, **kwargs)


def _values(x):
    if isinstance(x, Array):
        return np.asarray(x)
    if isinstance(x, (list, tuple)):
        return type(x)(map(_values, x))
    if isinstance(x, dict):
        return {k: _values(v) for k, v in x.items()}
    return x
