// SPDX-License-Identifier: Apache-2.0
// The place of a maximum or minimum in the 64 points that extreme_rows.cpp found:
//
//   vector l in 0..16 by 16:             16 points each from at + 48, at + 32, at + 16, at on,
//     first[l] = select(x[at + l] == t or isnan(x[at + l]), l, select(x[at + 16 + l] == t ...
//   the least of first, which joins what was there
//
// None of them starts behind the last 16 points of the range, where they may overlap.

#include <algorithm>

#include "ir/program_exprs.h"
#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

// Both: the line that finds it, the line that asks for its place. False: it is neither.
bool Lowering::row_of_place(const Combining& c, const Leaf& leaf, std::size_t depth, Expr target,
                            const Axis1& axis, const Cell& acc, Bound bound, Point here,
                            Body& out) {
  const bool finds = is_looked_for_here(c, leaf, depth);
  if (!finds && kept_rows_.empty()) return false;
  const Expr lo = bound(axis.lo, out), hi = bound(axis.hi, out);
  const auto usual = [&](Body& body) {
    reduce(c, ir::Order::Tree, std::span(&axis, 1), acc, bound, here, body);
  };
  if (!finds) return first_place_in_row(c, axis.variable, lo, hi, acc, here, usual, out);
  KeptRow kept{target, {}, {}, axis.variable, lo, hi, nullptr, true};
  const ir::Statement& line = *leaf.lines.front();
  kept.exact = !ir::is_float(c.dtypes[0]) || !is_only_compared(line);
  return extreme_in_rows(c, std::move(kept), acc, here, usual, out);
}

// Is what the line accumulates local, and read by nobody but in comparisons for equality?
bool Lowering::is_only_compared(const ir::Statement& line) const {
  const Symbol target = line.targets[0].array;
  if (nest_.storage.count(target) == 0) return false;
  const auto is_target = [&](Expr e) { return e->op == Op::Read && e->name == target; };
  bool only = true;
  ir::for_each_expr(nest_.program.body, [&](Expr root) {
    if (!root) return;
    only &= !is_target(root);
    for (Expr e : ir::post_order(std::span(&root, 1)))
      if (e->op != Op::Eq) only &= std::none_of(e->args().begin(), e->args().end(), is_target);
  });
  for (const Leaf& leaf : nest_.leaves)
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets)
        only &= t.array != target || s == &line || !s->accumulate;
  return only;
}

// Emits the search for a place of a maximum whose row was kept in the same body, unchanged since;
// false: it is none.
bool Lowering::first_place_in_row(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc,
                                  Point here, FunctionRef<void(Body&)> usual, Body& out) {
  if (kept_rows_.empty()) return false;
  const std::vector<Expr> values = lane_values(v, graph_.index(v), here);
  const Expr holds =
      values.size() == 1 ? condition_of_place(c, values[0], graph_.index(v)) : nullptr;
  if (!holds) return false;
  const auto fits = [&](const KeptRow& k) {
    const Expr x = ir::rename(maker_, k.value, {{k.variable, graph_.index(v)}});
    if (k.lo != lo || k.hi != hi) return false;
    if (!asks_for_extreme(trusted(holds), trusted(x), trusted(k.target))) return false;
    const auto made = std::find_if(out.begin(), out.end(), [&](const loops::Stmt& s) {
      const auto* var = std::get_if<loops::Var>(&s.node);
      return var && var->name == k.at;
    });
    // The result itself is stored once. What it is taken of must still be what it was.
    return made != out.end() && is_unchanged_since(std::span<const loops::Stmt>(made, out.end()),
                                                   k.target->name, k.value);
  };
  const auto kept = std::find_if(kept_rows_.begin(), kept_rows_.end(), fits);
  if (kept == kept_rows_.end()) return false;

  const DType count = count_dtype(kept->value->dtype);
  const Expr at = graph_.param(kept->at, DType::I64);
  const Symbol lane = fresh("l");
  const Expr l = graph_.index(lane);
  loops::If s;
  s.condition = graph_.param(kept->known, DType::Bool);
  Body& body = s.then_body;
  const loops::Buffer buffer = few_lanes("first", count, loops::Space::Stack);
  body.push_back({loops::Alloc{buffer}});
  Expr place = build_.constant(count, kFewRow);
  for (std::int64_t i = kFewRow - kFew; i >= 0; i -= kFew) {
    const Symbol name = fresh("from");
    const Expr from = build_.op(Op::Min, {build_.add(at, i64(i)), build_.sub(hi, i64(kFew))});
    body.push_back({loops::Let{name, from}});
    const Expr start = graph_.param(name, DType::I64);
    const Expr condition = trusted(ir::rename(maker_, holds, {{v, build_.add(start, l)}}));
    const Expr own = build_.add(build_.cast(count, build_.sub(start, at)), build_.cast(count, l));
    place = build_.select(condition, own, place);
  }
  loops::For all = lane_loop(lane, kFew, true);
  all.body.push_back({loops::Store{buffer.name, {l}, place, false}});
  body.push_back({std::move(all)});
  Cell found;
  found.names = {buffer.name};
  const Combining counting = combining(Op::Min, count);
  join_lanes(counting, found, true, body, kFew);
  found.index = i64(0);
  const Expr least = load(counting, found)[0];
  Value value;
  value.values = {build_.select(build_.lt(least, build_.constant(count, kFewRow)),
                                build_.add(at, build_.cast(DType::I64, least)),
                                constant(c.absent[0]))};
  value.point = false;
  merge(c, acc, value, body);
  if (kept->exact)
    left_to_right(c, v, lo, hi, acc, here, s.else_body);
  else
    usual(s.else_body);
  out.push_back({std::move(s)});
  return true;
}

}  // namespace lathe::lower
