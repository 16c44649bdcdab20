#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a formatter cannot: licence lines, file sizes, heavy headers in our headers, and that
the files that CONTRIBUTING.md and others name are there.

Usage: check_style.py [ROOT]   (default: the repository of this file)
"""

import pathlib
import re
import subprocess
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
SUFFIXES = {".h", ".cpp", ".c", ".def", ".inc", ".py", ".pyi", ".cmake", ".sh", ".toml"}
NAMES = {"CMakeLists.txt", "Makefile", "layers.txt"}
MAX_LINES = 600
# Each of these costs a large part of a second in every file that includes it.
HEAVY = re.compile(r'^\s*#\s*include\s+[<"](iostream|regex|filesystem|functional|ranges|'
                   r'CLI/\S+|nlohmann/\S+|fmt/\S+)[>"]')
# isl is known to the files that are called so, and to nobody else.
ISL = re.compile(r'^\s*#\s*include\s+[<"]isl/')
# The Python extension stands on the C ABI: its own headers, and these.
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')
C_ABI = re.compile(r'^lathe/c(_\w+)?\.h$')
# Documents that tell where things are, and how they write it. What is to be filled in is left alone.
GUIDES = ["CONTRIBUTING.md", "README.md", "src/README.md"]
PATH = re.compile(r"`((?:src|tests|tools|docs|python|include|cmake|bench|examples)/[\w./*+-]+)`")
EXAMPLE = re.compile(r"some[_-]verb|NAME")


def tracked_files(root):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root,
                         check=True, capture_output=True).stdout
    names = sorted(name.decode() for name in out.split(b"\0") if name)
    return [name for name in names if (root / name).is_file()]


def is_source(root, name):
    path = pathlib.PurePosixPath(name)
    if path.suffix in SUFFIXES or path.name in NAMES:
        return True
    if path.suffix:
        return False
    with open(root / name, "rb") as file:
        return file.read(2) == b"#!"


def read_long_files(root):
    """{path: reason} of tools/long_files.txt, whose lines are 'path: reason'."""
    path = root / "tools" / "long_files.txt"
    reasons = {}
    for line in path.read_text().splitlines() if path.is_file() else []:
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(":")
            reasons[name.strip()] = reason.strip()
    return reasons


def check_guides(root):
    for guide in GUIDES:
        text = (root / guide).read_text() if (root / guide).is_file() else ""
        for number, line in enumerate(text.splitlines(), 1):
            for path in PATH.findall(line):
                if not EXAMPLE.search(path) and not any(root.glob(path.rstrip("/"))):
                    yield f"{guide}:{number}: there is no {path}"


def check(root, names):
    complaints = list(check_guides(root))
    reasons = read_long_files(root)
    for name, reason in reasons.items():
        if name not in names:
            complaints.append(f"tools/long_files.txt: there is no file {name}")
        elif not reason:
            complaints.append(f"tools/long_files.txt: no reason is given for {name}")
    for name in names:
        if not is_source(root, name):
            continue
        lines = (root / name).read_text(errors="replace").splitlines()
        if not any(SPDX in line for line in lines[:3]):
            complaints.append(f"{name}: the first three lines hold no '{SPDX}'")
        if len(lines) > MAX_LINES and name not in reasons:
            complaints.append(f"{name}: {len(lines)} lines; split it, or give a reason in "
                              f"tools/long_files.txt (limit {MAX_LINES})")
        if name.startswith(("src/", "include/")) and name.endswith(".h"):
            for number, line in enumerate(lines, 1):
                match = HEAVY.match(line)
                if match:
                    complaints.append(f"{name}:{number}: <{match.group(1)}> is slow to compile; "
                                      "include it in .cpp files only")
        if name.startswith("src/") and not name.startswith("src/analysis/isl_"):
            for number, line in enumerate(lines, 1):
                if ISL.match(line):
                    complaints.append(f"{name}:{number}: isl stays behind src/analysis/isl_*")
        if name.startswith("python/src/"):
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                path = match.group(1) if match else ""
                if "/" in path and not path.startswith("nanobind/") and (
                        path.startswith("lathe/") and not C_ABI.match(path)
                        or (root / "src" / path).is_file()):
                    complaints.append(f"{name}:{number}: python/src stands on the C ABI "
                                      f"(lathe/c*.h), not on {path}")
    return complaints


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    complaints = check(root, tracked_files(root))
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
