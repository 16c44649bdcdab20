# SPDX-License-Identifier: Apache-2.0
"""JAX: the same formulas under jit. Results whose length depends on values cannot be compiled."""

import os

import array_kernels
import numpy
from task import Absent


def start(who, threads):
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    jax.config.update("jax_enable_x64", True)
    return f"jax {jax.__version__}"


def prepare(task):
    import jax
    if task.formula in ("mask", "mask_rows", "unique"):
        raise Absent("jit needs to know the length of the result")
    kernel = jax.jit(array_kernels.kernels(jax.numpy)[task.formula])
    arrays, made = [jax.numpy.asarray(a) for a in task.arrays], [None]

    def step():
        made[0] = jax.block_until_ready(kernel(*arrays))
    return step, lambda: [numpy.asarray(made[0])]
