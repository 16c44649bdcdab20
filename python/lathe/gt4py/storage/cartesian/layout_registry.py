# SPDX-License-Identifier: Apache-2.0
"""The layout of each backend. Memory is always the host's: `device` tells what GT4Py would take."""

from ....errors import ArgumentError
from .layout import layout_checker_factory, layout_maker_factory

REGISTRY = {}


def from_name(name):
    if name not in REGISTRY:
        raise ArgumentError(f"there is no layout '{name}'\n  help: there are {', '.join(REGISTRY)}")
    return REGISTRY[name]


def register(name, info):
    """None removes it."""
    if info is None:
        REGISTRY.pop(name, None)
    else:
        REGISTRY[name] = info


def _standard(name, layout, alignment=1, device="cpu"):
    layout_map = layout_maker_factory(layout)
    register(name, {"alignment": alignment, "device": device, "layout_map": layout_map,
                    "is_optimal_layout": layout_checker_factory(layout_map)})


_standard("debug", (0, 1, 2))
_standard("numpy", (0, 1, 2))
_standard("gt:cpu_ifirst", (2, 1, 0))
_standard("gt:cpu_kfirst", (0, 1, 2))
_standard("gt:gpu", (2, 1, 0), alignment=32, device="gpu")
_standard("dace:cpu", (1, 2, 0))
_standard("dace:cpu_kfirst", (0, 1, 2))
_standard("dace:cpu_KJI", (2, 1, 0))
_standard("dace:gpu", (2, 1, 0), device="gpu")
_standard("dace:gpu_IJK", (0, 1, 2), device="gpu")
