# SPDX-License-Identifier: Apache-2.0
"""An array in a notebook: shape and dtype, the loops that compute it, what they cost."""

import re
from html import escape

_RANGE = re.compile(r"\b\w+ in ([^:,]+?)\.\.([^:,]+)")
_READ = re.compile(r"\w+\[")
_OPERATION = re.compile(r" (?:[-+*/%&|^<>]|<=|>=|==|!=|and|or|<<|>>|//) |\b[a-z]\w*\(|\b[a-z]+ \w+ in ")


def _points(ranges):
    lengths = []
    for low, high in ranges:
        low, high = low.strip(), high.strip()
        lengths.append(high if low == "0" else f"({high} - {low})")
    return " * ".join(lengths) or "1"


def cost(x):
    """One row for each statement of the program: the array that it writes, how often it is carried out,
    and what each time costs: elements read, operations."""
    rows = []
    for line in x.program().splitlines():
        line = line.strip()
        if " = " not in line or line.startswith(("#", "program")):
            continue
        left, right = line.split(" = ", 1)
        target = re.search(r"(\w+)(\[[^\]]*\])?$", left).group(1)
        rows.append((target, _points(_RANGE.findall(line)), len(_READ.findall(right)),
                     len(_OPERATION.findall(right))))
    return rows


def _table(head, rows):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag} style='text-align:left'>{escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    return "<table>" + (line(head, "th") if head else "") + "".join(line(r, "td") for r in rows) + "</table>"


def html(x):
    shape = ", ".join(str(n) for n in x.shape) + ("," if x.ndim == 1 else "")
    rows = [("shape", f"({shape})"), ("dtype", x.dtype.name)]
    if any(x.labels):
        rows.append(("axes", ", ".join(label or "-" for label in x.labels)))
    if x.is_computed:
        rows.append(("bytes", x.nbytes))
        body = f"<pre>{escape(repr(x))}</pre>"
    else:
        body = (f"<details open><summary>loops</summary><pre>{escape(x.listing())}</pre></details>"
                "<details open><summary>cost</summary>"
                + _table(("array", "times", "reads", "operations"), cost(x))
                + f"</details><details><summary>program</summary><pre>{escape(x.program())}</pre></details>")
    return f"<div class='lathe-array'>{_table((), rows)}{body}</div>"
