# SPDX-License-Identifier: Apache-2.0
"""Pickled arrays: the values of what has values, the name and shape of an input."""

import numpy as np

from . import _core
from ._dtypes import bfloat16
from .errors import UsageError


def save(x):
    """Arguments of restore()."""
    if not x.is_computed:
        try:
            x._computed()
        except ValueError as error:
            raise UsageError("only arrays whose values can be computed are pickled: "
                            f"{error}") from None
    if x.dtype is bfloat16:
        return np.asarray(x), x._dtype, x.labels
    return np.asarray(np.asarray(x), order="C"), x._dtype, x.labels


def restore(values, dtype, labels):
    made = _core.data(values, False, "unpickle")
    if made._dtype != dtype:
        made = _core.apply("astype", (made,), dtype=dtype)
    return made.named(*labels) if any(labels) else made
