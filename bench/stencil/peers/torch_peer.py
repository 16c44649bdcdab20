# SPDX-License-Identifier: Apache-2.0
"""torch.compile on the whole-array stencils. It has no loop that stays a loop: sweeps would be
unrolled over all levels, and Newton's method over all of its steps."""

import array_kernels
import extents
from task import Absent


class Names:
    """What array_kernels.py calls by NumPy's names; where numbers meet tensors, torch wants tensors."""

    def __init__(self, torch):
        self.where, self.abs, self.sqrt, self.clip = torch.where, torch.abs, torch.sqrt, torch.clip
        self.minimum, self.maximum = torch.minimum, torch.maximum
        self.concatenate = torch.cat


def start(who, threads):
    import torch
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    return f"torch {torch.__version__}"


def prepare(task):
    import torch
    if task.stencil in ("vadv", "tridiagonal", "adjust"):
        raise Absent("torch.compile would unroll its loop")
    arrays = {name: torch.from_numpy(a) for name, a in task.fill().items()}
    names = Names(torch)
    place = [task.layout.index(a) for a in "IJK"]
    if task.stencil == "sediment":
        levels = torch.arange(task.domain[2]).reshape(
            [task.domain[2] if d == place[2] else 1 for d in range(3)])

        def run(arrays):
            return dict(zip(("rain", "out"), array_kernels.sediment(
                names, arrays["qr"], arrays["speed"], levels, place[2])))
    else:
        kernel, x = array_kernels.KERNELS[task.stencil], extents.Functions(names)

        def run(arrays):
            f = extents.Arguments(task, arrays, torch.arange)
            return {name: part.on_domain() for name, part in kernel(x, f, task.scalars).items()}

    # Into memory that is there: fresh results would cost it twice the time.
    def whole(arrays):
        for name, made in run(arrays).items():
            arrays[name].copy_(made)

    torch._dynamo.reset()  # each size is compiled for itself
    compiled = torch.compile(whole, dynamic=False)
    return lambda: compiled(arrays), task.results
