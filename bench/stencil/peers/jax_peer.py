# SPDX-License-Identifier: Apache-2.0
"""JAX: the whole-array stencils under jit; sweeps as scans over levels."""

import os

import array_kernels
import extents
import numpy

COMPILED = {}


def start(who, threads):
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    jax.config.update("jax_enable_x64", True)
    return f"jax {jax.__version__}"


def vadv(lax, np, out, u_stage, wcon, u_pos, utens, dtr):
    """All with K first; wcon has a point more on both sides of I, which is the second, and of J."""
    w = 0.125 * (wcon[:, 2:, 1:-1] + wcon[:, 1:-1, 1:-1])
    zero = np.zeros_like(out[:1])
    a = np.concatenate([zero, -w[1:]])
    c = np.concatenate([w[1:], zero])
    below = np.concatenate([zero, u_stage[:-1] - u_stage[1:]])
    above = np.concatenate([u_stage[1:] - u_stage[:-1], zero])
    right = dtr * u_pos + utens + out - a * below - c * above

    def forward(carry, level):
        ccol, dcol = carry
        a, c, right = level
        divided = 1.0 / (dtr - a - c - ccol * a)
        new = c * divided, (right - dcol * a) * divided
        return new, new

    _, (ccol, dcol) = lax.scan(forward, (zero[0], zero[0]), (a, c, right))

    def backward(data, level):
        data = level[1] - level[0] * data
        return data, data

    _, data = lax.scan(backward, zero[0], (ccol, dcol), reverse=True)
    return dtr * (data - u_pos)


def tridiagonal(lax, np, inf, diag, sup, rhs):
    zero = np.zeros_like(rhs[0])

    def forward(carry, level):
        s, r = carry
        inf, diag, sup, rhs = level
        pivot = diag - s * inf
        new = sup / pivot, (rhs - inf * r) / pivot
        return new, new

    # The first level has nothing below it: zeros in the carry say so.
    _, (s, r) = lax.scan(forward, (zero, zero), (inf, diag, sup, rhs))

    def backward(out, level):
        out = level[1] - level[0] * out
        return out, out

    return lax.scan(backward, zero, (s, r), reverse=True)[1]


def sweep(jax, task):
    """K first, then I and J; and back."""
    np = jax.numpy
    order = [task.layout.index(a) for a in "KIJ"]
    back = numpy.argsort(order).tolist()

    def step(arrays):
        x = {name: a.transpose(order) for name, a in arrays.items()}
        if task.stencil == "vadv":
            out = vadv(jax.lax, np, x["utens_stage"], x["u_stage"], x["wcon"], x["u_pos"], x["utens"],
                       task.scalars["dtr_stage"])
            return {"utens_stage": out.transpose(back)}
        out = tridiagonal(jax.lax, np, x["inf"], x["diag"], x["sup"], x["rhs"])
        return {"out": out.transpose(back)}
    return step


def function_of(jax, task):
    np = jax.numpy
    if task.stencil in ("vadv", "tridiagonal"):
        return sweep(jax, task)
    if task.stencil == "adjust":
        def loop(goes_on, step, state):
            return jax.lax.while_loop(lambda s: goes_on(*s), lambda s: step(*s), state)

        def adjust(arrays):
            found = array_kernels.newton(np, *(arrays[n] for n in ("t", "qv", "qc", "p")),
                                         task.scalars["tolerance"], loop)
            return dict(zip(("t", "qv", "qc"), found))
        return adjust
    if task.stencil == "sediment":
        def sediment(arrays):
            f = extents.Arguments(task, arrays, np.arange)
            found = array_kernels.sediment(np, arrays["qr"], arrays["speed"], f.K.data, f.place[2])
            return dict(zip(("rain", "out"), found))
        return sediment
    kernel, x = array_kernels.KERNELS[task.stencil], extents.Functions(np)

    def whole(arrays):
        f = extents.Arguments(task, arrays, np.arange)
        return {name: part.on_domain() for name, part in kernel(x, f, task.scalars).items()}
    return whole


def prepare(task):
    import jax
    given = {f.name: jax.numpy.asarray(f.make()) for f in task.fields if f.use != "write"}
    compiled = jax.jit(function_of(jax, task))
    made = {}

    def step():
        made.update(jax.block_until_ready(compiled(given)))

    def results():
        # Updated fields have no halo here, so all results cover just the domain.
        return [f.logical(numpy.asarray(made[f.name])) for f in task.written()]
    return step, results
