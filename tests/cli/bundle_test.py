# SPDX-License-Identifier: Apache-2.0
"""Bundles of `lathe emit`: built by gcc and clang without warnings, in a folder and an environment
that know nothing of Lathe, they give the interpreter's bits; and their test fails when it should.

bundle_test.py LATHE SOURCE_FOLDER
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = {
    "examples/diffuse.lathe": [],
    "examples/pagerank.lathe": [],  # a temporary of computed size, rotations, gathers
    "examples/waves.lathe": ["--set", "n=13", "--set", "steps=5"],  # sin, exp; arrays that rotate
    "examples/softmax.lathe": [],  # combiners, lanes
    "examples/column.lathe": [],  # sweeps
    "tests/cli/odd.lathe": [],
    "tests/programs/numpy_programs/calls.lathe": ["--set", "n=200"],  # sort, nonzero ...
}


def plain_environment():
    """No LATHE_ variables, no path but the system's; threads that wait do not spin."""
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "OMP_WAIT_POLICY": "passive", "LC_ALL": "C"}


def run(words, folder, **more):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, **more)


def expect(holds, what, result=None):
    if holds:
        return
    if result is not None:
        what += "\n" + result.stdout + result.stderr
    sys.exit("bundle_test: " + what)


def check_builds(folder, compilers):
    for compiler in compilers:
        run(["make", "clean"], folder)
        built = run(["make", "test", "CC=" + compiler], folder, env=plain_environment())
        name = os.path.basename(folder) + " with " + compiler
        expect(built.returncode == 0, name + " failed", built)
        expect("all bits as they should be" in built.stdout, name + " said nothing", built)
        expect("warning" not in built.stdout + built.stderr, name + " has warnings", built)


def check_fails(folder):
    """One wrong bit in what is expected, and the bundle's own test must say so."""
    path = os.path.join(folder, "golden.h")
    with open(path) as file:
        text = file.read()
    begin = text.index("golden_out_")
    digit = re.compile(r"0x[0-9a-f]*([0-9a-f]),").search(text, begin).start(1)
    wrong = "1" if text[digit] == "0" else "0"
    with open(path, "w") as file:
        file.write(text[:digit] + wrong + text[digit + 1 :])
    run(["make", "clean"], folder)
    built = run(["make", "test"], folder, env=plain_environment())
    expect(built.returncode != 0, "a wrong bit was not noticed", built)
    expect(re.search(r"element \d+ is 0x", built.stdout), "a wrong bit was not named", built)


def check_cpp(folder):
    """The header is C++ too."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler:
        name = os.path.basename(folder)
        words = [compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", name + ".h"]
        built = run(words, folder)
        expect(built.returncode == 0, name + ".h is not C++", built)


def main():
    lathe, source = sys.argv[1:3]
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    if not compilers or not shutil.which("make"):
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="bundle-test-") as work:
        thorough = os.environ.get("LATHE_THOROUGH") == "1"  # tests/thorough.h
        for number, (program, words) in enumerate(EXAMPLES.items()):
            name = os.path.splitext(os.path.basename(program))[0]
            folder = os.path.join(work, name)
            made = run([lathe, "emit", os.path.join(source, program), "-o", folder, *words], work)
            expect(made.returncode == 0, "emit " + program, made)
            check_builds(folder, compilers if thorough else [compilers[number % len(compilers)]])
            check_cpp(folder)
        check_fails(os.path.join(work, "diffuse"))
        expect(not [n for n in os.listdir(work) if ".tmp-" in n], "drafts were left behind")


main()
