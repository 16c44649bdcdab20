# SPDX-License-Identifier: Apache-2.0
"""Linear algebra, one function after another."""
