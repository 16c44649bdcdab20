#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From results.json to what people read: bars.svg, stencil_bars.svg and array_bars.svg (speed as a
fraction of the machine's limit), compile_time.svg (against the number of statements), and with --markdown
tables.

Usage: report.py FOLDER [--markdown]
"""

import json
import pathlib
import sys
from xml.sax.saxutils import escape

COLOURS = {"lathe": "#c2410c", "hand": "#1d4ed8", "c": "#60a5fa", "openblas": "#15803d",
           "gt:cpu_ifirst": "#7c3aed", "gt:cpu_kfirst": "#a78bfa", "gridtools": "#4c1d95",
           "halide": "#0f766e", "halide-adams": "#5eead4", "numba": "#1d4ed8", "jax": "#ca8a04",
           "torch": "#86b36b", "numpy": "#a3a3a3"}
NAMES = {"lathe": "Lathe", "hand": "C by hand", "c": "straightforward C", "openblas": "OpenBLAS",
         "gt:cpu_ifirst": "gt:cpu_ifirst", "gt:cpu_kfirst": "gt:cpu_kfirst", "gridtools": "GridTools",
         "halide": "Halide, inlined", "halide-adams": "Halide, Adams2019", "numba": "numba",
         "jax": "JAX", "torch": "torch", "numpy": "NumPy"}
ROAD = ["c", "hand", "numpy", "openblas", "torch"]
ARRAYS = ["c", "hand", "numpy", "numba", "jax", "torch"]
STENCILS = ["gt:cpu_ifirst", "gt:cpu_kfirst", "gridtools", "halide", "halide-adams", "numba", "jax",
            "torch", "numpy"]
TITLES = {"chain": "a*b + c*d", "total": "sum", "dot": "dot", "first_axis_sum": "sum over the first axis",
          "diffusion": "5-point diffusion", "hdiff": "three-stage stencil, limiter",
          "vadv": "tridiagonal sweep", "matmul": "matmul", "softmax": "softmax over rows",
          "distances": "pairwise distances"}
PREFIX = "stencil "
ARRAY_PREFIX = "array "
STENCIL_ORDER = ["hdiff", "vadv", "tridiagonal", "upwind5", "smagorinsky", "transport", "ppm", "adjust",
                 "sediment"]
LAYOUTS = ["KJI", "IJK", "KIJ"]


def title_of(bench):
    return TITLES.get(bench, bench.removeprefix(PREFIX).removeprefix(ARRAY_PREFIX))


def read_rows(records, of_stencils):
    """[(bench, dtype, size), {who: record}] in the order of the file; rows with a limit only."""
    rows = {}
    for record in records:
        if record["bench"].startswith(PREFIX) if of_stencils else record["bench"] in TITLES:
            rows.setdefault((record["bench"], record["dtype"], record["size"]), {})[record["who"]] = record
    # Stencils are measured again row by row: in the file the last one measured comes last.
    return sorted(rows.items(), key=order_of) if of_stencils else list(rows.items())


def read_arrays(records):
    """The same of lazy arrays: by formula as first measured, from small to large."""
    rows = {}
    for record in records:
        if record["bench"].startswith(ARRAY_PREFIX):
            rows.setdefault((record["bench"], record["dtype"], record["size"]), {})[record["who"]] = record
    return list(rows.items())


def order_of(row):
    bench, dtype, size = row[0]
    domain, _, layout = size.partition(" ")
    return STENCIL_ORDER.index(title_of(bench)), int(domain.split("x")[0]), LAYOUTS.index(layout), -int(dtype[1:])


class Picture:
    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def text(self, x, y, text, anchor="start", colour="#222222", size=12, weight="normal"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
                          f'font-size="{size}" font-weight="{weight}">{escape(text)}</text>')

    def bar(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" '
                          f'height="{height:.1f}" fill="{colour}"/>')

    def line(self, points, colour="#cccccc", width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{text}" fill="none" stroke="{colour}" '
                          f'stroke-width="{width}"{dashes}/>')

    def write(self, path):
        path.write_text("\n".join(self.parts + ["</svg>"]) + "\n")


def draw_bars(rows, path):
    labels = {row: f"{title_of(row[0])}, {row[1]}, {row[2]}" for row, _ in rows}
    left = 20 + round(7.5 * max(map(len, labels.values()), default=0))  # bold letters of size 12
    scale, top, bar = 420, 64, 13
    rows = [(row, {who: r for who, r in found.items() if r["of_limit"] is not None})
            for row, found in rows]
    whos = [who for who in COLOURS if any(who in found for _, found in rows)]
    height = top + sum(14 + bar * sum(who in found for who in whos) for _, found in rows) + 20
    width = max(left + int(scale * 1.15) + 130, 12 + sum(34 + 7 * len(NAMES[who]) for who in whos))
    picture = Picture(width, height, "Speed as a fraction of the machine's limit")
    picture.text(12, 22, "Speed as a fraction of this machine's measured limit (longer is faster)",
                 size=15, weight="bold")
    x = 12
    for who in whos:
        picture.bar(x, 34, 11, 11, COLOURS[who])
        picture.text(x + 15, 44, NAMES[who])
        x += 34 + 7 * len(NAMES[who])
    for tick in (0, 0.25, 0.5, 0.75, 1):
        picture.line([(left + scale * tick, top - 4), (left + scale * tick, height - 16)],
                     "#888888" if tick == 1 else "#dddddd", dash="4 3" if tick == 1 else "")
        picture.text(left + scale * tick, height - 4, "limit" if tick == 1 else f"{tick:g}", "middle",
                     "#666666", 11)
    y = top
    for row, found in rows:
        picture.text(left - 8, y + 10, labels[row], "end", weight="bold")
        for who in whos:
            record = found.get(who)
            if not record:
                continue
            part = record["of_limit"]
            picture.bar(left, y, scale * min(part, 1.15), bar - 2, COLOURS[who])
            inside = scale * min(part, 1.15) + left + 4
            picture.text(inside, y + 9.5, f'{part:.2f}   {record["seconds"] * 1e3:.3g} ms', size=10,
                         colour="#444444")
            y += bar
        y += 14
    picture.write(path)


def draw_compile_time(records, path):
    points = sorted((int(r["size"]), r["seconds"], r["who"]) for r in records
                    if r["bench"] == "compile_statements")
    if not points:
        return
    width, height, left, bottom = 640, 380, 64, 330
    most = max(n for n, _, _ in points)
    longest = max(s for _, s, _ in points) or 1
    picture = Picture(width, height, "Compile time against statements")
    picture.text(12, 22, "Compile time of n independent statements", size=15, weight="bold")

    def place(n, seconds):
        return left + (width - left - 30) * n / most, bottom - (bottom - 50) * seconds / longest

    for part in (0, 0.25, 0.5, 0.75, 1):
        picture.line([place(0, longest * part), place(most, longest * part)], "#dddddd")
        picture.text(left - 6, place(0, longest * part)[1] + 4, f"{longest * part:.2g} s", "end", "#666666", 11)
        picture.text(place(most * part, 0)[0], bottom + 16, f"{most * part:.0f}", "middle", "#666666", 11)
    for number, (who, colour) in enumerate((("lathe and cc", "#c2410c"), ("lathe", "#1d4ed8"))):
        line = [place(n, s) for n, s, w in points if w == who]
        picture.line(line, colour, 2)
        for x, y in line:
            picture.bar(x - 2, y - 2, 4, 4, colour)
        picture.bar(left + 12, 44 + 18 * number, 11, 11, colour)
        picture.text(left + 28, 54 + 18 * number, "Lathe's share" if who == "lathe" else "with the C compiler")
    picture.text((left + width) / 2, height - 14, "statements", "middle")
    picture.write(path)


def markdown(rows, whos):
    """Cells of others: how many times as fast Lathe is. `?`: other programs were busy."""
    whos = [who for who in whos if any(who in found for _, found in rows)]
    head = ["", "limit", "Lathe", "of limit", *(NAMES[who] for who in whos)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    reasons = {}
    for (bench, dtype, size), found in rows:
        def cell(who):
            record = found.get(who)
            if record and record.get("missing"):
                reasons.setdefault((NAMES[who], record["missing"]), []).append(title_of(bench))
                return "–"
            if not record or not record["lathe_speed"]:
                return ""
            if record["note"]:
                return "wrong"
            return f'{record["lathe_speed"]:.2f}x' + ("?" if record["busy"] else "")
        lathe = found.get("lathe")
        if not lathe:
            continue
        limit = lathe["limit_seconds"]  # None where no limit was measured
        limits = (f"{limit * 1e3:.3g} ms", f"{lathe['of_limit']:.2f}") if limit else ("", "")
        cells = [f"{title_of(bench)}, {dtype}, {size}", limits[0],
                 f"{lathe['seconds'] * 1e3:.3g} ms" + ("?" if lathe["busy"] else ""),
                 limits[1], *(cell(who) for who in whos)]
        lines.append("| " + " | ".join(cells) + " |")
    if reasons:
        lines.append("")
    for (name, reason), benches in reasons.items():
        lines.append(f"- {name} is missing ({', '.join(dict.fromkeys(benches))}): {reason}")
    return "\n".join(lines)


def latency_lines(records):
    """What stencils and arrays cost besides their kernels."""
    texts = {"stencil_cold": "first result, nothing compiled before",
             "stencil_cached": "first result in a new process, kernels on disk",
             "stencil_call": "one call from C++",
             "array_cold": "lazy arrays: first value, nothing compiled before",
             "array_cached": "lazy arrays: first value in a new process, kernels on disk",
             "array_build": "lazy arrays: making the graph",
             "array_eval": "lazy arrays: another value of a graph that is there",
             "array_build_and_eval": "lazy arrays: making the graph and evaluating it"}
    lines = ["| | | |", "|---|---|---|"]
    for r in records:
        if r["bench"] in texts:
            seconds = r["seconds"]
            value = f"{seconds * 1e6:.2f} µs" if seconds < 1e-4 else f"{seconds * 1e3:.1f} ms"
            lines.append(f'| {texts[r["bench"]]}, {r["size"]} | {r["who"]} | {value} |')
    return "\n".join(lines) if len(lines) > 2 else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    path = folder / "results.json"
    if not path.is_file():
        return f"{path} does not exist: run make bench first"
    records = json.loads(path.read_text())
    rows, stencils, arrays = read_rows(records, False), read_rows(records, True), read_arrays(records)
    if "--markdown" in sys.argv[2:]:
        parts = [markdown(rows, ROAD) if rows else "", markdown(stencils, STENCILS) if stencils else "",
                 markdown(arrays, ARRAYS) if arrays else "", latency_lines(records)]
        print("\n\n".join(part for part in parts if part))
        return 0
    written = ["results.json"]
    for found, name in ((rows, "bars.svg"), (stencils, "stencil_bars.svg"),
                        (arrays, "array_bars.svg")):
        if found:
            draw_bars(found, folder / name)
            written.append(name)
    draw_compile_time(records, folder / "compile_time.svg")
    print(f"wrote {', '.join(written)} in {folder}; tools/bench --table prints them as Markdown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
