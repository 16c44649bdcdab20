# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a definition."""

from . import exceptions, gtscript_frontend

__all__ = ["exceptions", "gtscript_frontend"]
