// SPDX-License-Identifier: Apache-2.0
#pragma once
// The user's own line: the innermost frame of Python that is not in the package.

#include <lathe/c_array.h>
#include <nanobind/nanobind.h>

namespace lathe_python {

// Good until Python runs again.
lathe_place user_place();

void bind_place(nanobind::module_& module);

}  // namespace lathe_python
