// SPDX-License-Identifier: Apache-2.0
// Branches whose versions are hard to commit: before the first write of their array in a loop, and
// with one side that writes at an offset where the other side's commit cannot tell element from
// element.
//
//   repeat k in 0..2:                             for i in 0..n if i < 3:
//     for i in 0..n if m[i]: v[i] = 1               v[i+1] = 1
//     for i in 0..n where k == 0: v[i] = 2        else:
//                                                   if i >= 4 and m[i]: v[i] = 2

#include <algorithm>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

// `a[indices] = value` over `ranges`, for the places below.
Statement Generator::plain_set(const ArrayShape& a, const std::vector<Range>& ranges,
                               const std::vector<Expr>& indices, Expr x) {
  Statement s;
  s.label = label_for(a.name);
  s.domain.ranges = ranges;
  s.targets.push_back({a.name, indices});
  s.values.push_back(settle(x));
  return s;
}

// The statement, or a branch around it: then the commit of what lies outside goes by the outer
// mask alone.
Item Generator::perhaps_in_branch(Statement s, Expr condition, bool always) {
  if (!always && rng_.percent(40)) return {std::move(s)};
  Branch b;
  b.label = unique("branch");
  b.domain.ranges = s.domain.ranges;
  b.condition = condition;
  b.then_body.push_back({std::move(s)});
  return {std::move(b)};
}

// A loop whose body has a branch on a new array, then the write that gives it its first values.
bool Generator::late_first_write(Context& c, Body& out) {
  if (c.depth > 0) return false;
  enter(c);
  const DType t = some_dtype();
  auto axes = some_axes(static_cast<int>(rng_.between(1, 2)));
  ArrayShape& a = add_array("t", t, rng_.percent(50) ? Role::Temp : Role::Output, axes);
  a.frozen = true;  // nobody else writes it before the loop is done
  const std::int64_t turns = rng_.between(2, 3);
  const bool forward = rng_.percent(70), as_sweep = rng_.percent(40);
  const Range range = {new_variable(), b_.integer(0), b_.integer(turns)};
  const Expr k = p_.graph->index(range.variable);
  const Expr first = b_.eq(k, b_.integer(as_sweep && !forward ? turns - 1 : 0));
  Context inner = c;
  inner.around.push_back({range.variable, {0, {}}, false});
  inner.depth = 1;
  inner.loops = c.loops + 1;
  const auto saved = written_now();
  Body body;

  enter(inner);
  std::vector<Range> ranges;
  std::vector<Expr> indices;
  for (const AxisShape& axis : a.axes) {
    Variable v;
    ranges.push_back(box_range(axis.extent, some_side(axis, false), v));
    scope_.push_back(v);
    indices.push_back(p_.graph->index(v.name));
  }
  Expr x = value(t, 2);
  if (rng_.percent(40)) x = b_.select(first, x, p_.graph->read(a.name, t, indices));
  Branch b;
  b.label = unique("branch");
  b.domain.ranges = ranges;
  b.condition = condition(2);
  for (Body* side : {&b.then_body, &b.else_body}) {
    if (side == &b.else_body && rng_.percent(60)) break;
    Statement s = plain_set(a, ranges, indices, side == &b.then_body ? x : value(t, 2));
    const Expr on = condition(2);
    side->push_back(perhaps_in_branch(std::move(s), on, false));
  }
  body.push_back({std::move(b)});
  if (rng_.percent(30)) items(inner, 1, body);

  enter(inner);
  const auto w = plan_write(inner, a, all_of(a), true);
  Statement s = plain_set(a, w->ranges, w->indices, value(t, 2));
  if (rng_.percent(70)) s.domain.guard = first;
  body.push_back({std::move(s)});
  restore_written(saved);
  a.written = all_of(a);  // in the first turn, whatever comes later
  a.frozen = false;
  if (as_sweep)
    out.push_back({Sweep{unique("sweep"), range, forward, std::move(body), {}}});
  else
    out.push_back({Repeat{unique("again"), range, {}, {}, nullptr, std::move(body), {}}});
  return true;
}

// One side at an offset, one side in an inner branch or an accumulation. No element is written by
// both: the coarse side keeps away from where the other one reaches, by an index or for good.
bool Generator::offset_against_coarse(Context& c, Body& out) {
  if (c.masked) return false;
  enter(c);
  ArrayShape* a = writable(c);
  if (!a || a->axes.empty() || !fully_written(*a)) return false;
  const std::size_t along = rng_.below(a->axes.size());
  constexpr std::int64_t kOffsets[] = {1, 1, 2, -1, -1, -2};
  const std::int64_t offset = rng_.pick(kOffsets);
  Branch b;
  b.label = unique("branch");
  std::vector<Expr> point, away;
  for (std::size_t k = 0; k < a->axes.size(); ++k) {
    const AxisShape& axis = a->axes[k];
    Side side = axis.all();
    if (k == along) side.lo -= std::min<std::int64_t>(offset, 0);
    if (k == along) side.offset -= std::max<std::int64_t>(offset, 0);
    Variable v;
    b.domain.ranges.push_back(box_range(axis.extent, side, v));
    scope_.push_back(v);
    point.push_back(p_.graph->index(v.name));
    away.push_back(k == along ? plus(point.back(), offset) : point.back());
  }
  const Expr i = point[along], end = b.domain.ranges[along].hi;
  const Expr e =
      rng_.percent(60) ? b_.integer(rng_.between(0, 4)) : b_.op(Op::FloorDiv, {end, b_.integer(2)});
  const Expr reach = plus(e, offset);
  // Points on the side of `e` from which `offset` leads across it; then what lies beyond them.
  Expr mask = offset > 0 ? b_.lt(i, e) : b_.le(e, i);
  Expr beyond = offset > 0 ? b_.le(reach, i) : b_.lt(i, reach);
  const std::size_t kind = rng_.below(4);
  if (kind == 0) {  // any mask, against a side that never writes
    mask = condition(2);
    beyond = b_.lt(end, i);
  }
  Statement astray = plain_set(*a, b.domain.ranges, away, value(a->dtype, 3));
  if (rng_.percent(20)) astray.domain.guard = condition(1);
  const Expr single = condition(2);
  Body coarse;
  if (rng_.percent(45)) {
    Statement s = plain_set(*a, b.domain.ranges, point, b_.boolean(true));
    s.accumulate = Accumulation{};
    s.accumulate->op = accumulating_op(a->dtype, false);
    s.accumulate->dtype = a->dtype;
    s.accumulate->order = some_order(s.accumulate->op, a->dtype);
    s.domain.guard = rng_.percent(40) ? b_.logical_and(beyond, condition(1)) : beyond;
    Range range;
    Variable v;
    if (rng_.percent(50) && reduction_range(1, range, v)) {
      s.domain.ranges.push_back(range);
      scope_.push_back(v);
    }
    s.values = {accumulated_value(s.accumulate->op, a->dtype, 2)};
    coarse.push_back({std::move(s)});
  } else {
    Statement s = plain_set(*a, b.domain.ranges, point, value(a->dtype, 3));
    if (rng_.percent(30)) s.domain.guard = condition(1);
    const Expr on = rng_.percent(60) ? b_.logical_and(beyond, condition(2)) : beyond;
    coarse.push_back(perhaps_in_branch(std::move(s), on, true));
  }
  if (kind == 1) {  // both on one side: they may meet, in the order of the statements
    coarse.insert(rng_.percent(50) ? coarse.begin() : coarse.end(), {std::move(astray)});
    b.condition = single;
    b.then_body = std::move(coarse);
  } else if (rng_.percent(50)) {
    b.condition = mask;
    b.then_body.push_back({std::move(astray)});
    b.else_body = std::move(coarse);
  } else {
    b.condition = b_.logical_not(mask);
    b.then_body = std::move(coarse);
    b.else_body.push_back({std::move(astray)});
  }
  out.push_back({std::move(b)});
  return true;
}

}  // namespace lathe::testing
