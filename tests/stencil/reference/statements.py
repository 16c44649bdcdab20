# SPDX-License-Identifier: Apache-2.0
"""Statements, and functions spliced in."""

import ast

import numpy as np

from .expressions import Expressions
from .names import FieldType
from .values import Field, Plane, Refused

ROUNDS = 300


class Statements(Expressions):
    def definition(self, function):
        if function not in self.functions:
            self.functions[function] = find_function(self.module["__tree__"], function)
        return self.functions[function]

    def splice(self, frame, call, target):
        """The values that a function returns, each to be evaluated where it stands."""
        node = self.definition(target.python)
        inner = {}
        arguments = node.args.args + node.args.kwonlyargs
        defaults = dict(zip([a.arg for a in reversed(node.args.args)], reversed(node.args.defaults)))
        defaults.update({a.arg: d for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults) if d})
        given = {a.arg: v for a, v in zip(arguments, call.args)}
        given.update({k.arg: k.value for k in call.keywords})
        assigned = names_assigned(node.body)
        seen = {name: ("constant", value) for name, value in target.seen.items()}
        for a in arguments:
            value = given.get(a.arg, defaults.get(a.arg))
            around = frame if a.arg in given else seen
            bound = self.lookup(around, value.id) if isinstance(value, ast.Name) else None
            known = self.constant(around, value)
            if a.arg not in assigned and bound is not None:
                inner[a.arg] = bound
            elif a.arg not in assigned and known is not None:
                inner[a.arg] = ("constant", known)
            else:
                x = self.expr(around, value)
                number = self.temporary((id(call), a.arg, frame.get("  call")), a.arg, x.dtype)
                self.write(number, Plane(self.k), [], x)
                inner[a.arg] = ("field", number)
        inner["  call"] = ("constant", (id(call), frame.get("  call")))
        see(inner, node, target.seen)
        self.statements(inner, node.body[:-1])
        result = node.body[-1].value
        parts = result.elts if isinstance(result, ast.Tuple) else [result]
        return [lambda p=p: self.expr(inner, p) for p in parts]

    def temporary(self, key, name, dtype, axes="IJK", dims=()):
        """One field per name and place of a call, whatever the level."""
        if key not in self.kinds:
            self.kinds[key] = self.add_field(Field(name, FieldType(axes, dims=dims), dtype, False))
        return self.kinds[key]

    def statements(self, frame, body):
        for s in body:
            self.statement(frame, s)

    def statement(self, frame, s):
        if isinstance(s, ast.Assign):
            target = s.targets[0]
            if isinstance(target, ast.Tuple):
                return self.assign_tuple(frame, target.elts, s.value)
            return self.assign(frame, target, s.value)
        if isinstance(s, ast.AugAssign):
            old = self.expr(frame, s.target)
            return self.store(frame, s.target, self.binary(s.op, old, self.expr(frame, s.value)))
        if isinstance(s, ast.AnnAssign):
            names = dict(self.module)
            kind = eval(compile(ast.Expression(s.annotation), "<type>", "eval"), names)  # noqa: S307
            if not isinstance(kind, FieldType):
                kind = FieldType("IJK", kind)
            key = (s.target.id, frame.get("  call"))
            frame[s.target.id] = ("field", self.temporary(key, s.target.id, self.dtype_of(kind.dtype),
                                                          kind.axes, kind.dims))
            return self.assign(frame, s.target, s.value)
        if isinstance(s, ast.If):
            return self.conditional(frame, s)
        if isinstance(s, ast.While):
            return self.loop(frame, s)
        if isinstance(s, ast.With):
            for mask in self.regions(frame, s.items[0].context_expr):
                outer, self.mask = self.mask, Plane(self.mask.data & mask, self.mask.valid | ~mask)
                self.statements(frame, s.body)
                self.mask = outer
            return None
        if isinstance(s, ast.ImportFrom):
            return self.import_externals(frame, s)
        if isinstance(s, (ast.Pass, ast.Expr)):
            return None
        raise Refused(f"{type(s).__name__} is no statement")

    def import_externals(self, frame, s):
        for a in s.names:
            if s.module.endswith("__externals__"):
                frame[a.name] = ("constant", self.module["__externals__"][a.name])

    def dtype_of(self, d):
        if isinstance(d, str):
            return np.dtype(self.dtypes[d])
        return np.dtype(self.dtypes.get({int: "int", float: "float"}.get(d, ""), d))

    def assign(self, frame, target, value):
        whole = self.shape(frame, target) if isinstance(target, ast.Name) or (
            isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)) else ()
        if not whole:
            return self.store(frame, target, self.expr(frame, value))
        values = {at: self.expr(frame, value, at) for at in np.ndindex(*whole)}
        number, _, level, _ = self.place(frame, target)
        for at, v in values.items():
            self.write(number, level, [Plane(n) for n in at], v)
        return None

    def assign_tuple(self, frame, targets, value):
        if isinstance(value, ast.Tuple):
            values = [self.expr(frame, v) for v in value.elts]
        else:
            values = [r() for r in self.splice(frame, value, self.constant(frame, value.func))]
        if len(values) != len(targets):
            raise Refused("number of values")
        for t, v in zip(targets, values):
            self.store(frame, t, v)

    def store(self, frame, target, value):
        if isinstance(target, ast.Name):
            found = frame.get(target.id)
            if found is None or found[0] == "constant":
                key = (target.id, frame.get("  call"))
                frame[target.id] = ("field", self.temporary(key, target.id, value.dtype))
        number, _, level, data = self.place(frame, target)
        self.write(number, level, data, value)

    def conditional(self, frame, s):
        if isinstance(s.test, ast.Call) and getattr(s.test.func, "id", getattr(
                s.test.func, "attr", "")) == "__INLINED":
            test = self.constant(frame, s.test.args[0])
            return self.statements(frame, s.body if test else s.orelse)
        test = self.expr(frame, s.test)
        if test.dtype.kind != "b":
            raise Refused("a condition that is not bool")
        shape = self.ii.shape
        test = Plane(np.broadcast_to(test.data, shape), np.broadcast_to(test.valid, shape))
        outer, before = self.mask, dict(self.data)
        valid = outer.valid & (test.valid | ~outer.data)
        self.mask = Plane(outer.data & test.data, valid)
        self.statements(frame, s.body)
        yes = self.data
        self.data = dict(before)
        for number in yes.keys() - before.keys():  # declared in there: all over the stencil
            self.data[number] = (np.zeros_like(yes[number][0]), np.zeros_like(yes[number][1]))
            before[number] = self.data[number]
        self.mask = Plane(outer.data & ~test.data, valid)
        self.statements(frame, s.orelse)
        no, self.mask = self.data, outer
        merged = {}
        for number in no:
            a, b = yes.get(number), no[number]
            if a is None:  # declared by the other side
                a = (np.zeros_like(b[0]), np.zeros_like(b[1]))
            if a is b:
                merged[number] = b
                continue
            extra = (1,) * (a[0].ndim - 2)
            m, v = test.data.reshape(shape + extra), valid.reshape(shape + extra)
            ok = np.where(v, np.where(m, a[1], b[1]), a[1] & b[1] & (a[0] == b[0]))
            merged[number] = (np.where(m, a[0], b[0]), ok)
        self.data = merged

    def loop(self, frame, s):
        outer = self.mask
        # Nowhere at first: names get their types in the order of the text.
        self.mask = Plane(np.zeros(self.ii.shape, bool))
        self.statements(frame, s.body)
        on = outer.data.copy()
        for rounds in range(ROUNDS):
            self.mask = Plane(on, outer.valid)
            test = self.expr(frame, s.test)
            shape = self.ii.shape
            value, valid = np.broadcast_to(test.data, shape), np.broadcast_to(test.valid, shape)
            lost = on & ~(valid & outer.valid)
            if rounds >= ROUNDS - 2:  # beyond the domain nothing needs to come to an end
                lost = lost | (on & ~self.inside)
            on = on & (value | lost)
            if not on.any():
                break
            self.mask = Plane(on, ~lost)
            self.statements(frame, s.body)
            on = on & ~lost
        else:
            raise Refused("a while loop without end")
        self.mask = outer


def names_assigned(body):
    names = set()
    for s in body:
        for n in ast.walk(s):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                names.add(n.id)
    return names


def see(frame, node, seen):
    """The names around a definition, as they were when Python looked them up."""
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and n.id in seen and n.id not in names_assigned(node.body):
            frame.setdefault(n.id, ("constant", seen[n.id]))


def find_function(tree, function):
    """A file is searched once: that takes longer than most stencils."""
    if not hasattr(tree, "functions"):
        tree.functions = {(n.name, min([n.lineno] + [d.lineno for d in n.decorator_list])): n
                          for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    return tree.functions[function.__name__, function.__code__.co_firstlineno]
