// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a schedule says lives nowhere is computed where it is read:
//
//   t -> nowhere              v[i] = 2 * t[i]     =>    v[i] = 2 * (u[i] + 1)
//   vector i/8: v
//
// and its node leaves the tree.

#include "ir/program.h"
#include "schedule/schedule.h"

namespace lathe::schedule {

template <class F>
void for_each_node(std::vector<Node>& body, F&& f) {
  for (Node& n : body) {
    f(n);
    for_each_node(n.body, f);
    for_each_node(n.otherwise, f);
  }
}

// Throws a UserError that says why one of them cannot.
ir::Program inline_nowhere(const ir::Program& program, std::vector<Node>& body);

}  // namespace lathe::schedule
