# SPDX-License-Identifier: Apache-2.0
"""The array examples in examples/python: what they print is in tests/python/gallery, and each writes a
picture. LATHE_UPDATE=1 writes those files."""

import os
import pathlib
import struct
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXPECTED = pathlib.Path(__file__).parent / "gallery"
SCRIPTS = ["compression", "filters", "heat", "kmeans", "life", "mandelbrot", "training"]
# To compile these takes longer than they run: quick runs interpret them (tests/thorough.h).
INTERPRETED = ["compression", "filters", "kmeans", "life"] if os.environ.get("LATHE_THOROUGH") != "1" else []


def picture_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND"
    return struct.unpack(">II", data[16:24])


@pytest.mark.parametrize("name", SCRIPTS)
def test_example(name, tmp_path):
    no_compiler = {"LATHE_CC": "/nonexistent/cc", "PYTHONWARNINGS": "ignore"} if name in INTERPRETED else {}
    done = subprocess.run([sys.executable, ROOT / "examples" / "python" / f"{name}.py", tmp_path],
                          capture_output=True, text=True, timeout=100, env={**os.environ, **no_compiler})
    assert done.stderr == ""
    expected = EXPECTED / f"{name}.txt"
    if os.environ.get("LATHE_UPDATE"):
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(done.stdout)
    assert done.stdout == expected.read_text()
    assert min(picture_size(tmp_path / f"{name}.png")) >= 100
