# SPDX-License-Identifier: Apache-2.0
"""GT4Py's cartesian interface, run by Lathe: replace `gt4py` by `lathe.gt4py` in the imports of a program.

docs/python-stencils.md says what each option comes to.
"""

from .. import __version__
from . import cartesian, storage

__all__ = ["__version__", "cartesian", "storage"]
