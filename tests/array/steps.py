# SPDX-License-Identifier: Apache-2.0
"""What random graphs share: the list of steps, ways to choose their arguments, the loop over seeds."""

import argparse
import os
import sys
import traceback

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


def arguments(count):
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--quick", type=int, help="so many, unless LATHE_THOROUGH=1 asks for all of --count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state")
    parser.add_argument("--stop", type=int, default=20, help="after so many failures")
    return parser


def drive(args, check):
    """check(seed) gives a graph (which has a log) and its problems. Returns how many graphs have some."""
    if args.quick is not None and os.environ.get("LATHE_THOROUGH") != "1":  # tests/thorough.h
        args.count = args.quick
    first, failed = args.seed, 0
    if args.state and os.path.exists(args.state):
        first = int(open(args.state).read())
    for seed in range(first, args.seed + args.count):
        graph = None
        try:
            graph, problems = check(seed)
        except Exception:
            problems = [traceback.format_exc(limit=4)]
        if problems:
            failed += 1
            print(f"graph {seed}:")
            for line in graph.log if graph else []:
                print("   ", line)
            for p in problems[:3]:
                print("  ", p)
            sys.stdout.flush()
        if args.state:
            open(args.state, "w").write(str(seed + 1))
        if failed >= args.stop:
            break
    return failed
