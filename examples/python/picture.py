# SPDX-License-Identifier: Apache-2.0
"""Pictures as PNG files, with nothing but zlib; and the command line that the examples share."""

import argparse
import pathlib
import struct
import zlib

import numpy as np

# Dark blue, blue, green, yellow, white: brighter is more, also in grey.
COLOURS = np.array([[12, 16, 48], [38, 70, 140], [44, 140, 130], [150, 200, 90], [250, 235, 120], [255, 255, 255]])


def options(description):
    """Where pictures go, and how large they are."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", nargs="?", default=".", help="for the picture (here)")
    parser.add_argument("--large", action="store_true", help="the size for people; tests take a small one")
    return parser.parse_args()


def coloured(values, low=None, high=None):
    """Values of a field as colours."""
    values = np.asarray(values, dtype=float)
    low = values.min() if low is None else low
    high = values.max() if high is None else high
    at = np.clip((values - low) / ((high - low) or 1), 0, 1) * (len(COLOURS) - 1)
    below = np.minimum(at.astype(int), len(COLOURS) - 2)
    part = (at - below)[..., None]
    return (COLOURS[below] * (1 - part) + COLOURS[below + 1] * part).round().astype(np.uint8)


def enlarged(pixels, times):
    return np.repeat(np.repeat(pixels, times, 0), times, 1)


def write_png(path, pixels):
    """pixels: uint8, (rows, columns) in grey or (rows, columns, 3) in colours."""
    pixels = np.ascontiguousarray(np.asarray(pixels, dtype=np.uint8))
    rows, columns = pixels.shape[:2]
    kind = 2 if pixels.ndim == 3 else 0
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", columns, rows, 8, kind, 0, 0, 0)
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 6))
                     + chunk(b"IEND", b""))
