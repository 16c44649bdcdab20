# SPDX-License-Identifier: Apache-2.0
"""NumPy's small functions: questions about arrays, numbers and dtypes, and what is made of one or two others."""

import math

import numpy as np

from . import _linear, _reduce, _shape
from ._array import Array, apply, to_array
from ._create import asarray
from ._dtypes import as_dtype, bfloat16, bool as bool_dtype, code_of, finfo, promote, uint8
from ._elementwise import FUNCTIONS, as_floats, conj, finish, where
from .errors import DTypeError

_f = FUNCTIONS
conjugate = conj


def ndim(x, /):
    """How many axes?"""
    return to_array(x, "ndim").ndim


def shape(x, /):
    """The lengths of the axes."""
    return to_array(x, "shape").shape


def isscalar(x, /):
    """Is it a number, and no array?"""
    return np.isscalar(x)


def iterable(x, /):
    """Has it elements to go through?"""
    return not isinstance(x, Array) and np.iterable(x) or isinstance(x, Array) and x.ndim > 0


def promote_types(type1, type2, /):
    """The dtype that both are converted to."""
    return promote(as_dtype(type1), as_dtype(type2))


def array_equal(a1, a2, equal_nan=False):
    """Have they the same shape and elements? Computed now."""
    a, b = to_array(a1, "array_equal"), to_array(a2, "array_equal")
    if a.ndim != b.ndim or any(n != m for n, m in zip(a.shape, b.shape)):
        return False
    same = a == b
    if equal_nan and a.dtype.kind == b.dtype.kind == "f":
        same = same | (_f["isnan"](a) & _f["isnan"](b))
    return bool(_reduce.all(same))


def array_equiv(a1, a2):
    """Have they the same elements when they are spread to one shape? Computed now."""
    a, b = to_array(a1, "array_equiv"), to_array(a2, "array_equiv")
    for n, m in zip(a.shape[::-1], b.shape[::-1]):
        if 1 not in (n, m) and n != m:
            return False
    return bool(_reduce.all(a == b))


def asanyarray(obj, dtype=None):
    """asarray: there are no other kinds of arrays."""
    return asarray(obj, dtype=dtype)


def ascontiguousarray(obj, dtype=None):
    """With one axis at least. Results always lie row by row."""
    return _shape.atleast_1d(asarray(obj, dtype=dtype))


def isreal(x, /):
    """True: Lathe has no complex numbers."""
    return apply("full", (True,), None, to_array(x, "isreal").shape, dtype=code_of(bool_dtype))


def iscomplex(x, /):
    """False: Lathe has no complex numbers."""
    return apply("full", (False,), None, to_array(x, "iscomplex").shape, dtype=code_of(bool_dtype))


def isrealobj(x, /):
    """True: Lathe has no complex numbers."""
    return True


def iscomplexobj(x, /):
    """False: Lathe has no complex numbers."""
    return False


def real_if_close(x, tol=100):
    """The array: Lathe has no complex numbers."""
    return to_array(x, "real_if_close")


def angle(z, deg=False):
    """0, and pi of negative numbers."""
    z = as_floats(z, "angle")
    found = where(z < 0, 180.0 if deg else math.pi, 0.0)
    return apply("astype", (where(_f["isnan"](z), z, found),), dtype=z._dtype)


def divmod(x1, x2, /):
    """The quotient, rounded down, and the remainder."""
    x1 = to_array(x1, "divmod") if not hasattr(x2, "dtype") else x1
    return apply("floor_divide", (x1, x2)), apply("remainder", (x1, x2))


def fix(x, /, *, out=None):
    """The next integer towards 0."""
    return finish(_f["trunc"](to_array(x, "fix")), out)


def ldexp(x1, x2, /, *, out=None):
    """x1 * 2**x2."""
    x, e = as_floats(x1, "ldexp"), to_array(x2, "ldexp")
    if e.dtype.kind not in "iu":
        raise DTypeError(f"ldexp: the exponent is an integer, not {e.dtype}")
    # In three steps, so that none leaves the range of powers of two.
    limits = 126 if x.dtype == bfloat16 else {2: 14, 4: 126, 8: 1022}[x.dtype.itemsize]
    rest, found = e.astype("int64"), x
    for _ in range(3):
        step = _f["minimum"](_f["maximum"](rest, -limits), limits)
        found = found * _f["exp2"](apply("astype", (step,), dtype=x._dtype))
        rest = rest - step
    return finish(found, out)


def spacing(x, /, *, out=None):
    """The distance to the next float away from 0, with the sign of x."""
    x = as_floats(x, "spacing")
    least = finfo(x.dtype).smallest_normal * finfo(x.dtype).eps
    size = _f["nextafter"](abs(x), apply("full", (math.inf,), None, (), dtype=x._dtype)) - abs(x)
    return finish(where(x == 0, least, _f["copysign"](size, x)), out)


def bitwise_count(x, /, *, out=None):
    """How many bits of the absolute value are 1?"""
    x = to_array(x, "bitwise_count")
    if x.dtype.kind not in "biu":
        raise DTypeError(f"bitwise_count: takes integers, not {x.dtype}")
    rest = apply("astype", (abs(x) if x.dtype.kind == "i" else x,), dtype=code_of("uint64"))
    bits = 8 * x.dtype.itemsize
    if x.dtype.kind == "i" and bits < 64:  # the least integer is its own absolute value
        rest = rest & ((1 << bits) - 1)
    # Sums of neighbouring groups of 1, 2, 4 ... bits.
    for shift in (1, 2, 4, 8, 16, 32):
        mask = sum(((1 << shift) - 1) << at for at in range(0, 64, 2 * shift))
        mask = apply("full", (mask,), None, (), dtype=code_of("uint64"))
        by = apply("full", (shift,), None, (), dtype=code_of("uint64"))
        rest = (rest & mask) + ((rest >> by) & mask)
    return finish(apply("astype", (rest,), dtype=code_of(uint8)), out)


def unwrap(p, discont=None, axis=-1, *, period=2 * math.pi):
    """With whole periods added where neighbours differ by more than half of one (or by `discont`)."""
    p = as_floats(p, "unwrap")
    axis = _shape._normal(axis, p.ndim, "unwrap")
    step = _reduce.diff(p, axis=axis)
    half = period / 2
    turned = (step + half) % period - half
    turned = where((turned == -half) & (step > 0), half, turned)
    added = where(abs(step) < max(half if discont is None else discont, half), 0.0, turned - step)
    before = (slice(None),) * axis
    return _shape.concat((p[(*before, slice(0, 1))],
                          p[(*before, slice(1, None))] + apply("cumsum", (added,), (1, axis), dtype=p._dtype)), axis=axis)


def matvec(x1, x2, /):
    """Matrices times vectors."""
    return _linear.matmul(x1, to_array(x2, "matvec")[..., None])[..., 0]


def vecmat(x1, x2, /):
    """Vectors times matrices."""
    return _linear.matmul(to_array(x1, "vecmat")[..., None, :], x2)[..., 0, :]


def diagflat(v, k=0):
    """A matrix with all elements on the k-th diagonal."""
    from ._rearrange import diag

    return diag(_shape.ravel(to_array(v, "diagflat")), k)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """func1d of each row along an axis, which must have a known number of rows."""
    x = to_array(arr, "apply_along_axis")
    axis = _shape._normal(axis, x.ndim, "apply_along_axis")
    rows = _shape.moveaxis(x, axis, -1)
    shape = tuple(rows.shape[:-1])
    if not shape:
        return to_array(func1d(rows, *args, **kwargs), "apply_along_axis")
    parts = _shape.unstack(_shape.reshape(rows, (-1, rows.shape[-1])) if len(shape) > 1 else rows)
    found = _shape.stack([to_array(func1d(row, *args, **kwargs), "apply_along_axis") for row in parts])
    found = _shape.reshape(found, (*shape, *found.shape[1:]))
    added = found.ndim - len(shape)
    return _shape.moveaxis(found, tuple(range(len(shape), found.ndim)), tuple(range(axis, axis + added))) if added else found


def apply_over_axes(func, a, axes):
    """func(a, axis) for one axis after the other, each of which stays."""
    x = to_array(a, "apply_over_axes")
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        axis = _shape._normal(axis, x.ndim, "apply_over_axes")
        found = to_array(func(x, axis=axis), "apply_over_axes")
        x = found if found.ndim == x.ndim else _shape.expand_dims(found, axis=axis)
    return x


__all__ = ["ndim", "shape", "isscalar", "iterable", "promote_types", "array_equal", "array_equiv", "asanyarray",
           "ascontiguousarray", "isreal", "iscomplex", "isrealobj", "iscomplexobj", "real_if_close", "angle", "divmod",
           "fix", "ldexp", "spacing", "bitwise_count", "unwrap", "matvec", "vecmat", "diagflat", "apply_along_axis",
           "apply_over_axes", "conjugate"]
