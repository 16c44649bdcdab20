// SPDX-License-Identifier: Apache-2.0
// lathe/errors.py makes the exceptions, from code and kind, message, text and JSON: which class
// fits which mistake is easier said in Python, and a mistake has time.

#include "errors.h"

#include <cstdarg>
#include <string>

namespace nb = nanobind;

namespace lathe_python {

nb::object error_class(const char* name) { return nb::module_::import_("lathe.errors").attr(name); }

[[noreturn]] static void raise_exception(const nb::object& made) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

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
        code, lathe_error_kind(error), lathe_error_message(error), lathe_error_text(error),
        lathe_error_json(error), lathe_error_about(error), lathe_error_says_where(error) != 0);
  } catch (...) {
    lathe_error_destroy(error);
    throw;
  }
  lathe_error_destroy(error);
  raise_exception(made);
}

void refuse(PyObject* type, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const nb::object text = nb::steal(PyUnicode_FromFormatV(format, arguments));
  va_end(arguments);
  if (!text.is_valid()) throw nb::python_error();
  raise_exception(nb::module_::import_("lathe.errors").attr("refusal")(nb::handle(type), text));
}

void bind_errors(nb::module_& module) {
  module.attr("api_version") = lathe_api_version();
  const std::pair<const char*, int> numbers[] = {{"ERROR_PROGRAM", LATHE_ERROR_PROGRAM},
                                                 {"ERROR_SCHEDULE", LATHE_ERROR_SCHEDULE},
                                                 {"ERROR_ARGUMENT", LATHE_ERROR_ARGUMENT},
                                                 {"ERROR_RUN", LATHE_ERROR_RUN},
                                                 {"ERROR_CANCELLED", LATHE_ERROR_CANCELLED},
                                                 {"ERROR_MEMORY", LATHE_ERROR_MEMORY},
                                                 {"ERROR_COMPILER", LATHE_ERROR_COMPILER},
                                                 {"ERROR_USAGE", LATHE_ERROR_USAGE},
                                                 {"ERROR_INTERNAL", LATHE_ERROR_INTERNAL},
                                                 {"KIND_OTHER", LATHE_KIND_OTHER},
                                                 {"KIND_DTYPE", LATHE_KIND_DTYPE},
                                                 {"KIND_INDEX", LATHE_KIND_INDEX},
                                                 {"KIND_AXIS", LATHE_KIND_AXIS},
                                                 {"KIND_NUMBER", LATHE_KIND_NUMBER},
                                                 {"KIND_LENGTHS", LATHE_KIND_LENGTHS},
                                                 {"KIND_MATRIX", LATHE_KIND_MATRIX},
                                                 {"KIND_DIVISION", LATHE_KIND_DIVISION},
                                                 {"KIND_POWER", LATHE_KIND_POWER},
                                                 {"KIND_SYMBOL", LATHE_KIND_SYMBOL},
                                                 {"KIND_VALUE", LATHE_KIND_VALUE},
                                                 {"KIND_ASSERTION", LATHE_KIND_ASSERTION}};
  for (const auto& [name, number] : numbers) module.attr(name) = number;
}

}  // namespace lathe_python
