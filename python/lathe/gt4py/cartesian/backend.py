# SPDX-License-Identifier: Apache-2.0
"""The names of GT4Py's backends. All of them are run by Lathe on this machine's processors; a name chooses the
layout that `storage` gives to arrays, and nothing else."""

import difflib

from ...errors import ArgumentError
from ..storage import layout_registry

# Options of the backends: accepted, and without effect.
OPTIONS = frozenset((
    "add_compile_flags", "add_link_flags", "debug_mode", "device_sync", "extra_opt_flags", "ignore_np_errstate",
    "oir_pipeline", "opt_level", "verbose",
))


class Backend:
    """What programs ask of a backend."""

    def __init__(self, name):
        self.name = name

    @property
    def storage_info(self):
        return layout_registry.from_name(self.name)

    options = {option: {"versioning": False, "type": object} for option in OPTIONS}
    languages = {"computation": "c", "bindings": ["python"]}

    def __repr__(self):
        return f"<backend '{self.name}', run by Lathe>"


class _Registry(dict):
    @property
    def names(self):
        return list(self)


REGISTRY = _Registry((name, Backend(name)) for name in layout_registry.REGISTRY)


def from_name(name):
    """A backend; ValueError when GT4Py has none of that name."""
    if name not in REGISTRY:
        near = difflib.get_close_matches(str(name), REGISTRY, 1)
        did = f"\n  help: did you mean '{near[0]}'?" if near else f"\n  help: there are {', '.join(REGISTRY)}"
        raise ArgumentError(f"there is no backend '{name}'{did}")
    return REGISTRY[name]
