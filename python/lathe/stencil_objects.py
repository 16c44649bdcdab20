# SPDX-License-Identifier: Apache-2.0
"""From a Python function to the recipe of a stencil: the text of its file, and every name that it uses, looked
up as Python does - closure, globals - and said in the objects of lathe/c_python.h.

A recipe is plain data: (texts, steps, definition, options), as python/src/stencil_recipe.h describes it.
"""

import ast
import builtins
import enum
import linecache
import math
import sys
import types

import numpy as np

from ._dtypes import STENCIL_DTYPES, code_of
from .errors import UsageError

PYTHON = -1  # instead of a dtype: Python's own numbers

_WORD_MODULES = ("lathe.gtscript", "gt4py.cartesian.gtscript")
_WORDS = frozenset(
    "computation interval horizontal region PARALLEL FORWARD BACKWARD Field GlobalTable Sequence "
    "compile_assert __INLINED stencil lazy_stencil function lazy_function enum __externals__ abs sin "
    "cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt exp log log10 gamma cbrt isfinite "
    "isinf isnan floor ceil trunc erf erfc round round_away_from_zero min max mod externals index "
    "range I J K IJ IK JK IJK bool int float int8 int16 int32 int64 float32 float64".split())


class SourceMissing(Exception):
    pass


def dtype_number(dtype):
    """Of a NumPy or Python type, or None."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        return None
    return code_of(found) if found in STENCIL_DTYPES else None


def source_of(function):
    """The text of the file that a function stands in."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise SourceMissing(
            f"the source of '{function.__name__}' cannot be read: there is no text for "
            f"{code.co_filename}\n  help: define it in a file, or in a cell of a notebook")
    return "".join(lines)


_trees = {}  # by text: a file may hold many stencils


def _tree_of(text, file_name):
    tree = _trees.get(text)
    if tree is None:
        if len(_trees) > 64:
            _trees.clear()
        tree = _trees[text] = ast.parse(text, file_name)
    return tree


def _node_of(function, text):
    code = function.__code__
    for node in ast.walk(_tree_of(text, code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= code.co_firstlineno <= node.lineno:
                return node
    return None


def _paths(node):
    """The dotted names that a definition uses, as a tree: {"physics": {"constants": {"G": {}}}}."""
    used = {}
    inner = set()
    for part in ast.walk(ast.Module(body=node.body, type_ignores=[])):
        if id(part) in inner or not isinstance(part, (ast.Attribute, ast.Name)):
            continue
        path, at = [], part
        while isinstance(at, ast.Attribute):
            path.append(at.attr)
            at = at.value
            inner.add(id(at))
        if isinstance(at, ast.Name):
            below = used
            for name in [at.id, *reversed(path)]:
                below = below.setdefault(name, {})
    return used


def _names_around(function):
    """What the free names of a function stand for."""
    names = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            pass
    return names


def _merge(into, tree):
    for name, below in tree.items():
        _merge(into.setdefault(name, {}), below)


class Collector:
    """Objects get numbers in the order of their steps."""

    def __init__(self, dtypes, keep_words):
        self.texts, self.steps = [], []
        self.count = 0
        self.functions, self.text_numbers = {}, {}
        self.alive = []  # so that ids stay unique
        self.dtypes, self.keep_words = dtypes, keep_words
        self.imported = {}  # members of externals that definitions use
        self.words = {}
        for name in _WORD_MODULES:
            if module := sys.modules.get(name):
                for word in _WORDS:
                    value = getattr(module, word, None)
                    if value is not None and not isinstance(value, (int, str, tuple, type)):
                        self.words[id(value)] = word

    def step(self, *step):
        """A step that makes an object: its number."""
        self.steps.append(step)
        self.count += 1
        return self.count - 1

    def text(self, function):
        text, name = source_of(function), function.__code__.co_filename
        if (name, text) not in self.text_numbers:
            self.text_numbers[name, text] = len(self.texts)
            self.texts.append((name, text))
        return self.text_numbers[name, text], text

    def function(self, function):
        """With all names that it uses."""
        if id(function) in self.functions:
            return self.functions[id(function)]
        self.alive.append(function)
        number, text = self.text(function)
        marked = getattr(function, "__gtscript_function__", False) or hasattr(function, "_gtscript_")
        code = function.__code__
        made = self.step("function", number, code.co_firstlineno, code.co_name, int(bool(marked)))
        self.functions[id(function)] = made
        self.annotations(function, made)
        self.defaults(function, made)
        node = _node_of(function, text)
        if node is None:
            return made  # the compiler says what is wrong
        around = _names_around(function)
        decorated = getattr(function, "__gtscript_names__", {})
        for name, below in sorted(_paths(node).items()):
            if name in code.co_varnames or name in code.co_cellvars:
                _merge(self.imported.setdefault(name, {}), below)
                continue
            if name in around:
                value = around[name]
            elif name in decorated:
                value = decorated[name]
            elif name in function.__globals__:
                value = function.__globals__[name]
            else:
                continue  # a word of GTScript, or the compiler's to refuse
            if name in _WORDS and (value is getattr(builtins, name, self) or self.is_word(name, value)):
                continue
            self.steps.append(("set", made, name, self.object(value, name, below)))
        return made

    def is_word(self, name, value):
        return any(value is getattr(sys.modules.get(module), name, self) for module in _WORD_MODULES)

    def annotations(self, function, made):
        for name, type_ in function.__annotations__.items():
            if name == "return":
                continue
            if isinstance(type_, str) and type_ not in self.dtypes:
                try:
                    type_ = eval(type_, function.__globals__, _names_around(function))  # noqa: S307
                except Exception:
                    continue  # read from the text
            self.steps.append(("annotate", made, name, self.object(type_, name, {}, is_type=True)))

    def defaults(self, function, made):
        code = function.__code__
        names = code.co_varnames[:code.co_argcount]
        values = function.__defaults__ or ()
        pairs = dict(zip(names[len(names) - len(values):], values))
        pairs.update(function.__kwdefaults__ or {})
        for name, value in pairs.items():
            self.steps.append(("default", made, name, self.object(value, name, {})))

    def object(self, value, name, below, is_type=False):
        """Any object of Python; `below` are the members of it that are used."""
        if isinstance(value, (bool, np.bool_)):
            return self.step("bool", bool(value))
        if isinstance(value, (int, np.integer)) and id(value) not in self.words:
            if not -2**63 <= int(value) < 2**63:
                return self.unknown(f"'{name}', an int of more than 64 bits")
            dtype = dtype_number(type(value)) if isinstance(value, np.integer) else PYTHON
            if dtype is None:
                return self.unknown(f"'{name}', which is {describe(value)}")
            return self.step("int", int(value), dtype)
        if isinstance(value, float) and not isinstance(value, np.floating):
            return self.step("float", float(value), PYTHON)
        if isinstance(value, np.floating):
            dtype = dtype_number(value.dtype)
            return self.step("float", float(value), dtype) if dtype is not None else self.unknown(
                f"'{name}', which is {describe(value)}")
        if value is None:
            return self.step("none")
        if isinstance(value, str):
            return self.step("string", value)
        if isinstance(value, types.FunctionType) and id(value) not in self.words:
            return self.callable(value, name)
        return self.other(value, name, below, is_type)

    def callable(self, value, name):
        try:
            return self.function(value)
        except SourceMissing as missing:
            return self.unknown(f"'{name}', and {str(missing).splitlines()[0]}")

    def other(self, value, name, below, is_type):
        if id(value) in self.words:
            return self.step("word", self.words[id(value)])
        if isinstance(value, type) and issubclass(value, enum.Enum):
            return self.enumeration(value)
        if isinstance(value, (type, np.dtype)) and (number := dtype_number(value)) is not None and (
                isinstance(value, np.dtype) or value in (bool, int, float) or issubclass(value, np.generic)):
            is_word = self.keep_words and value in (int, float)
            return self.step("dtype", number, int(is_word))
        if hasattr(value, "__gt_axis_name__"):
            return self.step("axes", value.__gt_axis_name__)
        if isinstance(value, tuple) and value and all(hasattr(a, "__gt_axis_name__") for a in value):
            return self.step("axes", "".join(a.__gt_axis_name__ for a in value))
        if all(hasattr(value, part) for part in ("axis", "index", "offset")):
            return self.step("axis_point", str(value.axis), value.index, value.offset)
        if all(hasattr(value, part) for part in ("dtype", "axes", "data_dims")):
            return self.field(value, name)
        if isinstance(value, (tuple, list)):
            elements = [self.object(v, f"{name}[{i}]", {}) for i, v in enumerate(value)]
            made = self.step("tuple")
            self.steps.extend(("set", made, "", e) for e in elements)
            return made
        if callable(value) and getattr(value, "__name__", None) in _WORDS and (
                getattr(math, value.__name__, None) is value or getattr(np, value.__name__, None) is value):
            return self.step("word", value.__name__)
        if hasattr(value, "definition_func"):
            return self.unknown(f"'{name}', which is a stencil: stencils call gtscript functions only")
        if below and not is_type:
            return self.members(value, name, below)
        if is_type:
            what = f"the class {describe_class(value)}" if isinstance(value, type) else describe(value)
            return self.unknown(what)
        return self.unknown(f"'{name}', which is {describe(value)}")

    def members(self, value, name, below):
        """A module, a class, an object: the part of it that is used."""
        parts = []
        for member, deeper in sorted(below.items()):
            full = f"{name}.{member}"
            try:
                found = getattr(value, member)
            except AttributeError:
                continue
            if member in _WORDS and (self.is_word(member, found)):
                parts.append((member, self.step("word", member)))
            else:
                parts.append((member, self.object(found, full, deeper)))
        made = self.step("namespace")
        self.steps.extend(("set", made, member, part) for member, part in parts)
        return made

    def enumeration(self, class_):
        parts = [(name, self.step("int", int(member.value), PYTHON))
                 for name, member in class_.__members__.items() if isinstance(member.value, int)]
        made = self.step("enumeration")
        self.steps.extend(("set", made, name, part) for name, part in parts)
        return made

    def field(self, value, name):
        if isinstance(value.dtype, str):
            dtype = self.step("string", value.dtype)
        else:
            word = getattr(value, "word", None) if self.keep_words else None
            number = dtype_number(value.dtype)
            if number is None:
                return self.unknown(f"a field of {value.dtype}")
            dtype = self.step("dtype", number, int(word is not None))
        axes = "".join(str(getattr(a, "__gt_axis_name__", a)) for a in value.axes)
        dims = tuple(int(n) for n in value.data_dims)
        is_table = getattr(value, "is_table", not axes)
        return self.step("field", axes, dtype, dims, int(is_table))

    def unknown(self, what):
        return self.step("unknown", what)


def describe_class(type_):
    """numpy.ndarray, int ..."""
    module = type_.__module__.partition("._")[0]  # lathe._array is nobody's name for it
    return type_.__qualname__ if module == "builtins" else f"{module}.{type_.__qualname__}"


def describe(value):
    """a numpy.ndarray, an int8 ..."""
    name = describe_class(type(value))
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def recipe_of(function, externals, dtypes, *, name, int_bits, float_bits, checked, keep_words):
    """`dtypes` by name or Python type. Throws what is wrong with the options."""
    numbers = {}
    for key, dtype in (dtypes or {}).items():
        number = dtype_number(dtype)
        if number is None:
            raise UsageError(f"dtypes[{key!r}] is {dtype!r}, not a dtype of fields: bool, int8, int16, "
                            "int32, int64, float32 or float64")
        numbers[key if isinstance(key, str) else getattr(key, "__name__", str(key))] = number
    collector = Collector(numbers, keep_words)
    definition = collector.function(function)
    # Functions first: they may use members of the others.
    ordered = sorted((externals or {}).items(), key=lambda e: (not callable(e[1]), e[0]))
    for external, value in ordered:
        below = collector.imported.get(external, {})
        collector.steps.append(("external", external, collector.object(value, external, below)))
    options = {"name": name, "dtypes": tuple(sorted(numbers.items())), "int_bits": int_bits,
               "float_bits": float_bits, "checked": checked}
    return tuple(collector.texts), tuple(collector.steps), definition, options
