// SPDX-License-Identifier: Apache-2.0
// Statements that share their loops though they have not the same points: a triangle beside a
// rectangle, rows whose ends are read, a row less at either end.
//
//   for j in 0..n, i in 0..m: a[j, i] = ...
//   for j in 1..n, i in 0..min(idx[j], m): b[j, i] = ...

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

bool Generator::side_by_side(Context& c, Body& out) {
  if (c.depth > 0) return false;
  const int rows = some_extent(false), columns = some_extent(false);
  std::vector<ArrayShape*> targets;
  for (std::size_t n = 2 + rng_.below(2); n > 0; --n) {
    const Role role = rng_.percent(50) ? Role::Temp : Role::Output;
    targets.push_back(&add_array("t", some_dtype(), role, {{rows, 0, 0}, {columns, 0, 0}}));
    if (!initialise(c, *targets.back(), out)) return false;
  }
  enter(c);
  Variable j, i;
  const Range row = box_range(rows, {0, 0}, j);
  scope_.push_back(j);
  const Expr end = read_end();
  const Range column = box_range(columns, {0, 0}, i);
  i.by_data = end != nullptr;
  scope_.push_back(i);
  const Expr at_j = p_.graph->index(j.name), at_i = p_.graph->index(i.name);
  for (ArrayShape* a : targets) {
    Range r = row, x = column;
    if (a != targets.front()) {
      if (rng_.percent(40)) r.lo = plus(r.lo, 1);
      if (rng_.percent(40)) r.hi = plus(r.hi, -1);
      const std::size_t kind = rng_.below(5);
      const Expr other = end && kind < 2 ? end : plus(at_j, rng_.between(-1, 1));
      if (kind == 0 || kind == 2) x.lo = apply(Op::Max, {x.lo, other});
      if (kind == 1 || kind == 3) x.hi = apply(Op::Min, {x.hi, other});
    }
    out.push_back({plain_set(*a, {r, x}, {at_j, at_i}, value(a->dtype, options_.depth - 1))});
  }
  return true;
}

// An element of some array of indices, for the point in scope.
Expr Generator::read_end() {
  for (ArrayShape& a : arrays_) {
    if (!a.values || !a.written || a.axes.size() != 1 || rng_.percent(30)) continue;
    const Expr at = index_in(a.axes[0], (*a.written)[0], 0);
    if (!at) continue;
    ++a.reads;
    return b_.cast(DType::I64, p_.graph->read(a.name, a.dtype, std::span(&at, 1)));
  }
  return nullptr;
}

}  // namespace lathe::testing
