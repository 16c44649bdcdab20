# SPDX-License-Identifier: Apache-2.0
"""Once imported, there is a module __externals__; definitions, which name it, are never executed."""

import sys

sys.modules["__externals__"] = sys.modules[__name__]
