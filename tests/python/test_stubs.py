# SPDX-License-Identifier: Apache-2.0
"""Type stubs fit the modules; py.typed says that there are some."""

import pathlib
import subprocess
import sys

import lathe

ROOT = pathlib.Path(__file__).parents[2]


def test_stubs_are_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "tools" / "make_stubs.py", "--check"], capture_output=True,
                          text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_package_is_typed():
    assert (pathlib.Path(lathe.__file__).parent / "py.typed").exists()
