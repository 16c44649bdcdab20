# SPDX-License-Identifier: Apache-2.0
"""Functions as methods, as NumPy has them: x.sum(axis=0), x.reshape(2, -1)."""

from . import _elementwise, _linear, _reduce, _search, _shape
from ._array import Array, _cast_for
from ._core import apply_index


def _reduction(function):
    def method(self, axis=None, **how):
        return function(self, axis=axis, **how)

    method.__doc__ = function.__doc__
    return method


def _plain(function):
    def method(self, *args, **how):
        return function(self, *args, **how)

    method.__doc__ = function.__doc__
    return method


def _axis_first(function, default):
    def method(self, axis=default, **how):
        return function(self, axis=axis, **how)

    method.__doc__ = function.__doc__
    return method


def reshape(self, *shape, order="C", copy=None):
    """The same elements in another shape; one length may be -1."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    return _shape.reshape(self, tuple(shape), order=order, copy=copy)


def transpose(self, *axes):
    """The axes in another order; without one, the opposite."""
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        axes = axes[0] or ()
    return _shape.permute_dims(self, tuple(axes)) if axes else self.T


def astype(self, dtype, *, copy=True):
    """Converted."""
    return _elementwise.astype(self, dtype, copy=copy)


def at_set(self, index, value):
    """The array with other values there; this one stays as it is."""
    return apply_index("set", (self, _cast_for(self, value)), index)


def sort(self, axis=-1, *, descending=False):
    """Puts this array in order along an axis, as NumPy's does; lathe.sort gives another one."""
    self._become(_search.sort(self, axis=axis, descending=descending))


def partition(self, kth, axis=-1):
    """The kth element of this array in its place, smaller ones before it."""
    self._become(_search.sort(self, axis=axis))


def argpartition(self, kth, axis=-1):
    """Indices that put the kth element in its place."""
    return _search.argsort(self, axis=axis)


def compress(self, condition, axis=None, out=None):
    """The parts along an axis (without one, of all elements in order) where the condition holds."""
    from ._choose import compress

    return compress(condition, self, axis, out)


def choose(self, choices, out=None, mode="raise"):
    """At each place the element of the choice with that number."""
    from ._choose import choose

    return choose(self, choices, out, mode)


def put(self, indices, values, mode="raise"):
    """Other values at these indices, of all elements in order."""
    from ._choose import put

    put(self, indices, values, mode)


def fill(self, value):
    """One value everywhere in this array."""
    self[...] = value


def tobytes(self, order="C"):
    """The bytes of its values."""
    return self.__array__().tobytes(order)


def no_attribute(self, name):
    import numpy as np

    message = f"arrays of lathe have no {name!r}"
    if hasattr(np.ndarray, name) and not name.startswith("_"):
        message += f"\n  help: NumPy's have: np.asarray(x).{name}"
    raise AttributeError(message, name=name, obj=self)


METHODS = {
    **{n: _reduction(getattr(_reduce, n)) for n in (
        "sum", "prod", "min", "max", "mean", "var", "std", "any", "all", "argmax", "argmin",
        "cumsum", "cumprod")},
    **{n: _plain(f) for n, f in {
        "round": _elementwise.round, "clip": _elementwise.clip, "dot": _linear.dot,
        "trace": _linear.trace, "ravel": _shape.ravel, "flatten": _shape.ravel,
        "swapaxes": _shape.swapaxes, "squeeze": _shape.squeeze, "diagonal": _shape.diagonal,
        "nonzero": _search.nonzero, "take": _search.take, "searchsorted": _search.searchsorted,
        "copy": lambda x: x._same(), "conj": _elementwise.conj, "set": at_set,
        "add_at": _search.add_at}.items()},
    "compress": compress, "choose": choose, "put": put, "argpartition": argpartition,
    "repeat": lambda self, repeats, axis=None: _shape.repeat(self, repeats, axis=axis),
    "argsort": _axis_first(_search.argsort, -1),
    "partition": partition, "reshape": reshape, "transpose": transpose, "astype": astype, "sort": sort, "fill": fill, "tobytes": tobytes,
}
for _name, _method in METHODS.items():
    _method.__name__ = _name
    _method.__qualname__ = f"Array.{_name}"
    setattr(Array, _name, _method)
Array.__getattr__ = no_attribute
Array.real = property(lambda self: self, doc="The array: Lathe has no complex numbers.")
Array.flat = property(lambda self: iter(_shape.ravel(self)), doc="All elements in order.")
