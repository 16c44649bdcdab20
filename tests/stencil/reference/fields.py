# SPDX-License-Identifier: Apache-2.0
"""What fields hold: filled from arrays, read and written a plane at a time."""

import numpy as np

from .values import HALO, Plane, Refused


def clipped(index, size):
    inside = (index >= 0) & (index < size)
    return np.minimum(np.maximum(index, 0), size - 1).astype(np.int64), inside


class Fields:
    def __init__(self, module, domain, literals, dtypes):
        self.module = module  # names of the file
        self.domain = domain
        self.int_type, self.float_type = literals
        self.dtypes = dtypes
        ni, nj = domain[0] + 2 * HALO, domain[1] + 2 * HALO
        self.ii, self.jj = np.meshgrid(np.arange(ni), np.arange(nj), indexing="ij")
        self.i, self.j = self.ii - HALO, self.jj - HALO
        self.inside = ((self.i >= 0) & (self.i < domain[0]) & (self.j >= 0) & (self.j < domain[1]))
        self.fields = []   # by number
        self.data = {}     # number -> (values, valid), never changed in place
        self.mask = Plane(np.ones(self.ii.shape, bool))
        self.k = 0
        self.functions = {}
        self.kinds = {}
        self.places = {}   # what `along` said

    # K of arguments begins HALO before the domain; temporaries have its levels.
    def k_origin(self, f):
        return HALO if f.api else 0

    def add_field(self, f):
        sizes = {"I": self.domain[0] + 2 * HALO, "J": self.domain[1] + 2 * HALO,
                 "K": self.domain[2] + 2 * self.k_origin(f)}
        shape = [sizes[a] for a in f.axes] + list(f.dims)
        self.fields.append(f)
        number = len(self.fields) - 1
        self.data[number] = (np.zeros(shape, f.dtype), np.zeros(shape, bool))
        return number

    def fill(self, number, array, origin):
        """The caller's array: element `origin` is the first point of the domain."""
        f = self.fields[number]
        values, valid = (x.copy() for x in self.data[number])
        into, out = [], []
        for n, axis in enumerate(f.axes):
            first = HALO - origin[n]
            lo = max(first, 0)
            hi = min(first + array.shape[n], values.shape[n])
            into.append(slice(lo, hi))
            out.append(slice(lo - first, hi - first))
        values[tuple(into)] = array[tuple(out)]
        valid[tuple(into)] = True
        self.data[number] = (values, valid)

    def take(self, number, array, origin):
        """The compute domain, back into the caller's array; whether all that was written is valid."""
        f = self.fields[number]
        values, valid = self.data[number]
        into, out = [], []
        for n, axis in enumerate(f.axes):
            first = HALO - origin[n]
            lo, hi = max(first, 0), min(first + array.shape[n], values.shape[n])
            into.append(slice(lo, hi))
            out.append(slice(lo - first, hi - first))
        array[tuple(out)] = values[tuple(into)]
        return bool(valid[tuple(into)].all())

    # --- Access.

    def along(self, axis, offset, size):
        """Index arrays along I or J and where they lie inside, which is the same at every level."""
        key = axis, offset, size
        if key not in self.places:
            self.places[key] = clipped((self.ii if axis == "I" else self.jj) + offset, size)
        return self.places[key]

    def index(self, f, offset, level, data):
        """Index arrays of an element per point, and where they lie inside."""
        ok = np.ones(self.ii.shape, bool)
        index = []
        shape = self.data[self.fields.index(f)][0].shape
        parts = []
        for axis, size in zip(f.axes, shape):
            if axis == "K":
                parts.append(clipped(np.broadcast_to(level.data + self.k_origin(f), self.ii.shape), size))
                ok = ok & level.valid
            else:
                parts.append(self.along(axis, offset["IJ".index(axis)], size))
        for d, size in zip(data, shape[len(f.axes):]):
            parts.append(clipped(np.broadcast_to(d.data, self.ii.shape), size))
            ok = ok & d.valid
        for at, inside in parts:
            ok = ok & inside
            index.append(at)
        return tuple(index), ok

    def read(self, number, offset, level, data):
        f = self.fields[number]
        if len(data) != len(f.dims):
            raise Refused(f"{f.name} needs {len(f.dims)} data indices")
        index, ok = self.index(f, offset, level, data)
        values, valid = self.data[number]
        return Plane(values[index], valid[index] & ok)

    def write(self, number, level, data, value):
        f = self.fields[number]
        value = value.cast(f.dtype)
        index, ok = self.index(f, (0, 0), level, data)
        where = self.mask.data | ~self.mask.valid
        if f.api:
            where = where & self.inside
        if (where & self.inside & ~ok).any():
            raise Refused(f"{f.name} is written outside of its array")
        where = where & ok
        values, valid = (x.copy() for x in self.data[number])
        at = tuple(p[where] for p in index)
        values[at] = np.broadcast_to(value.data, self.ii.shape)[where]
        valid[at] = np.broadcast_to(value.valid & self.mask.valid, self.ii.shape)[where]
        self.data[number] = (values, valid)
