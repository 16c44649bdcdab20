# SPDX-License-Identifier: Apache-2.0
"""Blur and edges of a picture: a filter is a sum of shifted pictures, and all of it one kernel."""

import numpy as np
import picture

import lathe


def weighted(x, weights, axis):
    """The sum of neighbours along an axis; beyond the edges as at them."""
    half = len(weights) // 2
    n = x.shape[axis]
    widths = [(half, half) if a == axis else (0, 0) for a in range(x.ndim)]
    padded = lathe.pad(x, widths, "edge")
    parts = [slice(None)] * x.ndim
    total = 0
    for i, w in enumerate(weights):
        parts[axis] = slice(i, i + n)
        total = total + w * padded[tuple(parts)]
    return total


def edges(x):
    bell = [0.0625, 0.25, 0.375, 0.25, 0.0625]
    blurred = weighted(weighted(x, bell, 0), bell, 1).pin_cse()
    down = weighted(weighted(blurred, [-1, 0, 1], 0), [1, 2, 1], 1)
    right = weighted(weighted(blurred, [1, 2, 1], 0), [-1, 0, 1], 1)
    return blurred, lathe.sqrt(down * down + right * right)


options = picture.options(__doc__)
n = 512 if options.large else 64
y, x = lathe.meshgrid(lathe.linspace(-1, 1, n), lathe.linspace(-1, 1, n), indexing="ij")
scene = lathe.where(x * x + y * y < 0.5, 1.0, 0.0) + lathe.where(abs(x - 0.3) + abs(y + 0.2) < 0.35, 1.0, 0.0)
scene = (scene + 0.25 * lathe.random.uniform(5, (n, n))).compute()

filtered = lathe.function(edges)
blurred, found = filtered(scene)
print("what the compiler stores between input and results:")
for line in lathe.explain(filtered.trace(scene)[1]).splitlines():
    if line.startswith("t") and " stored because " in line:
        name, _, rest = line.partition(":")
        print(f"  {name}, because {rest.partition(' stored because ')[2].partition(' (')[0]}")
print(f"edges: mean {float(found.mean()):.4f}, largest {float(found.max()):.4f}")
row = np.concatenate([picture.coloured(a) for a in (scene, blurred, found)], axis=1)
picture.write_png(f"{options.folder}/filters.png", picture.enlarged(row, max(1, 192 // n)))
