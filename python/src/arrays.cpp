// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

namespace lathe_python {

void bind_arrays(nanobind::module_&) {}

}  // namespace lathe_python
