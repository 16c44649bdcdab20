# SPDX-License-Identifier: Apache-2.0
"""lathe.Array: a lazy array that behaves like NumPy's. Operators make graphs; values are computed when
somebody looks at them (print, float(), numpy.asarray) or calls compute()."""

import operator

import numpy as np

from . import _core
from ._dtypes import DTYPES, bfloat16, check_fits, code_of, fits_kind
from .errors import ArgumentError, DTypeError, MemoryRefused, UsageError

apply, apply_index = _core.apply, _core.apply_index
_NUMBERS = (bool, int, float)
_BOOL = code_of(bool)


def _is_operand(x):
    return isinstance(x, (Array, *_NUMBERS, np.ndarray, np.generic, _core.Size, list, tuple)) or hasattr(
        x, "__dlpack__") or hasattr(x, "__array_interface__")


def _is_truth(item):
    return isinstance(item, (bool, np.bool_))


def _has_truth(key):
    return _is_truth(key) or type(key) is tuple and any(map(_is_truth, key))


def _without_truth(key):
    """x[True] has a new axis of length 1, and x[False] one of length 0: the key with None for it, its place, and
    which it is. With `...` and slices only: next to other indices they would be spread together."""
    items = key if type(key) is tuple else (key,)
    if sum(map(_is_truth, items)) > 1 or not all(
            _is_truth(i) or i is None or i is Ellipsis or isinstance(i, slice) for i in items):
        raise ArgumentError(f"index: a bool stands alone or among slices, not among other indices: {key!r}\n"
                            "  help: index twice; lathe.where chooses by one condition")
    at = next(n for n, i in enumerate(items) if _is_truth(i))
    return (*items[:at], None, *items[at + 1:]), at, bool(items[at])


def _binary(name):
    def forward(self, other, /):
        if not _is_operand(other):
            return NotImplemented
        return apply(name, (self, other))

    def backward(self, other, /):
        if not _is_operand(other):
            return NotImplemented
        return apply(name, (other, self))

    def in_place(self, other, /):
        if not _is_operand(other):
            return NotImplemented
        self._become(_like(self, apply(name, (self, other)), name))
        return self

    return forward, backward, in_place


def _power():
    """**, whose exponent 2 NumPy's arrays read as square(): that of bools is int8, while their power with any other
    int, and power(x, 2), is int64."""
    power, of_others, in_place = _binary("power")

    def is_square_of_bools(x, exponent):
        return exponent.__class__ is int and exponent == 2 and x._dtype == _BOOL

    def forward(self, other, /):
        if is_square_of_bools(self, other):
            return apply("square", (self,))
        return power(self, other)

    return forward, of_others, in_place


def _like(target, value, name):
    """`target op= value` keeps shape and dtype, by NumPy's rule: float32 += float64 is converted back,
    int64 += float64 is refused."""
    value = cast_back(value, target.dtype, name)
    if value.ndim != target.ndim or any(
            isinstance(a, int) and isinstance(b, int) and a != b
            for a, b in zip(value.shape, target.shape)):
        raise ArgumentError(f"{name}: the result has shape {_shape_text(value)}, and cannot be kept in an "
                            f"array of shape {_shape_text(target)}")
    if str(value.shape) != str(target.shape):  # shown when the sizes are known
        return apply("broadcast_to", (value,), None, target.shape)
    return value


def cast_back(value, dtype, name):
    """The value as an array of that dtype, if NumPy's rule same_kind allows it."""
    if value.dtype == dtype:
        return value
    if not fits_kind(value.dtype, dtype):
        raise DTypeError(f"{name}: the result is {value.dtype}, and cannot be kept in an array of {dtype} "
                         "(NumPy's rule same_kind)\n  help: convert with astype first, or write x = x op y")
    return apply("astype", (value,), dtype=code_of(dtype))


def _unary(name):
    def method(self, /):
        return apply(name, (self,))

    return method


def _compare(name):
    def method(self, other, /):
        if not _is_operand(other):
            return NotImplemented
        return apply(name, (self, other))

    return method


class Array(_core.ArrayBase):
    """A lazy array. Made by lathe.asarray, lathe.input, lathe.zeros ... and by what works on these."""

    __slots__ = ()
    __array_priority__ = 1000
    __hash__ = None

    def __new__(cls, *args, **kwargs):
        raise UsageError("arrays are made by lathe.asarray, lathe.input, lathe.zeros ...")

    # ---- What it is.

    @property
    def dtype(self):
        """NumPy's dtype object; lathe.bfloat16 for what NumPy does not have."""
        return DTYPES[self._dtype]

    @property
    def device(self):
        """Where it is: "cpu"."""
        return "cpu"

    @property
    def size(self):
        """The number of elements: an int, or a lathe.Size."""
        count = 1
        for length in self.shape:
            count = count * length
        return count

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def T(self):
        """All axes in the opposite order."""
        return apply("transpose", (self,))

    @property
    def mT(self):
        """The last two axes exchanged."""
        return apply("matrix_transpose", (self,))

    # ---- Operators.

    __add__, __radd__, __iadd__ = _binary("add")
    __sub__, __rsub__, __isub__ = _binary("subtract")
    __mul__, __rmul__, __imul__ = _binary("multiply")
    __truediv__, __rtruediv__, __itruediv__ = _binary("divide")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _binary("floor_divide")
    __mod__, __rmod__, __imod__ = _binary("remainder")
    __pow__, __rpow__, __ipow__ = _power()
    __matmul__, __rmatmul__, __imatmul__ = _binary("matmul")
    __and__, __rand__, __iand__ = _binary("bitwise_and")
    __or__, __ror__, __ior__ = _binary("bitwise_or")
    __xor__, __rxor__, __ixor__ = _binary("bitwise_xor")
    __lshift__, __rlshift__, __ilshift__ = _binary("left_shift")
    __rshift__, __rrshift__, __irshift__ = _binary("right_shift")
    __lt__, __le__ = _compare("less"), _compare("less_equal")
    __gt__, __ge__ = _compare("greater"), _compare("greater_equal")
    __eq__, __ne__ = _compare("equal"), _compare("not_equal")
    __neg__, __pos__ = _unary("negative"), _unary("positive")
    __abs__, __invert__ = _unary("absolute"), _unary("invert")

    def __divmod__(self, other, /):
        return self // other, self % other

    def __rdivmod__(self, other, /):
        return other // self, other % self

    # ---- Parts.

    def __getitem__(self, key, /):
        try:
            return apply_index("index", (self,), key)
        except ArgumentError:
            if not _has_truth(key):
                raise
            return self._by_truth(key)

    def _by_truth(self, key):
        items, at, holds = _without_truth(key)
        found = apply_index("index", (self,), items)
        if holds:
            return found
        rest = self.ndim - sum(isinstance(i, slice) for i in items)  # what `...` stands for
        axis = sum(rest if i is Ellipsis else 1 for i in items[:at])
        return apply_index("index", (found,), (slice(None),) * axis + (slice(0, 0),))

    def __setitem__(self, key, value, /):
        """This array, with other values there. What was made from it before keeps the old ones."""
        if _has_truth(key):
            key, _, holds = _without_truth(key)
            if not holds:
                return
        self._become(apply_index("set", (self, _cast_for(self, value)), key))

    def __len__(self):
        if self.ndim == 0:
            raise UsageError("len() of an array without axes")
        return operator.index(self.shape[0])

    def __iter__(self):
        if self.ndim == 0:
            raise UsageError("iteration over an array without axes")
        return (self[i] for i in range(len(self)))

    def __contains__(self, value):
        return bool((self == value).any())

    # ---- Values.

    def compute(self, bindings=None, /, *, out=None, **more):
        """Its values, as an array of lathe that holds them. Names of inputs, scalars and sizes get
        theirs here: x.compute(u=array, dt=0.1). `out` takes the result (any strides)."""
        bound = {**(bindings or {}), **more} or None
        return _core.compute((self,), bound, None if out is None else (out,))[0]

    def numpy(self):
        """numpy.asarray(self): its values, computed if need be, never copied, read-only."""
        return self.__array__()

    def _computed(self):
        if not self.is_computed:
            try:
                _core.compute((self,))
            except ArgumentError:
                if self.is_closed:
                    raise
                self._refuse_open()
        return self

    def _refuse_open(self):
        names = _core.report((self,), _core.REPORT_OPEN).split()
        raise ArgumentError(
            f"the values of this array are not known yet: it depends on {', '.join(names)}\n"
            "  help: compute(name=value) gives them. In a traced function lathe.where(condition, a, b) chooses by "
            "values; what `if`, `range` and float() ask must be a static argument: an int, a bool or a str"
        ) from None

    def __array__(self, dtype=None, copy=None):
        self._computed()
        if self.dtype is bfloat16:
            if copy is False:
                raise ArgumentError("NumPy has no bfloat16: its values are converted to float32")
            values = np.asarray(apply("astype", (self,), dtype=code_of(np.float32))._computed())
        else:
            values = np.frombuffer(self, self.dtype).reshape(()) if self.ndim == 0 else np.asarray(
                memoryview(self))
        if dtype is not None and values.dtype != dtype:
            if copy is False:
                raise ArgumentError(f"the array is {values.dtype}: {dtype} needs a copy")
            return values.astype(dtype)
        return values.copy() if copy else values

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream is not None:
            raise ArgumentError("__dlpack__: arrays in host memory have no stream")
        if dl_device is not None and tuple(dl_device) != (1, 0):
            raise MemoryRefused("__dlpack__: the array cannot leave the memory of the host")
        self._computed()
        versioned = max_version is not None and max_version[0] >= 1
        # Who does not know versions does not know that the memory is read-only, either.
        if not versioned and copy is False:
            raise MemoryRefused("__dlpack__: without max_version=(1, 0) the values must be copied")
        return _core.dlpack(self, versioned, bool(copy) or not versioned)

    def __dlpack_device__(self):
        return (1, 0)

    def __array_namespace__(self, /, *, api_version=None):
        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
            raise ArgumentError(f"__array_namespace__: version {api_version!r} of the standard is not "
                             "known; 2024.12 is")
        import lathe

        return lathe

    def to_device(self, device, /, *, stream=None):
        if str(device) != "cpu" or stream is not None:
            raise ArgumentError(f"to_device: there is no device {device!r}, only 'cpu'")
        return self

    def item(self, *index):
        """The number in an array of one element, or at an index."""
        if index:
            return self[index if len(index) > 1 else index[0]].item()
        values = self.__array__()
        if values.size != 1:
            raise ArgumentError(f"item: needs an array of one element, not {self!r}")
        return values.reshape(-1)[0].item()

    def tolist(self):
        return self.__array__().tolist()

    def _number(self, what):
        if self.ndim != 0:
            raise UsageError(f"{what}() needs an array without axes, not {_core.report((self,), _core.REPORT_VALUE)}"
                            .rstrip())
        return self._computed().item()

    def __bool__(self):
        if self.ndim != 0:
            raise UsageError(f"the truth of an array with axes, {self.dtype}{_shape_text(self)}, is "
                            "not one value\n  help: use any() or all()")
        return bool(self._number("bool"))

    def __int__(self):
        return int(self._number("int"))

    def __float__(self):
        return float(self._number("float"))

    def __complex__(self):
        return complex(self._number("complex"))

    def __index__(self):
        if self.dtype.kind not in "iu":
            raise UsageError(f"only arrays of integers are an index, not {self.dtype}")
        return int(self._number("index"))

    def __round__(self, digits=None):
        return apply("round", (self,), (digits or 0,))

    def __repr__(self):
        value = self._value()
        return _core.report((self if value is None else value,), _core.REPORT_VALUE).rstrip("\n")

    __str__ = __repr__

    def __format__(self, how):
        if self.ndim == 0 and how:
            return format(self.item(), how)
        return repr(self)

    def _repr_html_(self):
        from ._explain import html

        return html(self)

    # ---- Copies.

    def __copy__(self):
        return self._same()

    def __deepcopy__(self, memo):
        return self._same()

    def __reduce__(self):
        from ._pickle import restore, save

        return restore, save(self)

    # ---- Wishes about storage, and pictures of what will be done.

    def pin(self):
        """Keeps one number for each index that it is used at."""
        return _core.pin(self, _core.PIN)

    def pin_cse(self):
        """Gives it memory and a loop of its own: each element is computed once."""
        return _core.pin(self, _core.PIN_CSE)

    def named(self, *labels):
        """The same array with names of its axes: x.named("row", "column")."""
        if len(labels) == 1 and isinstance(labels[0], (tuple, list)):
            labels = labels[0]
        for label in labels:
            if label is not None and not isinstance(label, str):
                raise UsageError(f"named: the name of an axis is a str or None, not {label!r}")
        return _core.named(self, tuple(labels))

    def domain(self):
        """The tree of the loop domain, as text."""
        return _core.report((self,), _core.REPORT_DOMAIN)

    def listing(self):
        """The loops, one expression each but for pins, as text."""
        return _core.report((self,), _core.REPORT_LISTING)

    def program(self):
        """The program that compute() runs, as text."""
        return _core.report((self,), _core.REPORT_PROGRAM)

    def explain(self):
        """Which arrays are stored, and why, as text."""
        return _core.report((self,), _core.REPORT_STORED)

    # ---- NumPy's functions of arrays of ours.

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        from ._numpy import call_ufunc

        return call_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function, types, args, kwargs):
        from ._numpy import call_function

        return call_function(function, args, kwargs)


def _shape_text(x):
    return "(" + ", ".join(str(s) for s in x.shape) + ("," if x.ndim == 1 else "") + ")"


def _cast_for(target, value):
    """What is assigned is converted as NumPy does, but floats never become integers unseen."""
    if isinstance(value, _NUMBERS):
        if isinstance(value, float) and target.dtype.kind != "f":
            raise DTypeError(f"set: {value!r} cannot be put into an array of {target.dtype}"
                             "\n  help: convert the array with astype first")
        return check_fits(value, target.dtype, "set")
    value = _core.to_array(value, "set")
    if value._dtype == target._dtype:
        return value
    if value.dtype.kind == "f" and target.dtype.kind != "f":
        raise DTypeError(f"set: values of {value.dtype} cannot be put into an array of {target.dtype}"
                         "\n  help: convert them with astype first")
    return apply("astype", (value,), dtype=code_of(target.dtype))


_core.set_array_type(Array)


def to_array(x, what="asarray"):
    """An array of lathe from whatever is one."""
    return x if isinstance(x, Array) else _core.to_array(x, what)


def known_dtype(dtype, default):
    return default if dtype is None else as_dtype(dtype)
