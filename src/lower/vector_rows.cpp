// SPDX-License-Identifier: Apache-2.0
// Vector loops whose statements do not all run in every row of the loops around: one that runs
// ahead (a window) begins rows before its readers. In such a row each statement has vectors of its
// own:
//
//   if j >= 0 and j < n:    vector i: ahead[j+1, i] = ...; out[j, i] = ...
//   else:                   if j < n: vector i: ahead[j+1, i] = ...
//                           if j >= 0: vector i: out[j, i] = ...
//
// Code for rows that hardly ever run has the second part alone.
//
// Iterations of a vector loop do not depend on each other, so a row of one statement may run before
// a row of the next: unless a register holds something between them.

#include <algorithm>

#include "lower/lowering.h"

namespace lathe::lower {

using schedule::Interval;
using schedule::NodeKind;

bool Lowering::row_by_row(const Node& n, std::size_t depth, const Interval& hull, Body& out) {
  if (options_.watch || n.body.size() < 2) return false;
  if (std::any_of(n.body.begin(), n.body.end(),
                  [](const Node& leaf) { return leaf.kind != NodeKind::Compute; }))
    return false;
  const PointTasks all = point_of(n, n.body);
  if (!all.simple || !all.statements.empty() ||
      std::any_of(all.tasks.begin(), all.tasks.end(), [](const Task& t) { return t.assign; }))
    return false;
  // Which rows a statement runs in.
  const auto rows_of = [&](const std::vector<Task>& tasks) {
    std::vector<Expr> rows;
    for (const Task& t : tasks)
      for (Expr e : t.conditions)
        if (const auto edge = edges_.find(e); edge != edges_.end() && edge->second.loop != &n)
          if (std::find(rows.begin(), rows.end(), e) == rows.end()) rows.push_back(e);
    return rows;
  };
  std::vector<std::vector<Expr>> rows;
  for (const Node& leaf : n.body) rows.push_back(rows_of(point_of(n, {&leaf, 1}).tasks));
  if (std::all_of(rows.begin(), rows.end(), [&](const auto& r) { return r == rows.front(); }))
    return false;

  std::vector<Expr> uniform;
  loops::If here;
  Body& apart = is_rare_ ? out : here.else_body;
  if (!is_rare_) {
    uniform = find_interior(n, hull.lo, hull.hi, all.tasks, Row::Unknown).uniform;
    here.condition = settle(all_of(uniform), out);
    vectors(n, n.body, depth, hull, Row::Usual, here.then_body);
  }
  for (std::size_t i = 0; i < n.body.size(); ++i) {
    const auto runs_if = [&](Expr e) {
      return std::find(rows[i].begin(), rows[i].end(), e) != rows[i].end();
    };
    if (!is_rare_ && std::all_of(uniform.begin(), uniform.end(), runs_if))
      continue;  // only where all do
    loops::If own;
    Body& body = rows[i].empty() ? apart : own.then_body;
    vectors(n, {&n.body[i], 1}, depth, hull, Row::Unusual, body);
    if (rows[i].empty()) continue;
    own.condition = settle(all_of(rows[i]), apart);
    apart.push_back({std::move(own)});
  }
  if (!is_rare_) out.push_back({std::move(here)});
  return true;
}

void Lowering::run_some(const Node& n, std::span<const Node> leaves, Body& out) {
  path_.push_back(&n);
  const auto registers = registers_;
  batch(leaves, out);
  registers_ = registers;
  path_.pop_back();
}

}  // namespace lathe::lower
