# SPDX-License-Identifier: Apache-2.0
"""Lathe, from Python, on the very files of examples/stencil: programs of GT4Py, with lathe.gt4py for gt4py."""

import importlib.util
import os
import sys


def start(who, threads):
    import lathe
    import lathe.gt4py.cartesian.gtscript  # noqa: F401
    lathe.set_threads(threads)
    for name in ("gt4py", "gt4py.cartesian", "gt4py.cartesian.gtscript"):
        sys.modules[name] = sys.modules["lathe." + name]
    return f"lathe {lathe.__version__}"


def prepare(task):
    spec = importlib.util.spec_from_file_location(os.path.basename(task.file)[:-3], task.file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    stencil = getattr(module, task.function)
    arrays = task.fill()
    views = {f.name: f.logical(arrays[f.name]) for f in task.fields}
    call = stencil.freeze(origin={f.name: f.origin for f in task.fields}, domain=task.domain)
    return lambda: call(**views, **task.scalars), task.results
