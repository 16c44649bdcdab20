# SPDX-License-Identifier: Apache-2.0
"""A peer of the bench: one library in a process of its own, told by lines on stdin what to do.

    setup {"bench": "chain", "dtype": "f64", "parameters": {"n": 10}, "inputs": [["a", [10]], ...]}
                    -> ok | missing WHY
    run             -> seconds of one run
    sample N        -> N elements of the result, evenly spread
    memory          -> the most bytes that this process ever held
    quit

Usage: peer.py numpy|openblas|torch THREADS. The first line it prints is "ready WHAT" or
"missing WHY". The driver takes turns between peers, so that all of them see the same machine.
"""

import json
import os
import resource
import sys
import time

import openblas


def make_numpy(who):
    import numpy

    import numpy_kernels
    openblas.use_wide_kernels(numpy)
    what = f"NumPy {numpy.__version__}"
    if who == "openblas":
        found = openblas.of_numpy(numpy)
        if not found:
            raise ImportError("this NumPy has no OpenBLAS of its own")
        core, config = found
        what = " ".join(config.split()[:2]) + f", core {core}"
    return what, numpy_kernels.kernels(numpy), lambda x: numpy.asarray(x)


def make_torch(threads):
    import torch

    import torch_kernels
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    return f"torch {torch.__version__}", torch_kernels.kernels(torch), lambda x: x.numpy()


def main():
    who, threads = sys.argv[1], int(sys.argv[2])
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(threads)
    try:
        import inputs  # and with it NumPy, which reads the lines above
        what, kernels, to_array = make_torch(threads) if who == "torch" else make_numpy(who)
    except Exception as error:  # whatever keeps a peer from starting, the bench goes on without it
        print("missing", " ".join(str(error).split())[:200], flush=True)
        return
    print("ready", what, flush=True)
    step = result = None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "setup":
            step = result = None
            task = json.loads(rest)
            if task["bench"] not in kernels:
                print("missing no such kernel", flush=True)
                continue
            arrays = [inputs.fill(shape, seed, task["dtype"])
                      for seed, (_, shape) in enumerate(task["inputs"], 1)]
            step = kernels[task["bench"]](task["parameters"], *arrays)
            print("ok", flush=True)
        elif word == "run":
            begin = time.perf_counter()
            result = step()
            print(time.perf_counter() - begin, flush=True)
        elif word == "sample":
            flat = to_array(result).reshape(-1)
            count = int(rest)
            spread = [i * len(flat) // count for i in range(count)]
            print(*(repr(float(flat[i])) for i in spread), flush=True)
        elif word == "memory":
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
