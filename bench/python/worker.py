# SPDX-License-Identifier: Apache-2.0
"""One library and one program in a fresh process with empty caches: worker.py WHO PROGRAM SIZE THREADS ROUNDS prints
a line of JSON - the seconds of the first call, everything compiled in it, and of the calls after it."""

import importlib
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [HERE, os.path.join(HERE, "..", "stencil", "peers")]

MODULES = {"lathe": "lathe_peer", "numpy": "numpy_peer", "numba": "numba_peer", "jax": "jax_peer", "torch": "torch_peer",
           "gt4py gt:cpu_ifirst": "gt4py_peer", "gt4py numpy": "gt4py_peer"}
LIMIT = 20.0  # seconds of repeated calls


def stencil_step(who, program, size, threads):
    import stencil_tasks
    module = importlib.import_module(MODULES[who])
    what = module.start(who.removeprefix("gt4py "), threads)
    from task import Task
    layout = "IJK" if who == "gt4py numpy" else "KJI"
    task = Task(stencil_tasks.description(program, [size, size, 80 if size > 64 else 40], layout))
    state = {}

    def first():
        state["step"], state["results"] = module.prepare(task)
        state["step"]()
    return what, first, state, lambda: state["results"]()[0]


def array_step(who, program, size, threads):
    import array_programs
    module = importlib.import_module(MODULES[who])
    what = module.start(who, threads)
    arrays = array_programs.inputs(program, size)
    state = {}

    def first():
        run = array_programs.BY[who](program, arrays)

        def step():
            state["result"] = run()
            return state["result"]
        state["step"] = step
        import numpy
        numpy.asarray(step())
    import numpy
    return what, first, state, lambda: numpy.asarray(state["result"])


def main():
    who, program, size, threads, rounds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import numpy
    make = array_step if program in ("chain", "softmax") else stencil_step
    what, first, state, result = make(who, program, size, threads)
    begin = time.perf_counter()
    first()
    compiled = time.perf_counter() - begin
    found = numpy.asarray(result())
    sample = [float(found[tuple(n * k // 7 % n for n in found.shape)]) for k in range(1, 7)]
    times, started = [], time.perf_counter()
    while len(times) < rounds and time.perf_counter() - started < LIMIT:
        begin = time.perf_counter()
        state["step"]()
        times.append(time.perf_counter() - begin)
    print(json.dumps({"who": who, "what": what, "program": program, "first": compiled, "steady": sorted(times)[len(times) // 2],
                      "best": min(times), "rounds": len(times), "sample": sample}), file=answers, flush=True)


main()
