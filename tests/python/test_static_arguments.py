# SPDX-License-Identifier: Apache-2.0
"""What a trace depends on: objects are looked into, and what may change unseen is refused."""

import collections
import dataclasses
import enum
import functools
import logging
import threading
import types

import numpy as np
import pytest
from messages import said

import lathe

ONES = np.ones(3)


class Model:
    def __init__(self):
        self.weight, self.times, self.name = np.full(3, 2.0), 1, "a"
        self.scale = 1.5

    @lathe.function
    def step(self, x):
        for _ in range(self.times):
            x = x * self.weight * self.scale
        return x if self.name == "a" else -x

    def plain(self, x):
        return x * self.weight

    def __call__(self, x):
        return x + self.scale


def test_methods_see_what_the_object_holds_now():
    model = Model()
    assert model.step(ONES).tolist() == [3, 3, 3]
    model.weight[:] = 3
    assert model.step(ONES).tolist() == [4.5, 4.5, 4.5]
    model.weight, model.scale = np.full(3, 1.0), 4.0
    assert model.step(ONES).tolist() == [4, 4, 4] and Model.step.trace_count == 1
    model.times = 2
    assert model.step(ONES).tolist() == [16, 16, 16]
    model.name = "b"
    assert model.step(ONES).tolist() == [-16, -16, -16] and Model.step.trace_count == 3


@dataclasses.dataclass
class Settings:
    factor: object
    names: list


@dataclasses.dataclass(frozen=True)
class Frozen:
    __slots__ = ("n",)
    n: int


class Mode(enum.Enum):
    UP = 1
    DOWN = 2


Pair = collections.namedtuple("Pair", "a b")


def test_containers_and_records_are_looked_into():
    f = lathe.function(lambda x, s: x * s.factor * len(s.names))
    settings = Settings(2.0, ["p"])
    assert f(ONES, settings).tolist() == [2, 2, 2]
    settings.factor = 3.0
    assert f(ONES, settings).tolist() == [3, 3, 3] and f.trace_count == 1
    settings.names.append("q")
    assert f(ONES, settings).tolist() == [6, 6, 6] and f.trace_count == 2
    g = lathe.function(lambda x, s: x * s["k"])
    for table in ({"k": 2}, collections.OrderedDict(k=3), collections.defaultdict(int, k=4), {"k": 2}):
        assert g(ONES, table).tolist() == [table["k"]] * 3
    h = lathe.function(lambda x, s: x * s.n)
    assert h(ONES, Frozen(2)).tolist() == [2, 2, 2] and h(ONES, Frozen(5)).tolist() == [5, 5, 5]
    space = types.SimpleNamespace(n=2)
    assert h(ONES, space).tolist() == [2, 2, 2]
    space.n = 7
    assert h(ONES, space).tolist() == [7, 7, 7]


def test_values_are_told_apart_by_what_they_are():
    f = lathe.function(lambda x, s: x * {Mode.UP: 1, Mode.DOWN: -1}[s])
    assert [f(ONES, m)[0].item() for m in (Mode.UP, Mode.DOWN, Mode.UP)] == [1, -1, 1] and f.trace_count == 2
    g = lathe.function(lambda x, s: x[s])
    assert g(ONES, slice(0, 2)).shape == (2,) and g(ONES, slice(0, 1)).shape == (1,)
    h = lathe.function(lambda x, s: x * len(s))
    items = {1, 2}
    assert h(ONES, items)[0].item() == 2
    items.add(3)
    assert h(ONES, items)[0].item() == 3 and h(ONES, frozenset((1,)))[0].item() == 1
    k = lathe.function(lambda x, s: x if type(s) is tuple else -x)
    assert k(ONES, (1, Mode.UP))[0].item() == 1 and k(ONES, [1, Mode.UP])[0].item() == -1


def test_functions_as_arguments():
    call = lathe.function(lambda f, x: f(x))
    assert call(np.sin, ONES)[0].item() == np.sin(1) and call(abs, -ONES)[0].item() == 1
    model = Model()
    assert call(model.plain, ONES)[0].item() == 2 and call(model, ONES)[0].item() == 2.5
    model.weight[:], model.scale = 9, 0.5
    assert call(model.plain, ONES)[0].item() == 9 and call(model, ONES)[0].item() == 1.5
    half = functools.partial(lambda f, x: x * f, 0.5)
    assert call(half, ONES)[0].item() == 0.5 and call(functools.partial(lambda f, x: x * f, 2), ONES)[0].item() == 2
    assert call(lathe.function(lambda x: x + 1), ONES)[0].item() == 2


def test_records_as_results():
    f = lathe.function(lambda x: Settings(x * 2, ["a"]))
    found = f(ONES)
    assert isinstance(found, Settings) and found.factor.tolist() == [2, 2, 2] and found.names == ["a"]
    assert f(ONES * 2).factor.tolist() == [4, 4, 4] and f.trace_count == 1


def test_what_may_change_unseen_is_refused():
    f = lathe.function(lambda x, source: x)
    with pytest.raises(TypeError) as caught:
        f(ONES, np.random.default_rng(1))
    assert said(caught) == (
        "<lambda>: the argument 'source' is a numpy.random._generator.Generator, which may change unseen: what was traced "
        "with it would be wrong then\n  help: give what the function needs of it: arrays, numbers, strings, or "
        "containers and objects that hold them")
    with pytest.raises(TypeError, match="^<lambda>: the argument 'source_0' is a builtins.generator, which may"):
        f(ONES, [(i for i in ())])
    loop = []
    loop.append(loop)
    with pytest.raises(TypeError, match="^the argument 'source_0' refers to itself, and cannot be taken apart"):
        f(ONES, loop)


class Simulation:
    def __init__(self, parent=None):
        self.scale, self.random, self.log = 2.0, np.random.default_rng(1), logging.getLogger("x")
        self.lock, self.parent, self.me = threading.Lock(), parent, self

    @lathe.function
    def step(self, x):
        return x * self.scale

    @lathe.function
    def noisy(self, x):
        return x + self.random.normal()


def test_attributes_that_are_not_used_may_be_anything():
    simulation = Simulation(Simulation())
    assert simulation.step(ONES).tolist() == [2, 2, 2]
    simulation.scale = 3.0
    assert simulation.step(ONES).tolist() == [3, 3, 3] and Simulation.step.trace_count == 1
    with pytest.raises(TypeError) as caught:
        simulation.noisy(ONES)
    assert said(caught) == (
        "the argument 'self_random' may change unseen, and cannot be used in a function that is traced\n"
        "  help: give what the function needs as arguments of its own")
