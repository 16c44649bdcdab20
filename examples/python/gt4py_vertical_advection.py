# SPDX-License-Identifier: Apache-2.0
"""A tracer carried up and down by the wind, implicitly: a tridiagonal system for each column, solved by a sweep up and
a sweep down. A program of GT4Py; `lathe.` in the import is all that is new.

Prints:
mass 134.1 before, 134.1 after
highest 0.994 before, 1.766 after
"""
import numpy as np
from field_picture import save

from lathe.gt4py.cartesian.gtscript import BACKWARD, FORWARD, PARALLEL, Field, computation, interval, lazy_stencil


@lazy_stencil(backend="numpy")
def advect(q: Field[float], w: Field[float], *, courant: float):
    # Crank-Nicolson; w is the wind at the lower face of each box, none at bottom and top.
    with computation(PARALLEL):
        with interval(0, 1):
            below = 0.0
            above = 0.25 * courant * w[0, 0, 1]
            rhs = q - above * (q + q[0, 0, 1])
        with interval(1, -1):
            below = 0.25 * courant * w
            above = 0.25 * courant * w[0, 0, 1]
            rhs = q - above * (q + q[0, 0, 1]) + below * (q[0, 0, -1] + q)
        with interval(-1, None):
            below = 0.25 * courant * w
            above = 0.0
            rhs = q + below * (q[0, 0, -1] + q)
    with computation(FORWARD):
        with interval(0, 1):
            c = above / (1.0 + above - below)
            d = rhs / (1.0 + above - below)
        with interval(1, None):
            c = above / (1.0 + above - below + below * c[0, 0, -1])
            d = (rhs + below * d[0, 0, -1]) / (1.0 + above - below + below * c[0, 0, -1])
    with computation(BACKWARD):
        with interval(-1, None):
            q = d
        with interval(0, -1):
            q = d - c * q[0, 0, 1]


ni, nk, steps = 160, 80, 60
x, z = np.meshgrid(np.linspace(0, 2 * np.pi, ni), np.linspace(0, 1, nk), indexing="ij")
q = np.exp(-((z - 0.5) / 0.08) ** 2) * (0.75 + 0.25 * np.sign(np.sin(8 * x)))
start = q.copy()
w = np.sin(x) * np.sin(np.pi * (z - 0.5 / nk))
w[:, 0] = 0.0
q, w = q[:, None, :], w[:, None, :]  # one row of J
for _ in range(steps):
    advect(q, w, courant=0.5)

print(f"mass {start.sum() / 10:.1f} before, {q.sum() / 10:.1f} after")
print(f"highest {start.max():.3f} before, {q.max():.3f} after")
save("vertical_advection", start, q[:, 0])
