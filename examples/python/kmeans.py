# SPDX-License-Identifier: Apache-2.0
"""k-means: distances of all points to all centres, and sums by index (add_at)."""

import numpy as np
import picture

import lathe


@lathe.function
def improve(points, centres):
    difference = points[:, None, :] - centres[None, :, :]
    distance = lathe.sum(difference * difference, axis=2)
    nearest = lathe.argmin(distance, axis=1)
    total = lathe.zeros_like(centres).add_at(nearest, points)
    count = lathe.zeros(centres.shape[0]).add_at(nearest, 1.0)
    moved = total / lathe.maximum(count, 1)[:, None]
    return moved, nearest, lathe.sum(lathe.min(distance, axis=1))


options = picture.options(__doc__)
count = 20000 if options.large else 900
home = np.array([[0.0, 0.0], [4.0, 5.0], [8.0, 0.0], [3.0, -4.0]])
noise = np.asarray(lathe.random.normal(8, (count, 2)))
points = home[np.arange(count) % 4] + noise
centres = points[:4]
cost = None
for i in range(20):
    centres, nearest, cost = improve(points, centres)
    if i in (0, 1, 19):
        print(f"round {i + 1:2d}: cost {float(cost):.1f}")
order = lathe.argsort(centres[:, 0])
print(lathe.round(centres[order], 2).compute())

pixels = np.full((160, 240, 3), 16, np.uint8)
shown = picture.COLOURS[1:5]
i = np.clip((8.5 - points[:, 1]) / 16 * 160, 0, 159).astype(int)
j = np.clip((points[:, 0] + 4) / 16 * 240, 0, 239).astype(int)
pixels[i, j] = shown[np.asarray(nearest)]
picture.write_png(f"{options.folder}/kmeans.png", picture.enlarged(pixels, 3))
