# SPDX-License-Identifier: Apache-2.0
"""Data dimensions, tables, while, levels of their own, functions of numbers, nested functions of closures."""
import numpy as np
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (
    FORWARD, IJ, PARALLEL, Field, GlobalTable, computation, exp, interval, log, max, min, sqrt,
)

HALF = 0.5


def make(power):
    @gtscript.function
    def shape(x):
        return sqrt(max(x, 0.01)) ** power + HALF

    @gtscript.stencil("numpy", name="package.column")
    def column(t: Field[float], q: Field[(float, (2,))], table: GlobalTable[(float, (3,))], s: Field[IJ, float]):
        with computation(PARALLEL), interval(...):
            t = shape(t) + table.A[1] * q[0, 0, 0][1]
            q[0, 0, 0][0] = min(t, exp(-t)) + log(1.0 + t)
        with computation(FORWARD):
            with interval(0, 1):
                s = t
            with interval(1, None):
                s = max(s, t)
                n = 0.0
                while n < t:
                    n = n + 0.5
                t = n
    return column


def fields():
    rng = np.random.default_rng(4)
    return rng.random((4, 3, 6)) * 3, rng.random((4, 3, 6, 2)), np.array([1.0, 2.5, 3.0]), np.zeros((4, 3))


def run():
    t, q, table, s = fields()
    column = make(2)
    column(t, q, table, s)
    assert column.options["name"] == "column" and column.options["module"] == "package"
    return {"t": t, "q": q, "s": s}


def reference():
    t, q, table, s = fields()
    t = np.sqrt(np.maximum(t, 0.01)) ** 2 + HALF + table[1] * q[..., 1]
    q[..., 0] = np.minimum(t, np.exp(-t)) + np.log(1.0 + t)
    s = t.max(axis=2)
    t[..., 1:] = np.ceil(t[..., 1:] * 2) / 2
    return {"t": t, "q": q, "s": s}
