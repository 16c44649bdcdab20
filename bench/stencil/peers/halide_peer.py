# SPDX-License-Identifier: Apache-2.0
"""Halide: horizontal diffusion with everything inlined and one line of schedule, and with what the
Adams2019 autoscheduler finds, which takes a minute for each size."""

import pathlib

from task import Absent

WITH_SEARCH = False


def start(who, threads):
    global WITH_SEARCH
    import halide
    WITH_SEARCH = who == "halide-adams"
    if WITH_SEARCH:
        # The package has it beside its own libraries, where the loader does not look.
        folder = pathlib.Path(halide.__file__).parent
        found = sorted(folder.rglob("libautoschedule_adams2019.so"))
        halide.load_plugin(str(found[0]) if found else "autoschedule_adams2019")
    from importlib.metadata import version
    return f"halide {version('halide')}" + (", Adams2019" if WITH_SEARCH else ", inlined")


def prepare(task):
    import halide as hl
    if task.stencil != "hdiff":
        raise Absent("written for hdiff alone")
    # One search takes a minute; so it is tried where its result matters most.
    if WITH_SEARCH and task.layout != "KJI":
        raise Absent("searched for one layout alone")
    arrays = task.fill()
    kind = hl.Float(32) if task.dtype == "f32" else hl.Float(64)
    axes = {a: hl.Var(a.lower()) for a in "IJK"}
    order = [axes[a] for a in reversed(task.layout)]  # Halide's first dimension is the dense one

    def buffer(name, halo):
        made = hl.Buffer(arrays[name])  # its first dimension is NumPy's last
        for d, a in enumerate(reversed(task.layout)):
            if a != "K":
                made.translate(d, -halo)
        return made

    phi, coeff = (hl.ImageParam(kind, 3, name) for name in ("phi", "coeff"))
    one = hl.cast(kind, 1)

    def at(f, i=0, j=0):
        moved = {"I": axes["I"] + i, "J": axes["J"] + j, "K": axes["K"]}
        return f[tuple(moved[a] for a in reversed(task.layout))]

    lap, flx, fly, result = (hl.Func(n) for n in ("lap", "flx", "fly", "result"))
    where = tuple(order)
    lap[where] = 4 * one * at(phi) - (at(phi, -1) + at(phi, 1) + at(phi, 0, -1) + at(phi, 0, 1))
    difference = at(lap, 1) - at(lap)
    flx[where] = hl.select(difference * (at(phi, 1) - at(phi)) <= 0, difference, 0 * one)
    difference = at(lap, 0, 1) - at(lap)
    fly[where] = hl.select(difference * (at(phi, 0, 1) - at(phi)) <= 0, difference, 0 * one)
    result[where] = at(phi) - at(coeff) * (at(flx) - at(flx, -1) + at(fly) - at(fly, 0, -1))

    target = hl.get_jit_target_from_environment()
    sizes = [task.domain["IJK".index(a)] for a in reversed(task.layout)]
    if WITH_SEARCH:
        import os
        result.set_estimates([(0, n) for n in sizes])
        for parameter, name in ((phi, "in_f"), (coeff, "coeff")):
            parameter.set_estimates([(-f.halo if a != "K" else 0, n + 2 * f.halo if a != "K" else n)
                                     for f in task.fields if f.name == name
                                     for a, n in zip(reversed(task.layout), sizes)])
        hl.Pipeline(result).apply_autoscheduler(target, hl.AutoschedulerParams(
            "Adams2019", {"parallelism": os.environ["HL_NUM_THREADS"]}))
    else:
        lanes = target.natural_vector_size(kind)
        result.vectorize(order[0], lanes, hl.TailStrategy.ShiftInwards).parallel(order[2])
    phi.set(buffer("in_f", 2))
    coeff.set(buffer("coeff", 0))
    made = buffer("out_f", 0)
    result.compile_jit(target)
    return lambda: result.realize(made, target), task.results
