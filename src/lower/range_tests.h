// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tests that an element lies in the declared range of its buffer.

#include <span>
#include <vector>

#include "ir/build.h"
#include "ir/program.h"

namespace lathe::lower {

// lo <= index, index < hi for each axis, in order.
std::vector<ir::Expr> range_tests(ir::Maker& maker, std::span<const ir::Axis> axes,
                                  std::span<const ir::Expr> indices);
// All of them; `true` if there are none.
ir::Expr conjunction(ir::Maker& maker, std::span<const ir::Expr> tests);

}  // namespace lathe::lower
