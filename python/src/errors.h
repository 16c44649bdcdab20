// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lathe_error becomes a Python exception: the classes of lathe/errors.py.

#include <lathe/c.h>
#include <nanobind/nanobind.h>

namespace lathe_python {

// Does nothing after success. Otherwise takes the error over and throws its Python exception; an
// exception that is already set (by KeyboardInterrupt, by a callback) wins. By reference, so that
// check(lathe_...(&error), error) looks at the error after the call, in whatever order arguments
// are evaluated.
void check(lathe_code code, lathe_error* const& error);

// The class of lathe/errors.py with that name.
nanobind::object error_class(const char* name);

// Raises what make_error of that module of ours makes of an error, which is destroyed.
[[noreturn]] void raise_made(const char* module, lathe_code code, lathe_error* error);

// Throws the LatheError that is such an exception (of PyExc_TypeError, PyExc_ValueError ...), or
// one of a class of ours, with that text and the user's line.
[[noreturn]] void refuse(PyObject* type, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

void bind_errors(nanobind::module_& module);

}  // namespace lathe_python
