// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words of check_access: indices, ranges and ways out as people write them.

#include <string>
#include <vector>

#include "analysis/access.h"
#include "analysis/sets.h"
#include "base/quoted.h"

namespace lathe::analysis {

std::string compact(const ir::PwAff& e);           // i+1
std::string range_text(ir::Expr lo, ir::Expr hi);  // 0..n-1
std::string access_text(const Access& a);          // u[i+1, j]
std::string join(const std::vector<std::string>& words, const std::string& between);

// What to do about an index that leaves its axis: shrink the statement's range by as much, where
// the index is a variable and a number; read with a policy; declare the axis wider.
std::string range_help(const StatementAccess& s, const Access& a, const ir::Array& array,
                       std::size_t axis, bool below, const Bounds& reached);

}  // namespace lathe::analysis
