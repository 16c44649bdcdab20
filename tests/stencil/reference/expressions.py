# SPDX-License-Identifier: Apache-2.0
"""Expressions, each a plane; names, constants and places."""

import ast

import numpy as np

from .fields import Fields
from .names import Axis, Function, Word
from .values import NATIVE, Plane, Refused, common, minimum


class Expressions(Fields):
    def lookup(self, frame, name):
        if name in frame:
            return frame[name]
        if name in self.module:
            return ("constant", self.module[name])
        return None

    def constant(self, frame, e):
        """The value that Python gives the expression, or None when it is of fields."""
        names = dict(self.module)
        for name, (kind, value) in frame.items():
            if kind == "constant":
                names[name] = value
            else:
                names.pop(name, None)
        used = {n.id for n in ast.walk(e) if isinstance(n, ast.Name)}
        if any(n in frame and frame[n][0] != "constant" for n in used):
            return None
        try:
            return eval(compile(ast.Expression(e), "<constant>", "eval"), names)  # noqa: S307
        except Exception:
            return None

    def literal(self, v):
        if isinstance(v, (bool, np.bool_)):
            return Plane(np.bool_(v))
        if isinstance(v, np.generic):
            return Plane(v)
        if isinstance(v, int):
            return Plane(np.asarray(int(v), self.int_type))
        if isinstance(v, float):
            return Plane(np.asarray(v, self.float_type))
        raise Refused(f"{v!r} is not a number")

    # --- Expressions.

    def shape(self, frame, e):
        """Of whole vectors and matrices; () otherwise."""
        if isinstance(e, ast.Name):
            kind, value = self.lookup(frame, e.id) or (None, None)
            return self.fields[value].dims if kind == "field" and not self.fields[value].table else ()
        if isinstance(e, ast.Attribute) and e.attr == "T":
            return tuple(reversed(self.shape(frame, e.value)))
        if isinstance(e, ast.Subscript) and isinstance(e.value, ast.Name):
            return self.shape(frame, e.value)
        if isinstance(e, ast.UnaryOp):
            return self.shape(frame, e.operand)
        if isinstance(e, ast.BinOp):
            a, b = self.shape(frame, e.left), self.shape(frame, e.right)
            if isinstance(e.op, ast.MatMult):
                return (a[0],) + b[1:]
            return a or b
        return ()

    def place(self, frame, e):
        """(field, (di, dj), level, data indices), or None."""
        if isinstance(e, ast.Name):
            found = self.lookup(frame, e.id)
            if found and found[0] == "field":
                return [found[1], (0, 0), Plane(self.k), []]
            return None
        if isinstance(e, ast.Subscript):
            if isinstance(e.value, ast.Attribute) and e.value.attr == "A":
                p = self.place(frame, e.value.value)
                if p:
                    p[3] = self.indices(frame, e.slice)
                return p
            p = self.place(frame, e.value)
            if not p:
                return None
            if isinstance(e.value, ast.Name):
                p[1], p[2] = self.offsets(frame, e.slice, self.fields[p[0]])
            else:
                p[3] = self.indices(frame, e.slice)
            return p
        if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == "at":
            p = self.place(frame, e.func.value)
            if p:
                words = {k.arg: k.value for k in e.keywords}
                p[2] = self.expr(frame, words["K"])
                if "ddim" in words:
                    p[3] = [self.expr(frame, d) for d in words["ddim"].elts]
            return p
        return None

    def indices(self, frame, e):
        parts = e.elts if isinstance(e, ast.Tuple) else [e]
        return [self.expr(frame, p) for p in parts]

    def offsets(self, frame, e, f):
        parts = e.elts if isinstance(e, ast.Tuple) else [e]
        by = {"I": 0, "J": 0, "K": Plane(0)}
        if isinstance(e, ast.Constant) and e.value is Ellipsis:
            parts = []
        named = False
        for n, p in enumerate(parts):
            axis, sign, rest = f.axes[n] if n < len(f.axes) else "", 1, p
            left = p.left if isinstance(p, ast.BinOp) else p
            if isinstance(left, ast.Name) and left.id in "IJK" and left.id not in frame:
                named = True
                zero = ast.copy_location(ast.Constant(0), p)
                axis, rest = left.id, p.right if isinstance(p, ast.BinOp) else zero
                sign = -1 if isinstance(p, ast.BinOp) and isinstance(p.op, ast.Sub) else 1
            if axis == "K":
                v = self.expr(frame, rest)
                by["K"] = Plane(sign * v.data.astype(np.int64), v.valid)
            else:
                v = self.constant(frame, rest)
                if not isinstance(v, (int, np.integer)):
                    raise Refused("offsets in I and J are constants")
                by[axis] = sign * int(v)
        if parts and not named and len(parts) != len(f.axes):
            raise Refused("incorrect offset specification")
        return (by["I"], by["J"]), Plane(self.k + by["K"].data, by["K"].valid)

    def expr(self, frame, e, at=None):
        p = self.place(frame, e)
        if p:
            if len(p[3]) < len(self.fields[p[0]].dims) and at is not None:
                p[3] = [Plane(n) for n in at]
            return self.read(*p)
        if isinstance(e, ast.Constant):
            return self.literal(e.value)
        if isinstance(e, ast.Name):
            found = self.lookup(frame, e.id)
            if not found:
                raise Refused(f"unknown name {e.id}")
            if found[0] == "scalar":
                return Plane(found[1])
            if isinstance(found[1], Axis):
                if found[1].name != "K":
                    raise Refused("only K has a value")
                return Plane(np.asarray(self.k, self.int_type))
            return self.literal(found[1])
        if isinstance(e, ast.Attribute):
            if e.attr == "T":
                return self.expr(frame, e.value, tuple(reversed(at)))
            return self.literal(self.constant(frame, e))
        if isinstance(e, ast.BinOp):
            if isinstance(e.op, ast.MatMult):
                total = None
                for n in range(self.shape(frame, e.left)[1]):
                    a = self.expr(frame, e.left, (at[0], n))
                    b = self.expr(frame, e.right, (n,) + tuple(at[1:]))
                    product = self.binary(ast.Mult(), a, b)
                    total = product if total is None else self.binary(ast.Add(), total, product)
                return total
            return self.binary(e.op, self.expr(frame, e.left, at), self.expr(frame, e.right, at), e.right)
        if isinstance(e, ast.UnaryOp):
            x = self.expr(frame, e.operand, at)
            if isinstance(e.op, ast.Not):
                return Plane(~x.data, x.valid)
            return Plane(-x.data, x.valid) if isinstance(e.op, ast.USub) else x
        if isinstance(e, ast.Compare):
            if len(e.ops) != 1:
                raise Refused("a chain of comparisons")
            a, b = self.expr(frame, e.left, at), self.expr(frame, e.comparators[0], at)
            t = common(a.dtype, b.dtype)
            f = {ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater,
                 ast.GtE: np.greater_equal, ast.Eq: np.equal, ast.NotEq: np.not_equal}[type(e.ops[0])]
            return Plane(f(a.cast(t).data, b.cast(t).data), a.valid & b.valid)
        if isinstance(e, ast.BoolOp):
            result = self.expr(frame, e.values[0], at)
            for part in e.values[1:]:
                x = self.expr(frame, part, at)
                stop = ~result.data if isinstance(e.op, ast.And) else result.data
                data = result.data & x.data if isinstance(e.op, ast.And) else result.data | x.data
                result = Plane(data, result.valid & (x.valid | stop))
            return result
        if isinstance(e, ast.IfExp):
            test = self.expr(frame, e.test, at)
            yes, no = self.expr(frame, e.body, at), self.expr(frame, e.orelse, at)
            t = common(yes.dtype, no.dtype)
            return Plane(np.where(test.data, yes.cast(t).data, no.cast(t).data),
                         test.valid & np.where(test.data, yes.valid, no.valid))
        if isinstance(e, ast.Call):
            return self.call(frame, e, at)
        raise Refused(f"{ast.dump(e)} is no expression")

    def binary(self, op, a, b, right=None):
        t = common(a.dtype, b.dtype)
        if t.kind == "b":
            raise Refused("arithmetic of bools")
        if isinstance(op, ast.Div) and t.kind != "f":
            t = self.float_type
        x, y, valid = a.cast(t).data, b.cast(t).data, a.valid & b.valid
        if isinstance(op, ast.Add):
            return Plane(x + y, valid)
        if isinstance(op, ast.Sub):
            return Plane(x - y, valid)
        if isinstance(op, ast.Mult):
            return Plane(x * y, valid)
        if isinstance(op, ast.Div):
            return Plane(x / y, valid)
        if isinstance(op, ast.Mod):
            return Plane(np.mod(x, y) if t.kind == "f" else np.where(y == 0, 0, np.mod(x, np.where(y == 0, 1, y))), valid)
        if isinstance(op, ast.Pow):
            if t.kind == "f":
                if y.ndim == 0 and y == 2:
                    return Plane(x * x, valid)
                if y.ndim == 0 and y == 0.5:
                    return Plane(np.sqrt(x), valid)
                return Plane(np.power(x.astype(np.float64), y.astype(np.float64)).astype(t), valid)
            return Plane(np.power(x, y), valid)
        raise Refused(f"{type(op).__name__} is no operation")

    def call(self, frame, e, at):
        target = self.constant(frame, e.func)
        if isinstance(target, Function):
            results = self.splice(frame, e, target)
            if len(results) != 1:
                raise Refused("several values in an expression")
            return results[0]()
        if target in (int, float, bool) or (isinstance(target, type) and issubclass(target, np.generic)):
            x = self.expr(frame, e.args[0], at)
            word = {int: "int", float: "float"}.get(target, "")
            return x.cast(self.dtypes.get(word, target))
        name = target.name if isinstance(target, Word) else getattr(target, "__name__", "")
        args = [self.expr(frame, a, at) for a in e.args]
        t = common(*[a.dtype for a in args])
        keeps = name in ("min", "max", "mod", "abs")
        if t.kind == "b" or (not keeps and t.kind != "f"):
            t = self.float_type
        data = [a.cast(t).data for a in args]
        valid = np.logical_and.reduce(np.broadcast_arrays(*[a.valid for a in args]))
        if name in ("min", "max"):
            return Plane(minimum(*data, least=name == "min"), valid)
        if name == "abs":
            return Plane(np.abs(data[0]), valid)
        if name == "round":
            return Plane(np.rint(data[0]), valid)
        if name == "mod":
            return Plane(self.binary(ast.Mod(), Plane(data[0]), Plane(data[1])).data, valid)
        if NATIVE.get(name):
            return Plane(NATIVE[name](data[0]), valid)
        raise Refused(f"unknown call of {name}")
