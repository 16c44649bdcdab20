# SPDX-License-Identifier: Apache-2.0
"""Many processes, one cache of kernels; signals; forks."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

WORKER = str(pathlib.Path(__file__).parent / "stencil_worker.py")


def start(*arguments, **environment):
    return subprocess.Popen([sys.executable, WORKER, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env={**os.environ, **environment})


def finish(process, seconds=60):
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == 0, err
    return out


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_many_processes_share_a_cold_cache(tmp_path):
    count = 16 if os.environ.get("LATHE_THOROUGH") == "1" else 6  # tests/thorough.h
    log = tmp_path / "compiled"
    compiler = tmp_path / "counting_cc"
    compiler.write_text(f"#!/bin/sh\ncase \"$*\" in *-shared*) echo x >> {log};; esac\nexec cc \"$@\"\n")
    compiler.chmod(0o755)
    environment = {"LATHE_CACHE_DIR": str(tmp_path / "cache"), "LATHE_CC": str(compiler), "LATHE_THREADS": "1",
                   "OPENBLAS_NUM_THREADS": "1"}
    moment = str(time.time() + 4)
    processes = [start("once", moment, **environment) for _ in range(count)]
    assert [finish(p) for p in processes] == ["right\n"] * count
    assert log.read_text().count("x") == 1
    # Another one finds it there.
    assert finish(start("once", "0", **environment)) == "right\n"
    assert log.read_text().count("x") == 1


def test_ctrl_c_stops_a_call():
    process = start("endless")
    assert process.stdout.readline() == "begins\n"
    time.sleep(0.3)
    began = time.time()
    process.send_signal(signal.SIGINT)
    assert finish(process) == "stopped 3.0\n"
    assert time.time() - began < 20


def test_a_handler_of_the_programs_own():
    process = start("own_handler")
    assert process.stdout.readline() == "begins\n"
    process.send_signal(signal.SIGINT)
    assert finish(process) == "done True 1\n"


def test_forked_children_work():
    assert finish(start("fork")) == "right\n"
