// SPDX-License-Identifier: Apache-2.0
#pragma once
// When the points of a Group are independent, so that running it point by point and line by line
// over the whole domain are the same thing.

#include <optional>
#include <string>

#include "ir/program.h"

namespace lathe::ir {

struct GroupRefusal {
  std::string reason;
  Span first, second;     // the two lines
  bool by_guard = false;  // the second is the group's own guard
};

// Nothing when independent: every array that a line writes is written and read, by the guard and
// all lines, at one and the same index, which differs from point to point; bounds and indices do
// not depend on what the group writes.
std::optional<GroupRefusal> group_refusal(const Group& group);

// Does a line write what the group's own guard reads? The guard is asked once, before the first
// line: it does not see that.
bool changes_own_guard(const Group& group);

// Do different points of the ranges have different targets? Each variable stands alone in some
// index, up to a constant.
bool determines_point(const Target& target, const std::vector<Range>& ranges);

}  // namespace lathe::ir
