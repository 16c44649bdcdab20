// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interval arithmetic on PwAffs and boxes: what SetQuery answers without isl.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ir/domain.h"

namespace lathe::analysis {

// Numbers below which parameters never lie: from conjuncts `0 <= n`, `2 < n`, `n == 4`.
using LowerBounds = std::map<std::string, std::int64_t>;
LowerBounds lower_bounds(const ir::SetExpr& context);

// A number that e never lies below; nothing when none is known. e has no variables.
std::optional<std::int64_t> least(const ir::PwAff& e, const LowerBounds& parameters);
// Is e >= 0 for all parameters?
bool never_negative(const ir::PwAff& e, const LowerBounds& parameters);

// Inclusive bounds of e over a box, exact when e is linear: nothing when e holds a product, a
// division, a Min or Max or a Read of a variable, or a variable that the box does not bound.
struct Interval {
  ir::PwAff lower, upper;
};
std::optional<Interval> interval(const ir::PwAff& e, const ir::Box& box);

// Does every point of the box lie in the set? False when intervals do not show it.
bool holds_on(const ir::Box& box, const ir::SetExpr& s, const LowerBounds& parameters);

// Has the box no point, for all parameters?
bool never_has_points(const ir::Box& box, const LowerBounds& parameters);
// Has it points for all parameters?
bool always_has_points(const ir::Box& box, const LowerBounds& parameters);

}  // namespace lathe::analysis
