# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that turn, join and cut arrays, made of those of the standard."""

from ._array import apply, to_array
from ._dtypes import bool as bool_dtype, code_of
from ._elementwise import where
from ._shape import (
    _at_least, _normal, _sections, concat, diagonal, expand_dims, flip, pad, split, swapaxes)
from ._size import least
from .errors import ArgumentError


def flipud(x, /):
    """The first axis backwards."""
    return flip(x, axis=0)


def fliplr(x, /):
    """The second axis backwards."""
    return flip(x, axis=1)


def rot90(x, k=1, axes=(0, 1)):
    """Turned k times by 90 degrees, from the first of two axes towards the second."""
    x = to_array(x, "rot90")
    first, second = (_normal(a, x.ndim, "rot90") for a in axes)
    if first == second:
        raise ArgumentError("rot90: needs two different axes")
    if k % 4 == 0:
        return x._same()
    if k % 4 == 2:
        return flip(x, axis=(first, second))
    return swapaxes(flip(x, axis=second), first, second) if k % 4 == 1 else flip(
        swapaxes(x, first, second), axis=second)


def diag(x, k=0):
    """The k-th diagonal of a matrix; of a vector, the matrix that has it there."""
    x = to_array(x, "diag")
    if x.ndim == 2:
        return diagonal(x, k)
    if x.ndim != 1:
        raise ArgumentError(f"diag: takes one or two axes, not {x.ndim}")
    n = x.shape[0] + abs(k)
    wide = pad(x, (max(k, 0), max(-k, 0)))  # by columns
    return where(apply("eye", (), (k,), (n, n), dtype=code_of(bool_dtype)), wide, apply("zeros_like", (wide,)))


def append(x, values, axis=None):
    """The values behind x; without an axis, of all elements in order."""
    return concat((x, values), axis=axis)


def dstack(arrays):
    """One behind the other along the third axis."""
    return concat([atleast_3d(a) for a in arrays], axis=2)


def array_split(x, indices_or_sections, /, axis=0):
    """As split(), but the parts need not be equal: the first ones are longer."""
    x = to_array(x, "array_split")
    at = _sections(indices_or_sections, "array_split")
    if isinstance(at, int):
        length = x.shape[_normal(axis, x.ndim, "array_split")]
        if at <= 0:
            raise ArgumentError(f"array_split: {at} parts cannot be made")
        short, longer = length // at, length % at
        at = [i * short + least(longer, i) for i in range(1, at)]
    return split(x, at, axis=axis)


def vsplit(x, indices_or_sections, /):
    """Parts along the first axis."""
    return split(_of_rank(x, 2, "vsplit"), indices_or_sections, axis=0)


def hsplit(x, indices_or_sections, /):
    """Parts along the second axis, or the only one."""
    x = _of_rank(x, 1, "hsplit")
    return split(x, indices_or_sections, axis=0 if x.ndim == 1 else 1)


def dsplit(x, indices_or_sections, /):
    """Parts along the third axis."""
    return split(_of_rank(x, 3, "dsplit"), indices_or_sections, axis=2)


def _of_rank(x, rank, what):
    x = to_array(x, what)
    if x.ndim < rank:
        raise ArgumentError(f"{what}: takes arrays with {rank} axes or more, not {x.ndim}")
    return x


def atleast_3d(x, /):
    """With at least three axes, as NumPy adds them: before and after one axis, after two."""
    x = to_array(x, "atleast_3d")
    if x.ndim == 1:
        return expand_dims(x, axis=(0, 2))
    return expand_dims(x, axis=2) if x.ndim == 2 else _at_least(x, 3)


__all__ = ["flipud", "fliplr", "rot90", "diag", "append", "dstack", "array_split", "atleast_3d", "vsplit",
           "hsplit", "dsplit"]
