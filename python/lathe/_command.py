# SPDX-License-Identifier: Apache-2.0
"""The `lathe` command: the program that lies in the package, beside the extension (which an editable
install keeps elsewhere than this file)."""

import os
import sys

from . import _core


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(_core.__file__)), "lathe")
    os.execv(program, ["lathe", *sys.argv[1:]])


if __name__ == "__main__":
    main()
