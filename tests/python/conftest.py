# SPDX-License-Identifier: Apache-2.0
"""The package under test is the one in PYTHONPATH; kernels go to a cache of the session's own."""

import os
import tempfile

if "LATHE_CACHE_DIR" not in os.environ:
    _folder = tempfile.TemporaryDirectory(prefix="lathe-python-test-")
    os.environ["LATHE_CACHE_DIR"] = _folder.name
