// SPDX-License-Identifier: Apache-2.0
// Branches and whiles: bodies under a mask. Points of the two sides never write one element.

#include <algorithm>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

// A body of a branch: perhaps with a temporary of its own, which only its own points read.
void Generator::side(Context& c, Body& out) {
  const auto saved = written_now();
  const auto exact = exact_;
  if (rng_.percent(40) && !c.prefix.empty()) {
    enter(c);
    std::vector<AxisShape> axes;
    for (const Variable& v : c.prefix_variables) {
      const Upper u = v.interval.upper[0];
      axes.push_back({u.extent, std::max<std::int64_t>(0, -v.interval.lo),
                      std::max<std::int64_t>(0, u.offset)});
    }
    const DType t = some_dtype();
    Statement s;
    s.values.push_back(settle(value(t, 2)));
    ArrayShape& a = add_array("t", t, Role::Temp, axes);
    std::vector<Expr> indices;
    for (const Variable& v : c.prefix_variables) indices.push_back(p_.graph->index(v.name));
    s.label = label_for(a.name);
    s.domain.ranges = c.prefix;
    s.targets.push_back({a.name, indices});
    out.push_back({std::move(s)});
    a.frozen = true;
    exact_[a.name] = indices;
  }
  items(c, static_cast<int>(rng_.between(1, 3)), out);
  exact_ = exact;
  restore_written(saved);
}

bool Generator::branch(Context& c, Body& out) {
  enter(c);
  ArrayShape* like = writable(c);
  if (!like || (like->axes.empty() && !c.masked)) return false;
  const auto w = plan_write(c, *like, all_of(*like), false);
  if (!w || w->ranges.empty() || w->ranges.size() > 3) return false;
  Branch b;
  b.label = unique("branch");
  b.domain.ranges = w->ranges;
  if (rng_.percent(15)) b.domain.guard = condition(1);
  b.condition = condition(3);

  Context inner = c;
  inner.prefix = w->ranges;
  inner.prefix_variables = w->variables;
  inner.masked = true;
  inner.sweep = {};
  inner.depth = c.depth + 1;
  const auto uses = branch_uses_;
  const auto many = many_writers_;
  const auto unwritable = unwritable_;
  side(inner, b.then_body);
  if (rng_.percent(65)) {
    // What several points of one side accumulate into, the other side leaves alone.
    const auto written = branch_uses_;
    for (const auto& [array, use] : written)
      if (use.size() < inner.prefix.size()) unwritable_.push_back(array);
    unwritable_.insert(unwritable_.end(), many_writers_.begin(), many_writers_.end());
    side(inner, b.else_body);
  }
  unwritable_ = unwritable;
  if (!c.masked) {
    branch_uses_ = uses;
    many_writers_ = many;
  }
  if (b.then_body.empty()) return false;
  out.push_back({std::move(b)});
  return true;
}

// Every point counts down, so every point stops.
bool Generator::while_loop(Context& c, Body& out) {
  if (c.depth > 0) return false;
  enter(c);
  constexpr DType kDTypes[] = {DType::I64, DType::I32, DType::I8, DType::U8};
  const DType t = rng_.pick(kDTypes);
  ArrayShape& count =
      add_array("left", t, Role::Temp, some_axes(static_cast<int>(rng_.between(1, 2))));
  auto init = plan_write(c, count, all_of(count), true);
  if (!init) return false;
  Statement set;
  set.label = label_for(count.name);
  set.domain.ranges = init->ranges;
  set.targets.push_back({count.name, init->indices});
  const Expr turns = value(t, 2);
  set.values.push_back(apply(Op::Mod, {turns, b_.integer(rng_.between(1, 4), t)}));
  out.push_back({std::move(set)});
  finish_write(c, *init, true);
  count.frozen = true;

  enter(c);
  const auto w = plan_write(c, count, all_of(count), false);
  if (!w || w->ranges.empty()) return true;
  While loop;
  loop.label = unique("loop");
  loop.domain.ranges = w->ranges;
  const Expr left = p_.graph->read(count.name, t, w->indices);
  ++count.reads;
  loop.condition = apply(Op::Gt, {left, b_.integer(0, t)});
  if (rng_.percent(40)) loop.condition = apply(Op::And, {loop.condition, condition(2)});
  Context inner = c;
  inner.prefix = w->ranges;
  inner.prefix_variables = w->variables;
  inner.masked = true;
  inner.depth = c.depth + 1;
  inner.loops = c.loops + 1;
  const auto uses = branch_uses_;
  const auto many = many_writers_;
  side(inner, loop.body);
  branch_uses_ = uses;
  many_writers_ = many;
  Statement step;
  step.label = label_for(count.name);
  step.domain.ranges = w->ranges;
  step.targets.push_back({count.name, w->indices});
  step.values.push_back(apply(Op::Sub, {left, b_.integer(1, t)}));
  const std::size_t at = rng_.below(loop.body.size() + 1);
  loop.body.insert(loop.body.begin() + static_cast<std::ptrdiff_t>(at), {std::move(step)});
  out.push_back({std::move(loop)});
  return true;
}

}  // namespace lathe::testing
