# SPDX-License-Identifier: Apache-2.0
"""The formulas as loops for numba. Compiled twice: with `prange` in parallel, and for small arrays not."""

import math

import numpy
from numba import prange


def chain(a, b, c, d):
    out = numpy.empty_like(a)
    for i in prange(a.size):
        out[i] = a[i] * b[i] + c[i] * d[i]
    return out


def softmax(x):
    out = numpy.empty_like(x)
    for i in prange(x.shape[0]):
        top = x[i, 0]
        for j in range(x.shape[1]):
            top = max(top, x[i, j])
        mass = x.dtype.type(0)
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - top)
            mass += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= mass
    return out


def distances(x):
    n = x.shape[0]
    out = numpy.empty((n, n), x.dtype)
    for i in prange(n):
        for j in range(n):
            s = x.dtype.type(0)
            for k in range(x.shape[1]):
                d = x[i, k] - x[j, k]
                s += d * d
            out[i, j] = math.sqrt(s)
    return out


def outer(a, b):
    out = numpy.empty((a.size, b.size), a.dtype)
    for i in prange(a.size):
        for j in range(b.size):
            out[i, j] = a[i] * b[j]
    return out


def stencil(u):
    n, m = u.shape
    out = numpy.empty((n - 2, m - 2), u.dtype)
    tenth, four = u.dtype.type(0.1), u.dtype.type(4)
    for i in prange(n - 2):
        for j in range(m - 2):
            around = u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2]
            out[i, j] = u[i + 1, j + 1] + tenth * (around - four * u[i + 1, j + 1])
    return out


def matmul(a, b):
    return a @ b


def batched(a, b):
    out = numpy.empty((a.shape[0], a.shape[1], b.shape[2]), a.dtype)
    for x in prange(a.shape[0]):
        out[x] = a[x] @ b[x]
    return out


def bilinear(a, m, b):
    c = a @ m
    out = numpy.empty(a.shape[0], a.dtype)
    for x in prange(a.shape[0]):
        s = a.dtype.type(0)
        for i in range(c.shape[1]):
            s += c[x, i] * b[x, i]
        out[x] = s
    return out


def matvec(a, x):
    return a @ x


def layer_norm(x, scale, shift):
    out = numpy.empty_like(x)
    n = x.dtype.type(x.shape[1])
    tiny = x.dtype.type(1e-5)
    for i in prange(x.shape[0]):
        middle = x.dtype.type(0)
        for j in range(x.shape[1]):
            middle += x[i, j]
        middle /= n
        spread = x.dtype.type(0)
        for j in range(x.shape[1]):
            d = x[i, j] - middle
            spread += d * d
        root = x.dtype.type(1) / x.dtype.type(math.sqrt(spread / n + tiny))
        for j in range(x.shape[1]):
            out[i, j] = (x[i, j] - middle) * root * scale[j] + shift[j]
    return out


def cumsum(x):
    out = numpy.empty_like(x)
    s = x.dtype.type(0)
    for i in range(x.size):
        s += x[i]
        out[i] = s
    return out


def cumsum_flat(x):
    out = numpy.empty(x.size, x.dtype)
    s = x.dtype.type(0)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j]
            out[i * x.shape[1] + j] = s
    return out


def cumsum_rows(x):
    out = numpy.empty_like(x)
    for i in prange(x.shape[0]):
        s = x.dtype.type(0)
        for j in range(x.shape[1]):
            s += x[i, j]
            out[i, j] = s
    return out


def gather(x, at):
    out = numpy.empty(at.size, x.dtype)
    for i in prange(at.size):
        out[i] = x[at[i]]
    return out


def argmax(x):
    best = 0
    for i in range(x.size):
        if x[i] > x[best]:
            best = i
    return best


def argmax_rows(x):
    out = numpy.empty(x.shape[0], numpy.int64)
    for i in prange(x.shape[0]):
        best = 0
        for j in range(x.shape[1]):
            if x[i, j] > x[i, best]:
                best = j
        out[i] = best
    return out


def sum(x):
    s = x.dtype.type(0)
    for i in prange(x.size):
        s += x[i]
    return s


def sum_first(x):
    out = numpy.zeros(x.shape[1], x.dtype)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[j] += x[i, j]
    return out


def sort(x):
    return numpy.sort(x)


def searchsorted(v, x):
    return numpy.searchsorted(numpy.sort(x), v)


def mask(x):
    out = numpy.empty_like(x)
    n = 0
    for i in range(x.size):
        out[n] = x[i]
        n += x[i] > 0.5
    return out[:n]


def mask_rows(x, r):
    out = numpy.empty_like(x)
    n = 0
    for i in range(r.size):
        if r[i] > 0.5:
            for j in range(x.shape[1]):
                out[n, j] = x[i, j]
            n += 1
    return out[:n]


def unique(x):
    return numpy.unique(x)
