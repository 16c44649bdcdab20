# SPDX-License-Identifier: Apache-2.0
"""The heat equation by slices: the step is traced once and serves every size."""

import numpy as np
import picture

import lathe


@lathe.function
def step(u, a):
    inner = u[1:-1, 1:-1]
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    u[1:-1, 1:-1] = inner + a * (around - 4 * inner)  # a new u; the old values are read first
    return u


def hot_plate(n):
    u = np.zeros((n, n))
    u[0, :], u[n // 3: n // 2, n // 3: n // 2] = 100, 60
    return u


options = picture.options(__doc__)
n, steps = (400, 4000) if options.large else (40, 200)
u = hot_plate(n)
for _ in range(steps):
    u = step(u, 0.2)
small = step(hot_plate(6), 0.2)
print(f"after {steps} steps: mean {float(u.mean()):.4f}, traced {step.trace_count} time")
print("one step of a small plate:")
print(lathe.round(small, 1).compute())
picture.write_png(f"{options.folder}/heat.png", picture.enlarged(picture.coloured(u), max(1, 200 // n)))
