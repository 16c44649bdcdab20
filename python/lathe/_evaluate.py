# SPDX-License-Identifier: Apache-2.0
"""Evaluation of several arrays together, and how it is done: threads, checks, target, cache."""

import contextlib
import os

from . import _core
from ._array import Array
from .errors import ArgumentError, UsageError


def compute(*arrays, out=None, **bindings):
    """The values of all of them, computed together: work that they share is done once. Names of
    inputs, scalars and sizes get values: compute(a, b, x=array, n=3). One array gives one array."""
    if len(arrays) == 1 and isinstance(arrays[0], (tuple, list)):
        return tuple(_core.compute(tuple(arrays[0]), bindings or None, out))
    if out is not None and not isinstance(out, (tuple, list)):
        out = (out,)
    found = _core.compute(arrays, bindings or None, None if out is None else tuple(out))
    return found[0] if len(found) == 1 else tuple(found)


def set_threads(n):
    """At most n threads compute; 0 or None: as many as the process may use. Gives the old number."""
    before = get_threads()
    if n is not None and (not isinstance(n, int) or n < 0):
        raise ArgumentError(f"set_threads: the number of threads is at least 1 (or 0 for all), not {n!r}")
    _core.set_threads(n or 0)
    return before


def get_threads():
    """How many threads compute."""
    return _core.get_threads() or len(os.sched_getaffinity(0))


@contextlib.contextmanager
def threads(n):
    """with lathe.threads(1): ..."""
    before = _core.get_threads()
    set_threads(n)
    try:
        yield
    finally:
        _core.set_threads(before)


@contextlib.contextmanager
def checked(on=True):
    """with lathe.checked(): what is computed tests every access; slow."""
    before = _core.get_mode()
    _core.set_mode(bool(on), before[1])
    try:
        yield
    finally:
        _core.set_mode(*before)


@contextlib.contextmanager
def target(name):
    """with lathe.target("interpreter"): no C compiler is used; slow, with the same bits. "c" is the
    usual one."""
    if name not in ("c", "interpreter"):
        raise ArgumentError(f"target: there is no target {name!r}; targets are 'c' and 'interpreter'")
    before = _core.get_mode()
    _core.set_mode(before[0], name == "interpreter")
    try:
        yield
    finally:
        _core.set_mode(*before)


class _Cache:
    """The compiled kernels that are kept on disk, for this process and all others."""

    @property
    def path(self):
        """The folder; LATHE_CACHE_DIR chooses another one."""
        return _core.cache_folder()

    @property
    def size(self):
        """Bytes on disk."""
        return _core.cache_usage()[1]

    @property
    def kernels(self):
        """How many kernels are kept."""
        return _core.cache_usage()[0]

    def clear(self):
        """Removes all of them; gives their number."""
        return _core.cache_clear()

    def __repr__(self):
        kernels, size = _core.cache_usage()
        return f"<{kernels} kernels, {size} bytes in {self.path}>"


cache = _Cache()


def explain(*arrays):
    """What will be computed, as text: the program, and which arrays it stores and why."""
    for a in arrays:
        if not isinstance(a, Array):
            raise UsageError(f"explain: expected an array of lathe, not {type(a).__name__}\n"
                            "  help: of a function: lathe.explain(f.trace(arguments))")
    return _core.report(arrays, _core.REPORT_PROGRAM) + "\n" + _core.report(arrays, _core.REPORT_STORED)


def domain(x, /):
    """The tree of the loop domain of an array, as text."""
    return x.domain()


__all__ = ["compute", "set_threads", "get_threads", "threads", "checked", "target", "cache", "explain",
           "domain"]
