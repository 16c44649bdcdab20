// SPDX-License-Identifier: Apache-2.0
// lathe._core: the C ABI for the Python of lathe/. Each part has a file of its own.

#include <nanobind/nanobind.h>

#include "arrays.h"
#include "errors.h"
#include "running.h"
#include "stencil.h"
#include "views.h"

NB_MODULE(_core, module) {
  module.doc() = "Lathe's C ABI, for the Python code of the package.";
  lathe_python::bind_errors(module);
  lathe_python::bind_running(module);
  lathe_python::bind_views(module);
  lathe_python::bind_arrays(module);
  lathe_python::bind_apply(module);
  lathe_python::bind_evaluate(module);
  lathe_python::bind_functions(module);
  lathe_python::bind_stencils(module);
}
