# SPDX-License-Identifier: Apache-2.0
"""A peer of the stencil bench; bench/road/peers/serve.py says how it is talked to. It is set up with

    {"stencil": "hdiff", "dtype": "f64", "layout": "KJI", "domain": [...], "fields": [...], ...}
"""

import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "road", "peers"))
from serve import serve  # noqa: E402

MODULES = {"numpy": "numpy_peer", "numba": "numba_peer", "gt:cpu_ifirst": "gt4py_peer",
           "gt:cpu_kfirst": "gt4py_peer", "jax": "jax_peer", "torch": "torch_peer",
           "halide": "halide_peer", "halide-adams": "halide_peer"}

if __name__ == "__main__":
    serve(MODULES)
