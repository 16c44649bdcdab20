# SPDX-License-Identifier: Apache-2.0
"""Threads, forks, Ctrl-C, leaks, a machine without a compiler, the import."""

import gc
import os
import pathlib
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import lathe
from lathe import _core


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100,
                          env={**os.environ, **environment})


def test_without_a_compiler(tmp_path):
    """The interpreter stands in, and says so once, by Python's warnings."""
    code = """
import warnings, lathe
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    print(lathe.sum(lathe.arange(10)).item(), lathe.max(lathe.arange(4)).item())
print(len(heard), heard[0].category.__name__, str(heard[0].message).splitlines()[0])
warnings.simplefilter("error")
"""
    done = run(code, PATH=str(tmp_path), LATHE_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stderr == ""
    assert done.stdout == (
        "45 3\n1 LatheWarning there is no C compiler: no cc, gcc or clang on PATH; programs run in the "
        "interpreter: the same results, but much slower\n")


def test_import_loads_little():
    """What takes long to load is loaded when it is used (bench/python/overhead.py measures the import)."""
    code = """
import sys, numpy
before = set(sys.modules)
import lathe
loaded = set(sys.modules) - before
print(sorted(m for m in loaded if m.partition(".")[0] not in sys.stdlib_module_names and not m.startswith("lathe")))
print(sorted(m for m in loaded if m in ("lathe.gt4py", "lathe.gtscript", *("lathe." + m for m in lathe._LATER))))
lathe.polyfit, lathe.gt4py
print("lathe._polynomials" in sys.modules, "lathe.gt4py" in sys.modules)
"""
    assert run(code).stdout == "[]\n[]\nTrue True\n"


def test_import_needs_little():
    code = "import sys, lathe; print(sorted({m.partition('.')[0] for m in sys.modules} & " \
           "{'xarray', 'pandas', 'asyncio', 'typing_extensions', 'matplotlib'}))"
    assert run(code).stdout == "[]\n"


def test_threads():
    with lathe.target("interpreter"):
        f = lathe.function(lambda x, y: lathe.sum(x * y) + 1)
    results, problems = [], []

    def work(seed):
        try:
            with lathe.target("interpreter"):
                rng = np.random.default_rng(seed)
                for _ in range(40):
                    n = int(rng.integers(1, 50))
                    x = rng.integers(0, 9, n).astype(float)
                    got = f(x, x).item()
                    lazy = (lathe.asarray(x) * 2).sum()
                    assert got == (x * x).sum() + 1 and lazy.item() == 2 * x.sum()
                    results.append(1)
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert problems == [] and len(results) == 8 * 40


def test_modes_belong_to_threads():
    seen = []
    with lathe.target("interpreter"):
        t = threading.Thread(target=lambda: seen.append(_core.get_mode()))
        t.start()
        t.join()
        assert _core.get_mode() == (False, True)
    assert seen == [(False, False)]


def test_the_gil_is_released():
    """Another thread counts while one is busy."""
    n = 1_500_000
    x = np.random.default_rng(0).random(n)
    count, stop = [0], threading.Event()

    def counting():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0.0002)

    with lathe.target("interpreter"):
        y = lathe.sum(lathe.sin(lathe.asarray(x)))
        t = threading.Thread(target=counting)
        t.start()
        before = count[0]
        y.compute()
        during = count[0] - before
        stop.set()
        t.join()
    assert during > 5


def test_fork():
    x = lathe.asarray(np.arange(5.0))
    assert lathe.sum(x).item() == 10  # threads are there
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            value = (lathe.sum(x * 2) + 1).item()
            os.write(write, repr(value).encode())
        finally:
            os._exit(0)
    os.close(write)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(read, 100) == b"21.0"
    os.close(read)


INTERRUPTED = """
import os, signal, threading, time
import numpy as np, lathe
x = np.random.default_rng(0).random(3_000_000)
{setup}
def interrupt():
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
start = time.monotonic()
try:
    with lathe.target("interpreter"):
        for _ in range({times}):
            y = lathe.asarray(x)
            for _ in range(60):
                y = lathe.sin(y) * lathe.exp(y) - 0.5
            lathe.sum(y).compute()
    print("done")
except KeyboardInterrupt:
    print("stopped", time.monotonic() - start < 10)
print(lathe.sum(lathe.arange(4)).item())
"""


def test_keyboard_interrupt_stops_long_work():
    done = run(INTERRUPTED.format(setup="", times=1000))
    assert (done.stdout, done.stderr) == ("stopped True\n6\n", "")


LONG = """
import os, signal, threading, time
import numpy as np, lathe
a = np.random.default_rng(1).random(({n}, {n}))
lathe.ones(3).compute()
def interrupt():
    time.sleep({after})
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
start = time.monotonic()
try:
    with lathe.target("{target}"):
        {work}
    print("done")
except KeyboardInterrupt:
    print("stopped", time.monotonic() - start < {after} + 20)
print(lathe.sum(lathe.arange(4)).item())
"""


# Each takes seconds of processor time: quick runs leave out some (tests/thorough.h).
thorough = pytest.mark.skipif(os.environ.get("LATHE_THOROUGH") != "1", reason="a quick run")


@pytest.mark.parametrize("target, work, n, after", [
    ("interpreter", "(lathe.asarray(a) @ a).compute()", 3000, 0.5),
    ("interpreter", "lathe.linalg.svd(a)[0].compute()", 1500, 0.5),
    pytest.param("c", "lathe.linalg.svd(a)[0].compute()", 2500, 2.0, marks=thorough),
    pytest.param("c", "lathe.linalg.eigh(a + a.T)[1].compute()", 2500, 2.0, marks=thorough),
    ("c", "lathe.linalg.solve(np.stack([a] * 40), a).compute()", 1500, 2.0),
])
def test_keyboard_interrupt_stops_one_long_step(target, work, n, after):
    """Within one statement of the program, of minutes."""
    done = run(LONG.format(target=target, work=work, n=n, after=after))
    assert (done.stdout, done.stderr) == ("stopped True\n6\n", "")


COMPILING = """
import os, signal, threading, time
import numpy as np, lathe
def interrupt():
    while not os.path.exists({begun!r}):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
f = lathe.function(lambda x: x * 2)
try:
    f(np.ones(3))
except KeyboardInterrupt:
    print("stopped")
print(f(np.ones(3)).tolist())
"""


def test_keyboard_interrupt_stops_the_c_compiler(tmp_path):
    """One that would go on for minutes, the first time; the function can be called again."""
    begun, compiler = tmp_path / "begun", tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] || {{ mkdir {begun} && sleep 200; }}\nexec cc \"$@\"\n")
    compiler.chmod(0o755)
    done = run(COMPILING.format(begun=str(begun)), LATHE_CC=str(compiler), LATHE_CACHE_DIR=str(tmp_path / "cache"))
    assert (done.stdout, done.stderr) == ("stopped\n[2.0, 2.0, 2.0]\n", "")


WAITING = """
import os, signal, threading, time, numpy as np, lathe
f = lathe.function(lambda x: x * 2.5)
results = []
other = threading.Thread(target=lambda: results.append(f(np.ones(3)).tolist()))
other.start()
while not os.path.exists({begun!r}):
    time.sleep(0.01)
threading.Thread(target=lambda: (time.sleep(0.3), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
try:
    f(np.ones(3))
    print("not stopped")
except KeyboardInterrupt:
    print("stopped", results)
os.rmdir({begun!r})
other.join()
print(results)
"""


def test_keyboard_interrupt_while_another_thread_compiles(tmp_path):
    """Who waits for another thread's C compiler, here as long as a folder is there, can be stopped; the other goes on."""
    begun, compiler = tmp_path / "begun", tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] || {{ mkdir {begun}; while [ -d {begun} ]; do sleep 0.1; "
                        "done; }\nexec cc \"$@\"\n")
    compiler.chmod(0o755)
    done = run(WAITING.format(begun=str(begun)), LATHE_CC=str(compiler), LATHE_CACHE_DIR=str(tmp_path / "cache"))
    assert (done.stdout, done.stderr) == ("stopped []\n[[2.5, 2.5, 2.5]]\n", "")


def test_a_handler_of_the_users_own_is_not_disturbed():
    setup = "heard = []\nsignal.signal(signal.SIGINT, lambda *a: heard.append(1))\nx = x[:40000]"
    done = run(INTERRUPTED.format(setup=setup, times=2) + "time.sleep(0.6); print(heard)\n")
    assert (done.stdout, done.stderr) == ("done\n6\n[1]\n", "")


def test_nothing_leaks():
    with lathe.target("interpreter"):
        f = lathe.function(lambda x, s: {"y": lathe.sin(x) * s, "n": 3})

        def some_of_everything():
            a = np.arange(6.0)
            x = lathe.asarray(a)
            y = (x[1:] * 2 + x[:-1]).named("i")
            y[0] = 4
            np.asarray(y)
            f(a, 0.5)
            f(x, 1.5)
            lathe.grad(lambda v: lathe.sum(v * v))(a)
            np.from_dlpack(x)
            x.__dlpack__(max_version=(1, 0))
            memoryview(y).release()
            repr(x + lathe.input("u", (6,)))
            try:
                x + lathe.zeros(7)
            except ValueError:
                pass
            try:
                x[9]
            except IndexError:
                pass

        for _ in range(3):
            some_of_everything()
        gc.collect()
        before, counted = _core.live_arrays(), sys.getrefcount(lathe.Array)
        for _ in range(20):
            some_of_everything()
        gc.collect()
        assert _core.live_arrays() == before
        assert sys.getrefcount(lathe.Array) - counted < 5


def test_memory_of_others_is_given_back():
    class Owner:
        def __init__(self):
            self.values = np.arange(3.0)
            self.__array_interface__ = self.values.__array_interface__

    owner = Owner()
    gone = weakref.ref(owner)
    x = lathe.asarray(owner)
    y = x + 1
    del owner, x
    assert gone() is not None
    del y
    gc.collect()
    assert gone() is None
    a = np.zeros(4)
    before = sys.getrefcount(a)
    x = lathe.asarray(a)
    assert sys.getrefcount(a) > before
    del x
    assert sys.getrefcount(a) == before


def test_memory_does_not_grow():
    with lathe.target("interpreter"):
        f = lathe.function(lambda x: x * 2 + 1)
        a = np.ones(1000)

        def resident():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096

        for _ in range(200):
            f(a)
        before = resident()
        for _ in range(3000):
            f(a)
        assert resident() - before < 4 << 20


def test_the_command():
    done = subprocess.run([sys.executable, "-m", "lathe", "--version"], capture_output=True, text=True)
    assert done.stdout == f"lathe {lathe.__version__}\n"


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_the_same_bits_everywhere(target):
    x = np.random.default_rng(1).standard_normal(1001)
    with lathe.target(target):
        y = np.asarray(lathe.cumulative_sum(lathe.exp(lathe.asarray(x)) * x))
        s = lathe.sum(lathe.asarray(x) ** 3).item()
    assert (y.tobytes().hex()[:16], s.hex()) == BITS.setdefault("bits", (y.tobytes().hex()[:16], s.hex()))


BITS = {}
