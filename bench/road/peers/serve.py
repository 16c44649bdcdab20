# SPDX-License-Identifier: Apache-2.0
"""The loop of a peer: one library in a process of its own, told by lines on stdin what to do.

    setup {...}     -> ok | missing WHY; what is in the braces is the bench's own matter
    run             -> seconds of one run
    sample N        -> of each result at most N elements, evenly spread in the order of its axes
    drop            -> ok; gives memory back
    quit

Usage of a script that calls serve(): peer.py WHO THREADS. The first line it prints is "ready WHAT" or
"missing WHY". WHO is a name of `modules`; each module has start(who, threads), which says what it is,
and prepare(task), which returns a step and what gives its results. A task says how it is restored after
being set up and whether before each run, too, and how many steps a run has.
"""

import gc
import importlib
import json
import os
import sys
import time

import numpy
import openblas


def one_line(error):
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:200]


def sample(results, count):
    values = []
    for array in map(numpy.atleast_1d, results):
        wanted = min(count, array.size)
        spread = [i * array.size // wanted for i in range(wanted)]
        values += array[numpy.unravel_index(spread, array.shape)].tolist()
    return values


def seconds_of(task, step):
    if task.is_fresh:
        task.restore()
    begin = time.perf_counter()
    for _ in range(task.repeat):
        step()
    return (time.perf_counter() - begin) / task.repeat


def serve(modules):
    who, threads = sys.argv[1], int(sys.argv[2])
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
                 "HL_NUM_THREADS"):
        os.environ[name] = str(threads)
    openblas.use_wide_kernels(numpy)
    # Libraries print to stdout now and then; answers go where the driver listens.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(*words):
        print(*words, file=answers, flush=True)

    try:
        module = importlib.import_module(modules[who])
        what = module.start(who, threads)
        from task import Task
    except Exception as error:  # whatever keeps a peer from starting, the bench goes on without it
        answer("missing", one_line(error))
        return
    answer("ready", what)
    task = step = results = None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word in ("setup", "drop"):
            task = step = results = None
            gc.collect()
        if word == "setup":
            try:
                task = Task(json.loads(rest))
                step, results = module.prepare(task)
                step()  # here everything is compiled that is compiled late
                task.restore()
                answer("ok")
            except Exception as error:
                answer("missing", one_line(error))
        elif word == "drop":
            answer("ok")
        elif word == "run":
            answer(seconds_of(task, step))
        elif word == "sample":
            answer(*(repr(float(x)) for x in sample(results(), int(rest))))
        elif word == "quit":
            return
