# SPDX-License-Identifier: Apache-2.0
"""numba: plain loops, in parallel except for small arrays, with sums in any order."""

import numba
import numba_kernels
import numpy

COMPILED = {}


def start(who, threads):
    numba.set_num_threads(threads)
    return f"numba {numba.__version__}"


def compiled(task):
    key = task.formula, task.size == "small"
    if key not in COMPILED:
        options = {"reassoc", "nsz", "contract", "arcp"}
        COMPILED[key] = numba.njit(parallel=task.size != "small", error_model="numpy", fastmath=options)(
            getattr(numba_kernels, task.formula))
    return COMPILED[key]


def prepare(task):
    kernel, arrays, made = compiled(task), task.arrays, [None]

    def step():
        made[0] = kernel(*arrays)
    return step, lambda: [numpy.asarray(made[0])]
