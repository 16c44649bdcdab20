# SPDX-License-Identifier: Apache-2.0
"""The `lathe` command: the program that lies in the package."""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lathe")
    os.execv(program, ["lathe", *sys.argv[1:]])


if __name__ == "__main__":
    main()
