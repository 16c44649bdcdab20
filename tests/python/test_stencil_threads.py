# SPDX-License-Identifier: Apache-2.0
"""Threads that call one stencil, and stencils that travel: pickles and copies."""

import copy
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import stencil_worker as worker

import lathe
from lathe.gtscript import PARALLEL, Field, computation, function, interval

FACTOR = 3.0


@function
def scaled(x):
    return FACTOR * x


@lathe.stencil
def triple(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = scaled(a)


def test_many_threads_call_one_stencil():
    right = []

    def call(seed):
        for n in range(20):
            right.append(worker.check(seed, (10 + seed, 7 + n % 3, 4)))
    threads = [threading.Thread(target=call, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert right == [True] * 160


def test_others_work_while_a_stencil_runs():
    u = np.zeros((4, 4, 4))
    worker.spin(u, rounds=1.0)
    thread = threading.Thread(target=worker.spin, args=(u,), kwargs={"rounds": 2e5})
    steps = 0
    thread.start()
    while thread.is_alive():
        time.sleep(0.001)
        steps += 1
    assert steps > 5 and (u == 2e5).all()


def test_a_pickle_is_a_stencil_elsewhere():
    a, b = np.random.default_rng(0).random((3, 4, 5)), np.zeros((3, 4, 5))
    other = pickle.loads(pickle.dumps(triple))
    other(a, b)
    assert np.array_equal(b, 3 * a) and other.name == "triple" and other.definition_func is triple.definition_func
    frozen = pickle.loads(pickle.dumps(triple.freeze(origin=(1, 1, 1), domain=(2, 2, 2))))
    b[...] = 0
    frozen(a, b)
    assert np.array_equal(b[1:, 1:3, 1:3], 3 * a[1:, 1:3, 1:3]) and (b[0] == 0).all()
    assert copy.copy(triple) is triple and copy.deepcopy(triple) is triple


def test_a_pickle_needs_no_source(tmp_path):
    """In a process that knows nothing of this file."""
    (tmp_path / "stencil.pickle").write_bytes(pickle.dumps(triple))
    text = ("import pickle, numpy as np\ns = pickle.load(open('stencil.pickle', 'rb'))\n"
            "a, b = np.ones((2, 2, 2)), np.zeros((2, 2, 2))\ns(a, b)\nprint(b.sum(), s.definition_func)")
    out = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert out.stdout == "24.0 None\n"


def test_errors_of_a_pickled_stencil_show_the_definition():
    other = pickle.loads(pickle.dumps(worker.blur))
    for s in (worker.blur, other):
        try:
            s(np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), a=1.0, domain=(2, 2, 2))
        except lathe.ArgumentError as error:
            assert f"--> {worker.__file__}" in str(error)
        else:
            raise AssertionError


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_nothing_is_kept_of_calls():
    u, v = np.random.default_rng(0).random((6, 6, 3)), np.zeros((4, 4, 3))
    frozen = worker.blur.freeze(origin=(1, 1, 0), domain=(2, 2, 2))

    def calls(count):
        for _ in range(count):
            worker.blur(u, v, a=1.0)
            frozen(memoryview(u), u.copy(), a=1.0, exec_info={})
            for wrong in ({"a": "x"}, {"a": 1.0, "domain": (9, 9, 9)}):
                try:
                    worker.blur(u, v, **wrong)
                except (TypeError, ValueError):
                    pass
    calls(500)
    before = resident()
    calls(3000)
    assert resident() - before < 2**20
