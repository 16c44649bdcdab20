# SPDX-License-Identifier: Apache-2.0
"""Conway's game of life on a torus, by rolling the board."""

import numpy as np
import picture

import lathe


@lathe.function
def generation(board):
    cells = lathe.astype(board, lathe.uint8)
    neighbours = sum(lathe.roll(cells, (i, j), axis=(0, 1))
                     for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return (neighbours == 3) | (board & (neighbours == 2))


options = picture.options(__doc__)
n, generations = (300, 500) if options.large else (32, 60)
board = np.zeros((8, 10), bool)
board[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = True  # a glider
for _ in range(8):
    board = generation(board)
print("a glider after eight generations:")
for row in np.asarray(board):
    print("".join(".#"[int(c)] for c in row))

soup = lathe.random.uniform(2, (n, n)) < 0.3
age = np.zeros((n, n))
for _ in range(generations):
    soup = generation(soup)
    age = np.where(soup, age + 1, 0)
print(f"of {n * n} cells {int(lathe.sum(soup))} live after {generations} generations")
picture.write_png(f"{options.folder}/life.png", picture.enlarged(picture.coloured(np.minimum(age, 20)), 6))
