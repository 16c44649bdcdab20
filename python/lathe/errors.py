# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as Python exceptions. Every one is a LatheError and what Python calls such a
mistake (ValueError, TypeError, IndexError ...), with the library's full text."""

import re


class LatheWarning(UserWarning):
    """What a user should know although nothing failed."""


class LatheError(Exception):
    """`code` is the C ABI's number, `message` the first sentence, `json` all of it as data."""

    code = 0
    message = ""
    json = "[]"


class ProgramError(LatheError, ValueError):
    """The text of a program is wrong."""


class ScheduleError(LatheError, ValueError):
    """The text of a schedule is wrong, or not legal for the program."""


class ArgumentError(LatheError, ValueError):
    """Shapes that do not fit, values that an operation does not take."""


class DTypeError(LatheError, TypeError):
    """Elements of a type that the operation does not take."""


class IndexOutOfRange(LatheError, IndexError):
    """An index that the array does not have."""


class AxisError(IndexOutOfRange, ValueError):
    """An axis that the array does not have."""


class NumberTooLarge(LatheError, OverflowError):
    """A number of Python that the dtype of the array cannot hold."""


class RunError(LatheError, RuntimeError):
    """The program failed while it ran."""


class Cancelled(LatheError, RuntimeError):
    """The work was stopped."""


class OutOfMemory(LatheError, MemoryError):
    """There is not enough memory."""


class CompilerError(LatheError, RuntimeError):
    """The C compiler failed."""


class UsageError(LatheError, TypeError):
    """The interface was misused."""


class InternalError(LatheError, RuntimeError):
    """A mistake in Lathe."""


_CLASSES = {
    1: ProgramError,
    2: ScheduleError,
    3: ArgumentError,
    4: RunError,
    5: Cancelled,
    6: OutOfMemory,
    7: CompilerError,
    8: UsageError,
    9: InternalError,
}


# Of arguments that an operation refuses, by how the library's sentences go.
_ARGUMENT_CLASSES = (
    (r"^\w+: axis -?\d+ is out of range", AxisError),
    (r"out of range|^\w+: too many indices|^\w+: an index array must hold", IndexOutOfRange),
    (r"the number \S+ does not fit", NumberTooLarge),
    (r", not (bools?|[iu](8|16|32|64)|b?f(16|32|64))$", DTypeError),
    (r"^\w+: only floats have derivatives|was declared as \w+, but has", DTypeError),
)


def class_of(code, message):
    if code in (3, 4):
        for pattern, found in _ARGUMENT_CLASSES:
            if re.search(pattern, message):
                return found
    return _CLASSES.get(code, InternalError)


def make_error(code, message, text, json):
    """The exception for a lathe_error; called by _core."""
    text = text.removeprefix("error: ").rstrip("\n")
    error = class_of(code, message)(text)
    error.code, error.message, error.json = code, message, json
    return error
