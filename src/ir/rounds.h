// SPDX-License-Identifier: Apache-2.0
#pragma once
// A While whose points do not meet: each point may run its own rounds, one after the other, before
// the next point begins. The result is that of rounds over all points.
//
//   w: for i in 0..n while abs(c[i]) > e:       for i: while (abs(c[i]) > e) {
//     c[i] = f(x[i])                        =     c[i] = f(x[i]);
//     x[i] = x[i] + c[i]                          x[i] = x[i] + c[i]; }

#include <optional>

#include "ir/program.h"

namespace lathe::ir {

// Points into the item. Its body is one statement or one group over the While's own ranges.
struct Rounds {
  const While* loop = nullptr;
  const Group* group = nullptr;         // null: one statement
  std::vector<const Statement*> lines;  // in order; a statement's ranges are the While's
};

// Nothing when the item is no While, or not of this kind: a line accumulates or works over other
// ranges, or a line or the condition touches what another point writes (ir/group_rule.h).
std::optional<Rounds> as_rounds(const Item& item);

// What the while holds as one group, if it is one already or nothing but statements over its own
// ranges. A new group has no label.
std::optional<Group> lines_of(const While& w);

// Do its points not meet, once its lines are one group?
bool has_rounds(const While& w);

}  // namespace lathe::ir
