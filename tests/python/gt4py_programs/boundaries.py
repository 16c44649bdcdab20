# SPDX-License-Identifier: Apache-2.0
"""Horizontal regions, conditionals, __INLINED, compile_assert, typed temporaries, dtypes by name."""
import numpy as np
import gt4py.cartesian.gtscript as gtscript
from gt4py.cartesian.gtscript import (
    PARALLEL, Field, I, J, __INLINED, compile_assert, computation, float32, horizontal, interval, region,
)


def definition(u: Field["real"], mask: Field[bool], v: Field["real"], *, scale: "real"):
    from __externals__ import EDGE, MODE
    with computation(PARALLEL), interval(...):
        compile_assert(EDGE > 0.0)
        t: float32 = 0.0
        if mask:
            t = u * scale
        elif u > 0.5:
            t = -u
        if __INLINED(MODE == 2):
            t = t + 1.0
        v = t + u[1, 0, 0] - u[0, -1, 0]
        with horizontal(region[I[0], :], region[:, J[-1]]):
            v = EDGE
        with horizontal(region[I[-1] - 1:, J[0] + 1 : J[-1] - 1]):
            v = v * 2.0


def fields():
    rng = np.random.default_rng(3)
    u = rng.random((10, 8, 3)).astype(np.float32)
    return u, rng.random((10, 8, 3)) > 0.5, np.zeros((10, 8, 3), np.float32)


def run():
    u, mask, v = fields()
    results = {}
    for mode in (1, 2):
        made = gtscript.stencil(backend="numpy", definition=definition, name=f"edges{mode}",
                                externals={"EDGE": np.float32(7.0), "MODE": mode}, dtypes={"real": np.float32})
        v[...] = 0
        made(u, mask, v, scale=np.float32(3.0), origin=(1, 2, 0), domain=(8, 5, 3))
        results[f"v{mode}"] = v.copy()
    return results


def reference():
    u, mask, v = fields()
    results = {}
    for mode in (1, 2):
        box, right, back = u[1:9, 2:7], u[2:10, 2:7], u[1:9, 1:6]
        t = np.where(mask[1:9, 2:7], box * np.float32(3), np.where(box > 0.5, -box, np.float32(0)))
        inner = t + (np.float32(1) if mode == 2 else np.float32(0)) + right - back
        inner[0] = 7
        inner[:, -1] = 7
        inner[-2:, 1:-2] *= 2
        v[...] = 0
        v[1:9, 2:7] = inner
        results[f"v{mode}"] = v.copy()
    return results
