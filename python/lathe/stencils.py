# SPDX-License-Identifier: Apache-2.0
"""Stencils in GTScript on ordinary Python functions.

    import lathe
    from lathe.gtscript import PARALLEL, Field, computation, interval

    @lathe.stencil
    def lap(u: Field[float], v: Field[float]):
        with computation(PARALLEL), interval(...):
            v = u[-1, 0, 0] + u[1, 0, 0] + u[0, -1, 0] + u[0, 1, 0] - 4 * u

    lap(u, v)

docs/python-stencils.md is the guide, docs/gtscript.md has the language.
"""

import sys

from . import _core, errors


class StencilError(errors.ProgramError):
    """A definition that is not GTScript, with the line of the user's file."""


def make_error(code, kind, message, text, json, about, says_where):
    """The exception for a definition that is wrong; called by _core."""
    return errors.fill(StencilError(errors.plain(text), says_where=says_where), code, kind, message, json, about)


class FrozenStencil(_core.FrozenStencil):
    """A stencil whose origins and domain are fixed; called like the stencil, without them."""

    def __init__(self, stencil, origin, domain):
        super().__init__(stencil, origin, domain)
        self.stencil_object, self.origin, self.domain = stencil, origin, domain

    def __reduce__(self):
        return FrozenStencil, (self.stencil_object, self.origin, self.domain)

    def __repr__(self):
        return f"<frozen {self.stencil_object!r}, origin={self.origin}, domain={self.domain}>"


class Stencil(_core.Stencil):
    """A definition, parsed and checked. Code is made when a call first needs it.

    stencil(*fields_and_scalars, origin=None, domain=None, validate_args=True, exec_info=None) works in place.
    `origin` is the element at the first point of the domain: a tuple for all fields, or a dict by field ("_all_":
    all others); without it the smallest that leaves the room which the stencil needs. `domain` is three sizes;
    without it the largest that fits. `exec_info` is a dict that is filled with times.
    """

    backend = "lathe"

    def __init__(self, recipe, strict=False, **about):
        super().__init__(recipe, strict)
        self._recipe, self._strict, self._about = recipe, strict, about
        self.definition_func = about.pop("definition_func", None)

    @property
    def __name__(self):
        return self.name

    @property
    def __doc__(self):
        return getattr(self.definition_func, "__doc__", None)

    @property
    def field_info(self):
        """By field: access, boundary (what it needs around the domain), axes, data_dims, dtype."""
        return self._infos()[0]

    @property
    def parameter_info(self):
        """By scalar: access and dtype."""
        return self._infos()[1]

    @property
    def domain_info(self):
        return self._infos()[2]

    def _infos(self):
        infos = self.__dict__.get("_known_infos")
        if infos is None:
            from . import stencil_info
            infos = self._known_infos = stencil_info.infos_of(self)
        return infos

    @property
    def options(self):
        """How it was made."""
        return dict(self._about.get("options") or self._recipe[3])

    @property
    def source(self):
        """The file that the definition stands in."""
        return self._recipe[0][0][1]

    @property
    def constants(self):
        return {}

    def freeze(self, *, origin=None, domain=None):
        """A stencil with fixed origins and domain: calls cost less."""
        return FrozenStencil(self, origin, domain)

    def run(self, _domain_=None, _origin_=None, exec_info=None, **arguments):
        self(**arguments, domain=_domain_, origin=_origin_, exec_info=exec_info)

    def clean_call_args_cache(self):
        """Nothing to do: what is known about calls is about shapes, not arrays."""

    def __reduce__(self):
        return _unpickle, (type(self), self._recipe, self._strict, _picklable(self))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<lathe stencil '{self.name}' of {self._recipe[0][0][0]}>"


def _picklable(stencil):
    """The definition travels by its name, where it has one; the recipe has everything else."""
    about = dict(stencil._about)
    function = stencil.definition_func
    if function is not None:
        about["definition"] = function.__module__, function.__qualname__
    return about


def _unpickle(class_, recipe, strict, about):
    about = dict(about)
    module, name = about.pop("definition", (None, None))
    found = sys.modules.get(module) if module else None
    for part in (name or "").split("."):
        found = getattr(found, part, None)
    function = getattr(found, "definition_func", found)
    return class_(recipe, strict, definition_func=function if hasattr(function, "__code__") else None, **about)


def definition_of(definition):
    """The function of a function, or of something that was made of one."""
    function = getattr(definition, "definition_func", definition)
    function = getattr(function, "__wrapped__", function)
    if not hasattr(function, "__code__"):
        raise errors.UsageError(f"a stencil is made of a function, not of {type(definition).__name__}")
    if function.__code__.co_name == "<lambda>":
        raise errors.UsageError("a stencil is made of a function with `def`, not of a lambda: its body is statements")
    return function


def make_stencil(definition, *, externals=None, dtypes=None, name=None, int_bits=64, float_bits=64,
                 checked=False, strict=False, keep_words=True, class_=Stencil, about=None):
    from . import stencil_objects
    function = definition_of(definition)
    for what, given in (("externals", externals), ("dtypes", dtypes)):
        if given is not None and not isinstance(given, dict):
            raise errors.UsageError(f"{what} is {stencil_objects.describe(given)}, not a dict")
    if name is not None and not isinstance(name, str):
        raise errors.UsageError(f"the name of a stencil is a str, not {stencil_objects.describe(name)}")
    for bits in (int_bits, float_bits):
        if bits not in (32, 64):
            raise errors.ArgumentError(f"the precision of literals is 32 or 64 bits, not {bits!r}")
    try:
        recipe = stencil_objects.recipe_of(
            function, externals, dtypes, name=(name or function.__name__).rpartition(".")[2], int_bits=int_bits,
            float_bits=float_bits, checked=bool(checked), keep_words=keep_words)
    except stencil_objects.SourceMissing as missing:
        raise StencilError(str(missing)) from None
    return class_(recipe, strict, definition_func=function, **(about or {}))


def stencil(definition=None, *, externals=None, dtypes=None, name=None, literal_int_precision=64,
            literal_float_precision=64, checked=False):
    """A stencil of a GTScript function: as a decorator, with or without arguments, or called.

    externals: values for `from __externals__ import NAME`; dtypes: of Field["name"], and of the words `float` and
    `int`; name: what messages call it; literal precisions: 32 or 64; checked: test ranges while it runs (slow).
    """
    def make(function):
        return make_stencil(function, externals=externals, dtypes=dtypes, name=name,
                            int_bits=literal_int_precision, float_bits=literal_float_precision, checked=checked)
    return make if definition is None else make(definition)
