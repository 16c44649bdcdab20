# SPDX-License-Identifier: Apache-2.0
"""The Mandelbrot set: all steps in one kernel, without a loop over pixels."""

import numpy as np
import picture

import lathe


def escape_counts(x, y, steps):
    zr, zi = lathe.zeros_like(x), lathe.zeros_like(y)
    count = lathe.zeros(x.shape, dtype=lathe.int32)
    for _ in range(steps):
        zr, zi = zr * zr - zi * zi + x, 2 * zr * zi + y
        inside = zr * zr + zi * zi < 4
        zr, zi = lathe.where(inside, zr, 2.0), lathe.where(inside, zi, 2.0)
        count = count + lathe.astype(inside, lathe.int32)
    return count


options = picture.options(__doc__)
rows, columns, steps = (800, 1200, 50) if options.large else (60, 90, 16)
x, y = lathe.meshgrid(lathe.linspace(-2.1, 0.9, columns), lathe.linspace(-1.1, 1.1, rows))
count = escape_counts(x, y, steps)
inside = lathe.sum(count == steps)
count, inside = lathe.compute(count, inside)
print(f"{int(inside)} of {rows * columns} points never leave")
shades = " .:-=+*#%@"
for line in np.asarray(count)[:: rows // 12, :: columns // 45]:
    print("".join(shades[min(int(c) * len(shades) // (steps + 1), 9)] for c in line).rstrip())
picture.write_png(f"{options.folder}/mandelbrot.png",
                  picture.enlarged(picture.coloured(np.log1p(np.asarray(count))), max(1, 400 // columns)))
