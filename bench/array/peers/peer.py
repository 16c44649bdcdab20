# SPDX-License-Identifier: Apache-2.0
"""A peer of the array bench; bench/road/peers/serve.py says how it is talked to. It is set up with

    {"formula": "softmax", "dtype": "f32", "size": "small", "repeat": 100,
     "inputs": [{"shape": [10, 100], "below": 0, "is_index": false}, ...]}
"""

import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "road", "peers"))
from serve import serve  # noqa: E402

if __name__ == "__main__":
    serve({who: who + "_peer" for who in ("numpy", "numba", "jax", "torch")})
