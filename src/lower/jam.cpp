// SPDX-License-Identifier: Apache-2.0
// Iterations that share a vector loop: what several of them load is loaded once, and what one
// computes for the next stays in registers.
//
//   jam j/2:                   for j.1 in 0..n step 2:
//     vector i/16: s             if j.1+2 <= n:
//                       =>         vector i in 0..m by 16: s at j.1, s at j.1+1
//                                else:
//                                  for j in j.1..min(n, j.1+2):
//                                    vector i in 0..m by 16: s
//
// Rows in which not all statements take part run one by one, too.

#include <algorithm>

#include "ir/loops_walk.h"
#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

using schedule::Interval;

void Lowering::jam(const Node& n, std::size_t depth, const Interval& hull, Body& out) {
  const Symbol v = nest_.variables.at(&n);
  loops::For tiles;
  tiles.variable = fresh(v.text());
  tiles.lo = hull.lo;
  tiles.hi = hull.hi;
  tiles.step = n.tile;
  const Expr first = graph_.index(tiles.variable);

  loops::If together;
  jam_ = Jam{&n, tiles.variable, hull.hi, nullptr};
  path_.push_back(&n);
  loop(n.body.front(), depth + 1, together.then_body);
  path_.pop_back();
  together.condition = std::exchange(jam_, std::nullopt)->condition;

  loops::For single;
  single.variable = v;
  single.lo = first;
  single.hi = build_.op(Op::Min, {hull.hi, ranges_.add(first, n.tile)});
  const bool was_rare = std::exchange(is_rare_, together.condition != nullptr);
  run_body(n, depth, single.body);
  is_rare_ = was_rare;
  if (!together.condition) {
    single.lo = hull.lo;
    single.hi = hull.hi;
    if (!single.body.empty()) out.push_back({std::move(single)});
    return;
  }
  together.else_body.push_back({std::move(single)});
  tiles.body.push_back({std::move(together)});
  out.push_back({std::move(tiles)});
}

// The vector loop of all copies. Nothing where its range, or anything computed before it, is of one
// iteration alone.
void Lowering::jammed(const Node& vector, std::size_t depth, const Interval& hull, Body& out) {
  const Symbol v = nest_.variables.at(jam_->loop);
  bool of_one = ir::mentions(hull.lo, v) || ir::mentions(hull.hi, v);
  for (const loops::Stmt& s : out)
    loops::for_each_expr(s, [&](Expr e) { of_one |= e && ir::mentions(e, v); });
  if (of_one) return;
  const PointTasks all = points_of(vector, vector.body);
  if (!all.simple || !all.rounds.empty()) return;
  Expr condition = build_.le(ranges_.add(graph_.index(jam_->base), jam_->loop->tile), jam_->end);
  for (Expr e : find_interior(vector, hull.lo, hull.hi, all.tasks, Row::Unknown).uniform)
    condition = build_.logical_and(condition, e);
  Body together;
  vectors(vector, vector.body, depth, hull, Row::Usual, together);
  bool runs_vectors = false;
  loops::for_each_stmt(together, [&](const loops::Stmt& s) {
    const auto* loop = std::get_if<loops::For>(&s.node);
    runs_vectors |= loop && loop->kind == loops::Kind::Vector;
  });
  if (!runs_vectors) return;  // point by point, one iteration is as good as two
  for (loops::Stmt& s : together) out.push_back(std::move(s));
  jam_->condition = condition;
}

Lowering::PointTasks Lowering::points_of(const Node& n, std::span<const Node> leaves) {
  if (!jam_) return point_of(n, leaves);
  PointTasks all;
  const auto conditions = conditions_;
  const Symbol v = nest_.variables.at(jam_->loop);
  for (std::int64_t u = 0; u < jam_->loop->tile; ++u) {
    const Expr at = ranges_.add(graph_.index(jam_->base), u);
    ranges_.set_value(*jam_->loop, at);
    put_into_conditions(v, at);
    PointTasks one = point_of(n, leaves);
    conditions_ = conditions;
    for (Task& t : one.tasks) all.tasks.push_back(std::move(t));
    for (loops::Stmt& s : one.statements) all.statements.push_back(std::move(s));
    for (auto& [segment, rounds] : one.rounds) all.rounds.emplace(segment, std::move(rounds));
    all.simple = all.simple && one.simple;
  }
  ranges_.set_value(*jam_->loop, graph_.index(v));
  return all;
}

}  // namespace lathe::lower
