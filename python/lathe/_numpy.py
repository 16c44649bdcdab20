# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of our arrays stay lazy: np.sin(x) is lathe.sin(x)."""

import numpy as np

from ._array import Array, to_array
from ._elementwise import FUNCTIONS, finish

# Of other names than ours, or of other arguments.
_UFUNCS = {
    "conjugate": "conj", "matmul": "matmul", "vecdot": "vecdot", "matvec": None, "vecmat": None,
}
_REDUCTIONS = {"add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max",
               "logical_and": "all", "logical_or": "any"}
_ACCUMULATIONS = {"add": "cumsum", "multiply": "cumprod"}


def call_ufunc(ufunc, method, inputs, kwargs):
    import lathe

    out = kwargs.pop("out", None)
    where = kwargs.pop("where", True)
    dtype = kwargs.pop("dtype", None)
    name = ufunc.__name__
    if isinstance(out, tuple) and len(out) != 1:
        return NotImplemented
    if method == "__call__" and where is True and not kwargs:
        function = FUNCTIONS.get(name)
        if function is None:
            named = _UFUNCS.get(name, name if name in ("divmod", "modf") else None)
            if name == "divmod":
                return inputs[0] // to_array(inputs[1]), to_array(inputs[0]) % inputs[1]
            function = getattr(lathe, named, None) if named else None
        if function is None:
            return NotImplemented
        if dtype is not None:
            inputs = tuple(lathe.astype(to_array(x), dtype) for x in inputs)
        return finish(function(*inputs), out)
    if method == "reduce" and name in _REDUCTIONS and where is True:
        kwargs.pop("initial", None) if kwargs.get("initial", None) is None else None
        axis = kwargs.pop("axis", 0)
        keepdims = kwargs.pop("keepdims", False)
        if kwargs:
            return NotImplemented
        function = getattr(lathe, _REDUCTIONS[name])
        how = {} if dtype is None else {"dtype": dtype}
        return finish(function(inputs[0], axis=axis, keepdims=keepdims, **how), out)
    if method == "accumulate" and name in _ACCUMULATIONS:
        return finish(getattr(lathe, _ACCUMULATIONS[name])(
            inputs[0], kwargs.get("axis", 0), dtype), out)
    if method == "outer" and name in FUNCTIONS:
        a, b = map(to_array, inputs)
        a = a.reshape(*a.shape, *(1,) * b.ndim)
        return finish(FUNCTIONS[name](a, b), out)
    return NotImplemented


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
    "average": _positional("average", "axis", "weights"), "sort": _positional("sort", "axis"),
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
