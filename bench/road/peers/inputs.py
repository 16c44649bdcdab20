# SPDX-License-Identifier: Apache-2.0
"""The bench's input data: the same numbers as fill() in bench/road/data.cpp."""

import numpy


def fill(shape, seed, dtype):
    """Multiples of 2^-24 in [0, 1) that look random; exact in every dtype."""
    count = int(numpy.prod(shape, dtype=numpy.int64))
    out = numpy.empty(count, dtype={"f32": numpy.float32, "f64": numpy.float64}[dtype])
    block = 1 << 20
    with numpy.errstate(over="ignore"):
        for lo in range(0, count, block):
            h = numpy.arange(lo, min(lo + block, count), dtype=numpy.uint64)
            h = h * numpy.uint64(0x9E3779B97F4A7C15) + numpy.uint64(seed * 0xD1B54A32D192ED03 % 2**64)
            h ^= h >> numpy.uint64(32)
            h *= numpy.uint64(0xD6E8FEB86659FD93)
            h ^= h >> numpy.uint64(32)
            out[lo:lo + block] = (h >> numpy.uint64(40)).astype(out.dtype) * out.dtype.type(2**-24)
    return out.reshape(shape)
