// SPDX-License-Identifier: Apache-2.0
#pragma once
// lathe.Array and what evaluates it.

#include <nanobind/nanobind.h>

namespace lathe_python {

void bind_arrays(nanobind::module_& module);

}  // namespace lathe_python
