# SPDX-License-Identifier: Apache-2.0
"""Arguments and results of traced functions as trees: containers and records, and leaves that are arrays,
numbers (inputs of the graph) or static (part of what a trace is kept by).

Nothing that can change unseen is static: containers, and objects with attributes, are looked into each
time, so that their arrays are inputs and their other values part of the key."""

import enum
import functools
import sys
import types

import numpy as np

from . import _core
from ._array import Array
from .errors import UsageError

class Unseen:
    """Stands for an attribute that may change unseen: a function that is traced cannot use it."""

    __slots__ = ("_path",)

    def __init__(self, path):
        self._path = path

    def _refuse(self, *_):
        raise UsageError(f"{_shown(self._path)} may change unseen, and cannot be used in a function that is traced\n"
                         "  help: give what the function needs as arguments of its own")

    def __getattr__(self, name):
        if name.startswith("__"):  # whoever looks what it is
            raise AttributeError(name)
        self._refuse()

    __call__ = __iter__ = __len__ = __bool__ = __getitem__ = __enter__ = _refuse


_CALLABLES = (types.FunctionType, types.BuiltinFunctionType, types.MethodWrapperType, types.WrapperDescriptorType,
              types.MethodDescriptorType, np.ufunc, _core.Stencil, _core.FrozenStencil, staticmethod)
_STATIC = (bool, int, str, bytes, complex, type, np.dtype, enum.Enum, _core.Size, types.ModuleType, range,
           type(None), type(...), type(NotImplemented), Unseen, *_CALLABLES)
_traced = []  # the class of functions that are traced: as good as plain ones


def leaf_kind(x):
    """"array", "number" (an input) or "static"."""
    if isinstance(x, Array) or isinstance(x, (np.ndarray, np.generic)):
        return "array"
    if type(x) is float:
        return "number"
    if isinstance(x, _STATIC):
        return "static"
    if hasattr(x, "__dlpack__") or hasattr(x, "__array_interface__") or hasattr(x, "__array__"):
        return "array"
    try:
        memoryview(x)
        return "array"
    except TypeError:
        return "static"


def _slots(x):
    for class_ in type(x).__mro__:
        names = class_.__dict__.get("__slots__", ())
        yield from (names,) if isinstance(names, str) else names


def _is_foreign(x):
    """Of Python's own library, but for those that just hold things: loggers, locks, threads ..."""
    module = type(x).__module__
    return module.partition(".")[0] in sys.stdlib_module_names and module not in ("types", "argparse", "__main__")


def _attributes(x):
    """Of an object that is nothing but its attributes; None: of others."""
    if isinstance(x, (*_STATIC, *_traced)) or isinstance(x, (Array, np.ndarray, np.generic, float)):
        return None
    if _is_foreign(x) or leaf_kind(x) == "array":
        return None
    found = dict(getattr(x, "__dict__", ()))
    found.update((n, getattr(x, n)) for n in _slots(x) if n not in ("__dict__", "__weakref__") and hasattr(x, n))
    return found if found or hasattr(x, "__dict__") else None


def _can_be_seen(x, inside):
    """May it be an attribute of an argument: is it told by its value, or looked into?"""
    if id(x) in inside:
        return False
    if isinstance(x, (tuple, list, dict, functools.partial, types.MethodType)) or leaf_kind(x) != "static":
        return True
    return isinstance(x, (slice, set)) or _is_value(x) or _attributes(x) is not None


def _rebuilt(x, attributes):
    try:
        made = object.__new__(type(x))
    except TypeError:  # a class that is written in C
        made = type(x).__new__(type(x))
    for name, value in attributes.items():
        object.__setattr__(made, name, value)
    return made


def map_leaves(f, x, path="", enter=None, inside=()):
    """Containers and records as they are, with f(leaf, path) in place of each leaf; in the order of
    src/functions.cpp. `enter` is called with each of them."""
    def below(v, name):
        return map_leaves(f, v, f"{path}_{name}", enter, (*inside, id(x)))

    if isinstance(x, (Array, np.ndarray, float, int, str)) or x is None:  # the most frequent ones
        return f(x, path)
    if id(x) in inside:
        raise UsageError(f"{_shown(path)} refers to itself, and cannot be taken apart")
    if isinstance(x, (tuple, list)):
        if enter:
            enter(x, path, len(x))
        if hasattr(x, "_fields"):
            return type(x)(*(below(v, n) for n, v in zip(x._fields, x)))
        return type(x)(below(v, i) for i, v in enumerate(x))
    if isinstance(x, dict):
        if enter:
            enter(x, path, tuple(x))
        made = {k: below(v, k) for k, v in x.items()}
        if type(x) is dict:
            return made
        copied = x.copy()
        copied.update(made)
        return copied
    if isinstance(x, types.MethodType):
        if enter:
            enter(x, path, x.__func__)
        return types.MethodType(x.__func__, below(x.__self__, "self"))
    if isinstance(x, functools.partial):
        if enter:
            enter(x, path, x.func)
        return functools.partial(x.func, *below(x.args, "args"), **below(x.keywords, "keywords"))
    attributes = _attributes(x)
    if attributes is None:
        return f(x, path)
    if enter:
        enter(x, path, tuple(attributes))
    within = (*inside, id(x))
    return _rebuilt(x, {name: below(v, name) if _can_be_seen(v, within) else Unseen(f"{path}_{name}")
                        for name, v in attributes.items()})


def _shown(path):
    return f"the argument {path!r}" if path else "an argument"


def _is_value(x):
    """Can it be part of a key: is it told from others by what it is, not by where it lies?"""
    if isinstance(x, (*_STATIC, *_traced)) or type(x) is object:
        return True
    if isinstance(x, frozenset):
        return all(map(_is_value, x))
    return type(x).__hash__ not in (None, object.__hash__)


def static_key(x, path, owner):
    """What a trace depends on of a static leaf."""
    if isinstance(x, slice):
        return slice, x.start, x.stop, x.step
    if isinstance(x, set):
        return set, frozenset(x)
    if _is_value(x):
        return type(x), x
    raise UsageError(
        f"{owner}: {_shown(path)} is a {type(x).__module__}.{type(x).__qualname__}, which may change unseen: what was "
        "traced with it would be wrong then\n  help: give what the function needs of it: arrays, numbers, strings, "
        "or containers and objects that hold them")


def key_of(arguments, owner):
    """All that a trace of these arguments (names and values) depends on; arrays by dtype and number of axes."""
    parts = []

    def enter(x, path, about):
        parts.append((path, type(x), about))

    def leaf(x, path):
        kind = leaf_kind(x)
        if isinstance(x, Unseen):  # from a mapping before
            return
        if kind == "static":
            parts.append((path, *static_key(x, path, owner)))
        elif isinstance(x, Array):
            parts.append((path, Array, x.dtype, x.ndim, x.labels))
        elif kind == "array":
            parts.append((path, *_core.describe_view(x)[0:1], np.ndim(x)))
        else:
            parts.append((path, float))

    for name, value in arguments:
        map_leaves(leaf, value, name, enter)
    return tuple(parts)


def flat(tree):
    """All leaves in order."""
    leaves = []
    map_leaves(lambda x, path: leaves.append(x), tree)
    return leaves


def own(tree):
    """The same arrays, in handles of their own: what a function assigns to them stays in it."""
    return map_leaves(lambda x, path: x._same() if isinstance(x, Array) else x, tree)
