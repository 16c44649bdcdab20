// SPDX-License-Identifier: Apache-2.0
// lathe/errors.py has a function that makes the exception from code, message, text and JSON: which
// class fits which mistake is easier said in Python, and a mistake has time.

#include "errors.h"

#include <cstdarg>
#include <string>

namespace nb = nanobind;

namespace lathe_python {

nb::object error_class(const char* name) { return nb::module_::import_("lathe.errors").attr(name); }

void check(lathe_code code, lathe_error* const& error) {
  if (code == LATHE_OK) return;
  if (PyErr_Occurred()) {
    lathe_error_destroy(error);
    throw nb::python_error();
  }
  raise_made("lathe.errors", code, error);
}

void raise_made(const char* module, lathe_code code, lathe_error* error) {
  nb::object made;
  try {
    made = nb::module_::import_(module).attr("make_error")(
        code, lathe_error_message(error), lathe_error_text(error), lathe_error_json(error));
  } catch (...) {
    lathe_error_destroy(error);
    throw;
  }
  lathe_error_destroy(error);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

void refuse(PyObject* type, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyErr_FormatV(type, format, arguments);
  va_end(arguments);
  throw nb::python_error();
}

void bind_errors(nb::module_& module) { module.attr("api_version") = lathe_api_version(); }

}  // namespace lathe_python
