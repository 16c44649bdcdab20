# SPDX-License-Identifier: Apache-2.0
"""numba: loops over points in the order of the layout, the slowest axis in parallel. Sweeps take a
row at a time where rows lie densely, else a column at a time."""

import math
import re

import numba
import numba_kernels

COMPILED = {}


def start(who, threads):
    numba.set_num_threads(threads)
    return f"numba {numba.__version__}"


def with_literals(text):
    """In f32 a literal must not make the arithmetic f64."""
    return re.sub(r"(?<![\w.])\d+\.\d+", lambda m: f"real({m.group()})", text)


def with_indices(task, text, columns, by_rows):
    def index(number, offset):
        return "ijk"[number] + (f" + {offset}" if offset else "")

    for f in task.fields:
        def place(match, f=f):
            offsets = [int(x) for x in match.group(1).split(",")]
            return f.name + "[" + ", ".join(
                index(a, offsets[a] + f.origin[a]) for a in f.order) + "]"
        text = re.sub(rf"(?<!\w){f.name}\[([^\]]*)\]", place, text)
    for name in columns:  # rows of columns, or one column
        after = ", row" if by_rows else ""
        text = re.sub(rf"(?<!\w){name}\[(-?\d+)\]",
                      lambda m, name=name: f"{name}[{index(2, int(m.group(1)))}{after}]", text)
    return text


def for_loop(name, direction=1, parallel=False):
    if direction < 0:
        return f"for {name} in range(n{name} - 1, -1, -1):"
    return f"for {name} in {'numba.prange' if parallel else 'range'}(n{name}):"


def points_text(task):
    lines = []
    for depth, axis in enumerate(task.layout.lower()):
        lines.append("    " * depth + for_loop(axis, parallel=depth == 0))
    body = with_indices(task, with_literals("\n".join(numba_kernels.POINTS[task.stencil]())), (), False)
    return lines + ["    " * 3 + line for line in body.split("\n")]


def sweeps_text(task):
    columns, sweeps = numba_kernels.SWEEPS[task.stencil]
    by_rows = task.layout[-1] != "K"
    outer, row = [a for a in task.layout.lower() if a != "k"]
    shape = f"(nk, n{row})" if by_rows else "nk"
    lines = [for_loop(outer, parallel=True)]
    inner = "    "
    if not by_rows:
        lines.append(inner + for_loop(row))
        inner *= 2
    for name in columns:
        lines.append(inner + f"{name} = numpy.empty({shape}, real)")
    for direction, body in sweeps:
        text = with_indices(task, with_literals("\n".join(body)), columns, by_rows)
        if by_rows:
            text = re.sub(r", row\]", f", {row}]", text)
        depth = inner
        lines.append(depth + for_loop("k", direction))
        if by_rows:
            depth += "    "
            lines.append(depth + for_loop(row))
        lines += [depth + "    " + line for line in text.split("\n")]
    return lines


def compiled(task):
    key = task.stencil, task.dtype, task.layout
    if key not in COMPILED:
        names = [f.name for f in task.fields] + ["ni", "nj", "nk", *task.scalars]
        make = sweeps_text if task.stencil in numba_kernels.SWEEPS else points_text
        text = f"def kernel({', '.join(names)}):\n" + "\n".join("    " + line for line in make(task))
        import numpy
        scope = {"numba": numba, "math": math, "numpy": numpy, "real": task.real}
        exec(text, scope)
        COMPILED[key] = numba.njit(parallel=True, error_model="numpy")(scope["kernel"])
    return COMPILED[key]


def prepare(task):
    kernel = compiled(task)
    task.fill()
    scalars = [task.real(x) for x in task.scalars.values()]
    arguments = [task.arrays[f.name] for f in task.fields] + list(task.domain) + scalars
    return lambda: kernel(*arguments), task.results
