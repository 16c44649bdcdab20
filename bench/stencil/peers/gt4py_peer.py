# SPDX-License-Identifier: Apache-2.0
"""GT4Py on the very files of examples/stencil, with its own storages in its own layout."""

import importlib.util
import os

from task import Absent

BACKEND = None
COMPILED = {}  # by file, function and dtype: one stencil serves all sizes


def start(who, threads):
    global BACKEND
    cache = os.path.abspath(os.environ.get("LATHE_BENCH_CACHE", "build/bench"))
    os.environ.setdefault("GT_CACHE_ROOT", cache)
    os.environ.setdefault("GT_CACHE_DIR_NAME", "gt4py_cache")
    import gt4py
    import gt4py.cartesian  # noqa: F401
    BACKEND = who
    return f"gt4py {gt4py.__version__}"


def definition(task):
    """The function under the decorator, with the dtypes of the task: `dtypes` of a stencil changes
    only annotations that are strings."""
    from gt4py.cartesian import gtscript
    decorator = gtscript.stencil
    gtscript.stencil = lambda *_, **__: lambda function: function
    try:
        spec = importlib.util.spec_from_file_location(os.path.basename(task.file)[:-3], task.file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        gtscript.stencil = decorator
    function = getattr(module, task.function)
    dtypes = {"float64": task.real, "int64": task.integer}
    for name, hint in function.__annotations__.items():
        if hasattr(hint, "axes"):
            function.__annotations__[name] = type(hint)(dtypes[str(hint.dtype)], hint.axes, hint.data_dims)
        elif hint is float:
            function.__annotations__[name] = task.real
    for name, value in (function.__kwdefaults__ or {}).items():
        if isinstance(value, float):
            function.__kwdefaults__[name] = task.real(value)
    return function


def compiled(task):
    from gt4py.cartesian import gtscript
    key = task.file, task.function, task.dtype
    if key not in COMPILED:
        bits = 32 if task.dtype == "f32" else 64
        try:
            COMPILED[key] = gtscript.stencil(
                backend=BACKEND, definition=definition(task),
                dtypes={float: task.real, int: task.integer}, literal_float_precision=bits,
                literal_int_precision=bits)
        except Exception as error:
            COMPILED[key] = Absent(f"{type(error).__name__}: {error}")
    if isinstance(COMPILED[key], Exception):
        raise COMPILED[key]
    return COMPILED[key]


def prepare(task):
    dense = {"gt:cpu_ifirst": "I", "gt:cpu_kfirst": "K", "numpy": "K"}[BACKEND]
    if task.layout[-1] != dense:
        raise Absent(f"its layout has {dense} last")
    from gt4py import storage
    stencil = compiled(task)
    for f in task.fields:
        made = storage.empty(f.shape, f.dtype, backend=BACKEND, aligned_index=f.origin,
                             dimensions=f.axes)
        made[...] = f.numbers() if f.use != "write" else -1
        task.arrays[f.name] = made
    scalars = {name: task.real(value) for name, value in task.scalars.items()}
    origin = {f.name: f.origin for f in task.fields}
    # As their documentation advises for speed: checks and origins are done once.
    call = stencil.freeze(origin=origin, domain=task.domain)

    def step():
        call(**task.arrays, **scalars)
    for f in task.fields:
        f.logical = lambda array: array  # storages are indexed by I, J, K
    return step, task.results
