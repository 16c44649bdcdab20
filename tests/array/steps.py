# SPDX-License-Identifier: Apache-2.0
"""What the steps of random graphs share: a list of them, and ways to choose their arguments."""


STEPS = []


class Step:
    def __init__(self, name, make):
        self.name, self.make = name, make


def step(weight=1):
    def register(f):
        STEPS.extend([Step(f.__name__, f)] * weight)
        return f
    return register


def pick(g, test=lambda i: True):
    fitting = [i for i in g.items if test(i)]
    return g.rng.choice(fitting) if fitting else None


def index_of(g, *items):
    return ", ".join(f"v{g.items.index(i)}" for i in items)


def is_float(i): return i.dtype.kind == "f"
def is_int(i): return i.dtype.kind in "iu"
def is_bool(i): return i.dtype.kind == "b"


def together(a, b):
    """Shapes that broadcast for all sizes."""
    return all(x == y or x == "1" or y == "1" for x, y in zip(a.shape[::-1], b.shape[::-1]))


def pair(g, test=lambda i: True):
    a = pick(g, test)
    if a is None:
        return None
    # Now and then shapes that only fit for some sizes.
    loose = g.rng.random() < 0.08
    b = pick(g, lambda i: test(i) and (together(a, i) or loose))
    return a, b
