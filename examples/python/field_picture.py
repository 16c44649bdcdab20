# SPDX-License-Identifier: Apache-2.0
"""Pictures of fields: save("name", a, b) draws them side by side."""

import os
import sys

import numpy as np
from picture import write_png

# Dark blue over white to dark red.
STOPS = np.array([[5, 25, 75], [60, 120, 190], [245, 245, 240], [225, 130, 80], [110, 10, 25]], float)


def colours(field, low=None, high=None):
    """RGB, with the first axis to the right and the second one upwards."""
    field = np.asarray(field, float)
    low = field.min() if low is None else low
    high = field.max() if high is None else high
    place = np.clip((field - low) / max(high - low, 1e-300), 0, 1) * (len(STOPS) - 1)
    at = np.minimum(place.astype(int), len(STOPS) - 2)
    part = (place - at)[..., None]
    return (STOPS[at] * (1 - part) + STOPS[at + 1] * part).astype(np.uint8).swapaxes(0, 1)[::-1]


def save(name, *fields, low=None, high=None, zoom=4):
    """Into the folder that the program is given, or demo-out."""
    panels = [np.kron(colours(f, low, high), np.ones((zoom, zoom, 1), np.uint8)) for f in fields]
    gap = np.full((panels[0].shape[0], 2 * zoom, 3), 255, np.uint8)
    image = np.concatenate([p for panel in panels for p in (panel, gap)][:-1], axis=1)
    folder = sys.argv[1] if len(sys.argv) > 1 else "demo-out"
    write_png(os.path.join(folder, name + ".png"), image)
