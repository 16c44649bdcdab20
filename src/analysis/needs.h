// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much of each extended temporary is needed: boxes, whose bounds depend on sizes.

#include <map>
#include <vector>

#include "ir/domain.h"

namespace lathe::analysis {

struct Region {
  std::vector<ir::PwAff> lo, hi;  // one pair per axis
  friend bool operator==(const Region&, const Region&) = default;
};
// min and max, kept short: of 0 and max(0, n-1) the lower one is 0. What is added again leaves a
// region as it is.
ir::PwAff lower_of(const ir::PwAff& a, const ir::PwAff& b);
ir::PwAff upper_of(const ir::PwAff& a, const ir::PwAff& b);

// The smallest box around both.
void add(Region& to, const Region& from);

using Needs = std::map<Symbol, Region>;
void add(Needs& to, Symbol array, const Region& region);
void add(Needs& to, const Needs& from);

}  // namespace lathe::analysis
