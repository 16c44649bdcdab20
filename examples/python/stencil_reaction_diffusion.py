# SPDX-License-Identifier: Apache-2.0
"""Gray and Scott's reaction: two substances that spread and eat each other draw corals. Numbers of the module and
functions are used as in any Python function; the edges are made periodic by NumPy.

Prints:
eaten 0.417 of the food
spots True
"""
import numpy as np
from field_picture import save

import lathe
from lathe.gtscript import PARALLEL, Field, computation, function, interval

FEED, KILL = 0.055, 0.062
SPREAD_U, SPREAD_V = 0.16, 0.08


@function
def spread(x, rate):
    return rate * (x[1, 0, 0] + x[-1, 0, 0] + x[0, 1, 0] + x[0, -1, 0] - 4.0 * x)


@lathe.stencil
def react(u: Field[float], v: Field[float], new_u: Field[float], new_v: Field[float]):
    with computation(PARALLEL), interval(...):
        eaten = u * v * v
        new_u = u + spread(u, SPREAD_U) - eaten + FEED * (1.0 - u)
        new_v = v + spread(v, SPREAD_V) + eaten - (FEED + KILL) * v


def wrap(x):
    x[0], x[-1] = x[-2], x[1]
    x[:, 0], x[:, -1] = x[:, -2], x[:, 1]


n, steps = 128, 3000
u, v = np.ones((n + 2, n + 2, 1)), np.zeros((n + 2, n + 2, 1))
rng = np.random.default_rng(1)
for i, j in rng.integers(10, n - 10, (12, 2)):
    u[i:i + 6, j:j + 6], v[i:i + 6, j:j + 6] = 0.5, 0.25
new_u, new_v = u.copy(), v.copy()
step = react.freeze(origin=(1, 1, 0), domain=(n, n, 1))
for _ in range(steps):
    wrap(u), wrap(v)
    step(u, v, new_u, new_v)
    u, new_u, v, new_v = new_u, u, new_v, v

inner = v[1:-1, 1:-1, 0]
print(f"eaten {1 - u[1:-1, 1:-1].mean():.3f} of the food")
print("spots", bool(inner.max() > 0.25 and inner.min() < 0.02))
save("reaction_diffusion", inner)
