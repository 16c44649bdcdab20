#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies of source files with deliberate mistakes, each behind a switch of its own.

  mutate.py TABLE SOURCE_FOLDER OUTPUT_FOLDER     writes the copies and mutation_names.inc
  mutate.py --check TABLE SOURCE_FOLDER           only: does every entry still fit its file?
  mutate.py --files TABLE                         the files that have mistakes, one per line

The sources themselves know nothing of it. tests/mutations/mutations.txt explains the table.
"""
import pathlib
import sys


def read_table(path):
    entries, old, new = [], [], []

    def finish():
        if entries and len(entries[-1]) == 2:
            entries[-1] += ["\n".join(old), "\n".join(new)]
            old.clear()
            new.clear()

    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if line.startswith("== "):
            finish()
            name, file = line[3:].split(": ")
            entries.append([name, file])
        elif line.startswith("- "):
            old.append(line[2:])
        elif line.startswith("+ "):
            new.append(line[2:])
        elif line and not line.startswith("#"):
            sys.exit(f"{path}:{number}: a line that is no part of an entry: {line}")
    finish()
    return entries


def mutated(entries, source):
    """Text per file; stops at the first entry that does not fit."""
    texts = {}
    for number, (name, file, old, new) in enumerate(entries, 1):
        text = texts.get(file) or (source / file).read_text()
        if text.count(old) != 1:
            sys.exit(f"error: mutation '{name}' does not fit {file}: its text occurs "
                     f"{text.count(old)} times, not once\n"
                     "  help: change tests/mutations/mutations.txt along with the file")
        switch = f"(::lathe::testing::active_mutation == {number})"
        texts[file] = text.replace(old, new.replace("MUTATED", switch))
    return texts


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--files":
        print("\n".join(sorted({e[1] for e in read_table(arguments[1])})))
        return
    if arguments[0] == "--check":
        mutated(read_table(arguments[1]), pathlib.Path(arguments[2]))
        return
    entries = read_table(arguments[0])
    out = pathlib.Path(arguments[2])
    for file, text in mutated(entries, pathlib.Path(arguments[1])).items():
        path = out / file
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "namespace lathe::testing {\nextern int active_mutation;\n}\n#line 1\n"
        if not path.exists() or path.read_text() != head + text:
            path.write_text(head + text)
    names = "".join(f'{{"{name}", "{file}"}},\n' for name, file, _, _ in entries)
    path = out / "mutation_names.inc"
    if not path.exists() or path.read_text() != names:
        path.write_text(names)


main()
