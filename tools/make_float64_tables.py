# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of src/elementary/float64: make_float64_tables.py FOLDER, then clang-format."""
import struct
import sys

from mpmath import atan, floor, log, mp, mpf, nint, pi, power

mp.prec = 2000

TEMPLATE = """// SPDX-License-Identifier: Apache-2.0
#pragma once
// {comment} Written by tools/make_float64_tables.py.
{include}
namespace lathe::elementary::float64 {{

{body}
}}  // namespace lathe::elementary::float64
"""


def array(name, values, kind="double"):
    words = [v if isinstance(v, str) else float(v).hex() for v in values]
    return f"inline constexpr {kind} {name}[{len(words)}] = {{{', '.join(words)}}};\n"


def pairs(hi_name, lo_name, values):
    hi = [float(v) for v in values]
    return array(hi_name, hi) + array(lo_name, [v - mpf(h) for v, h in zip(values, hi)])


def exp_table():
    return pairs("kPowerHi", "kPowerLo", [power(2, mpf(j) / 64) for j in range(64)])


def log_table():
    def at(i):  # the start of entry i, as log_reduce cuts the bits
        return mpf(struct.unpack("<d", struct.pack("<Q", 0x3FE6000000000000 + (i << 45)))[0])

    inverse, hi, lo = [], [], []
    for i in range(128):
        c = 1.0 if at(i) <= 1 <= at(i + 1) else float(2 / (at(i) + at(i + 1)))
        exact = -log(mpf(c))
        inverse.append(c)
        hi.append(nint(exact * 2**42) / 2**42)
        lo.append(exact - hi[-1])
    return array("kInverse", inverse) + array("kLogHi", hi) + array("kLogLo", lo)


def atan_table():
    return pairs("kAtanHi", "kAtanLo", [atan(mpf(i) / 8) for i in range(9)])


def trig_table():
    bits = int(floor(2 / pi * mpf(2) ** (64 * 19)))
    words = [f"0x{bits >> (64 * k) & (2**64 - 1):016x}" for k in reversed(range(19))]
    return array("kTwoOverPi", ["0x0"] + words, "std::uint64_t")


def write(file, comment, body, include=""):
    with open(f"{sys.argv[1]}/{file}", "w") as out:
        out.write(TEMPLATE.format(comment=comment, body=body, include=include))


write("exp_table.h", "2^(j/64) for j = 0..63, as unevaluated sums hi + lo.", exp_table())
write("log_table.h",
      "For each 128th of a binade from 0.6875 to 1.375: c near the inverse of its middle (1\n"
      "// beside 1), and -log c as hi + lo, hi a multiple of 2^-42.", log_table())
write("atan_table.h", "atan(i/8) for i = 0..8, as unevaluated sums hi + lo.", atan_table())
write("trig_table.h", "64 zero bits, then the first 1216 bits of 2/pi.", trig_table(),
      "\n#include <cstdint>\n")
