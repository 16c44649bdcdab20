// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stencils in GTScript, over lathe/c_stencil.h.

#include <nanobind/nanobind.h>

namespace lathe_python {

void bind_stencils(nanobind::module_& module);

}  // namespace lathe_python
