# SPDX-License-Identifier: Apache-2.0
"""Once imported, `from __gtscript__ import ...` finds the words of GTScript."""

import sys

from .gtscript import *  # noqa: F403

sys.modules["__gtscript__"] = sys.modules[__name__]
