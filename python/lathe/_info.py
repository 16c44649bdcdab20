# SPDX-License-Identifier: Apache-2.0
"""lathe.__array_namespace_info__(): what the standard asks about a library."""

from . import _dtypes
from .errors import ArgumentError

_DTYPES = {dtype.name: dtype for dtype in _dtypes.STANDARD_DTYPES}


class Info:
    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        return "cpu"

    def default_dtypes(self, *, device=None):
        self._check(device)
        return {"real floating": _dtypes.float64, "complex floating": None,
                "integral": _dtypes.int64, "indexing": _dtypes.int64}

    def dtypes(self, *, device=None, kind=None):
        self._check(device)
        return {name: dtype for name, dtype in _DTYPES.items()
                if kind is None or _dtypes.isdtype(dtype, kind)}

    def devices(self):
        return ["cpu"]

    def _check(self, device):
        if device not in (None, "cpu"):
            raise ArgumentError(f"there is no device {device!r}, only 'cpu'")


def __array_namespace_info__():
    """Devices, dtypes and capabilities, as the standard asks."""
    return Info()
