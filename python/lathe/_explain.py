# SPDX-License-Identifier: Apache-2.0
"""An array in a notebook: shape and dtype, the loops that compute it, what they cost."""

from html import escape



def _cost(x):
    """Rows of a table: reads, writes and operations of the program, counted in its text."""
    program = x.program()
    lines = [line.strip() for line in program.splitlines()]
    stored = [line.split()[1].rstrip(":") for line in lines if line.startswith("temp ")]
    loops = [line for line in lines if line.startswith("for ")]
    operations = sum(line.count(op) for line in loops for op in (" + ", " - ", " * ", " / ", "("))
    return [("loops", len(loops)), ("arrays stored between", len(stored)),
            ("operations in their text", operations)]


def html(x):
    shape = ", ".join(str(n) for n in x.shape) + ("," if x.ndim == 1 else "")
    rows = [("shape", f"({shape})"), ("dtype", x.dtype.name)]
    if any(x.labels):
        rows.append(("axes", ", ".join(label or "-" for label in x.labels)))
    out = ["<div class='lathe-array'>"]
    if x.is_computed:
        size = x.size * x.dtype.itemsize
        rows.append(("bytes", f"{size}"))
        body = f"<pre>{escape(repr(x))}</pre>"
    else:
        rows += [(k, str(v)) for k, v in _cost(x)]
        body = (f"<details open><summary>loops</summary><pre>{escape(x.listing())}</pre></details>"
                f"<details><summary>program</summary><pre>{escape(x.program())}</pre></details>")
    out.append("<table>" + "".join(
        f"<tr><th style='text-align:left'>{escape(k)}</th><td style='text-align:left'>{escape(v)}</td></tr>"
        for k, v in rows) + "</table>")
    out.append(body + "</div>")
    return "".join(out)
