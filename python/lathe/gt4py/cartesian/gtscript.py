# SPDX-License-Identifier: Apache-2.0
"""GTScript's words, and the functions that make stencils."""

import os
import sys
import time
import warnings

from ... import gtscript as _words
from ...errors import ArgumentError as _ArgumentError
from ...gtscript import *  # noqa: F403
from ...gtscript import (  # noqa: F401
    Axis, AxisIndex, AxisInterval, FieldType, ShiftedAxis, __INLINED, __externals__, __gtscript__, mask_from_axes,
)
from ...stencils import StencilError, make_stencil
from . import backend as _backends
from . import definitions as gt_definitions  # noqa: F401
from .frontend.exceptions import translate
from .lazy_stencil import LazyStencil
from .stencil_object import StencilObject

_FieldDescriptor = FieldType
__all__ = [*_words.__all__, "lazy_stencil", "stencil"]
builtins = set(_words.__all__) - {"function", "enum"} | {"int", "float"}


def _literal_precision(name, given):
    if given is None:
        return int(os.environ.get(f"GT4PY_LITERAL_{name.upper()}_PRECISION", 64))
    if given not in (32, 64):
        raise _ArgumentError(f"invalid 'literal_{name}_precision': {given!r}, not 32 or 64")
    return given


def _check_options(**given):
    types = {"build_info": dict, "dtypes": dict, "externals": dict, "cache_settings": dict, "name": str,
             "format_source": bool, "rebuild": bool, "raise_if_not_cached": bool}
    for name, value in given.items():
        if value is not None and not isinstance(value, types[name]):
            raise _ArgumentError(f"invalid '{name}': {value!r} is not a {types[name].__name__}")


def _make(definition, backend, module, externals, dtypes, options, build_info):
    started = time.perf_counter()
    name, _, short = (options["name"] or "").rpartition(".")
    function = getattr(definition, "definition_func", definition)
    if not hasattr(function, "__code__") and callable(function):
        function = function.__call__
    shown = dict(options, name=short or getattr(function, "__name__", ""), module=name or module)
    try:
        made = make_stencil(
            function, externals=externals, dtypes=dtypes, name=shown["name"] or None,
            int_bits=options["literal_int_precision"], float_bits=options["literal_float_precision"],
            strict=True, keep_words=False, class_=StencilObject, about={"backend": backend, "options": shown})
    except StencilError as error:
        raise (translate(error) if error.code else error) from None
    if build_info is not None:
        build_info.update(parse_time=time.perf_counter() - started, module_time=0.0, codegen_time=0.0,
                          build_time=0.0, load_time=0.0)
    return made


def _options(backend, kwargs, **options):
    unknown = {k for k in kwargs if not k.startswith("_")} - _backends.OPTIONS
    if unknown:
        warnings.warn(f"backend '{backend}' has no option {', '.join(sorted(unknown))}", RuntimeWarning, stacklevel=3)
    return dict(options, backend_opts={k: v for k, v in kwargs.items() if not k.startswith("_")},
                _impl_opts={k: v for k, v in kwargs.items() if k.startswith("_")})


def stencil(backend, definition=None, *, build_info=None, dtypes=None, externals=None, format_source=True,
            name=None, rebuild=False, cache_settings=None, raise_if_not_cached=False, literal_int_precision=None,
            literal_float_precision=None, **kwargs):
    """A stencil of a definition; without one, a decorator. docs/python-stencils.md says what each option does."""
    _check_options(build_info=build_info, dtypes=dtypes, externals=externals, format_source=format_source, name=name,
                   rebuild=rebuild, cache_settings=cache_settings, raise_if_not_cached=raise_if_not_cached)
    _backends.from_name(backend)
    module = sys._getframe(1).f_globals.get("__name__", "")
    options = _options(
        backend, kwargs, name=name, format_source=format_source, rebuild=rebuild,
        raise_if_not_cached=raise_if_not_cached, cache_settings=dict(cache_settings or {}),
        literal_int_precision=_literal_precision("int", literal_int_precision),
        literal_float_precision=_literal_precision("float", literal_float_precision))

    def decorate(function):
        return _make(function, backend, module, externals, dtypes, options, build_info)
    return decorate if definition is None else decorate(definition)


def lazy_stencil(backend=None, definition=None, *, build_info=None, dtypes=None, externals=None, format_source=True,
                 name=None, rebuild=False, raise_if_not_cached=False, eager=False, check_syntax=True, **kwargs):
    """A stencil that is made when it is first needed; `check_syntax`: its definition is looked at now."""
    _check_options(build_info=build_info, dtypes=dtypes, externals=externals, format_source=format_source, name=name,
                   rebuild=rebuild, raise_if_not_cached=raise_if_not_cached)
    backend = "numpy" if backend is None else backend
    chosen = _backends.from_name(backend)
    module = sys._getframe(1).f_globals.get("__name__", "")
    options = _options(
        backend, kwargs, name=name, format_source=format_source, rebuild=rebuild,
        raise_if_not_cached=raise_if_not_cached, cache_settings={},
        literal_int_precision=_literal_precision("int", None),
        literal_float_precision=_literal_precision("float", None))

    def decorate(function):
        lazy = LazyStencil(lambda: _make(function, backend, module, externals, dtypes, options, build_info), chosen)
        if eager:
            return lazy.implementation
        if check_syntax:
            lazy.check_syntax()
        return lazy
    return decorate if definition is None else decorate(definition)
