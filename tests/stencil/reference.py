#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GTScript, interpreted level by level on NumPy arrays: what `lathe run FILE.py` is compared with.

Written from the language alone, and meant to be obvious rather than fast:

- Every field lies on the compute domain and HALO points around it. Beside its values it has a mask
  of those that are valid: read outside of an array, or never written, is not. A temporary is
  computed wherever it lies, so that invalid points creep inwards from the rim; an argument is
  written on the compute domain alone. Results must be valid there.
- Planes, level by level: computations in order, intervals by policy, statements in order. Each
  assignment has its whole right-hand side before it writes.
- Fields are never changed in place, so that the versions of a branch are the dictionary of fields
  from before it.
"""

import ast
import enum
import math
import sys
import types

import numpy as np

HALO = 12
RANK = ["bool", "int8", "int16", "int32", "int64", "float32", "float64"]
ROUNDS = 300


class Refused(Exception):
    """The program, or its call, is not one that has a meaning."""


# --- The names of GTScript, so that a file can be executed.


class FieldType:
    def __init__(self, axes="IJK", dtype=np.dtype(float), dims=(), table=False):
        self.axes, self.dtype, self.dims, self.table = axes, dtype, tuple(dims), table


class Axis:
    def __init__(self, name):
        self.name = name

    def __getitem__(self, n):
        if n not in (0, -1):
            raise Refused("only the first and the last point of an axis have a name")
        return AxisIndex(self.name, n == -1, 0)


class AxisIndex:
    def __init__(self, axis, from_end, offset):
        self.axis, self.from_end, self.offset = axis, from_end, offset

    def __add__(self, n):
        return AxisIndex(self.axis, self.from_end, self.offset + n)

    __radd__ = __add__

    def __sub__(self, n):
        return self + -n

    def at(self, n):
        return self.offset + (n - 1 if self.from_end else 0)


class _Field:
    def __init__(self, table=False):
        self.table = table

    def __getitem__(self, what):
        axes = "" if self.table else "IJK"
        if isinstance(what, tuple) and isinstance(what[0], Axes):
            axes, what = what[0].text, what[1]
        dims = ()
        if isinstance(what, tuple):
            what, dims = what
            dims = dims if isinstance(dims, tuple) else (dims,)
        return FieldType(axes, what, dims, self.table)


class Axes:
    def __init__(self, text):
        self.text = text


class AxisAxes(Axes, Axis):
    def __init__(self, text):
        Axes.__init__(self, text)
        Axis.__init__(self, text)


class Function:
    def __init__(self, python):
        self.python = python


class StencilMark:
    def __init__(self, python, options):
        self.python, self.options = python, options


def _stencil(*args, **options):
    if args and isinstance(args[0], types.FunctionType):
        return StencilMark(args[0], options)
    if len(args) > 1 and isinstance(args[1], types.FunctionType):
        return StencilMark(args[1], options)
    definition = options.pop("definition", None)
    if definition is not None:
        return StencilMark(definition, options)
    return lambda python: StencilMark(python, options)


BUILTINS = {}


def _gtscript():
    m = types.ModuleType("gt4py.cartesian.gtscript")
    m.Field, m.GlobalTable = _Field(), _Field(True)
    for name in ["I", "J", "K"]:
        setattr(m, name, AxisAxes(name))
    for name in ["IJ", "IK", "JK", "IJK"]:
        setattr(m, name, Axes(name))
    for name in ["PARALLEL", "FORWARD", "BACKWARD", "computation", "interval", "horizontal", "region",
                 "compile_assert", "__INLINED"] + list(NATIVE) + ["min", "max", "abs", "round"]:
        BUILTINS[name] = name
        setattr(m, name, Word(name))
    for name in RANK[1:]:
        setattr(m, name, getattr(np, name))
    m.function = m.lazy_function = Function
    m.stencil = m.lazy_stencil = _stencil
    m.enum = lambda c: c
    m.__all__ = [n for n in vars(m) if n == "__INLINED" or not n.startswith("_")]
    return m


class Word:
    def __init__(self, name):
        self.name = name


# --- Numbers.


def rank(dtype):
    return RANK.index(np.dtype(dtype).name)


def common(*dtypes):
    return np.dtype(max(dtypes, key=rank))


def convert(x, dtype):
    """float -> int saturates, NaN -> 0; int -> int wraps."""
    x, dtype = np.asarray(x), np.dtype(dtype)
    if x.dtype == dtype:
        return x
    if dtype.kind == "i" and x.dtype.kind == "f":
        info = np.iinfo(dtype)
        whole = np.trunc(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf))
        low, high = whole < float(info.min), whole >= -float(info.min)
        r = np.where(low | high, 0, whole).astype(np.int64).astype(dtype)
        return np.where(low, info.min, np.where(high, info.max, r)).astype(dtype)
    if dtype.kind == "b":
        return x != 0
    return x.astype(dtype)


def _gamma(x):
    return np.vectorize(_one_gamma, otypes=[np.float64])(x)


def _one_gamma(x):
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def _wide(f):
    """Computed in double, rounded once: closer than 1 ulp in float32."""
    return lambda x: f(x.astype(np.float64)).astype(x.dtype)


def _scalar(f):
    return _wide(np.vectorize(f, otypes=[np.float64]))


NATIVE = {
    "sin": _wide(np.sin), "cos": _wide(np.cos), "tan": _wide(np.tan), "asin": _wide(np.arcsin),
    "acos": _wide(np.arccos), "atan": _wide(np.arctan), "sinh": _wide(np.sinh),
    "cosh": _wide(np.cosh), "tanh": _wide(np.tanh), "asinh": _wide(np.arcsinh),
    "acosh": _wide(np.arccosh), "atanh": _wide(np.arctanh), "exp": _wide(np.exp),
    "log": _wide(np.log), "log10": _wide(np.log10), "gamma": _wide(_gamma), "cbrt": _wide(np.cbrt),
    "erf": _scalar(math.erf), "erfc": _scalar(math.erfc),
    "sqrt": np.sqrt, "isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round_away_from_zero": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), "mod": None,
}


def minimum(a, b, least):
    """NaN wins; -0 is below +0."""
    r = np.minimum(a, b) if least else np.maximum(a, b)
    if r.dtype.kind != "f":
        return r
    zeros = (a == 0) & (b == 0)
    negative = (np.signbit(a) | np.signbit(b)) if least else (np.signbit(a) & np.signbit(b))
    return np.where(zeros, np.where(negative, -0.0, 0.0).astype(r.dtype), r)


# --- Values and fields.


class Plane:
    """Values on I and J (or one for all), and which of them are valid."""

    def __init__(self, data, valid=True):
        self.data, self.valid = np.asarray(data), np.asarray(valid)

    @property
    def dtype(self):
        return self.data.dtype

    def cast(self, dtype):
        return Plane(convert(self.data, dtype), self.valid)


class Field:
    def __init__(self, name, type_, dtype, api):
        self.name, self.axes, self.dims, self.table = name, type_.axes, type_.dims, type_.table
        self.dtype, self.api = np.dtype(dtype), api


class Interpreter:
    def __init__(self, module, domain, literals, dtypes):
        self.module = module  # names of the file
        self.domain = domain
        self.int_type, self.float_type = literals
        self.dtypes = dtypes
        ni, nj = domain[0] + 2 * HALO, domain[1] + 2 * HALO
        self.ii, self.jj = np.meshgrid(np.arange(ni), np.arange(nj), indexing="ij")
        self.i, self.j = self.ii - HALO, self.jj - HALO
        self.inside = ((self.i >= 0) & (self.i < domain[0]) & (self.j >= 0) & (self.j < domain[1]))
        self.fields = []   # by number
        self.data = {}     # number -> (values, valid), never changed in place
        self.mask = Plane(np.ones(self.ii.shape, bool))
        self.k = 0
        self.functions = {}
        self.kinds = {}

    # K of arguments begins HALO before the domain; temporaries have its levels.
    def k_origin(self, f):
        return HALO if f.api else 0

    def add_field(self, f):
        sizes = {"I": self.domain[0] + 2 * HALO, "J": self.domain[1] + 2 * HALO,
                 "K": self.domain[2] + 2 * self.k_origin(f)}
        shape = [sizes[a] for a in f.axes] + list(f.dims)
        self.fields.append(f)
        number = len(self.fields) - 1
        self.data[number] = (np.zeros(shape, f.dtype), np.zeros(shape, bool))
        return number

    def fill(self, number, array, origin):
        """The caller's array: element `origin` is the first point of the domain."""
        f = self.fields[number]
        values, valid = (x.copy() for x in self.data[number])
        into, out = [], []
        for n, axis in enumerate(f.axes):
            first = HALO - origin[n]
            lo = max(first, 0)
            hi = min(first + array.shape[n], values.shape[n])
            into.append(slice(lo, hi))
            out.append(slice(lo - first, hi - first))
        values[tuple(into)] = array[tuple(out)]
        valid[tuple(into)] = True
        self.data[number] = (values, valid)

    def take(self, number, array, origin):
        """The compute domain, back into the caller's array; whether all that was written is valid."""
        f = self.fields[number]
        values, valid = self.data[number]
        into, out = [], []
        for n, axis in enumerate(f.axes):
            first = HALO - origin[n]
            lo, hi = max(first, 0), min(first + array.shape[n], values.shape[n])
            into.append(slice(lo, hi))
            out.append(slice(lo - first, hi - first))
        array[tuple(out)] = values[tuple(into)]
        return bool(valid[tuple(into)].all())

    # --- Access.

    def index(self, f, offset, level, data):
        """Index arrays of an element per point, and where they lie inside."""
        ok = np.ones(self.ii.shape, bool)
        index = []
        shape = self.data[self.fields.index(f)][0].shape
        parts = []
        for axis in f.axes:
            if axis == "I":
                parts.append(self.ii + offset[0])
            elif axis == "J":
                parts.append(self.jj + offset[1])
            else:
                parts.append(np.broadcast_to(level.data + self.k_origin(f), self.ii.shape))
                ok = ok & level.valid
        for d in data:
            parts.append(np.broadcast_to(d.data, self.ii.shape))
            ok = ok & d.valid
        for n, p in zip(shape, parts):
            ok = ok & (p >= 0) & (p < n)
            index.append(np.clip(p, 0, n - 1).astype(np.int64))
        return tuple(index), ok

    def read(self, number, offset, level, data):
        f = self.fields[number]
        if len(data) != len(f.dims):
            raise Refused(f"{f.name} needs {len(f.dims)} data indices")
        index, ok = self.index(f, offset, level, data)
        values, valid = self.data[number]
        return Plane(values[index], valid[index] & ok)

    def write(self, number, level, data, value):
        f = self.fields[number]
        value = value.cast(f.dtype)
        index, ok = self.index(f, (0, 0), level, data)
        where = self.mask.data | ~self.mask.valid
        if f.api:
            where = where & self.inside
        if (where & self.inside & ~ok).any():
            raise Refused(f"{f.name} is written outside of its array")
        where = where & ok
        values, valid = (x.copy() for x in self.data[number])
        at = tuple(p[where] for p in index)
        values[at] = np.broadcast_to(value.data, self.ii.shape)[where]
        valid[at] = np.broadcast_to(value.valid & self.mask.valid, self.ii.shape)[where]
        self.data[number] = (values, valid)

    # --- Names.

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

    def definition(self, function):
        if function not in self.functions:
            self.functions[function] = find_function(self.module["__tree__"], function.__name__)
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
        for a in arguments:
            value = given.get(a.arg, defaults.get(a.arg))
            around = frame if a.arg in given else {}
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
        self.statements(inner, node.body[:-1])
        result = node.body[-1].value
        parts = result.elts if isinstance(result, ast.Tuple) else [result]
        return [lambda p=p: self.expr(inner, p) for p in parts]

    # --- Statements.

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
            f = self.fields[number]
            self.data[number] = (np.zeros_like(yes[number][0]), np.zeros_like(yes[number][1]))
            before[number] = self.data[number]
        self.mask = Plane(outer.data & ~test.data, valid)
        self.statements(frame, s.orelse)
        no, self.mask = self.data, outer
        merged = {}
        for number in no:
            a, b, old = yes.get(number), no[number], before.get(number)
            if a is None:  # declared by the other side
                a = (np.zeros_like(b[0]), np.zeros_like(b[1]))
            if a is b:
                merged[number] = b
                continue
            f = self.fields[number]
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


def names_assigned(body):
    names = set()
    for s in body:
        for n in ast.walk(s):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                names.add(n.id)
    return names


def find_function(tree, name):
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name]
    if not found:
        raise Refused(f"there is no {name}")
    return found[-1]


# --- Files.

_MODULES = {}


def load(path):
    """The names of a file, executed with GTScript's words as stand-ins."""
    if path in _MODULES:
        return _MODULES[path]
    if "gt4py.cartesian.gtscript" not in sys.modules:
        gtscript = _gtscript()
        for name in ["gt4py", "gt4py.cartesian"]:
            sys.modules[name] = types.ModuleType(name)
        sys.modules["gt4py"].cartesian = sys.modules["gt4py.cartesian"]
        sys.modules["gt4py.cartesian"].gtscript = gtscript
        sys.modules["gt4py.cartesian.gtscript"] = gtscript
    text = open(path, encoding="utf-8").read()
    tree = ast.parse(text)
    names = {"__name__": "stencils", "__file__": path}
    exec(compile(tree, path, "exec"), names)  # noqa: S102
    names["__tree__"] = tree
    _MODULES[path] = names
    return names


def annotations(path, name):
    module = load(path)
    python = module[name]
    options = {}
    if isinstance(python, StencilMark):
        python, options = python.python, python.options
    return python, options


def run(path, name, fields, scalars, domain, origins, externals=None, dtypes=None):
    """Runs a stencil on `fields`, in place. True when everything that it wrote is defined."""
    module = dict(load(path))
    python, options = annotations(path, name)
    words = {}
    for key, value in {**options.get("dtypes", {}), **(dtypes or {})}.items():
        words[{float: "float", int: "int"}.get(key, key)] = np.dtype(value)
    real = words.get("float", np.dtype(f"float{options.get('literal_float_precision', 64)}"))
    whole = words.get("int", np.dtype(f"int{options.get('literal_int_precision', 64)}"))
    module["__externals__"] = {**module, **options.get("externals", {}), **(externals or {})}
    machine = Interpreter(module, domain, (whole, real), words)
    frame, numbers = {}, {}
    for argument, kind in python.__annotations__.items():
        if isinstance(kind, FieldType):
            if argument not in fields or fields[argument] is None:
                continue
            f = Field(argument, kind, machine.dtype_of(kind.dtype), True)
            numbers[argument] = machine.add_field(f)
            machine.fill(numbers[argument], fields[argument], origins.get(argument, ()))
            frame[argument] = ("field", numbers[argument])
        elif argument in scalars:
            t = machine.int_type if isinstance(kind, enum.EnumMeta) else machine.dtype_of(kind)
            frame[argument] = ("scalar", np.asarray(scalars[argument], t))
    node = find_function(module["__tree__"], python.__name__)
    with np.errstate(all="ignore"):
        machine.stencil(frame, node)
    fine = True
    for argument, number in numbers.items():
        fine = machine.take(number, fields[argument], origins.get(argument, ())) and fine
    return fine
