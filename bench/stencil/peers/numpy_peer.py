# SPDX-License-Identifier: Apache-2.0
"""The stencils in NumPy: whole arrays at a time, sweeps a level at a time."""

import array_kernels
import extents
import numpy


def start(who, threads):
    return f"NumPy {numpy.__version__}"


def vadv(out, u_stage, wcon, u_pos, utens, dtr):
    """All in the order I, J, K; wcon has a point more on both sides of I and J."""
    nk = out.shape[2]
    ccol, dcol = numpy.empty_like(out), numpy.empty_like(out)
    w = wcon[1:, 1:-1, :]

    def mean(k):
        return 0.25 * (w[1:, :, k] + w[:-1, :, k])

    for k in range(nk):
        right = dtr * u_pos[..., k] + utens[..., k] + out[..., k]
        centre = dtr
        if k > 0:
            a = -0.5 * mean(k)
            right -= a * (u_stage[..., k - 1] - u_stage[..., k]) + dcol[..., k - 1] * a
            centre = centre - a - ccol[..., k - 1] * a
        if k < nk - 1:
            c = 0.5 * mean(k + 1)
            right -= c * (u_stage[..., k + 1] - u_stage[..., k])
            centre = centre - c
            ccol[..., k] = c / centre
        dcol[..., k] = right / centre
    data = dcol[..., nk - 1]
    out[..., nk - 1] = dtr * (data - u_pos[..., nk - 1])
    for k in range(nk - 2, -1, -1):
        data = dcol[..., k] - ccol[..., k] * data
        out[..., k] = dtr * (data - u_pos[..., k])


def tridiagonal(inf, diag, sup, rhs, out):
    nk = out.shape[2]
    s, r = numpy.empty_like(out), numpy.empty_like(out)
    s[..., 0] = sup[..., 0] / diag[..., 0]
    r[..., 0] = rhs[..., 0] / diag[..., 0]
    for k in range(1, nk):
        pivot = diag[..., k] - s[..., k - 1] * inf[..., k]
        s[..., k] = sup[..., k] / pivot
        r[..., k] = (rhs[..., k] - inf[..., k] * r[..., k - 1]) / pivot
    out[..., nk - 1] = r[..., nk - 1]
    for k in range(nk - 2, -1, -1):
        out[..., k] = r[..., k] - s[..., k] * out[..., k + 1]


def repeat(goes_on, step, state):
    while goes_on(*state):
        state = step(*state)
    return state


def prepare(task):
    arrays = task.fill()
    view = {f.name: f.logical(arrays[f.name]) for f in task.fields}
    if task.stencil == "vadv":
        return lambda: vadv(view["utens_stage"], view["u_stage"], view["wcon"], view["u_pos"],
                            view["utens"], task.scalars["dtr_stage"]), task.results
    if task.stencil == "tridiagonal":
        return lambda: tridiagonal(**view), task.results
    if task.stencil == "adjust":
        def adjust():
            t, qv, qc = array_kernels.newton(numpy, *(arrays[n] for n in ("t", "qv", "qc", "p")),
                                             task.scalars["tolerance"], repeat)
            arrays["t"][...], arrays["qv"][...], arrays["qc"][...] = t, qv, qc
        return adjust, task.results
    f = extents.Arguments(task, arrays, numpy.arange)
    if task.stencil == "sediment":
        def sediment():
            arrays["rain"][...], arrays["out"][...] = array_kernels.sediment(
                numpy, arrays["qr"], arrays["speed"], f.K.data, f.place[2])
        return sediment, task.results
    kernel, x = array_kernels.KERNELS[task.stencil], extents.Functions(numpy)

    def step():
        for name, part in kernel(x, f, task.scalars).items():
            arrays[name][...] = part.on_domain()
    return step, task.results
