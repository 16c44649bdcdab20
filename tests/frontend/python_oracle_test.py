#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parser of Python against Python's own: files of the standard library, their trees as text.

    python_oracle_test.py path/to/python_dump [--bytes N] [--all] [--positions] [--mutations N] [FOLDER...]

Every file that `ast` parses must be parsed, to the same tree; what it refuses may be newer than it is,
so that is only counted. Takes N bytes of source, spread evenly over all files; --all takes everything.
FOLDERs replace the standard library. --positions compares where nodes stand, too, and needs Python
3.12, whose places inside f-strings are right. --mutations takes N files, each changed at one place, and
then both must also refuse the same ones; this, too, needs Python 3.12.
"""

import argparse
import ast
import os
import random
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
        if getattr(node, "type_params", None) == [] and not hasattr(node, "value"):
            del node.type_params
    more = {"show_empty": True} if sys.version_info >= (3, 13) else {}
    text = ast.dump(tree, include_attributes=positions, **more)
    return text.encode("ascii", "backslashreplace").decode()


def same(ours, theirs):
    """Names are not normalised by us: compared in the form that normalising gives both."""
    def normal(text):
        return unicodedata.normalize("NFKC", text.encode().decode("unicode_escape"))
    return ours == theirs or (r"\u" in ours.lower() or r"\x" in ours) and normal(ours) == normal(theirs)


def first_difference(ours, theirs):
    at = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]),
              min(len(ours), len(theirs)))
    return f"  ours:   ...{ours[max(at - 80, 0):at + 80]}\n  Python: ...{theirs[max(at - 80, 0):at + 80]}"


WORDS = re.compile(rb"[A-Za-z_]+|[0-9.]+|[\x80-\xff]+|[ \t]+|\n|[-+*/%@&|^~<>=!:,;.]+|.", re.DOTALL)
OTHERS = (b"( ) [ ] { } , : ; . = == := += -> * ** / // @ ! lambda if else for in is not and or async await "
          b"yield from import as def class return with try except finally raise del global match case "
          b"type _ None True x 1 1.5 'a' b'a' f'{x}' ... \\ \n # pass").split(b" ") + [b"\n", b"    ", b" "]


def mutated(source, rng):
    """The source with one word deleted, doubled, replaced, or swapped with its neighbour."""
    words = WORDS.findall(source)
    if len(words) < 2:
        return source
    at = rng.randrange(len(words) - 1)
    change = rng.randrange(5)
    if change == 0:
        del words[at]
    elif change == 1:
        words.insert(at, words[at])
    elif change == 2:
        words[at], words[at + 1] = words[at + 1], words[at]
    elif change == 3:
        words[at] = rng.choice(OTHERS)
    else:
        words.insert(at, b" " + rng.choice(OTHERS) + b" ")
    return b"".join(words)


class Comparison:
    def __init__(self, tool, positions):
        self.tool, self.positions = tool, positions
        self.counts = dict(same=0, both_refuse=0, only_we_accept=0, encoding=0)
        self.accepted, self.failures, self.bytes = [], [], 0

    def batch(self, names, folder, mutate=None):
        texts, paths = [], []
        for number, name in enumerate(names):
            with open(name, "rb") as file:
                source = file.read()
            if rb"\N{" in source or mutate:
                source = NAMED.sub(numbered, source)
                source = mutate(source) if mutate else source
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
            theirs = expected(source, self.positions)
            if mutate and (theirs is None) != ours.startswith("error: "):
                self.disagreement(name, source, ours)
            else:
                self.one(name, ours, theirs)

    def disagreement(self, name, source, ours):
        """We refuse some of what Python refuses only after parsing."""
        try:
            compile(source, name, "exec", dont_inherit=True)
            reason = "Python accepts"
            if "the encoding '" in ours:
                self.counts["encoding"] += 1
                return
            if "this f-string has no end" in ours:  # a line ends in a format: 3.12 alone accepts it
                self.counts["both_refuse"] += 1
                return
        except (SyntaxError, ValueError) as error:
            if ours.startswith("error: "):
                self.counts["both_refuse"] += 1
                return
            reason = f"{error} {getattr(error, 'text', '')}"
        kept = os.path.join(tempfile.gettempdir(), f"python_oracle_{len(self.failures)}.py")
        with open(kept, "wb") as file:
            file.write(source)
        self.failures.append(f"{name}, changed ({kept}): {ours[:100]} -- {reason}")

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
    parser.add_argument("--mutations", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
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
    rng = random.Random(options.seed)
    mutate = None
    if options.mutations:
        small = [name for name in files if 200 < os.path.getsize(name) < 10_000]
        files = rng.choices(small, k=options.mutations)
        mutate = lambda source: mutated(source, rng)
    elif not options.all:
        files = choose(files, options.bytes)
    if not files:
        print("skipped: this Python has no standard library in source")
        return 77
    comparison = Comparison(options.tool, options.positions)
    with tempfile.TemporaryDirectory() as folder:
        for at in range(0, len(files), BATCH):
            comparison.batch(files[at:at + BATCH], folder, mutate)
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
