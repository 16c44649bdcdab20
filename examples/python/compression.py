# SPDX-License-Identifier: Apache-2.0
"""A picture from a few singular vectors."""

import numpy as np
import picture

import lathe


def hills(rows, columns):
    y, x = lathe.meshgrid(lathe.linspace(0, 1, rows), lathe.linspace(0, 1, columns), indexing="ij")
    z = lathe.sin(9 * x + 4 * y) + lathe.cos(14 * y * x) + 0.7 * lathe.sin(25 * (x - y) ** 2)
    return z + lathe.where((x - 0.7) ** 2 + (y - 0.3) ** 2 < 0.02, 1.5, 0.0)


options = picture.options(__doc__)
rows, columns = (240, 360) if options.large else (48, 64)
image = hills(rows, columns).compute()
u, s, vh = lathe.compute(*lathe.linalg.svd(image, full_matrices=False))
print("singular values:", lathe.round(s[:6], 3).tolist())
shown = [image]
for rank in (1, 4, 12):
    guess = (u[:, :rank] * s[:rank]) @ vh[:rank]
    error = lathe.linalg.matrix_norm(guess - image) / lathe.linalg.matrix_norm(image)
    part = rank * (rows + columns + 1) / (rows * columns)
    print(f"rank {rank:2d}: {100 * part:5.1f} % of the numbers, error {100 * float(error):.2f} %")
    shown.append(guess)
low, high = float(image.min()), float(image.max())
row = np.concatenate([picture.coloured(a, low, high) for a in shown], axis=1)
picture.write_png(f"{options.folder}/compression.png", picture.enlarged(row, max(1, 192 // columns)))
