# SPDX-License-Identifier: Apache-2.0
"""Arrays over the domain and some points around it, so that stencils of whole arrays can be written
as they are in GTScript: `f[1, 0, 0]` is the neighbour, and an operation covers what all of its
operands cover. NumPy, JAX and torch share it."""

import operator


class Part:
    def __init__(self, data, before, after, place):
        """`before`, `after`: points around the domain in I, J and K; None: the same at all of them.
        `place`: the dimension of I, J and K."""
        self.data, self.before, self.after, self.place = data, before, after, place

    def __getitem__(self, offset):
        return Part(self.data,
                    tuple(b if b is None else b + o for b, o in zip(self.before, offset)),
                    tuple(a if a is None else a - o for a, o in zip(self.after, offset)), self.place)

    def cut(self, before, after):
        index = [slice(None)] * 3
        for axis in range(3):
            if self.before[axis] is not None:
                first = self.before[axis] - before[axis]
                last = self.data.shape[self.place[axis]] - (self.after[axis] - after[axis])
                index[self.place[axis]] = slice(first, last)
        return self.data[tuple(index)]

    def on_domain(self):
        return self.cut((0, 0, 0), (0, 0, 0))


def least(values):
    known = [v for v in values if v is not None]
    return min(known) if known else None


def apply(function, *operands):
    parts = [x for x in operands if isinstance(x, Part)]
    before = tuple(least([p.before[a] for p in parts]) for a in range(3))
    after = tuple(least([p.after[a] for p in parts]) for a in range(3))
    data = function(*(x.cut(before, after) if isinstance(x, Part) else x for x in operands))
    return Part(data, before, after, parts[0].place)


def define(name, function):
    setattr(Part, f"__{name}__", lambda a, b: apply(function, a, b))
    setattr(Part, f"__r{name}__", lambda a, b: apply(function, b, a))


for _name in ("add", "sub", "mul", "truediv"):
    define(_name, getattr(operator, _name))
for _name in ("lt", "le", "gt", "ge", "eq", "and_", "or_"):
    setattr(Part, f"__{_name.strip('_')}__",
            lambda a, b, _function=getattr(operator, _name): apply(_function, a, b))
Part.__neg__ = lambda a: apply(operator.neg, a)


class Functions:
    """Of a library's module: where, minimum, maximum, abs, sqrt."""

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        function = getattr(self.module, name)
        return lambda *operands: apply(function, *operands)


class Arguments:
    """The fields of a task as parts, by name; I and K: the coordinates of points."""

    def __init__(self, task, arrays, arange):
        place = tuple(task.layout.index(a) for a in "IJK")
        self.place = place
        self.domain = task.domain
        for f in task.fields:
            if f.use == "write":
                continue
            data = arrays[f.name]
            around = (f.halo, f.halo, 0)
            if not f.has_k:
                shape = list(data.shape)
                shape.insert(place[2], 1)
                data, around = data.reshape(shape), (f.halo, f.halo, None)
            setattr(self, f.name, Part(data, around, around, place))
        for axis, (name, around) in enumerate((("I", 4), ("J", 4), ("K", 0))):
            shape = [1, 1, 1]
            shape[place[axis]] = task.domain[axis] + 2 * around
            limits = [None] * 3
            limits[axis] = around
            numbers = arange(-around, task.domain[axis] + around).reshape(shape)
            setattr(self, name, Part(numbers, tuple(limits), tuple(limits), place))
