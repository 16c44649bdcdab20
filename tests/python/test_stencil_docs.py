# SPDX-License-Identifier: Apache-2.0
"""docs/python-stencils.md: every block of Python runs, in order, and prints what stands below it."""

import contextlib
import io
import linecache
import pathlib
import re

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "python-stencils.md"


def test_the_guide_is_true():
    blocks = re.findall(r"```python\n(.*?)```\n(?:```\n(.*?)```\n)?", DOCS.read_text(), re.S)
    assert len(blocks) >= 4
    names = {"__name__": "python_stencils_guide"}
    for number, (code, wanted) in enumerate(blocks):
        name = f"<block {number} of the guide>"
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, name, "exec"), names)
        assert out.getvalue() == wanted, name
