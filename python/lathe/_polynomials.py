# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions of polynomials, whose coefficients begin with the highest power, and windows."""

import math

from . import _analysis, _shape
from ._array import apply, to_array
from ._dtypes import code_of, float64
from ._elementwise import FUNCTIONS, where
from ._size import least
from .errors import ArgumentError

_f = FUNCTIONS


def _row(x, what):
    x = _shape.atleast_1d(to_array(x, what))
    if x.ndim != 1:
        raise ArgumentError(f"{what}: coefficients have one axis, not {x.ndim}")
    return x


def vander(x, N=None, increasing=False):
    """The matrix of powers of each element: columns x**(N-1) ... x, 1, or the other way round."""
    x = _row(x, "vander")
    columns = x.shape[0] if N is None else N
    powers = apply("arange", (), None, (0, columns, 1))
    if x.dtype.kind in "biu" and x.dtype.itemsize < 8 or x.dtype.kind == "b":
        x = apply("astype", (x,), dtype=code_of("uint64" if x.dtype.kind == "u" else "int64"))
    # Products from the left, as NumPy makes them: 1, x, x * x ...
    steps = where(powers == 0, apply("full", (1,), None, (), dtype=x._dtype), _shape.expand_dims(x, axis=1))
    found = apply("cumprod", (steps,), (1, 1), dtype=x._dtype)
    return found if increasing else _shape.flip(found, axis=1)


def _longer(a, b, what):
    """Both, as long as the longer one."""
    a, b = _row(a, what), _row(b, what)
    n, m = a.shape[0], b.shape[0]
    less = least(n, m)  # too many zeros, and then not all of them: widths that are symbols may not seem negative
    return _shape.pad(a, (m, 0))[less:], _shape.pad(b, (n, 0))[less:]


def polyadd(a1, a2):
    """The sum of two polynomials."""
    a, b = _longer(a1, a2, "polyadd")
    return a + b


def polysub(a1, a2):
    """The difference of two polynomials."""
    a, b = _longer(a1, a2, "polysub")
    return a - b


def polymul(a1, a2):
    """The product of two polynomials."""
    return _analysis.convolve(_row(a1, "polymul"), _row(a2, "polymul"))


def _times(m, what):
    if not isinstance(m, int) or m < 0:
        raise ArgumentError(f"{what}: m is a number of times, not {m!r}")
    return m


def polyder(p, m=1):
    """The m-th derivative of a polynomial."""
    p = _row(p, "polyder")
    for _ in range(_times(m, "polyder")):
        n = p.shape[0]
        p = p[:-1] * (n - 1 - apply("arange", (), None, (0, n, 1)))[:-1]
    return p


def polyint(p, m=1, k=0):
    """The m-th integral of a polynomial, with k as the constants."""
    p = _analysis._float(_row(p, "polyint"), "polyint")
    constants = list(k) if isinstance(k, (list, tuple)) else [k] * max(m, 1)
    for i in range(_times(m, "polyint")):
        n = p.shape[0]
        p = _shape.concat((p / (n - apply("arange", (), None, (0, n, 1))), _row(float(constants[i]), "polyint")))
    return p


def polyfit(x, y, deg, w=None):
    """The polynomial of that degree that is nearest to the points (x, y), by least squares with weights w."""
    from .linalg import lstsq

    x, y = (_analysis._double(v, "polyfit") for v in (_row(x, "polyfit"), y))
    if not isinstance(deg, int) or deg < 0:
        raise ArgumentError(f"polyfit: the degree is an int from 0 on, not {deg!r}")
    left = vander(x, deg + 1)
    if w is not None:
        w = _analysis._double(w, "polyfit")
        left = left * w[:, None]
        y = y * (w if y.ndim == 1 else w[:, None])
    # Columns of about one length, so that small singular values mean something.
    scale = _f["sqrt"]((left * left).sum(axis=0))
    found = lstsq(left / scale, y)[0]
    return (found.T / scale).T


def _window(count, what):
    """Angles from 0 to 2 pi over so many points; of one, pi, where windows are 1."""
    if isinstance(count, int) and count < 1:
        return apply("full", (0.0,), None, (0,), dtype=code_of(float64))
    at = apply("astype", (apply("arange", (), None, (0, count, 1)),), dtype=code_of(float64))
    steps = max(count - 1, 1) if isinstance(count, int) else _f["maximum"](count - 1, 1)
    angle = (2 * math.pi) * at / steps
    return where(apply("equal", (count, 1)), math.pi, angle)


def hanning(M):
    """Hann's window of M points."""
    return 0.5 - 0.5 * _f["cos"](_window(M, "hanning"))


def hamming(M):
    """Hamming's window of M points."""
    return 0.54 - 0.46 * _f["cos"](_window(M, "hamming"))


def blackman(M):
    """Blackman's window of M points."""
    angle = _window(M, "blackman")
    return 0.42 - 0.5 * _f["cos"](angle) + 0.08 * _f["cos"](2 * angle)


def bartlett(M):
    """A triangle of M points."""
    return 1.0 - abs(_window(M, "bartlett") / math.pi - 1.0)


__all__ = ["vander", "polyadd", "polysub", "polymul", "polyder", "polyint", "polyfit", "hanning", "hamming", "blackman",
           "bartlett"]
