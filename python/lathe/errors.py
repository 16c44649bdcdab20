# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as Python exceptions. Every one is a LatheError and what Python calls such a
mistake (ValueError, TypeError, IndexError ...), with the library's full text and the user's line."""

import numpy as np

from . import _core


class LatheWarning(UserWarning):
    """What a user should know although nothing failed."""


def _with_place(text):
    """The text with the user's own line, in the form that the library's errors have."""
    file, line = _core.user_place()
    if not file:
        return text
    first, newline, rest = text.partition("\n")
    return f"{first}\n  note: at {file}:{line}{newline}{rest}"


def _with_call(text):
    """A text that shows a line of a definition, with the line that called it."""
    file, line = _core.user_place()
    if not file or f"{file}:{line}" in text:
        return text
    body, help_, rest = text.partition("\n  help: ")
    return f"{body}\n  note: called at {file}:{line}{help_}{rest}"


class LatheError(Exception):
    """`code` and `kind` are the C ABI's numbers, `message` is the first sentence, `json` all of it as
    data. The line of the user's program is put in, unless the text says where already."""

    code = 0
    kind = _core.KIND_OTHER
    json = "[]"

    def __init__(self, text="", *, says_where=False):
        self.message = text.partition("\n")[0]
        super().__init__(text if says_where else _with_place(text))

    def __reduce__(self):
        return _restored, (type(self), self.args, self.__dict__)


def _restored(class_, args, known):
    """An error that was pickled: it has its line already."""
    error = class_.__new__(class_, *args)
    error.args = args
    error.__dict__.update(known)
    return error


class ProgramError(LatheError, ValueError):
    """The text of a program is wrong."""


class ScheduleError(LatheError, ValueError):
    """The text of a schedule is wrong, or not legal for the program."""


class ArgumentError(LatheError, ValueError):
    """Shapes that do not fit, values that an operation does not take."""


class UnknownLengths(ArgumentError):
    """Lengths that must be known here, and are symbols."""


class DTypeError(LatheError, TypeError):
    """Elements of a type that the operation does not take."""


class IndexOutOfRange(LatheError, IndexError):
    """An index that the array does not have."""


class AxisError(IndexOutOfRange, ValueError):
    """An axis that the array does not have."""


class NumberTooLarge(LatheError, OverflowError):
    """A number of Python that the dtype of the array cannot hold."""


class MemoryRefused(LatheError, BufferError):
    """Memory that cannot be shared as it is asked for."""


class RunError(LatheError, RuntimeError):
    """The program failed while it ran."""


class MatrixError(RunError, np.linalg.LinAlgError):
    """A matrix that has no result: singular, not positive definite. Also numpy.linalg.LinAlgError."""


class DivisionByZero(RunError, ZeroDivisionError):
    """Integers, in a checked run."""


class NegativePower(RunError, ValueError):
    """Of integers, in a checked run."""


class Cancelled(LatheError, RuntimeError):
    """The work was stopped."""


class OutOfMemory(LatheError, MemoryError):
    """There is not enough memory."""


class CompilerError(LatheError, RuntimeError):
    """The C compiler failed."""


class UsageError(LatheError, TypeError):
    """The interface was misused: an argument of the wrong type."""


class DefinitionsOnly(LatheError, RuntimeError):
    """A word of GTScript that stands in definitions only."""


class InternalError(LatheError, RuntimeError):
    """A mistake in Lathe."""


_CLASSES = {
    _core.ERROR_PROGRAM: ProgramError,
    _core.ERROR_SCHEDULE: ScheduleError,
    _core.ERROR_ARGUMENT: ArgumentError,
    _core.ERROR_RUN: RunError,
    _core.ERROR_CANCELLED: Cancelled,
    _core.ERROR_MEMORY: OutOfMemory,
    _core.ERROR_COMPILER: CompilerError,
    _core.ERROR_USAGE: UsageError,
    _core.ERROR_INTERNAL: InternalError,
}
# Of what was refused, or failed while it ran.
_KINDS = {
    _core.KIND_DTYPE: DTypeError,
    _core.KIND_INDEX: IndexOutOfRange,
    _core.KIND_AXIS: AxisError,
    _core.KIND_NUMBER: NumberTooLarge,
    _core.KIND_LENGTHS: UnknownLengths,
    _core.KIND_MATRIX: MatrixError,
    _core.KIND_DIVISION: DivisionByZero,
    _core.KIND_POWER: NegativePower,
}
# What the extension calls them.
_REFUSALS = {
    TypeError: UsageError, ValueError: ArgumentError, IndexError: IndexOutOfRange,
    OverflowError: NumberTooLarge, BufferError: MemoryRefused, RuntimeError: RunError,
}


def fill(error, code, kind, message, json, about):
    """What the library knows about it."""
    error.code, error.kind, error.message, error.json, error.about = code, kind, message, json, about
    return error


def plain(text):
    """Exceptions say themselves that they are errors."""
    return text.removeprefix("error: ").rstrip("\n")


def make_error(code, kind, message, text, json, about, says_where):
    """The exception for a lathe_error; called by _core."""
    class_ = _CLASSES.get(code, InternalError)
    if code in (_core.ERROR_ARGUMENT, _core.ERROR_RUN):
        class_ = _KINDS.get(kind, class_)
        if says_where and "\n  --> " in text:
            text = _with_call(text)
    return fill(class_(plain(text), says_where=says_where), code, kind, message, json, about)


def refusal(type_, text):
    """The exception for what the extension itself refuses; called by _core."""
    return _REFUSALS.get(type_, type_)(text)
