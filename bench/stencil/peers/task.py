# SPDX-License-Identifier: Apache-2.0
"""What a peer is asked to run: the fields of a row, filled with the numbers of bench/stencil/fields.cpp."""

import os
import sys

import numpy

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "road", "peers"))
import inputs  # noqa: E402

TABLE = 65521


class Absent(Exception):
    """The library cannot express this stencil, or not in this layout."""


class Field:
    def __init__(self, task, number, description):
        self.name, self.use, self.halo = (description[x] for x in ("name", "use", "halo"))
        self.is_int, self.has_k = description["is_int"], description["has_k"]
        self.low, self.high, self.seed = description["low"], description["high"], number + 1
        self.axes = "IJK" if self.has_k else "IJ"
        self.origin = (self.halo, self.halo, 0)[:len(self.axes)]
        self.shape = tuple(n + 2 * h for n, h in zip(task.domain, self.origin))
        self.order = [self.axes.index(a) for a in task.layout if a in self.axes]  # of axes in memory
        self.dtype = numpy.dtype(task.integer if self.is_int else task.real)
        self.inner = tuple(slice(o, o + n) for o, n in zip(self.origin, task.domain))

    def numbers(self):
        """In the order I, J, K."""
        table = self.low + (self.high - self.low) * inputs.fill((TABLE,), self.seed, "f64")
        return numpy.resize(table.astype(self.dtype), self.shape)

    def make(self):
        """The axes in memory's order, densely."""
        shape = [self.shape[a] for a in self.order]
        if self.use == "write":
            return numpy.full(shape, -1, self.dtype)
        return numpy.ascontiguousarray(self.numbers().transpose(self.order))

    def logical(self, array):
        """A view of such an array in the order I, J, K."""
        return array.transpose([self.order.index(a) for a in range(len(self.axes))])


class Task:
    repeat = 1  # steps of a run

    def __init__(self, description):
        self.stencil, self.dtype, self.layout, self.file, self.function, self.is_fresh = (
            description[x] for x in ("stencil", "dtype", "layout", "file", "function", "is_fresh"))
        self.domain = tuple(description["domain"])
        self.scalars = description["scalars"]
        is_single = self.dtype == "f32"
        self.real = numpy.float32 if is_single else numpy.float64
        self.integer = numpy.int32 if is_single else numpy.int64
        self.fields = [Field(self, n, d) for n, d in enumerate(description["fields"])]
        self.arrays = {}

    def fill(self):
        """Arrays by name; for peers that have none of their own."""
        self.arrays = {f.name: f.make() for f in self.fields}
        return self.arrays

    def restore(self):
        for f in self.fields:
            if f.use == "update" and f.name in self.arrays:
                f.logical(self.arrays[f.name])[...] = f.numbers()

    def written(self):
        return [f for f in self.fields if f.use != "read"]

    def results(self):
        """Of the arrays that fill() made."""
        return [f.logical(self.arrays[f.name])[f.inner] for f in self.written()]
