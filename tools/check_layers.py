#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every #include inside src/ points the way that src/layers.txt allows, and that src/CMakeLists.txt
compiles every folder that has sources.

Usage: check_layers.py [ROOT]   (ROOT holds src/; default: the repository of this file)
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
FOLDERS = re.compile(r"foreach\(folder\s+([^)]*)\)")
SUFFIXES = {".h", ".cpp", ".def", ".inc"}


def read_layers(path, complain):
    """Returns {folder: set of folders}, or "*" in place of the set."""
    layers = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, colon, allowed = line.partition(":")
        if not colon or not name.strip():
            complain(f"{path.name}:{number}: expected 'folder: folders', found '{line}'")
            continue
        if name in layers:
            complain(f"{path.name}:{number}: '{name}' is listed twice")
        layers[name] = "*" if allowed.strip() == "*" else set(allowed.split())
    for name, allowed in layers.items():
        for other in sorted(set() if allowed == "*" else allowed - layers.keys()):
            complain(f"{path.name}: '{name}' may include '{other}', which is not listed")
    return layers


def folder_of(path, layers):
    """The listed folder that a path (relative to src/) is in: the longest one; its own folder where none
    is listed. None for src/ itself."""
    parts = path.split("/")[:-1]
    if not parts:
        return None
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if name in layers:
            return name
    return "/".join(parts)


def find_cycle(edges):
    """A list of folders that leads from one back to it, or None."""
    done, active = set(), []

    def visit(name):
        if name in active:
            return active[active.index(name):] + [name]
        if name in done:
            return None
        active.append(name)
        for other in sorted(edges.get(name, ())):
            cycle = visit(other)
            if cycle:
                return cycle
        active.pop()
        done.add(name)
        return None

    for name in sorted(edges):
        cycle = visit(name)
        if cycle:
            return cycle
    return None


def check_compiled(source):
    """Complaints about folders whose .cpp files no build compiles: CMake itself says nothing."""
    listed = FOLDERS.search((source / "CMakeLists.txt").read_text())
    if not listed:
        yield "src/CMakeLists.txt: there is no 'foreach(folder ...)' with the list of folders"
        return
    words = listed.group(1).split()
    for folder in sorted({path.parent.relative_to(source).as_posix() for path in source.rglob("*.cpp")}):
        if folder != "." and folder not in words:
            yield f"src/CMakeLists.txt: folder '{folder}' has sources, but is not in the list: nothing compiles them"


def check(root):
    """All complaints about the tree, as lines of text."""
    source = root / "src"
    complaints = []
    layers = read_layers(source / "layers.txt", complaints.append)
    edges = {name: set(allowed) for name, allowed in layers.items() if allowed != "*"}
    cycle = find_cycle(edges)
    if cycle:
        complaints.append("layers.txt: a cycle: " + " -> ".join(cycle))

    used = {}
    unlisted = set()
    for path in sorted(source.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        name = path.relative_to(source).as_posix()
        folder = folder_of(name, layers)
        if folder is not None and folder not in layers:
            unlisted.add(folder)
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(1)
            where = f"src/{name}:{number}"
            if not (source / target).is_file():
                complaints.append(f"{where}: no file src/{target}; paths begin at src/")
                continue
            other = folder_of(target, layers)
            if folder is None or other == folder:
                continue
            used.setdefault(folder, set()).add(other or "(src)")
            allowed = layers[folder]
            if allowed != "*" and other not in allowed:
                may = ", ".join(sorted(allowed)) or "nothing"
                complaints.append(
                    f"{where}: {folder}/ must not include {target}; it may include {may}")
    for folder in sorted(unlisted):
        complaints.append(f"layers.txt: folder '{folder}' is not listed")
    complaints.extend(check_compiled(source))
    cycle = find_cycle(used)
    if cycle:
        complaints.append("a cycle of includes: " + " -> ".join(cycle))
    return complaints


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    complaints = check(root)
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
