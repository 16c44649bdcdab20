// SPDX-License-Identifier: Apache-2.0
#include "stencil.h"

namespace lathe_python {

void bind_stencils(nanobind::module_&) {}

}  // namespace lathe_python
