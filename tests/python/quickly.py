# SPDX-License-Identifier: Apache-2.0
"""For tests of what functions give, in many variants: in the interpreter, which has the bits of C code
and nothing to compile. .ci/run sets LATHE_THOROUGH=1: there they are compiled like any other."""

import contextlib
import os

import lathe


def quickly():
    return contextlib.nullcontext() if os.environ.get("LATHE_THOROUGH") == "1" else lathe.target("interpreter")
