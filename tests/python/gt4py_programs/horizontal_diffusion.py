# SPDX-License-Identifier: Apache-2.0
"""Functions, externals, storages, origins by field, a part of the domain."""
import numpy as np
import gt4py.storage
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import PARALLEL, Field, computation, interval

BACKEND = "numpy"
FloatField = Field[np.float64]


@gtscript.function
def laplacian(u):
    return u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u


@gtscript.function
def limited(flux, gradient):
    from __externals__ import LIMIT
    return 0.0 if flux * gradient > LIMIT else flux


@gtscript.stencil(backend=BACKEND, externals={"LIMIT": 0.0})
def hdiff(in_f: FloatField, coeff: FloatField, out_f: FloatField):
    with computation(PARALLEL), interval(...):
        lap = laplacian(in_f)
        flx = lap[1, 0, 0] - lap
        flx = limited(flx, in_f[1, 0, 0] - in_f)
        fly = lap[0, 1, 0] - lap
        fly = limited(fly, in_f[0, 1, 0] - in_f)
        out_f = in_f - coeff * (flx - flx[-1, 0, 0] + fly - fly[0, -1, 0])


def fields():
    rng = np.random.default_rng(1)
    shape = (19, 13, 7)
    in_f = gt4py.storage.from_array(rng.random(shape), backend=BACKEND, aligned_index=(3, 3, 0))
    coeff = gt4py.storage.full(shape, 0.05, backend=BACKEND)
    out_f = gt4py.storage.zeros(shape, backend=BACKEND, aligned_index=(3, 3, 0))
    return in_f, coeff, out_f


def run():
    in_f, coeff, out_f = fields()
    hdiff(in_f, coeff, out_f, origin={"_all_": (3, 3, 0), "coeff": (2, 4, 1)}, domain=(11, 6, 5))
    whole = gt4py.storage.zeros(out_f.shape, backend=BACKEND)
    hdiff(in_f=in_f, coeff=coeff, out_f=whole, origin=(2, 2, 0))
    frozen = hdiff.freeze(origin={"in_f": (4, 2, 0), "coeff": (0, 0, 0), "out_f": (1, 0, 0)}, domain=(5, 4, 7))
    part = np.zeros_like(out_f)
    frozen(in_f=in_f, coeff=coeff, out_f=part)
    return {"out_f": out_f, "whole": whole, "part": part}


def reference():
    in_f, _, out_f = map(np.asarray, fields())
    lap = np.zeros_like(in_f)
    lap[1:-1, 1:-1] = (in_f[2:, 1:-1] + in_f[:-2, 1:-1] + in_f[1:-1, 2:] + in_f[1:-1, :-2] - 4.0 * in_f[1:-1, 1:-1])
    flx, fly = np.zeros_like(lap), np.zeros_like(lap)
    flx[1:-2] = lap[2:-1] - lap[1:-2]
    flx[1:-2][flx[1:-2] * (in_f[2:-1] - in_f[1:-2]) > 0] = 0
    fly[:, 1:-2] = lap[:, 2:-1] - lap[:, 1:-2]
    fly[:, 1:-2][fly[:, 1:-2] * (in_f[:, 2:-1] - in_f[:, 1:-2]) > 0] = 0
    all_ = in_f[2:-2, 2:-2] - 0.05 * (
        flx[2:-2, 2:-2] - flx[1:-3, 2:-2] + fly[2:-2, 2:-2] - fly[2:-2, 1:-3])
    whole, part = np.zeros_like(in_f), np.zeros_like(in_f)
    whole[2:-2, 2:-2] = all_
    out_f[3:14, 3:9, :5] = whole[3:14, 3:9, :5]
    part[1:6, 0:4] = whole[4:9, 2:6]
    return {"out_f": out_f, "whole": whole, "part": part}
