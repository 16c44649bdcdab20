# SPDX-License-Identifier: Apache-2.0
"""Random numbers that are functions of a seed: the same on every machine, in any order."""

from ._array import apply
from ._create import _shape
from ._dtypes import code_of, float64


def bits(seed, shape=()):
    """64 random bits in each element, as uint64."""
    return apply("random_bits", (), (seed,), _shape(shape))


def uniform(seed, shape=(), *, low=0.0, high=1.0, dtype=float64):
    """Evenly between low and high."""
    x = apply("random_uniform", (), (seed,), _shape(shape), dtype=code_of(dtype))
    return x if (low, high) == (0.0, 1.0) else x * (high - low) + low


def normal(seed, shape=(), *, mean=0.0, std=1.0, dtype=float64):
    """Normally distributed."""
    x = apply("random_normal", (), (seed,), _shape(shape), dtype=code_of(dtype))
    return x if (mean, std) == (0.0, 1.0) else x * std + mean


def integers(seed, low, high, shape=()):
    """Integers from low to high, without high."""
    return apply("astype", (apply("floor", (uniform(seed, shape, low=low, high=high),)),),
                 dtype=code_of("int64"))


__all__ = ["bits", "uniform", "normal", "integers"]
