# SPDX-License-Identifier: Apache-2.0
"""Writes src/frontend/python/identifier_ranges.inc: make_identifier_ranges.py > FILE.

Run it with the Python whose Unicode version the parser is to follow (3.12: Unicode 15.0).
"""
import unicodedata


def ranges(holds):
    found = []
    for code in range(0x80, 0x110000):
        if not holds(chr(code)):
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def write(name, found):
    print(f"constexpr CodeRange {name}[] = {{")
    line = "   "
    for first, last in found:
        item = f" {{0x{first:x}, 0x{last:x}}},"
        if len(line) + len(item) > 100:
            print(line)
            line = "   "
        line += item
    print(line)
    print("};")


print("// SPDX-License-Identifier: Apache-2.0")
print("// Characters of names beyond ASCII, by the XID properties of Unicode "
      f"{unicodedata.unidata_version}.")
print("// Written by tools/make_identifier_ranges.py.")
print()
write("kNameStart", ranges(str.isidentifier))
print()
write("kNameRest", ranges(lambda c: ("a" + c).isidentifier() and not c.isidentifier()))
