#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parser of Python against Python's own: files of the standard library, their trees as text.

    python_oracle_test.py path/to/python_dump [--bytes N] [--all] [--positions] [FOLDER...]

Every file that `ast` parses must be parsed, to the same tree; what it refuses may be newer than it is,
so that is only counted. Takes N bytes of source, spread evenly over all files; --all takes everything.
FOLDERs replace the standard library. --positions compares where nodes stand, too, and needs Python
3.12, whose places inside f-strings are right.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import unicodedata
import warnings

BATCH = 50
NAMED = re.compile(rb"\\N\{([^{}\n]*)\}")


def python_files(folders):
    found = []
    for folder in folders:
        for path, _, names in os.walk(folder):
            found += [os.path.join(path, name) for name in names if name.endswith(".py")]
    return sorted(found)


def choose(files, limit):
    """Files of about that many bytes in total, evenly from the list."""
    sizes = [os.path.getsize(name) for name in files]
    share = limit / max(sum(sizes), 1)
    chosen, taken, passed = [], 0, 0
    for name, size in zip(files, sizes):
        passed += size
        if taken + size / 2 <= passed * share:
            chosen.append(name)
            taken += size
    return chosen


def numbered(match):
    """\\N{NAME} as \\U........: we do not know the names of characters."""
    try:
        return b"\\U%08x" % ord(unicodedata.lookup(match[1].decode()))
    except (KeyError, TypeError, UnicodeDecodeError):
        return match[0]


def expected(source, positions):
    """The tree as text, or None if Python refuses the file."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):  # 3.12.0 and 3.12.1 leave empty texts in formats
            node.values = [v for v in node.values if getattr(v, "value", None) != ""]
    more = {"show_empty": True} if sys.version_info >= (3, 13) else {}
    text = ast.dump(tree, include_attributes=positions, **more)
    text = text.encode("ascii", "backslashreplace").decode()
    return re.sub(r", type_params=\[\](?!, value=)", "", text)


def same(ours, theirs):
    """Names are not normalised by us: compared in the form that normalising gives both."""
    def normal(text):
        return unicodedata.normalize("NFKC", text.encode().decode("unicode_escape"))
    return ours == theirs or (r"\u" in ours.lower() or r"\x" in ours) and normal(ours) == normal(theirs)


def first_difference(ours, theirs):
    at = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]),
              min(len(ours), len(theirs)))
    return f"  ours:   ...{ours[max(at - 80, 0):at + 80]}\n  Python: ...{theirs[max(at - 80, 0):at + 80]}"


class Comparison:
    def __init__(self, tool, positions):
        self.tool, self.positions = tool, positions
        self.counts = dict(same=0, both_refuse=0, only_we_accept=0, encoding=0)
        self.accepted, self.failures, self.bytes = [], [], 0

    def batch(self, names, folder):
        texts, paths = [], []
        for number, name in enumerate(names):
            with open(name, "rb") as file:
                source = file.read()
            if rb"\N{" in source:
                source = NAMED.sub(numbered, source)
                name = os.path.join(folder, f"{number}_{os.path.basename(name)}")
                with open(name, "wb") as file:
                    file.write(source)
            self.bytes += len(source)
            texts.append(source)
            paths.append(name)
        done = subprocess.run([self.tool] + (["--positions"] if self.positions else []),
                              input="\n".join(paths) + "\n", capture_output=True, text=True)
        lines = done.stdout.splitlines()
        if done.returncode != 0 or len(lines) != len(names):
            self.failures.append(f"{paths[min(len(lines), len(paths) - 1)]}: python_dump ended with "
                                 f"{done.returncode}: {done.stderr}")
            return
        for name, source, ours in zip(names, texts, lines):
            self.one(name, ours, expected(source, self.positions))

    def one(self, name, ours, theirs):
        refused = ours.startswith("error: ")
        if theirs is None:
            self.counts["both_refuse" if refused else "only_we_accept"] += 1
            if not refused:
                self.accepted.append(name)
        elif refused and ("the encoding '" in ours):
            self.counts["encoding"] += 1
        elif refused:
            self.failures.append(f"{name}: {ours}")
        elif same(ours, theirs):
            self.counts["same"] += 1
        else:
            self.failures.append(f"{name}: another tree\n{first_difference(ours, theirs)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--bytes", type=int, default=2_000_000)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--positions", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("folders", nargs="*")
    options = parser.parse_intermixed_args()
    if sys.version_info < (3, 10):
        print("skipped: the oracle is Python 3.10 or newer")
        return 77
    sys.setrecursionlimit(20000)
    warnings.simplefilter("ignore")
    files = python_files(options.folders or [sysconfig.get_paths()["stdlib"]])
    if not options.folders:
        files = [name for name in files if "site-packages" not in name]
    if not options.all:
        files = choose(files, options.bytes)
    if not files:
        print("skipped: this Python has no standard library in source")
        return 77
    comparison = Comparison(options.tool, options.positions)
    with tempfile.TemporaryDirectory() as folder:
        for at in range(0, len(files), BATCH):
            comparison.batch(files[at:at + BATCH], folder)
    counts = ", ".join(f"{key.replace('_', ' ')} {n}" for key, n in comparison.counts.items())
    print(f"{len(files)} files, {comparison.bytes / 1e6:.1f} MB: {counts}, "
          f"failed {len(comparison.failures)}")
    if options.verbose:
        for name in comparison.accepted:
            print(f"only we accept {name}")
    for failure in comparison.failures[:20]:
        print(failure)
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
