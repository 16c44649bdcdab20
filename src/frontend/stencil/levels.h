// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/build.h"
#include "ir/program.h"

namespace lathe::stencil {

// Bounds of loops over `k` that lie inside of 0..nk for every nk, and are the same as before for
// every nk of at least `least`.
void keep_inside(ir::Program& program, ir::Symbol k, ir::Expr nk, std::int64_t least);

}  // namespace lathe::stencil
