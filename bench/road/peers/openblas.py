# SPDX-License-Identifier: Apache-2.0
"""The OpenBLAS of NumPy, with the kernels that fit this processor.

It takes a processor that it does not know for an old one, and some machines are set up so that it does
(OPENBLAS_CORETYPE=Haswell in everybody's environment). Kernels of half the width would be no comparison.
"""

import ctypes
import glob
import os
import sys

NARROW = ("prescott", "core2", "nehalem", "sandybridge", "haswell", "zen")
WIDE = "SkylakeX"


def of_numpy(numpy):
    """The core that it takes this processor for, and what it says of itself; or None."""
    folder = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), "numpy.libs")
    for path in glob.glob(os.path.join(folder, "*openblas*")):
        library = ctypes.CDLL(path)
        for prefix, suffix in (("scipy_", "64_"), ("", "64_"), ("scipy_", ""), ("", "")):
            name = getattr(library, f"{prefix}openblas_get_corename{suffix}", None)
            config = getattr(library, f"{prefix}openblas_get_config{suffix}", None)
            if name and config:
                name.restype = config.restype = ctypes.c_char_p
                return name().decode(), config().decode()
    return None


def use_wide_kernels(numpy):
    """Starts this process anew where AVX-512 is there and not used: the choice is made when NumPy is loaded."""
    found = of_numpy(numpy)
    if not found or found[0].lower() not in NARROW or os.environ.get("OPENBLAS_CORETYPE") == WIDE:
        return
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        if "avx512f" not in facts.read():
            return
    os.environ["OPENBLAS_CORETYPE"] = WIDE
    os.execv(sys.executable, [sys.executable, *sys.argv])
