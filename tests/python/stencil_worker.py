# SPDX-License-Identifier: Apache-2.0
"""A process that works with stencils, for the tests that start, stop and fork some: stencil_worker.py TASK"""

import os
import sys
import time

import numpy as np

import lathe
from lathe.gtscript import PARALLEL, Field, computation, interval


@lathe.stencil
def blur(u: Field[float], v: Field[float], *, a: float):
    with computation(PARALLEL), interval(...):
        v = a * (u[-1, 0, 0] + u[1, 0, 0] + u[0, -1, 0] + u[0, 1, 0])


@lathe.stencil
def spin(u: Field[float], *, rounds: float):
    with computation(PARALLEL), interval(...):
        n = 0.0
        while n < rounds:
            n = n + 1.0
        u = n


def check(seed=0, shape=(66, 50, 20)):
    """Runs blur, and compares."""
    u = np.random.default_rng(seed).random(shape)
    v = np.zeros((shape[0] - 2, shape[1] - 2, shape[2]))
    blur(u, v, a=0.25)
    wanted = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return np.array_equal(v, wanted)


def once():
    """Waits for the others, runs, tells."""
    while time.time() < float(sys.argv[2]):
        time.sleep(0.001)
    print("right" if check() else "wrong")


def endless():
    u = np.zeros((4, 4, 4))
    spin(u, rounds=1.0)
    print("begins", flush=True)
    try:
        spin(np.zeros((64, 64, 64)), rounds=1e15)
    except KeyboardInterrupt:
        spin(u, rounds=3.0)  # nothing is left of the interruption
        print("stopped", u[0, 0, 0])


def own_handler():
    """A program that handles signals itself gets them when the call is over, and the call is done."""
    import signal
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    u = np.zeros((4, 4, 4))
    spin(u, rounds=1.0)
    print("begins", flush=True)
    spin(u, rounds=3e5)
    print("done", u.min() == 3e5, len(heard))


def fork():
    big = (200, 200, 40)
    right = check(shape=big)  # with threads
    children = []
    for seed in range(3):
        pid = os.fork()
        if pid == 0:
            os._exit(0 if check(seed, big) else 1)
        children.append(pid)
    right = check(shape=big) and right
    print("right" if right and not any(os.waitpid(pid, 0)[1] for pid in children) else "wrong")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
