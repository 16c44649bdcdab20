# SPDX-License-Identifier: Apache-2.0
"""What errors say. Each has the user's own line; tests compare the rest."""

import re
import sys

_PLACE = re.compile(r"\n  note: at (.+):(\d+)(?=\n|$)")


def said(caught):
    """The text of an error without the note of its line, which must be one of the test's own file."""
    text = str(caught.value)
    places = _PLACE.findall(text)
    assert len(places) == 1, text
    assert places[0][0] == sys._getframe(1).f_code.co_filename, text
    return _PLACE.sub("", text)
