// SPDX-License-Identifier: Apache-2.0
// Accumulating statements: reductions over extra variables, scatters through index arrays, tuples,
// and prefix accumulations.

#include <algorithm>
#include <limits>

#include "ir/traverse.h"
#include "ir/typing.h"
#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

bool Generator::accumulate(Context& c, Body& out) {
  enter(c);
  const bool create = c.depth == 0 && rng_.percent(45);
  ArrayShape* a = create ? &new_target() : writable(c);
  if (!a) return false;
  Accumulation how;
  const bool contract = is_float(a->dtype) && rng_.percent(15);
  how.op = contract ? Op::Fma : accumulating_op(a->dtype, create);
  how.dtype = is_float(a->dtype) ? some_accumulator(a->dtype) : a->dtype;
  how.fresh = create || (!c.masked && neutral(how.op, a->dtype) && rng_.percent(30));
  if (!how.fresh && !a->written) return false;
  const Region within = how.fresh ? all_of(*a) : *a->written;

  // Inside a branch, points that meet in one element must all be on one side.
  const bool mapped = !c.masked || rng_.percent(50);
  if (!mapped && (branch_uses_.count(a->name) > 0)) return false;
  const int bent = bent_;
  bent_ = 15;
  auto w = plan_write(c, *a, within, false, mapped);
  bent_ = bent;
  if (!w) return false;
  for (std::size_t n = rng_.below(3); n > 0 && w->ranges.size() < 4; --n) {
    Range range;
    Variable v;
    if (!reduction_range(2, range, v)) break;
    scope_.push_back(v);
    w->ranges.push_back(range);
    w->variables.push_back(v);
  }
  how.order = some_order(how.op, how.dtype);
  if (!a->axes.empty() && rng_.percent(25) && w->uses.empty()) {  // a scatter
    const std::size_t axis = rng_.below(a->axes.size());
    if (const Expr e = exotic_index(a->axes[axis], within[axis], 2)) {
      w->indices[axis] = e;
      if (how.order != Order::Free) how.order = Order::Seq;
    }
  }
  Statement s;
  s.label = label_for(a->name);
  s.domain.ranges = w->ranges;
  if (rng_.percent(20)) s.domain.guard = condition(2);
  if (s.domain.guard && !w->variables.empty() && rng_.percent(30)) {
    // What comes first in a guard reads nothing, what follows perhaps does.
    const Expr v = p_.graph->index(rng_.pick(w->variables).name);
    s.domain.guard = b_.logical_and(b_.lt(b_.integer(rng_.between(-1, 1)), v), s.domain.guard);
  }
  if (rng_.percent(15)) overshoot(c, s.domain);
  s.targets.push_back({a->name, w->indices});
  if (contract) {
    for (std::size_t n = 2 + rng_.below(2); n > 0; --n)
      s.values.push_back(clamp(value(a->dtype, options_.depth - 1), -2, 2));
  } else {
    s.values.push_back(accumulated_value(how.op, a->dtype, options_.depth - 1));
  }
  if (how.fresh && !c.masked) merge_written(*a, all_of(*a));
  s.accumulate = how;
  out.push_back({std::move(s)});
  if (c.masked && !mapped) many_writers_.push_back(a->name);
  for (const auto& [variable, use] : w->uses) branch_uses_[a->name][variable] = use;
  return true;
}

// One range goes on behind its end, where the target may have no element; no points are there, as
// the guard or another range finds out.
void Generator::overshoot(const Context& c, Domain& d) {
  if (d.ranges.size() <= c.prefix.size()) return;
  const std::size_t at = c.prefix.size() + rng_.below(d.ranges.size() - c.prefix.size());
  const Symbol v = d.ranges[at].variable;
  for (const Range& r : d.ranges)
    if (mentions(r.lo, v) || mentions(r.hi, v)) return;
  const Expr end = d.ranges[at].hi, i = p_.graph->index(v);
  const Range& last = d.ranges.back();
  const Expr left = b_.sub(end, i), other = p_.graph->index(last.variable);
  const std::size_t kind = rng_.below(3);
  const bool alone = last.variable == v;
  const Symbol past = p_.graph->symbol("past");  // no other variable has this name
  d.ranges[at].hi = plus(end, rng_.between(1, 3));
  if (kind == 0) {
    const Expr cut = alone ? b_.lt(i, end) : b_.lt(b_.add(i, b_.sub(other, last.lo)), end);
    d.guard = d.guard ? b_.logical_and(cut, d.guard) : cut;
  } else if (kind == 1 || alone || long_in_scope()) {
    d.ranges.push_back({past, b_.integer(0), apply(Op::Min, {left, b_.integer(1)})});
  } else {
    const Expr most = apply(Op::Min, {left, b_.integer(2)});
    d.ranges.push_back({past, other, b_.add(other, most)});
  }
}

// argmin, Welford's mean and variance, the online maximum with its sum of exponentials.
const Combiner& Generator::some_combiner() {
  const std::size_t kind = rng_.below(3);
  constexpr std::string_view kNames[] = {"argmin", "welford", "online"};
  const Symbol name = p_.graph->symbol(kNames[kind]);
  if (const Combiner* known = p_.find_combiner(name)) return *known;
  Combiner m;
  m.name = name;
  const DType t = rng_.percent(60) ? DType::F64 : DType::F32;
  const DType i = rng_.percent(70) ? DType::I64 : DType::I32;
  const auto operand = [&](std::vector<Parameter>& side, std::string_view stem, DType dtype) {
    const Symbol symbol = p_.graph->symbol(std::string(name.text()) + "_" + std::string(stem));
    side.push_back({symbol, false, dtype, {}});
    return p_.graph->param(symbol, dtype);
  };
  const double inf = std::numeric_limits<double>::infinity();
  if (kind == 0) {
    const Expr a = operand(m.left, "a", t), ai = operand(m.left, "i", i);
    const Expr b = operand(m.right, "b", t), bi = operand(m.right, "j", i);
    m.result = {apply(Op::Min, {a, b}), b_.select(b_.lt(b, a), bi, ai)};
    m.neutral = {Scalar::of_double(t, inf), Scalar::of_int(i, -1)};
  } else if (kind == 1) {
    const Expr n = operand(m.left, "n", t), mean = operand(m.left, "m", t);
    const Expr s = operand(m.left, "s", t);
    const Expr n2 = operand(m.right, "n2", t), mean2 = operand(m.right, "m2", t);
    const Expr s2 = operand(m.right, "s2", t);
    const Expr total = b_.add(n, n2);
    const Expr safe = apply(Op::Max, {total, b_.constant(t, 1)});
    const Expr delta = b_.sub(mean2, mean);
    const Expr new_mean = b_.add(mean, b_.div(b_.mul(delta, n2), safe));
    const Expr cross = b_.div(b_.mul(b_.mul(delta, delta), b_.mul(n, n2)), safe);
    m.result = {total, new_mean, b_.add(b_.add(s, s2), cross)};
    m.neutral.assign(3, Scalar::of_double(t, 0));
  } else {
    const Expr top = operand(m.left, "top", t), sum = operand(m.left, "sum", t);
    const Expr top2 = operand(m.right, "top2", t), sum2 = operand(m.right, "sum2", t);
    const Expr best = apply(Op::Max, {top, top2});
    const Expr first = b_.mul(sum, apply(Op::Exp, {b_.sub(top, best)}));
    const Expr second = b_.mul(sum2, apply(Op::Exp, {b_.sub(top2, best)}));
    m.result = {best, b_.add(first, second)};
    m.neutral = {Scalar::of_double(t, -1e4), Scalar::of_double(t, 0)};
  }
  p_.combiners.push_back(std::move(m));
  return p_.combiners.back();
}

bool Generator::accumulate_tuple(Context& c, Body& out) {
  if (c.depth > 0) return false;
  enter(c);
  const Combiner& m = some_combiner();
  const auto axes = some_axes(static_cast<int>(rng_.below(3)));
  std::vector<ArrayShape*> targets;
  for (const Parameter& component : m.left)
    targets.push_back(&add_array("best", component.dtype, Role::Temp, axes));
  auto w = plan_write(c, *targets[0], all_of(*targets[0]), false);
  if (!w) return false;
  Range range;
  Variable v;
  if (!reduction_range(2, range, v)) return false;
  scope_.push_back(v);
  w->ranges.push_back(range);
  Statement s;
  s.label = label_for(targets[0]->name);
  s.domain.ranges = w->ranges;
  if (rng_.percent(20)) s.domain.guard = condition(2);
  for (const ArrayShape* a : targets) s.targets.push_back({a->name, w->indices});
  for (const ArrayShape* a : targets) {
    Expr x = value(a->dtype, 2);
    if (is_float(a->dtype)) x = clamp(x, -20, 20);
    s.values.push_back(x);
  }
  Accumulation how;
  how.combiner = m.name;
  how.dtype = targets[0]->dtype;
  constexpr Order kOrders[] = {Order::Tree, Order::Chain, Order::Seq};
  how.order = rng_.pick(kOrders);
  how.fresh = true;
  s.accumulate = how;
  out.push_back({std::move(s)});
  for (ArrayShape* a : targets) merge_written(*a, all_of(*a));
  return true;
}

bool Generator::scan(Context& c, Body& out) {
  enter(c);
  const bool create = c.depth == 0 && rng_.percent(60);
  if (create) {
    const DType t = some_dtype();
    add_array("t", t, Role::Temp, some_axes(static_cast<int>(rng_.between(1, 2))));
  }
  ArrayShape* a = create ? &arrays_.back() : writable(c);
  if (!a || a->axes.empty()) return false;
  auto w = plan_write(c, *a, all_of(*a), create);
  const std::size_t fixed = c.prefix.size();  // the points of the branches around
  if (!w || w->ranges.size() <= fixed) return false;
  Scan s;
  const std::size_t along = fixed + rng_.below(w->ranges.size() - fixed);
  s.range = w->ranges[along];
  w->ranges.erase(w->ranges.begin() + static_cast<std::ptrdiff_t>(along));
  s.exclusive = rng_.percent(40);
  s.statement.label = label_for(a->name);
  s.statement.domain.ranges = w->ranges;
  Accumulation how;
  how.op = accumulating_op(a->dtype, true);
  how.dtype = is_float(a->dtype) ? some_accumulator(a->dtype) : a->dtype;
  const bool ordered = order_matters(how.op, how.dtype);
  how.order = Order::Seq;
  s.blocked = (how.op == Op::Add || how.op == Op::Mul) && ordered && rng_.percent(50);
  s.statement.targets.push_back({a->name, w->indices});
  s.statement.values.push_back(accumulated_value(how.op, a->dtype, 3));
  s.statement.accumulate = how;
  out.push_back({std::move(s)});
  finish_write(c, *w, true);
  return true;
}

}  // namespace lathe::testing
