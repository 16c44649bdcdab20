# SPDX-License-Identifier: Apache-2.0
"""GTScript, interpreted level by level on NumPy arrays: what `lathe run FILE.py` is compared with.

Written from the language alone, and meant to be obvious rather than fast:

- Every field lies on the compute domain and HALO points around it. Beside its values it has a mask
  of those that are valid: read outside of an array, or never written, is not. A temporary is
  computed wherever it lies, so that invalid points creep inwards from the rim; an argument is
  written on the compute domain alone. Results must be valid there.
- Planes, level by level: computations in order, intervals by policy, statements in order. Each
  assignment has its whole right-hand side before it writes.
- Fields are never changed in place, so that the versions of a branch are the dictionary of fields
  from before it.
"""

from .files import annotations, forget, run
from .names import FieldType

__all__ = ["FieldType", "annotations", "forget", "run"]
