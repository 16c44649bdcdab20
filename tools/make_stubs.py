#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python/lathe/*.pyi: signatures from the modules, types from the tables here.

  PYTHONPATH=build/dev/python build/venv/bin/python tools/make_stubs.py [--check]

--check compares with the files instead, and fails when one differs.
"""

import importlib
import inspect
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parents[1] / "python" / "lathe"
HEADER = """# SPDX-License-Identifier: Apache-2.0
# Written by tools/make_stubs.py.
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np

"""
ALIASES = """ArrayLike = Any  # an Array, a number, NumPy's arrays, whatever has memory
Axis = int | Sequence[int] | None
DType = Any  # a dtype, its name, or a type of Python
Shape = int | Size | str | Sequence[int | Size | str]

"""
IMPORTS = "from ._array import Array, ArrayLike, Axis, DType, Shape\nfrom ._core import Size\n\n"
MODULES = ["_create", "_elementwise", "_special", "_small", "_linear", "_reduce", "_nan", "_analysis", "_polynomials", "_search",
           "_sets", "_choose", "_indices", "_shape", "_rearrange", "_parts", "_evaluate", "_function",
           "linalg", "random"]

PARAMETERS = {
    "shape": "Shape", "axis": "Axis", "axes": "Any", "dtype": "DType | None", "device": "str | None",
    "keepdims": "bool", "copy": "bool | None", "out": "Any", "name": "str", "seed": "int", "n": "Any",
    "correction": "float", "ddof": "float | None", "order": "str", "descending": "bool", "stable": "bool",
    "side": "str", "include_initial": "bool", "endpoint": "bool", "num": "int | Size", "k": "int",
    "offset": "int", "axis1": "int", "axis2": "int", "indexing": "str", "mode": "str", "subscripts": "str",
    "upper": "bool", "full_matrices": "bool", "equal_nan": "bool", "decimals": "int", "rtol": "Any",
    "atol": "float", "ord": "Any", "labels": "Sequence[str | None] | None", "f": "Callable[..., Any]",
    "function": "Callable[..., Any]", "on": "bool", "arrays": "Any", "bins": "int", "low": "float",
    "high": "float", "mean": "float", "std": "float", "has_aux": "bool", "argnums": "int | tuple[int, ...]",
    "repetitions": "Any", "shift": "int | Sequence[int]", "pad_width": "Any", "source": "Any",
    "destination": "Any", "args": "Any", "kwargs": "Any", "bindings": "Any", "shapes": "Shape",
    "index": "Any", "return_index": "bool", "return_inverse": "bool", "return_counts": "bool",
}
RETURNS = {
    "ndim": "int", "shape": "tuple[int | Size, ...]", "isscalar": "bool", "iterable": "bool", "promote_types": "Any",
    "array_equal": "bool", "array_equiv": "bool", "isrealobj": "bool", "iscomplexobj": "bool", "divmod": "tuple[Array, Array]",
    "copyto": "None", "putmask": "None", "place": "None", "put": "None", "put_along_axis": "None", "fill_diagonal": "None",
    "vsplit": "list[Array]", "hsplit": "list[Array]", "dsplit": "list[Array]", "indices": "Any", "lstsq": "LstsqResult",
    **dict.fromkeys(("tril_indices", "triu_indices", "tril_indices_from", "triu_indices_from", "diag_indices",
                     "diag_indices_from", "ix_", "unravel_index", "mask_indices"), "tuple[Array, ...]"),
    "modf": "tuple[Array, Array]", "frexp": "tuple[Array, Array]", "gradient": "Any", "average": "Any",
    "array_split": "list[Array]",
    "size": "Size", "meshgrid": "list[Array]", "allclose": "bool", "broadcast_arrays": "list[Array]",
    "broadcast_shapes": "tuple[int | Size, ...]", "unstack": "tuple[Array, ...]", "split": "list[Array]",
    "nonzero": "tuple[Array, ...]", "where": "Any", "unique": "Any", "histogram": "tuple[Array, Array]",
    "compute": "Any", "set_threads": "int", "get_threads": "int", "threads": "AbstractContextManager[None]",
    "checked": "AbstractContextManager[None]", "target": "AbstractContextManager[None]", "explain": "str",
    "domain": "str", "function": "Any", "grad": "Any", "value_and_grad": "Function", "vjp": "Any",
    "jvp": "Any", "eigh": "EighResult", "qr": "QRResult", "slogdet": "SlogdetResult", "svd": "SVDResult",
    "unique_all": "UniqueAll", "unique_counts": "UniqueCounts", "unique_inverse": "UniqueInverse",
}
# Of Array, by name.
PROPERTIES = {
    "dtype": "Any", "device": "str", "size": "int | Size", "itemsize": "int", "nbytes": "int | Size",
    "T": "Array", "mT": "Array", "real": "Array", "flat": "Iterator[Array]", "ndim": "int",
    "shape": "tuple[int | Size, ...]", "is_computed": "bool", "is_closed": "bool",
    "labels": "tuple[str | None, ...]",
}
METHODS = {
    "numpy": "np.ndarray[Any, Any]", "__array__": "np.ndarray[Any, Any]", "__dlpack__": "Any",
    "__dlpack_device__": "tuple[int, int]", "__array_namespace__": "Any", "item": "Any", "tolist": "Any",
    "__bool__": "bool", "__int__": "int", "__float__": "float", "__complex__": "complex",
    "__index__": "int", "__len__": "int", "__iter__": "Iterator[Array]", "__contains__": "bool",
    "__repr__": "str", "__str__": "str", "__format__": "str", "_repr_html_": "str", "__setitem__": "None",
    "put": "None", "partition": "None",
    "domain": "str", "listing": "str", "program": "str", "explain": "str", "nonzero": "tuple[Array, ...]",
    "__divmod__": "tuple[Array, Array]", "__rdivmod__": "tuple[Array, Array]", "__reduce__": "Any",
    "__array_ufunc__": "Any", "__array_function__": "Any", "__round__": "Array",
}


def parameter_text(p):
    kind = PARAMETERS.get(p.name, "ArrayLike")
    if p.name == "self":
        return "self"
    prefix = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    if prefix:
        return f"{prefix}{p.name}: Any"
    if p.default is p.empty:
        return f"{p.name}: {kind}"
    if p.default is None and "None" not in kind and kind != "Any":
        kind += " | None"
    if isinstance(p.default, (bool, int, float, str)) and kind == "ArrayLike":
        kind = "Any"
    shown = repr(p.default) if isinstance(p.default, (bool, int, float, str, type(None))) else "..."
    return f"{p.name}: {kind} = {shown}"


def function_text(name, function, returns, indent=""):
    out, star, last = [], False, None
    for p in inspect.signature(function).parameters.values():
        if last == p.POSITIONAL_ONLY and p.kind != p.POSITIONAL_ONLY:
            out.append("/")
        if p.kind == p.KEYWORD_ONLY and not star:
            out.append("*")
        star = star or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        out.append(parameter_text(p))
        last = p.kind
    if last == inspect.Parameter.POSITIONAL_ONLY:
        out.append("/")
    return f"{indent}def {name}({', '.join(out)}) -> {returns}: ...\n"


def class_text(name, cls):
    if hasattr(cls, "_fields"):
        return f"class {name}(NamedTuple):\n" + "".join(f"    {f}: Array\n" for f in cls._fields) + "\n"
    text = f"class {name}:\n"
    for key, value in vars(cls).items():
        if isinstance(value, property):
            text += f"    @property\n    def {key}(self) -> Any: ...\n"
        elif inspect.isfunction(value) and (not key.startswith("_") or key in ("__init__", "__call__")):
            text += function_text(key, value, "None" if key == "__init__" else "Any", "    ")
    for key in ("trace_count",) if name == "Function" else ():
        text += f"    {key}: int\n"
    return text + "\n"


def module_text(name):
    module = importlib.import_module(f"lathe.{name}")
    text = HEADER + IMPORTS
    for key, value in vars(module).items():  # results that are tuples with names
        if inspect.isclass(value) and hasattr(value, "_fields"):
            text += class_text(key, value)
    for key in module.__all__:
        value = getattr(module, key)
        if inspect.isclass(value):
            text += class_text(key, value)
        elif callable(value):
            text += function_text(key, value, RETURNS.get(key, "Array"))
        else:
            text += class_text(type(value).__name__, type(value)) + f"{key}: {type(value).__name__}\n"
    return text + f"\n__all__ = {module.__all__!r}\n"


def array_text():
    from lathe import Array

    text = HEADER + "from ._core import ArrayBase, Size\n\n" + ALIASES + "class Array(ArrayBase):\n"
    for key, kind in PROPERTIES.items():
        assert hasattr(Array, key), key
        text += f"    @property\n    def {key}(self) -> {kind}: ...\n"
    for key, value in vars(Array).items():
        if not inspect.isfunction(value) or key in ("__new__",) or key.startswith("_") and not (
                key.startswith("__") or key == "_repr_html_"):
            continue
        text += function_text(key, value, METHODS.get(key, "Array"), "    ")
    return text + "\ndef to_array(x: ArrayLike, what: str = 'asarray') -> Array: ...\n"


def core_text():
    """The extension: what type checkers meet of it."""
    operators = "".join(f"    def __{r}{n}__(self, other: Any, /) -> Any: ...\n" for n in (
        "add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "divmod") for r in ("", "r"))
    return ("# SPDX-License-Identifier: Apache-2.0\n# Written by tools/make_stubs.py.\nfrom typing import Any\n\n"
            "class Size:\n    def __index__(self) -> int: ...\n    def __int__(self) -> int: ...\n"
            + operators + "".join(f"    def __{n}__(self) -> Any: ...\n" for n in ("neg", "pos", "abs"))
            + "\nclass ArrayBase: ...\n\ndef __getattr__(name: str) -> Any: ...\n")


def main():
    texts = {"_array": array_text(), "_core": core_text(), **{m: module_text(m) for m in MODULES}}
    different = []
    for name, text in texts.items():
        path = FOLDER / f"{name}.pyi"
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            different.append(f"{path.name}: run tools/make_stubs.py")
    print("\n".join(different), end="\n" if different else "")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
