// SPDX-License-Identifier: Apache-2.0
// Targets that are more than a variable plus a constant: backwards, every second element, and
// indices that several points share until a guard leaves one of them.
//
//   for i in 0..n: v[n-1 - i] = sum j in 0..m: u[i, j]
//   for i in 0..n where i % 2 == 0: v[i // 2] = u[i]

#include <algorithm>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

// Changes how plan_write covers one axis: `index` and `range` stand for the side as it is. False
// where every second element is left out.
bool Generator::bend(const AxisShape& axis, Side side, bool whole, Range& range, Variable& v,
                     Expr& index) {
  const Expr i = p_.graph->index(v.name);
  if (whole || side.lo > 0 || rng_.percent(50)) {  // E - 1 - v, v in -offset .. E - lo
    v.interval = {-side.offset, {{axis.extent, -side.lo}}};
    range.lo = b_.integer(-side.offset);
    range.hi = extent_plus(axis.extent, -side.lo);
    index = b_.sub(extent_plus(axis.extent, -1), i);
    return true;
  }
  const std::int64_t first = rng_.between(0, 1);  // 2 * v + first < E + offset
  v.interval = {0, {{axis.extent, side.offset - first}}};
  const Expr end = extent_plus(axis.extent, side.offset - first + 1);
  range.lo = b_.integer(0);
  range.hi = b_.op(Op::FloorDiv, {end, b_.integer(2)});
  index = plus(rng_.percent(70) ? b_.mul(b_.integer(2), i) : b_.mul(i, b_.integer(2)), first);
  return false;
}

// A reduction in an expression, its result stored through such a target.
bool Generator::reduced_set(Context& c, Body& out) {
  enter(c);
  const bool create = c.depth == 0 && rng_.percent(50);
  ArrayShape* a = create ? &new_target() : writable(c);
  if (!a) return false;
  const int usual = bent_;
  bent_ = 60;
  auto w = plan_write(c, *a, all_of(*a), create && rng_.percent(50));
  bent_ = usual;
  if (!w) return false;
  Statement s;
  s.label = label_for(a->name);
  s.domain.ranges = w->ranges;
  const bool guarded = !create && rng_.percent(20);
  if (guarded) s.domain.guard = condition(2);
  const bool by_order = options_.longs && is_float(a->dtype) && !long_in_scope();
  Expr x = by_order && rng_.percent(40) ? long_sum(a->dtype) : reduction(a->dtype, 3);
  if (!x) x = value(a->dtype, 3);
  if (rng_.percent(30)) {
    const Expr otherwise = leaf(a->dtype);
    x = b_.select(condition(1), x, otherwise);
  }
  s.targets.push_back({a->name, w->indices});
  s.values.push_back(loops_ > 0 ? settle(x) : x);
  out.push_back({std::move(s)});
  finish_write(c, *w, !guarded);
  return true;
}

// An index into 0 .. E that several values of the new variable share.
Generator::Shared Generator::shared_index(const AxisShape& axis) {
  Shared s;
  const Extent& extent = extents_[static_cast<std::size_t>(axis.extent)];
  const std::int64_t q = rng_.between(2, 3);
  const bool remainder = minimum_here(axis.extent) >= q && rng_.percent(40);
  s.classes = static_cast<int>(q);
  s.covers = !remainder;
  s.range = box_range(axis.extent, {0, 0}, s.variable);
  if (!extent.is_long && rng_.percent(40)) {  // q times as many points: every element is met
    s.range.hi = b_.mul(extent.size, b_.integer(q));
    s.variable.interval = {0, {}};
  }
  const Expr i = p_.graph->index(s.variable.name), by = b_.integer(q);
  s.index = b_.op(remainder ? Op::Mod : Op::FloorDiv, {i, by});
  s.key = b_.op(remainder ? Op::FloorDiv : Op::Mod, {i, by});
  return s;
}

// One to three statements over one domain and target, each for one class of points; or one of them
// as a branch whose mask is the guard.
bool Generator::unique_set(Context& c, Body& out) {
  if (c.masked) return false;
  enter(c);
  ArrayShape* a = c.depth == 0 && rng_.percent(35) ? &new_target(1) : writable(c);
  if (!a || a->axes.empty()) return false;
  const std::size_t axis = rng_.below(a->axes.size());
  const Shared shared = shared_index(a->axes[axis]);
  std::vector<Range> ranges = {shared.range};
  std::vector<Expr> indices;
  scope_.push_back(shared.variable);
  for (std::size_t k = 0; k < a->axes.size(); ++k) {
    if (k == axis) {
      indices.push_back(shared.index);
      continue;
    }
    Variable v;
    ranges.push_back(box_range(a->axes[k].extent, {0, 0}, v));
    scope_.push_back(v);
    indices.push_back(p_.graph->index(v.name));
  }
  int which = static_cast<int>(rng_.below(static_cast<std::size_t>(shared.classes)));
  Expr guard = b_.eq(shared.key, b_.integer(which));
  const auto statement = [&] {
    Statement s;
    s.label = label_for(a->name);
    s.domain.ranges = ranges;
    s.targets.push_back({a->name, indices});
    const Expr x = rng_.percent(25) ? reduction(a->dtype, 2) : nullptr;
    s.values.push_back(settle(x ? x : value(a->dtype, 3)));
    return s;
  };
  if (rng_.percent(25)) {
    Branch b;
    b.label = unique("branch");
    b.domain.ranges = ranges;
    b.condition = guard;
    b.then_body.push_back({statement()});
    out.push_back({std::move(b)});
    return true;
  }
  for (std::size_t n = 1 + rng_.below(3); n > 0; --n) {
    Statement s = statement();
    s.domain.guard = rng_.percent(25) ? b_.logical_and(guard, condition(1)) : guard;
    out.push_back({std::move(s)});
    which = (which + 1) % shared.classes;
    // Of two classes, the second is what the first is not.
    guard = shared.classes == 2 && shared.covers && rng_.percent(50)
                ? b_.logical_not(guard)
                : b_.eq(shared.key, b_.integer(which));
  }
  return true;
}

}  // namespace lathe::testing
