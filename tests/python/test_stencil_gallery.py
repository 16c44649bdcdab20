# SPDX-License-Identifier: Apache-2.0
"""The stencils of examples/python print what they say, and draw. Those that are programs of GT4Py print the same in
GT4Py, where there is one (LATHE_GT4PY_PYTHON)."""

import importlib.util
import os
import pathlib
import shutil
import struct
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "python"
SCRIPTS = sorted([*EXAMPLES.glob("gt4py_*.py"), *EXAMPLES.glob("stencil_*.py")])
GT4PY = os.environ.get("LATHE_GT4PY_PYTHON") or (sys.executable if importlib.util.find_spec("gt4py") else None)


def expected(path):
    return path.read_text().split("Prints:\n")[1].split('"""')[0]


def run(python, script, folder):
    done = subprocess.run([python, str(script), str(folder)], capture_output=True, text=True, timeout=100, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_five():
    assert len(SCRIPTS) >= 5 and sum(p.name.startswith("gt4py_") for p in SCRIPTS) >= 3


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_it_prints_and_draws(path, tmp_path):
    if "xarray" in path.read_text():
        pytest.importorskip("xarray")
    assert run(sys.executable, path, tmp_path) == expected(path)
    picture = (tmp_path / (path.stem.partition("_")[2] + ".png")).read_bytes()
    width, height = struct.unpack(">II", picture[16:24])
    assert picture.startswith(b"\x89PNG") and width > 200 and height > 200 and len(picture) > 5000


@pytest.mark.skipif(GT4PY is None, reason="there is no GT4Py: set LATHE_GT4PY_PYTHON")
@pytest.mark.parametrize("path", [p for p in SCRIPTS if p.name.startswith("gt4py_")], ids=lambda p: p.stem)
def test_gt4py_prints_the_same(path, tmp_path):
    for name in ("field_picture.py", "picture.py"):
        shutil.copy(EXAMPLES / name, tmp_path)
    copy = tmp_path / path.name
    copy.write_text(path.read_text().replace("lathe.gt4py", "gt4py").replace('"gt:cpu_ifirst"', '"numpy"'))
    assert run(GT4PY, copy, tmp_path) == expected(path)
