// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops that scan a set (SetQuery::scan): how to visit a triangle, a stride, a union in order.
//
//   for i = 0 .. n - 1
//     for j = 0 .. i step 2
//       (i, j)

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "ir/domain.h"

namespace lathe::analysis {

struct LoopNest {
  enum class Kind { Block, For, If, Point };
  Kind kind = Kind::Block;
  std::string iterator;                                           // For
  ir::PwAff first = ir::PwAff::zero(), last = ir::PwAff::zero();  // For: both are visited
  std::int64_t step = 1;                                          // For
  ir::SetExpr condition = ir::SetExpr::universe();                // If
  std::vector<ir::PwAff> point;     // Point: one per variable of the order
  std::vector<LoopNest> body;       // Block, For, If
  std::vector<LoopNest> otherwise;  // If
};

std::string to_text(const LoopNest& nest);

// Calls f with every point, for given parameter values.
void run(const LoopNest& nest, const std::map<std::string, std::int64_t>& parameters,
         FunctionRef<void(const std::vector<std::int64_t>&)> f);

}  // namespace lathe::analysis
