# SPDX-License-Identifier: Apache-2.0
"""Products of arrays."""

from string import ascii_lowercase, ascii_uppercase

from ._array import apply, to_array
from ._elementwise import finish
from .errors import ArgumentError, UsageError


def matmul(x1, x2, /, *, out=None):
    """The matrix product; axes before the last two broadcast."""
    return finish(apply("matmul", (x1, x2)), out)


def tensordot(x1, x2, /, *, axes=2):
    """Products, summed over the last axes of x1 and the first of x2 (so many of them), or over pairs
    of axes."""
    x1, x2 = to_array(x1, "tensordot"), to_array(x2, "tensordot")
    if isinstance(axes, int):
        if axes < 0 or axes > min(x1.ndim, x2.ndim):
            raise ArgumentError(f"tensordot: cannot sum over {axes} axes of arrays with {x1.ndim} and "
                                f"{x2.ndim}")
        first, second = range(x1.ndim - axes, x1.ndim), range(axes)
    else:
        first, second = ((a,) if isinstance(a, int) else tuple(a) for a in axes)
    if len(first) != len(second):
        raise ArgumentError("tensordot: needs the same number of axes of both arrays")
    return apply("tensordot", (x1, x2), (len(first), *first, *second))


def vecdot(x1, x2, /, *, axis=-1):
    """Sums of products along an axis."""
    return apply("vecdot", (x1, x2), (axis,))


def dot(x1, x2, /):
    """NumPy's dot."""
    return apply("dot", (x1, x2))


def vdot(x1, x2, /):
    """The sum of the products of all elements in order."""
    return apply("vecdot", tuple(apply("reshape", (to_array(x, "vdot"),), (0,), (-1,)) for x in (x1, x2)), (-1,))


def inner(x1, x2, /):
    """Sums of products over the last axes."""
    return apply("inner", (x1, x2))


def outer(x1, x2, /):
    """All products of an element of x1 with one of x2."""
    return apply("outer", (x1, x2))


def _as_letters(*given):
    """einsum(a, [0, 1], b, [1, 2], [0, 2]) as a str and operands."""
    def letters(labels):
        if not isinstance(labels, (list, tuple)) or any(
                label is not Ellipsis and not (isinstance(label, int) and 0 <= label < 52) for label in labels):
            raise UsageError(f"einsum: the labels of axes are a str, or lists of ints from 0 to 51, not {labels!r}\n"
                             "  help: einsum('ij,jk->ik', a, b), or einsum(a, [0, 1], b, [1, 2], [0, 2])")
        return "".join("..." if label is Ellipsis else (ascii_uppercase + ascii_lowercase)[label] for label in labels)

    if len(given) < 2:
        letters(None)
    pairs = len(given) // 2
    text = ",".join(letters(given[2 * i + 1]) for i in range(pairs))
    if len(given) % 2:
        text += "->" + letters(given[-1])
    return text, given[0:2 * pairs:2]


def einsum(subscripts, /, *operands):
    """Sums of products by labels of axes: einsum("ij,jk->ik", a, b), or einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    if not isinstance(subscripts, str):
        subscripts, operands = _as_letters(subscripts, *operands)
    return apply("einsum", operands, None, None, None, subscripts)


def trace(x, /, *, offset=0, axis1=0, axis2=1, dtype=None):
    """The sum over a diagonal."""
    return apply("sum", (apply("diagonal", (x,), (offset, axis1, axis2)),), (0, 1, -1),
                 dtype=-1 if dtype is None else _code(dtype))


def cross(x1, x2, /, *, axis=-1):
    """The vector product, along an axis of length 3."""
    return apply("cross", (x1, x2), (axis,))


def _code(dtype):
    from ._dtypes import code_of

    return code_of(dtype)


__all__ = ["matmul", "tensordot", "vecdot", "dot", "vdot", "inner", "outer", "einsum", "trace", "cross"]
