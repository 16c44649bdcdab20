# SPDX-License-Identifier: Apache-2.0
"""Arrays are laid out as NumPy lays them out. Of integers, whose digits are the same, every blank is."""

import numpy as np
import pytest

import lathe

SHAPES = [(), (1,), (7,), (30,), (999,), (1000,), (1001,), (5000,), (0,), (0, 3), (3, 0), (2, 3), (40, 25), (40, 26),
          (2, 3, 4), (7, 7, 7), (11, 10, 10), (1, 1, 1, 1), (2, 2, 2, 2, 2), (9, 1, 200), (3, 100), (1200, 1)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_layout(shape):
    rng = np.random.default_rng(1)
    for scale in (9, 10**3, 10**12):
        a = rng.integers(-scale, scale, shape)
        text = repr(lathe.asarray(a))
        head = f"i64({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})" + ("\n" if len(shape) > 1 else " ")
        prefix = head if len(shape) < 2 else ""
        assert text == head + np.array2string(a, separator=", ", prefix=prefix)
        assert str(lathe.asarray(a)) == text


def test_all_halves_read_back():
    bits = np.arange(1 << 16, dtype=np.uint16)
    halves = bits.view(np.float16)
    finite = halves[np.isfinite(halves)]
    for part in np.array_split(finite, len(finite) // 900 + 1):
        text = repr(lathe.asarray(part))
        words = text[text.index("[") + 1:text.rindex("]")].replace(",", " ").split()
        assert all(len(w.split("e")[0].replace(".", "").strip("-0")) <= 5 for w in words)
        assert (np.array(words, dtype=np.float64).astype(np.float16).view(np.uint16) == part.view(np.uint16)).all()
