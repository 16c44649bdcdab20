# SPDX-License-Identifier: Apache-2.0
"""What a peer is asked to run: a formula on arrays with the numbers of bench/array/data.cpp."""

import inputs
import numpy


class Absent(Exception):
    """The library cannot compile this formula."""


class Task:
    is_fresh = False

    def __init__(self, description):
        self.formula, self.dtype, self.size, self.repeat = (
            description[x] for x in ("formula", "dtype", "size", "repeat"))
        self.real = numpy.float32 if self.dtype == "f32" else numpy.float64
        self.arrays = [self.fill(seed, d) for seed, d in enumerate(description["inputs"], 1)]

    def fill(self, seed, description):
        """Numbers in [0, 1); or whole ones below a bound, as indices or as floats."""
        below = description["below"]
        if not below:
            return inputs.fill(description["shape"], seed, self.dtype)
        whole = numpy.floor(inputs.fill(description["shape"], seed, "f64") * below)
        return whole.astype(numpy.int64 if description["is_index"] else self.real)

    def restore(self):
        pass
