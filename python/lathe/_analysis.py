# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of curves, samples and sets: derivatives, integrals, correlations."""

from . import _reduce, _search, _shape
from ._array import apply, to_array
from ._dtypes import code_of, float16, float64, promote
from ._elementwise import FUNCTIONS, finish, where
from ._linear import matmul
from ._size import least
from .errors import ArgumentError

_f = FUNCTIONS


def _float(x, what):
    x = to_array(x, what)
    return x if x.dtype.kind == "f" else apply("astype", (x,), dtype=code_of(float64))


def _part(x, axis, *bounds):
    return x[(slice(None),) * axis + (slice(*bounds),)]


def _point(x, axis, at):
    """One point of an axis, which must have it."""
    return _shape.expand_dims(x[(slice(None),) * axis + (at,)], axis=axis)


def _along(x, axis, rank):
    """One axis of numbers, as an array of that rank."""
    return _shape.reshape(x, (1,) * axis + (-1,) + (1,) * (rank - axis - 1))


def _edges(f, axis, spacing, order):
    """The derivative at both ends, by differences to one side."""
    if order == 1:
        return ((_point(f, axis, 1) - _point(f, axis, 0)) / _point(spacing, axis, 0),
                (_point(f, axis, -1) - _point(f, axis, -2)) / _point(spacing, axis, -1))
    first, second = _point(spacing, axis, 0), _point(spacing, axis, 1)
    start = (-(2 * first + second) / (first * (first + second)) * _point(f, axis, 0)
             + (first + second) / (first * second) * _point(f, axis, 1)
             - first / (second * (first + second)) * _point(f, axis, 2))
    first, second = _point(spacing, axis, -2), _point(spacing, axis, -1)
    end = (second / (first * (first + second)) * _point(f, axis, -3)
           - (second + first) / (first * second) * _point(f, axis, -2)
           + (2 * second + first) / (second * (first + second)) * _point(f, axis, -1))
    return start, end


def _gradient(f, spacing, axis, order):
    rank = f.ndim
    steps = _along(spacing, axis, rank) if spacing.ndim else None
    if steps is None:
        one = _shape.reshape(spacing, (1,) * rank)
        inner = (_part(f, axis, 2, None) - _part(f, axis, None, -2)) / (2 * one)
        start, end = _uniform_edges(f, axis, one, order)
    else:
        before, after = _part(steps, axis, None, -1), _part(steps, axis, 1, None)
        inner = (-after / (before * (before + after)) * _part(f, axis, None, -2)
                 + (after - before) / (before * after) * _part(f, axis, 1, -1)
                 + before / (after * (before + after)) * _part(f, axis, 2, None))
        start, end = _edges(f, axis, steps, order)
    return _shape.concat((start, inner, end), axis=axis)


def _uniform_edges(f, axis, step, order):
    if order == 1:
        return ((_point(f, axis, 1) - _point(f, axis, 0)) / step,
                (_point(f, axis, -1) - _point(f, axis, -2)) / step)
    return ((-1.5 * _point(f, axis, 0) + 2 * _point(f, axis, 1) - 0.5 * _point(f, axis, 2)) / step,
            (0.5 * _point(f, axis, -3) - 2 * _point(f, axis, -2) + 1.5 * _point(f, axis, -1)) / step)


def gradient(f, *spacing, axis=None, edge_order=1):
    """The derivative along each axis (or those given), by central differences. `spacing`: one distance for
    all, or for each axis a distance or the coordinates of its points."""
    f = _float(f, "gradient")
    axes = tuple(range(f.ndim)) if axis is None else tuple(
        _shape._normal(a, f.ndim, "gradient") for a in _shape._axes(axis))
    if edge_order not in (1, 2):
        raise ArgumentError(f"gradient: edge_order is 1 or 2, not {edge_order!r}")
    spacing = spacing or (1.0,)
    if len(spacing) == 1:
        spacing = spacing * len(axes)
    if len(spacing) != len(axes):
        raise ArgumentError(f"gradient: {len(axes)} axes need as many distances, not {len(spacing)}")
    found = []
    for a, step in zip(axes, spacing):
        length = f.shape[a]
        if isinstance(length, int) and length < edge_order + 1:
            raise ArgumentError(f"gradient: axis {a} has {length} points, and needs at least {edge_order + 1}")
        step = _float(step, "gradient")
        if step.ndim > 1:
            raise ArgumentError("gradient: coordinates have one axis")
        if step.ndim:
            step = _reduce.diff(step)
        elif f.dtype != step.dtype:
            step = apply("astype", (step,), dtype=f._dtype)
        found.append(_gradient(f, step, a, edge_order))
    return found[0] if len(found) == 1 else tuple(found)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral of y along an axis, by trapezoids; at x, or at points dx apart."""
    y = to_array(y, "trapezoid")
    axis = _shape._normal(axis, y.ndim, "trapezoid")
    step = dx
    if x is not None:
        x = to_array(x, "trapezoid")
        step = _along(_reduce.diff(x), axis, y.ndim) if x.ndim == 1 else _reduce.diff(x, axis=axis)
    return _reduce.sum(step * (_part(y, axis, 1, None) + _part(y, axis, None, -1)) / 2.0, axis=axis)


def interp(x, xp, fp, left=None, right=None):
    """The line through the points (xp, fp), at x; xp ascends. Beyond it `left` and `right`, or the ends."""
    x, xp, fp = (_float(v, "interp") for v in (x, xp, fp))
    if xp.ndim != 1 or fp.ndim != 1:
        raise ArgumentError("interp: xp and fp have one axis")
    found = apply("interp", (x, xp, fp))
    if left is not None:
        found = where(x < xp[0], left, found)
    if right is not None:
        found = where(x > xp[-1], right, found)
    return found


def _double(x, what):
    return apply("astype", (to_array(x, what),), dtype=code_of(float64))


def _samples(m, y, rowvar, what):
    m, y = to_array(m, what), None if y is None else to_array(y, what)
    parts = [_shape.atleast_2d(_double(v, what)) for v in (m, y) if v is not None]
    if not rowvar:  # NumPy's: what has one axis is a row all the same
        parts = [p.T if v.ndim > 1 else p for p, v in zip(parts, (m, y))]
    m = parts[0] if y is None else _shape.concat(parts, axis=0)
    return m


def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    """Covariances of variables, one in each row (or column)."""
    m = _samples(m, y, rowvar, "cov")
    ddof = (0 if bias else 1) if ddof is None else ddof
    away = m - _reduce.mean(m, axis=1, keepdims=True)
    count = m.shape[1] - ddof
    # Of too few samples nothing is known: 0 / 0.
    count = max(count, 0) if isinstance(count, int) else _f["maximum"](count, 0)
    return _shape.squeeze(matmul(away, away.T) / count)


def corrcoef(x, y=None, rowvar=True):
    """Correlations of variables, one in each row (or column)."""
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    spread = _f["sqrt"](_shape.diagonal(c))
    found = c / _shape.expand_dims(spread, axis=1) / _shape.expand_dims(spread, axis=0)
    return _f["maximum"](_f["minimum"](found, 1.0), -1.0)


def kron(a, b, /):
    """Kronecker's product: each element of a times the whole of b."""
    a, b = to_array(a, "kron"), to_array(b, "kron")
    rank = max(a.ndim, b.ndim)
    a, b = _shape._at_least(a, rank), _shape._at_least(b, rank)
    shape = tuple(n * m for n, m in zip(a.shape, b.shape))
    wide = _shape.reshape(a, tuple(v for n in a.shape for v in (n, 1)))
    return _shape.reshape(wide * _shape.reshape(b, tuple(v for n in b.shape for v in (1, n))), shape)


def convolve(a, v, mode="full"):
    """Sums of products with v turned round, at all places where they meet ("full"), as many as the longer
    one has ("same"), or where one lies within the other ("valid")."""
    a, v = _row(a, "convolve"), _row(v, "convolve")
    if mode not in ("full", "same", "valid"):
        raise ArgumentError(f"convolve: mode is 'full', 'same' or 'valid', not {mode!r}")
    return _slid(a, _shape.flip(v), mode, "convolve", False)


def _slid(a, v, mode, what, keeps_order):
    """v at all places along a, from where its last element meets the first of a. `keeps_order`: of an even
    number that is the shorter one, the middle depends on which is which, as in NumPy's correlate."""
    n, m = a.shape[0], v.shape[0]
    if 0 in (n if isinstance(n, int) else 1, m if isinstance(m, int) else 1):
        raise ArgumentError(f"{what}: an array is empty")
    less = least(n, m)
    later = least(m - less, 1) if keeps_order else 0  # 1: v is longer
    if isinstance(m, int) and (not isinstance(n, int) or m <= n):
        full = _windows(a, n, v, m)
    else:
        full = _shape.flip(_windows(v, m, a, n))
    if mode == "full":
        return full
    if mode == "same":
        first = (less - 1 + later) // 2
        return full[first:first + (n + m - less)]
    return full[less - 1:n + m - less]


def _windows(long, n, short, m):
    """The sum of products of each window of m elements with the short one, from where they begin to meet. What
    lies beyond the ends takes no part: zero times infinity is not zero."""
    padded = _shape.pad(long, m)  # a length that is a symbol may be 0, and m - 1 negative
    place = _range(n + m - 1)[:, None] + _range(m) + 1
    windows = padded[place]
    if windows.dtype.kind != "f" and short.dtype.kind != "f":
        return matmul(windows, short)
    dtype = promote(windows.dtype, short.dtype)
    inside = (place >= m) & (place < n + m)
    return _reduce.sum(where(inside, windows * short, 0), axis=1).astype(dtype)


def _range(n):
    return apply("arange", (), None, (0, n, 1))


def correlate(a, v, mode="valid"):
    """Sums of products of a with v, moved along it."""
    a, v = _row(a, "correlate"), _row(v, "correlate")
    if mode not in ("full", "same", "valid"):
        raise ArgumentError(f"correlate: mode is 'full', 'same' or 'valid', not {mode!r}")
    return _slid(a, v, mode, "correlate", True)


def _row(x, what):
    x = to_array(x, what)
    if x.ndim > 1:
        raise ArgumentError(f"{what}: takes arrays with one axis, not {x.ndim}")
    return _shape.atleast_1d(x)


def ediff1d(x, to_end=None, to_begin=None):
    """Differences of neighbours of all elements in order, with more before and after."""
    x = to_array(x, "ediff1d")
    parts = [to_begin, _reduce.diff(_shape.ravel(x)), to_end]
    return _shape.concat([_shape.ravel(to_array(p, "ediff1d").astype(x.dtype)) for p in parts if p is not None])


def ptp(x, /, axis=None, out=None, keepdims=False):
    """The largest element less the smallest."""
    x = to_array(x, "ptp")
    return finish(_reduce.max(x, axis=axis, keepdims=keepdims) - _reduce.min(x, axis=axis, keepdims=keepdims), out)


def isin(element, test_elements, assume_unique=False, invert=False):
    """Is each element one of the others?"""
    x, others = to_array(element, "isin"), _shape.ravel(to_array(test_elements, "isin"))
    if x.dtype != others.dtype:
        dtype = promote(x.dtype, others.dtype)
        x, others = (apply("astype", (v,), dtype=code_of(dtype)) for v in (x, others))
    found = apply("isin", (x, others))
    return ~found if invert else found


def digitize(x, bins, right=False):
    """In which of the intervals between ascending (or descending) bins does each element lie?"""
    return apply("digitize", (x, bins), (1 if right else 0,))


def polyval(p, x):
    """The polynomial with these coefficients, the highest power first."""
    p, x = to_array(p, "polyval"), to_array(x, "polyval")
    if not isinstance(p.shape[0], int):  # a symbol: as many steps as there will be
        x, p = (apply("astype", (v,), dtype=code_of(promote(promote(x.dtype, p.dtype), float16))) for v in (x, p))
        return _reduce.linear_recurrence(_shape.expand_dims(x, axis=-1), p, axis=-1)[..., -1]
    found = x * 0
    for i in range(len(p)):
        found = found * x + p[i]
    return found


__all__ = ["gradient", "trapezoid", "interp", "cov", "corrcoef", "kron", "convolve", "correlate", "ediff1d",
           "ptp", "isin", "digitize", "polyval"]
