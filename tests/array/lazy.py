# SPDX-License-Identifier: Apache-2.0
"""Lazy arrays from Python, through the C interface alone: what tests need, not the Python package."""

import ctypes as ct
import sys

import numpy as np

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", None, "float32", "float64"]
NUMBER = {np.dtype(name): n for n, name in enumerate(DTYPES) if name}


class View(ct.Structure):
    _fields_ = [("name", ct.c_char_p), ("data", ct.c_void_p), ("dtype", ct.c_int32),
                ("rank", ct.c_int32), ("lo", ct.POINTER(ct.c_int64)),
                ("shape", ct.POINTER(ct.c_int64)), ("strides", ct.POINTER(ct.c_int64)),
                ("space", ct.c_int32), ("read_only", ct.c_int32)]


class Number(ct.Union):
    _fields_ = [("i", ct.c_int64), ("u", ct.c_uint64), ("f", ct.c_double)]


class Value(ct.Structure):
    _fields_ = [("name", ct.c_char_p), ("dtype", ct.c_int32), ("value", Number)]


class Place(ct.Structure):
    _fields_ = [("file", ct.c_char_p), ("line", ct.c_int32)]


class Index(ct.Structure):
    _fields_ = [("kind", ct.c_int32), ("start", ct.c_void_p), ("stop", ct.c_void_p),
                ("step", ct.c_int64), ("array", ct.c_void_p)]


class Apply(ct.Structure):
    _fields_ = [("size", ct.c_size_t), ("name", ct.c_char_p),
                ("operands", ct.POINTER(ct.c_void_p)), ("operand_count", ct.c_int32),
                ("ints", ct.POINTER(ct.c_int64)), ("int_count", ct.c_int32),
                ("sizes", ct.POINTER(ct.c_void_p)), ("size_count", ct.c_int32),
                ("reals", ct.POINTER(ct.c_double)), ("real_count", ct.c_int32),
                ("text", ct.c_char_p), ("has_dtype", ct.c_int32), ("dtype", ct.c_int32),
                ("index", ct.POINTER(Index)), ("index_count", ct.c_int32), ("place", Place)]


class EvalOptions(ct.Structure):
    _fields_ = [("size", ct.c_size_t), ("values", ct.POINTER(Value)), ("value_count", ct.c_int32),
                ("views", ct.POINTER(View)), ("view_count", ct.c_int32),
                ("targets", ct.POINTER(View)), ("threads", ct.c_int32), ("cancel", ct.c_void_p),
                ("checked", ct.c_int32), ("interpret", ct.c_int32), ("allow_unused", ct.c_int32)]


class LatheError(Exception):
    pass


lib = None


def load(path):
    global lib
    lib = ct.CDLL(path)
    for name in ["lathe_error_text", "lathe_size_text", "lathe_lazy_label"]:
        getattr(lib, name).restype = ct.c_char_p
        getattr(lib, name).argtypes = [ct.c_void_p] if name != "lathe_lazy_label" else [
            ct.c_void_p, ct.c_int32]
    for name in ["lathe_lazy_destroy", "lathe_size_destroy", "lathe_error_destroy",
                 "lathe_text_destroy"]:
        getattr(lib, name).restype = None
        getattr(lib, name).argtypes = [ct.c_void_p]
    lib.lathe_size_number.restype = ct.c_void_p
    lib.lathe_size_number.argtypes = [ct.c_int64]
    lib.lathe_lazy_axis.restype = ct.c_void_p
    lib.lathe_lazy_axis.argtypes = [ct.c_void_p, ct.c_int32]
    lib.lathe_lazy_kernel_count.restype = ct.c_int64


def check(code, error):
    if code:
        text = lib.lathe_error_text(error).decode()
        lib.lathe_error_destroy(error)
        raise LatheError(text)


def place():
    f = sys._getframe(1)
    while f.f_code.co_filename == __file__:
        f = f.f_back
    return Place(f.f_code.co_filename.rsplit("/", 1)[-1].encode(), f.f_lineno)


class Size:
    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        if lib:
            lib.lathe_size_destroy(self.handle)

    def __str__(self):
        return lib.lathe_size_text(self.handle).decode()

    def apply(self, op, other, swap=False):
        other = to_size(other)
        a, b = (other, self) if swap else (self, other)
        out, e = ct.c_void_p(), ct.c_void_p()
        check(lib.lathe_size_apply(op.encode(), ct.c_void_p(a.handle), ct.c_void_p(b.handle),
                                   ct.byref(out), ct.byref(e)), e)
        return Size(out.value)

    def __add__(self, o): return self.apply("+", o)
    def __radd__(self, o): return self.apply("+", o, True)
    def __sub__(self, o): return self.apply("-", o)
    def __rsub__(self, o): return self.apply("-", o, True)
    def __mul__(self, o): return self.apply("*", o)
    def __rmul__(self, o): return self.apply("*", o, True)
    def __floordiv__(self, o): return self.apply("//", o)


def size(name):
    out, e = ct.c_void_p(), ct.c_void_p()
    check(lib.lathe_size_named(name.encode(), ct.byref(out), ct.byref(e)), e)
    return Size(out.value)


def to_size(x):
    return x if isinstance(x, Size) else Size(lib.lathe_size_number(int(x)))


def pointers(handles):
    return (ct.c_void_p * max(len(handles), 1))(*[h.handle for h in handles])


def view_of(a, name=None):
    n = a.ndim
    v = View(name.encode() if name else None, a.ctypes.data, NUMBER[a.dtype], n, None,
             (ct.c_int64 * max(n, 1))(*a.shape), (ct.c_int64 * max(n, 1))(*a.strides), 0, 0)
    return v


class Lazy:
    __array_priority__ = 100
    __array_ufunc__ = None

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        if lib:
            lib.lathe_lazy_destroy(self.handle)

    @property
    def ndim(self):
        return lib.lathe_lazy_rank(ct.c_void_p(self.handle))

    @property
    def dtype(self):
        return np.dtype(DTYPES[lib.lathe_lazy_dtype(ct.c_void_p(self.handle))])

    @property
    def shape(self):
        return tuple(str(Size(lib.lathe_lazy_axis(self.handle, a))) for a in range(self.ndim))

    def __getitem__(self, index):
        return apply("index", [self], index=index)

    def report(self, what):
        return report([self], what)

    def __str__(self):
        return self.report(0).rstrip("\n")

    def pin(self, how=1):
        out, e = ct.c_void_p(), ct.c_void_p()
        check(lib.lathe_lazy_pin(ct.c_void_p(self.handle), how, ct.byref(out), ct.byref(e)), e)
        return Lazy(out.value)

    def named(self, *labels):
        out, e = ct.c_void_p(), ct.c_void_p()
        names = (ct.c_char_p * max(len(labels), 1))(*[l.encode() for l in labels])
        check(lib.lathe_lazy_named(ct.c_void_p(self.handle), names, len(labels), place(),
                                   ct.byref(out), ct.byref(e)), e)
        return Lazy(out.value)

    def numpy(self):
        v, e = View(), ct.c_void_p()
        check(lib.lathe_lazy_view(ct.c_void_p(self.handle), ct.byref(v), ct.byref(e)), e)
        shape = [v.shape[i] for i in range(v.rank)]
        strides = [v.strides[i] for i in range(v.rank)]
        dtype = np.dtype(DTYPES[v.dtype])
        if 0 in shape:
            return np.empty(shape, dtype)
        raw = (ct.c_byte * (sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize))
        flat = np.frombuffer(raw.from_address(v.data), np.byte)
        return np.lib.stride_tricks.as_strided(flat.view(dtype), shape, strides).copy()


def report(arrays, what):
    text, e = ct.c_char_p(), ct.c_void_p()
    check(lib.lathe_lazy_text(pointers(arrays), len(arrays), what, ct.byref(text), ct.byref(e)), e)
    return text.value.decode()


def data(a):
    a = np.asarray(a)
    out, e = ct.c_void_p(), ct.c_void_p()
    v = view_of(a)
    check(lib.lathe_lazy_data(ct.byref(v), 1, None, None, place(), ct.byref(out), ct.byref(e)), e)
    return Lazy(out.value)


def input(name, dtype, shape):
    out, e = ct.c_void_p(), ct.c_void_p()
    sizes = [to_size(s) for s in shape]
    check(lib.lathe_lazy_input(name.encode(), NUMBER[np.dtype(dtype)], pointers(sizes), len(sizes),
                               place(), ct.byref(out), ct.byref(e)), e)
    return Lazy(out.value)


def number(x):
    v = Value()
    if isinstance(x, (bool, np.bool_)):
        v.dtype, v.value.i = 0, int(x)
    elif isinstance(x, int):
        if x >= 2**63:
            v.dtype, v.value.u = 8, x
        else:
            v.dtype, v.value.i = 4, x
    else:
        v.dtype, v.value.f = 12, float(x)
    out, e = ct.c_void_p(), ct.c_void_p()
    check(lib.lathe_lazy_number(ct.byref(v), 1, ct.byref(out), ct.byref(e)), e)
    return Lazy(out.value)


def to_lazy(x):
    if isinstance(x, Lazy):
        return x
    if isinstance(x, Size):
        out, e = ct.c_void_p(), ct.c_void_p()
        check(lib.lathe_lazy_size(ct.c_void_p(x.handle), ct.byref(out), ct.byref(e)), e)
        return Lazy(out.value)
    if isinstance(x, (np.ndarray, np.generic)):
        return data(x)
    return number(x)


def items(index):
    keep, out = [], []
    for i in index if isinstance(index, tuple) else (index,):
        item = Index(0, None, None, 1, None)
        if i is Ellipsis:
            item.kind = 4
        elif i is None:
            item.kind = 3
        elif isinstance(i, slice):
            item.kind = 2
            item.step = 1 if i.step is None else i.step
            for field, bound in [("start", i.start), ("stop", i.stop)]:
                if bound is not None:
                    keep.append(to_size(bound))
                    setattr(item, field, keep[-1].handle)
        elif isinstance(i, (int, np.integer, Size)) and not isinstance(i, bool):
            item.kind = 1
            keep.append(to_size(i))
            item.start = keep[-1].handle
        else:
            item.kind = 5
            keep.append(to_lazy(i))
            item.array = keep[-1].handle
        out.append(item)
    return out, keep


def apply(name, operands, ints=(), sizes=(), reals=(), text=None, dtype=None, index=None):
    operands = [to_lazy(o) for o in operands]
    sizes = [to_size(s) for s in sizes]
    index_items, keep = items(index) if index is not None else ([], [])
    r = Apply(ct.sizeof(Apply), name.encode(), pointers(operands), len(operands),
              (ct.c_int64 * max(len(ints), 1))(*[int(i) for i in ints]), len(ints),
              pointers(sizes), len(sizes), (ct.c_double * max(len(reals), 1))(*reals), len(reals),
              text.encode() if text is not None else None, dtype is not None,
              NUMBER[np.dtype(dtype)] if dtype is not None else 0,
              (Index * max(len(index_items), 1))(*index_items), len(index_items), place())
    out, e = ct.c_void_p(), ct.c_void_p()
    check(lib.lathe_lazy_apply(ct.byref(r), ct.byref(out), ct.byref(e)), e)
    return Lazy(out.value)


def evaluate(arrays, values=None, views=None, targets=None, threads=0):
    arrays = [to_lazy(a) for a in arrays]
    values, views = values or {}, views or {}
    vs = []
    for name, x in values.items():
        v = Value(name.encode())
        if isinstance(x, (bool, np.bool_)):
            v.dtype, v.value.i = 0, int(x)
        elif isinstance(x, (int, np.integer)):
            v.dtype, v.value.i = 4, int(x)
        else:
            v.dtype, v.value.f = 12, float(x)
        vs.append(v)
    ws = [view_of(a, name) for name, a in views.items()]
    ts = (View * len(arrays))(*[view_of(t) for t in targets]) if targets else None
    options = EvalOptions(ct.sizeof(EvalOptions), (Value * max(len(vs), 1))(*vs), len(vs),
                          (View * max(len(ws), 1))(*ws), len(ws), ts, threads, None, 0, 0, 1)
    results, e = (ct.c_void_p * max(len(arrays), 1))(), ct.c_void_p()
    check(lib.lathe_lazy_eval(pointers(arrays), len(arrays), ct.byref(options), results,
                              ct.byref(e)), e)
    return [Lazy(results[i]) for i in range(len(arrays))]
