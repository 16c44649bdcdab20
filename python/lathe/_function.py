# SPDX-License-Identifier: Apache-2.0
"""lathe.function: Python that is run once to see what it computes, and then serves all sizes; and
derivatives of such functions."""

import functools
import importlib
import inspect
import sys

import numpy as np

from . import _core
from ._array import Array, to_array
from ._dtypes import DTYPES, SHORT_NAMES
from ._trees import _traced, flat, key_of, leaf_kind, map_leaves, own
from .errors import ArgumentError, DTypeError, UnknownLengths, UsageError


def _as_name(path):
    name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in path)
    return name if name[:1].isalpha() else f"x{name}"


class _Inputs:
    """Makes an input for each array among the arguments."""

    def __init__(self, sizes=None):
        self.all, self.taken, self.sizes = [], set(), sizes  # all: names, and lengths of axes

    def __call__(self, x, path):
        kind = leaf_kind(x)
        if kind == "static":
            return x
        name = base = _as_name(path)
        while name in self.taken:
            name = f"{base}_{len(self.taken)}"
        self.taken.add(name)
        if kind == "number":
            self.all.append((name, ()))
            return _core.scalar(name, len(DTYPES) - 1, True)
        dtype, shape = _core.describe_view(x if not isinstance(x, Array) else x._computed())[:2]
        lengths = self.lengths(name, shape)
        self.all.append((name, lengths))
        made = _core.input(name, SHORT_NAMES.index(dtype), lengths)
        labels = x.labels if isinstance(x, Array) else ()
        return made.named(*labels) if any(labels) else made

    def lengths(self, name, shape):
        """Symbols of their own; or, with `sizes`, one for each different length."""
        if self.sizes is None:
            return [f"{name}_{i}" for i in range(len(shape))]
        return [1 if n == 1 else self.sizes.setdefault(n, f"n{len(self.sizes)}") for n in shape]


def _pattern(args, kwargs):
    """Which lengths are equal, and which are 1."""
    seen, out = {}, []

    def look(x, path):
        if leaf_kind(x) == "array":
            out.append(tuple(1 if n == 1 else -seen.setdefault(n, len(seen))
                             for n in np.shape(x)))

    map_leaves(look, args)
    map_leaves(look, kwargs)
    return tuple(out)


def _outputs(result):
    """Arrays of what a function returned, and how to put them back. Sizes come back as ints, as lengths
    that were known do."""
    arrays = []

    def keep(x, path):
        if isinstance(x, _core.Size):
            arrays.append(to_array(x, "function"))
            return _SizeSlot(len(arrays) - 1)
        if isinstance(x, Array) or isinstance(x, (bool, float, np.ndarray, np.generic)):
            arrays.append(to_array(x, "function"))
            return _Slot(len(arrays) - 1)
        return x

    template = map_leaves(keep, result)
    if isinstance(template, _Slot):
        return tuple(arrays), None, True
    if type(template) is tuple and all(isinstance(t, _Slot) for t in template):
        return tuple(arrays), None, False
    return tuple(arrays), functools.partial(_rebuild, template), False


class _Slot(int):
    """Stands for the array of that number."""


class _SizeSlot(int):
    """Stands for the int that the array of that number holds."""


def _rebuild(template, arrays):
    def put(x, path):
        if isinstance(x, _SizeSlot):
            return int(arrays[x])
        return arrays[x] if isinstance(x, _Slot) else x

    return map_leaves(put, template)


def _trace(owner, args, kwargs):
    """A graph for arguments like these; None: lengths must be looked at, too."""
    if owner._by_lengths:
        return None
    try:
        return owner._traced(args, kwargs, _Inputs())
    except UnknownLengths:
        owner._by_lengths = True
        return None


def _otherwise(owner, args, kwargs, out, is_lazy):
    """What the quick way does not know: lazy arguments, DataArrays, static objects, lengths."""
    if is_lazy:
        lazy = [x for x in flat((args, kwargs)) if isinstance(x, Array) and not x.is_computed]
        if not all(x.is_closed for x in lazy):
            args, kwargs = own((args, kwargs))
            return owner._function(*args, **kwargs)
        _core.compute(tuple(lazy))
        return owner._core.call(owner, args, kwargs, out)
    from ._xarray import plain_arguments, with_dimensions

    found = []
    names = owner._parameter_names(args, kwargs)
    args = tuple(map_leaves(lambda x, path: plain_arguments(x, found), a, n) for a, n in zip(args, names))
    kwargs = {k: map_leaves(lambda x, path: plain_arguments(x, found), v, k) for k, v in kwargs.items()}
    sizes = {} if owner._by_lengths else None
    key = (key_of((*zip(names, args), *kwargs.items()), owner.__name__),
           _pattern(args, kwargs) if owner._by_lengths else None)
    traced = owner._more_traces.get(key)
    if traced is None:
        try:
            traced = owner._traced(args, kwargs, _Inputs(sizes))
        except UnknownLengths:
            if owner._by_lengths:  # an array of its own, whose length no symbol can be shown to have
                result = _untraced(owner, args, kwargs, out)
                return with_dimensions(result) if found else result
            owner._by_lengths = True
            return _otherwise(owner, args, kwargs, out, False)
        owner._more_traces[key] = traced
    leaves = []
    for a in (args, kwargs):
        map_leaves(lambda x, path: leaves.append(x) if leaf_kind(x) != "static" else None, a)
    result = _core.run_traced(traced, tuple(leaves), out)
    return with_dimensions(result) if found else result


def _untraced(owner, args, kwargs, out):
    """Runs the function on the arrays themselves; the kernels of its graph are kept all the same."""
    args, kwargs = map_leaves(
        lambda x, path: to_array(x, "function")._same() if leaf_kind(x) == "array" else x,
        (args, kwargs))
    arrays, rebuild, single = _outputs(owner._function(*args, **kwargs))
    _core.compute(tuple(arrays))
    for target, value in zip(out or (), arrays):
        if target is not None:
            np.copyto(np.asarray(target), np.asarray(value), casting="no")
    if single:
        return arrays[0]
    return tuple(arrays) if rebuild is None else rebuild(arrays)


class Function:
    """A function of arrays that was made by lathe.function."""

    def __init__(self, function):
        if not callable(function):
            raise UsageError(f"function: takes a function, not {function!r}")
        self.__name__ = self.__qualname__ = type(function).__name__  # of what has no name
        functools.update_wrapper(self, function)
        self._function = function
        self._core = _core.Function(_trace, _otherwise)
        self._by_lengths, self._more_traces = False, {}
        self.trace_count = 0

    def __call__(self, *args, out=None, **kwargs):
        if out is not None and not isinstance(out, tuple):
            out = tuple(out) if isinstance(out, list) else (out,)
        return self._core.call(self, args, kwargs, out)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def _parameter_names(self, args, kwargs):
        try:
            signature = inspect.signature(self._function)
        except ValueError:  # of a function that is written in C
            return [f"x{i}" for i in range(len(args))]
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as problem:
            raise UsageError(f"{self.__name__}(): {problem}") from None
        names = []
        for name, value in bound.arguments.items():
            kind = bound.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                names += [f"{name}{i}" for i in range(len(value))]
            elif kind is not inspect.Parameter.VAR_KEYWORD:
                names.append(name)
        return names

    def _traced(self, args, kwargs, inputs):
        names = self._parameter_names(args, kwargs)
        traced_args = [map_leaves(inputs, a, n) for a, n in zip(args, names)]
        traced_kwargs = {k: map_leaves(inputs, v, k) for k, v in kwargs.items()}
        arrays, rebuild, single = _outputs(self._function(*traced_args, **traced_kwargs))
        self.trace_count += 1
        return _core.Traced(arrays, inputs.all, rebuild, single)

    def trace(self, *args, **kwargs):
        """The lazy results for arguments like these: to print, to explain."""
        traced = self._traced(args, kwargs, _Inputs({} if self._by_lengths else None))
        return traced.outputs[0] if len(traced.outputs) == 1 else traced.outputs

    def __reduce__(self):
        module, name = self.__module__, self.__qualname__
        return (_named, (module, name)) if _find(module, name) is self else (Function, (self._function,))

    def __repr__(self):
        return f"<lathe.function {self.__name__}>"


_traced.append(Function)


def _find(module, name):
    """What this name of a module means now; None: nothing."""
    found = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _named(module, name):
    importlib.import_module(module)
    return _find(module, name)


def function(f=None, /):
    """A decorator. Runs f once, on symbols, for each combination of dtypes, numbers of axes and static arguments
    (ints, strings, None ...), and from then on the compiled graph, for arrays of every size. Arrays may
    stand in lists, tuples and dictionaries; floats are inputs, too. Lazy arrays that can be computed are;
    those that depend on inputs make f run as ordinary Python, so that functions may call functions."""
    return function if f is None else Function(f)


def _picked(argnums, args):
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    for n in numbers:
        if not -len(args) <= n < len(args):
            raise ArgumentError(f"grad: there is no argument {n}: the function got {len(args)}")
    return tuple(n % len(args) for n in numbers)


def _as_arrays(tree, what):
    return map_leaves(lambda x, path: to_array(x, what), tree)


def value_and_grad(f, argnums=0, *, has_aux=False):
    """A function that gives f's value, a number, and its derivatives by the arguments argnums (an int,
    or a tuple of them); each may be a tree of arrays. With has_aux f returns (value, more)."""

    @functools.wraps(f)
    def with_gradient(*args, **kwargs):
        numbers = _picked(argnums, args)
        args = list(args)
        for n in numbers:
            args[n] = _as_arrays(args[n], "grad")
        result = f(*own(tuple(args)), **kwargs)
        value, aux = result if has_aux else (result, None)
        value = to_array(value, "grad")
        if value.ndim != 0:
            raise ArgumentError(f"grad: needs a single number, not {value.dtype}{value.shape}\n"
                                "  help: sum it, or use vjp")
        inputs = tuple(x for n in numbers for x in flat(args[n]))
        for n in numbers:
            for x in flat(args[n]):
                _refuse_integers(x, f"argument {n}")
        _refuse_integers(value, "the result")
        found = iter(_core.vjp((value,), (_one_like(value),), inputs))
        trees = tuple(map_leaves(lambda x, path: next(found), args[n]) for n in numbers)
        gradient = trees if isinstance(argnums, tuple) else trees[0]
        return ((value, aux) if has_aux else value), gradient

    return Function(with_gradient)


def _refuse_integers(x, who):
    if x.dtype.kind != "f":
        raise DTypeError(f"grad: {who} is {x.dtype}, and only floats have derivatives\n"
                         "  help: give floats: x.astype(float), or 1.0 in place of 1")


def _one_like(value):
    return _core.apply("full", (1.0,), None, (), dtype=value._dtype)


def grad(f, by=None, /, argnums=0, *, has_aux=False):
    """Of a function: one that gives its derivatives by the arguments argnums. Of an array, a number:
    its derivatives by the array `by`, or by each of a list of them."""
    if isinstance(f, Array):
        if by is None:
            raise UsageError("grad: of an array needs the arrays to derive by")
        if f.ndim != 0:
            raise ArgumentError(f"grad: needs a single number, not {f.dtype}{f.shape}\n"
                                "  help: sum it, or use vjp")
        many = isinstance(by, (list, tuple))
        found = _core.vjp((f,), (_one_like(f),), tuple(by) if many else (by,))
        return found if many else found[0]
    inner = value_and_grad(f, argnums, has_aux=has_aux)._function

    @functools.wraps(f)
    def gradient(*args, **kwargs):
        value, found = inner(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return Function(gradient)


def vjp(outputs, inputs, cotangents, /):
    """The sum over outputs of cotangent times derivative, by each input; arrays of one graph."""
    one = isinstance(inputs, Array)
    outs = (outputs,) if isinstance(outputs, Array) else tuple(outputs)
    cots = tuple(cotangents) if isinstance(cotangents, (tuple, list)) else (cotangents,)
    found = _core.vjp(outs, cots, (inputs,) if one else tuple(inputs))
    return found[0] if one else found


def jvp(outputs, inputs, tangents, /):
    """The derivative of each output along the tangents of the inputs; arrays of one graph."""
    one = isinstance(outputs, Array)
    ins = (inputs,) if isinstance(inputs, Array) else tuple(inputs)
    tans = tuple(tangents) if isinstance(tangents, (tuple, list)) else (tangents,)
    found = _core.jvp((outputs,) if one else tuple(outputs), ins, tans)
    return found[0] if one else found


__all__ = ["function", "Function", "grad", "value_and_grad", "vjp", "jvp"]
