# SPDX-License-Identifier: Apache-2.0
"""Programs of GT4Py, run by Lathe with one word changed in their imports, against NumPy and - where there is one -
GT4Py itself: LATHE_GT4PY_PYTHON names a Python that has it."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

PROGRAMS = sorted((pathlib.Path(__file__).parent / "gt4py_programs").glob("*.py"))
GT4PY = os.environ.get("LATHE_GT4PY_PYTHON") or (sys.executable if importlib.util.find_spec("gt4py") else None)
IN_GT4PY = """
import importlib.util, sys, numpy
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
numpy.savez(sys.argv[2], **{name: numpy.asarray(a) for name, a in module.run().items()})
"""


def load(path, folder):
    """The program with gt4py replaced by lathe.gt4py."""
    text = path.read_text()
    changed, count = re.subn(r"(?m)^(from|import) gt4py", r"\1 lathe.gt4py", text)
    assert count >= 1
    changed = re.sub(r"\bgt4py\.storage\.(?=\w+\()", "lathe.gt4py.storage.", changed)
    copy = folder / path.name
    copy.write_text(changed)
    spec = importlib.util.spec_from_file_location(path.stem, copy)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(got, wanted):
    assert got.keys() == wanted.keys()
    for name, array in wanted.items():
        tolerance = 1e-5 if array.dtype == np.float32 else 1e-13
        np.testing.assert_allclose(np.asarray(got[name]), array, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_as_numpy_says(path, tmp_path):
    program = load(path, tmp_path)
    compare(program.run(), program.reference())


@pytest.mark.skipif(GT4PY is None, reason="there is no GT4Py: set LATHE_GT4PY_PYTHON")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_as_gt4py_says(path, tmp_path):
    out = tmp_path / "results.npz"
    subprocess.run([GT4PY, "-c", IN_GT4PY, str(path), str(out)], check=True, cwd=tmp_path,
                   env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"})
    with np.load(out) as wanted:
        compare(load(path, tmp_path).run(), dict(wanted))
