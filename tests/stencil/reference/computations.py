# SPDX-License-Identifier: Apache-2.0
"""Computations: intervals level by level, regions, the stencil as a whole."""

import ast

import numpy as np

from .statements import Statements
from .values import Plane


class Interpreter(Statements):
    def regions(self, frame, call):
        masks = []
        for r in call.args:
            mask = np.ones(self.ii.shape, bool)
            for e, axis, n in zip(r.slice.elts, (self.i, self.j), self.domain):
                if isinstance(e, ast.Slice):
                    if e.lower:
                        mask &= axis >= self.constant(frame, e.lower).at(n)
                    if e.upper:
                        mask &= axis < self.constant(frame, e.upper).at(n)
                else:
                    mask &= axis == self.constant(frame, e).at(n)
            masks.append(mask)
        return masks

    # --- Computations.

    def bound(self, frame, e, upper):
        """The level, as a plane."""
        v = self.constant(frame, e)
        nk = self.domain[2]
        if isinstance(e, ast.Constant) and e.value is None:
            return Plane(nk)
        if isinstance(v, (int, np.integer)):
            return Plane(int(v) + nk if v < 0 else int(v))
        return self.expr(frame, e)

    def computation(self, frame, node):
        order, intervals, regions = None, [], None
        for item in node.items:
            call = item.context_expr
            if call.func.id == "computation":
                word = call.args[0] if call.args else call.keywords[0].value
                order = self.constant(frame, word).name
            elif call.func.id == "interval":
                intervals.append((call, node.body, None))
            else:
                regions = call
        intervals = [(c, b, regions) for c, b, _ in intervals]
        if not intervals:
            for s in node.body:
                if isinstance(s, ast.ImportFrom):
                    self.import_externals(frame, s)
                elif isinstance(s, ast.With):
                    more = [i.context_expr for i in s.items[1:]]
                    intervals.append((s.items[0].context_expr, s.body, more[0] if more else regions))
        blocks = []
        for call, body, around in intervals:
            args = call.args
            if len(args) == 1 and isinstance(args[0], ast.Constant) and args[0].value is Ellipsis:
                blocks.append((None, None, body, around))
            else:
                blocks.append((args[0], args[1] if len(args) > 1 else None, body, around))

        def static(b):
            return b is None or self.constant(frame, b) is not None or (
                isinstance(b, ast.Constant) and b.value is None)

        if order != "PARALLEL" and all(static(lo) and static(hi) for lo, hi, _, _ in blocks):
            def first(b):
                return int(self.bound(frame, b[0], False).data) if b[0] is not None else 0
            blocks.sort(key=first, reverse=order == "BACKWARD")
        for lo, hi, body, around in blocks:
            low = self.bound(frame, lo, False) if lo is not None else Plane(0)
            if hi is not None:
                high = self.bound(frame, hi, True)
            elif lo is not None:
                high = Plane(low.data + 1, low.valid)
            else:
                high = Plane(self.domain[2])
            levels = range(self.domain[2])
            for k in reversed(levels) if order == "BACKWARD" else levels:
                on = (low.data <= k) & (k < high.data)
                if not on.any():
                    continue
                self.k = k
                valid = np.broadcast_to(low.valid & high.valid, self.ii.shape)
                self.mask = Plane(np.broadcast_to(on, self.ii.shape), valid)
                masks = self.regions(frame, around) if around else [None]
                whole = self.mask
                for m in masks:
                    self.mask = whole if m is None else Plane(whole.data & m, whole.valid | ~m)
                    self.statements(frame, body)
                self.mask = whole
        self.mask = Plane(np.ones(self.ii.shape, bool))

    def stencil(self, frame, node):
        for s in node.body:
            if isinstance(s, ast.With):
                self.computation(frame, s)
            elif isinstance(s, ast.ImportFrom):
                self.import_externals(frame, s)
            elif isinstance(s, ast.AnnAssign):
                kind = eval(compile(ast.Expression(s.annotation), "<type>", "eval"),  # noqa: S307
                            dict(self.module))
                number = self.temporary((s.target.id, None), s.target.id, self.dtype_of(kind.dtype),
                                        "IJK", kind.dims)
                frame[s.target.id] = ("field", number)
                if s.value is not None:
                    for self.k in range(self.domain[2]):
                        for at in np.ndindex(*kind.dims):
                            self.write(number, Plane(self.k), [Plane(n) for n in at],
                                       self.expr(frame, s.value))
