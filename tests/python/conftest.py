# SPDX-License-Identifier: Apache-2.0
"""The package under test is the one in PYTHONPATH; kernels go to a cache of the session's own.

Two depths, as tests/thorough.h says: files that are about values and shapes alone compile nothing in quick runs;
the interpreter defines what they must see. LATHE_THOROUGH=1, as in .ci/run, compiles everything.
"""

import os
import pathlib
import tempfile

INTERPRETED = {"test_newcomer.py", "test_newcomer_sizes.py", "test_numpy_habits.py"}

if "LATHE_CACHE_DIR" not in os.environ:
    _folder = tempfile.TemporaryDirectory(prefix="lathe-python-test-")
    os.environ["LATHE_CACHE_DIR"] = _folder.name


def pytest_configure(config):
    """Before the package is loaded: a compiler that is not there."""
    files = {pathlib.Path(a.split("::")[0]).name for a in config.args}
    if files <= INTERPRETED and os.environ.get("LATHE_THOROUGH") != "1":
        os.environ["LATHE_CC"] = "/nonexistent/cc"
        config.addinivalue_line("filterwarnings", "ignore:there is no C compiler")
