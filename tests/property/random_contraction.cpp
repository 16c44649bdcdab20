// SPDX-License-Identifier: Apache-2.0
// Contractions: accumulations over operands of which each leaves out some of the variables.
// Products of matrices in every orientation, batches of them, sums over leading axes, distances,
// convolutions and reduced lengths over the blocks of a chain.

#include <algorithm>

#include "ir/traverse.h"
#include "ir/typing.h"
#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

// Does the program compute one of the extents? Then nobody can give the array.
bool Generator::is_late(const std::vector<AxisShape>& axes) const {
  return std::any_of(axes.begin(), axes.end(), [&](const AxisShape& x) {
    return !ir::reads(extents_[static_cast<std::size_t>(x.extent)].size).empty();
  });
}

// An array over these variables' extents, in some order of axes, and a read of it there.
Expr Generator::operand(DType t, const std::vector<Variable>& variables, Context& c, Body& out) {
  std::vector<std::size_t> order(variables.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (rng_.percent(40)) rng_.shuffle(order);
  const std::int64_t halo = rng_.percent(15) ? 1 : 0;
  std::vector<AxisShape> axes;
  std::vector<Expr> indices;
  for (std::size_t i : order) {
    const Upper& top = variables[i].interval.upper.front();
    const std::int64_t shift = rng_.between(0, halo);
    axes.push_back({top.extent, 0, std::max<std::int64_t>(0, top.offset) + halo});
    indices.push_back(plus(p_.graph->index(variables[i].name), shift));
  }
  const bool computed = (rng_.percent(25) && !long_in_scope()) || is_late(axes);
  ArrayShape& a = add_array("mat", t, computed ? Role::Temp : Role::Input, axes);
  if (computed) {
    const auto scope = std::exchange(scope_, {});
    initialise(c, a, out);
    scope_ = scope;
  }
  ++a.reads;
  return p_.graph->read(a.name, t, indices);
}

// x * y, or something else of two operands that keeps NaNs rare.
void Generator::contract(Statement& s, DType t, Expr x, Expr y) {
  Accumulation how;
  how.dtype = t;
  how.fresh = true;
  how.op = Op::Add;
  const std::size_t kind = rng_.below(10);
  if (is_float(t) && kind < 5) {
    how.op = Op::Fma;
    s.values = {x, y};
    if (rng_.percent(20)) s.values.push_back(leaf(t));
  } else if (is_float(t) && kind < 8) {
    const Expr d = b_.sub(x, y);
    s.values = {rng_.percent(50) ? b_.mul(x, y) : b_.mul(d, d)};
  } else {
    how.op = accumulating_op(t, true);
    s.values = {is_bool(t) ? apply(Op::BitXor, {x, y}) : b_.mul(x, y)};
    if (how.op == Op::Mul || !can_accumulate(how.op, t) || is_bool(t))
      how.op = is_bool(t) ? Op::BitXor : Op::Add;
  }
  how.order = some_order(how.op, t);
  if (how.order != Order::Free && rng_.percent(75)) how.order = Order::Chain;
  if (order_matters(how.op, t) && how.op != Op::Add && how.op != Op::Fma) how.order = Order::Seq;
  s.accumulate = how;
}

bool Generator::contraction(Context& c, Body& out) {
  if (c.depth > 0) return false;
  enter(c);
  const DType t = rng_.percent(60) ? (rng_.percent(50) ? DType::F64 : DType::F32) : some_number();
  const bool is_long = options_.longs && rng_.percent(15);
  const auto variable = [&](int extent) {
    Variable v;
    const Range range = box_range(extent, {0, 0}, v);
    scope_.push_back(v);
    return std::pair{range, v};
  };
  // Batch, rows, lanes; then what is summed over.
  std::vector<std::pair<Range, Variable>> batch, rows, lanes, reduced;
  if (rng_.percent(20)) batch.push_back(variable(some_extent(false)));
  if (rng_.percent(80)) rows.push_back(variable(some_extent(false)));
  lanes.push_back(variable(some_extent(false)));
  if (is_long) {
    const std::int64_t n = rng_.percent(50) ? rng_.between(4090, 4104) : rng_.between(4105, 8300);
    reduced.push_back(variable(add_extent({b_.integer(n), n, n, -1, -1, true})));
  } else {
    reduced.push_back(variable(some_extent(false)));
    if (rng_.percent(20)) reduced.push_back(variable(some_extent(false)));
  }
  const auto together =
      [](std::initializer_list<const std::vector<std::pair<Range, Variable>>*> l) {
        std::vector<Variable> all;
        for (const auto* part : l)
          for (const auto& [range, v] : *part) all.push_back(v);
        return all;
      };
  const std::vector<Variable> left = together({&batch, &rows, &reduced});
  const std::vector<Variable> right = together({&batch, &reduced, &lanes});
  if (left.size() > 3 || right.size() > 3) return false;
  const Expr x = operand(t, left, c, out);
  const Expr y = rng_.percent(12) ? x : operand(t, right, c, out);

  Statement s;
  std::vector<std::pair<Range, Variable>> kept = batch;
  for (const auto* part : {&rows, &lanes}) kept.insert(kept.end(), part->begin(), part->end());
  std::vector<AxisShape> axes;
  std::vector<Expr> indices;
  const std::int64_t halo = rng_.percent(15) ? 1 : 0;
  for (const auto& [range, v] : kept) {
    axes.push_back({v.interval.upper.front().extent, halo, 0});
    indices.push_back(p_.graph->index(v.name));
  }
  Role role = rng_.percent(60) ? Role::Temp : rng_.percent(60) ? Role::Output : Role::InOut;
  if (role == Role::InOut && is_late(axes)) role = Role::Output;
  ArrayShape& target = add_array("prod", t, role, axes);
  s.label = label_for(target.name);
  for (const auto* part : {&kept, &reduced})
    for (const auto& [range, v] : *part) s.domain.ranges.push_back(range);
  if (rng_.percent(15)) rng_.shuffle(s.domain.ranges);
  s.targets.push_back({target.name, indices});
  contract(s, t, x, y);
  if (rng_.percent(8)) s.domain.guard = condition(1);
  if (role == Role::InOut) s.accumulate->fresh = rng_.percent(30);
  out.push_back({std::move(s)});
  merge_written(target, all_of(target));
  return true;
}

}  // namespace lathe::testing
