# SPDX-License-Identifier: Apache-2.0
"""docs/arrays.md and README.md show what examples/array/ print: `<!-- example NAME -->`, then a fenced block.

  examples_test.py SOURCE NAME=PROGRAM ...        LATHE_UPDATE=1 rewrites the blocks.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile


def output_of(program, name):
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "out.png")
        out = subprocess.run([program, picture], check=True, capture_output=True, text=True,
                             timeout=100).stdout
        if name == "mandelbrot":
            with open(picture, "rb") as f:
                assert f.read(8) == b"\x89PNG\r\n\x1a\n", "no PNG"
    out = re.sub(r"[^ (]*examples/array/", "examples/array/", out)
    return "\n".join(line.rstrip() for line in out.rstrip().splitlines()) + "\n"


def main():
    source = sys.argv[1]
    programs = dict(argument.split("=", 1) for argument in sys.argv[2:])
    shown, wrong = set(), False

    def block(match):
        name = match.group(1)
        shown.add(name)
        return f"<!-- example {name} -->\n```\n{output_of(programs[name], name)}```"

    for page in ["README.md", os.path.join("docs", "arrays.md")]:
        path = os.path.join(source, page)
        with open(path) as f:
            text = f.read()
        real = re.sub(r"<!-- example (\w+) -->\n```\n(.*?)```", block, text, flags=re.S)
        if real == text:
            continue
        if os.environ.get("LATHE_UPDATE"):
            with open(path, "w") as f:
                f.write(real)
            continue
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), real.splitlines(True),
                                                   page, "what the examples print"))
        wrong = True
    missing = set(programs) - shown
    if missing:
        print(f"docs/arrays.md does not show {sorted(missing)}")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
