// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checked arrays and stencils look out for integers that are divided by zero, and for their
// negative powers. Compiled code tests neither: such programs are interpreted then.

#include "ir/program.h"

namespace lathe::api {

// Is an integer divided by something that may be zero, or taken to a power that may be negative?
bool may_divide_by_zero(const ir::Program& program);

}  // namespace lathe::api
