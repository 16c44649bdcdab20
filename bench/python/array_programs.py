# SPDX-License-Identifier: Apache-2.0
"""Two array programs as the users of each library write them. Each function takes NumPy arrays and returns a step that
computes once and gives a result that numpy.asarray takes."""

import numpy as np


def inputs(program, size):
    rng = np.random.default_rng(0)
    if program == "softmax":
        return [rng.standard_normal((size // 1000, 1000))]
    return [rng.random(size) for _ in range(4)]


def chain(x, a, b, c, d):
    return x.sqrt(a * b + c * d) - a / (1.0 + b * b) + 0.5 * d


def softmax(x, a, maximum, total):
    e = x.exp(a - maximum(a))
    return e / total(e)


def by_numpy(program, arrays):
    if program == "chain":
        return lambda: chain(np, *arrays)
    return lambda: softmax(np, *arrays, lambda a: a.max(axis=1, keepdims=True), lambda a: a.sum(axis=1, keepdims=True))


def by_lathe(program, arrays):
    import lathe
    if program == "chain":
        run = lathe.function(lambda *a: chain(lathe, *a))
    else:
        run = lathe.function(lambda a: softmax(lathe, a, lambda x: lathe.max(x, axis=1, keepdims=True),
                                               lambda x: lathe.sum(x, axis=1, keepdims=True)))
    return lambda: run(*arrays)


def by_jax(program, arrays):
    import jax
    given = [jax.numpy.asarray(a) for a in arrays]
    if program == "chain":
        run = jax.jit(lambda *a: chain(jax.numpy, *a))
    else:
        run = jax.jit(lambda a: softmax(jax.numpy, a, lambda x: x.max(axis=1, keepdims=True),
                                        lambda x: x.sum(axis=1, keepdims=True)))
    return lambda: jax.block_until_ready(run(*given))


def by_torch(program, arrays):
    import torch
    given = [torch.from_numpy(a) for a in arrays]
    run = torch.compile(lambda *a: chain(torch, *a) if program == "chain" else torch.softmax(a[0], dim=1))
    return lambda: run(*given)


def by_numba(program, arrays):
    import numba

    if program == "chain":
        @numba.njit(parallel=True)
        def run(a, b, c, d):
            out = np.empty_like(a)
            for i in numba.prange(a.size):
                out[i] = np.sqrt(a[i] * b[i] + c[i] * d[i]) - a[i] / (1.0 + b[i] * b[i]) + 0.5 * d[i]
            return out
    else:
        @numba.njit(parallel=True)
        def run(a):
            out = np.empty_like(a)
            for i in numba.prange(a.shape[0]):
                top = a[i].max()
                total = 0.0
                for j in range(a.shape[1]):
                    out[i, j] = np.exp(a[i, j] - top)
                    total += out[i, j]
                for j in range(a.shape[1]):
                    out[i, j] /= total
            return out
    return lambda: run(*arrays)


BY = {"numpy": by_numpy, "lathe": by_lathe, "jax": by_jax, "torch": by_torch, "numba": by_numba}
