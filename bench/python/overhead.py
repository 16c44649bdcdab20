# SPDX-License-Identifier: Apache-2.0
"""What Python costs: the import, and small calls. Prints a table of times.

  python bench/python/overhead.py
"""

import subprocess
import sys
import time

import numpy as np

import lathe
from lathe.gtscript import PARALLEL, Field, computation, interval

IMPORT = """
import time
a = time.perf_counter()
import numpy
b = time.perf_counter()
import lathe
print(b - a, time.perf_counter() - b)
"""


def formula(x, y):
    """Ten operations."""
    a = lathe.sin((x + y) * x) - y
    return (lathe.sqrt(a * a + 1.0) / 2.0 + x) * y


@lathe.stencil
def five(a: Field[float], b: Field[float], c: Field[float], d: Field[float], e: Field[float]):
    with computation(PARALLEL), interval(...):
        e = a + b * c - d


def best(f, calls=2000, rounds=7):
    """Seconds of a call, in the best round."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            f()
        times.append((time.perf_counter() - start) / calls)
    return min(times)


def main():
    imports = [tuple(map(float, subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True,
                                               check=True).stdout.split())) for _ in range(7)]
    print(f"import numpy, then lathe        {min(i[0] for i in imports) * 1e3:8.1f} ms, then "
          f"{min(i[1] for i in imports) * 1e3:.1f} ms")
    x, y = np.random.default_rng(0).random((2, 100))
    out = np.empty(100)
    f = lathe.function(formula)
    f(x, y)
    fields = [np.ones((3, 3, 3)) for _ in range(5)]
    frozen = five.freeze(origin=(0, 0, 0), domain=(3, 3, 3))
    five(*fields)
    for what, call in {
        "stencil, five arrays": lambda: five(*fields),
        "the same, frozen": lambda: frozen(*fields),
        "lathe.function, ten operations": lambda: f(x, y),
        "the same, into memory of ours": lambda: f(x, y, out=out),
        "the same, as NumPy's array": lambda: np.asarray(f(x, y)),
        "graph built anew, compute()": lambda: formula(lathe.asarray(x), lathe.asarray(y)).compute(),
    }.items():
        print(f"{what:32s}{best(call) * 1e6:8.1f} us")


if __name__ == "__main__":
    main()
