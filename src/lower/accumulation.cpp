// SPDX-License-Identifier: Apache-2.0
// Accumulating statements whose reduced variables are innermost: the target waits in a scalar while
// they run.

#include <algorithm>
#include <deque>

#include "ir/accumulation_order.h"
#include "ir/traverse.h"
#include "lower/lowering.h"
#include "passes/rebuild.h"

namespace lathe::lower {

using schedule::Interval;

// Is the element there, whatever the reduced variables are? So it is where its indices run over
// whole axes.
bool Lowering::always_exists(const Leaf& leaf, const ir::Target& t) const {
  const ir::Array* a = nest_.program.find_array(t.array);
  for (std::size_t x = 0; a && x < a->axes.size(); ++x) {
    const ir::Axis& axis = a->axes[x];
    const Expr index = t.indices[x];
    if (ir::is_const(index) && ir::is_const(axis.lo) && ir::is_const(axis.hi)) continue;
    const ir::Range* r = index->op == Op::Index ? leaf.range(index->name) : nullptr;
    if (!r || r->lo != axis.lo || r->hi != axis.hi) return false;
  }
  return true;
}

// Bools as bytes, which run in lanes.
Combining Lowering::in_bytes(Combining c) const {
  const bool any = c.op == Op::Or, all = c.op == Op::And;
  if (c.combiner || !ir::is_bool(c.dtypes[0]) || (!any && !all)) return c;
  c.op = any ? Op::BitOr : Op::BitAnd;
  c.dtypes = {DType::U8};
  c.neutral = c.absent = {ir::Scalar::of_int(DType::U8, any ? 0 : 1)};
  return c;
}

bool Lowering::accumulation_nest(const Node& n, std::size_t depth, Body& out) {
  const std::vector<std::size_t>& below = leaves_below(n);
  if (below.size() != 1) return false;
  const std::size_t number = below.front();
  const Leaf& leaf = nest_.leaves[number];
  if (leaf.group || !leaf.lines.front()->accumulate) return false;
  const ir::Statement& s = *leaf.lines.front();
  const auto reduced = ir::reduced_variables(s.targets, leaf.own_ranges());
  if (!reduced || reduced->empty()) return false;
  // From here on, exactly the loops over its reduced variables, in the program's order.
  std::vector<Symbol> order;
  for (const ir::Range& r : leaf.own_ranges())
    if (std::find(reduced->begin(), reduced->end(), r.variable) != reduced->end())
      order.push_back(r.variable);
  // Perhaps with the blocks of a tree on several threads.
  const bool spread = n.kind == schedule::NodeKind::Parallel && schedule::is_tile_loop(n);
  const std::size_t from = depth + (spread ? 1 : 0);
  if (leaf.path.size() - from != order.size()) return false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& l = *leaf.path[from + i];
    if (!schedule::is_point_loop(l) || l.name != order[i]) return false;
  }

  // The scalar waits for all points, so no loop around may deal them out.
  for (std::size_t p = leaf.on_demand ? leaf.scope : 0; p < depth; ++p)
    if (schedule::is_tile_loop(*leaf.path[p]) &&
        std::find(order.begin(), order.end(), leaf.path[p]->name) != order.end())
      return false;

  current_label_ = s.label;
  const Combining c = in_bytes(combining(*s.accumulate));
  // Conditions that say nothing about the reduced points decide about all of them, if there are
  // any.
  std::vector<Expr> outer = conditions_[number], inner;
  for (Expr e : demanded_conditions(leaf, out)) outer.push_back(e);
  std::vector<Expr> guards = passes::conjuncts(leaf.guard);
  if (s.domain.guard != leaf.guard)
    for (Expr g : passes::conjuncts(s.domain.guard)) guards.push_back(g);
  const auto says_nothing = [&](Expr g) {
    return std::none_of(order.begin(), order.end(), [&](Symbol v) { return ir::mentions(g, v); });
  };
  const bool asks =
      std::any_of(guards.begin(), std::find_if_not(guards.begin(), guards.end(), says_nothing),
                  [](Expr g) { return !ir::reads(g).empty(); });
  // A target whose points are none is left alone: others may have it then, or it does not exist.
  const bool exists = std::all_of(s.targets.begin(), s.targets.end(),
                                  [&](const ir::Target& t) { return always_exists(leaf, t); });
  std::vector<Interval> ends;
  for (Symbol v : order) ends.push_back({leaf.range(v)->lo, leaf.range(v)->hi, false});
  const auto reads = [](const Interval& r) {
    return !ir::reads(r.lo).empty() || !ir::reads(r.hi).empty();
  };
  const auto depends = [&](const Interval& r) {
    return !says_nothing(r.lo) || !says_nothing(r.hi);
  };
  // What is read for the ends of a range is read before guards are asked, but where the statement
  // takes part and the ranges before this one have points.
  std::deque<loops::If> around;
  Body* start = &out;
  const auto enter = [&] {
    if (outer.empty()) return;
    around.push_back({settle({outer, outer.size()}, *start), {}, {}});
    start = &around.back().then_body;
    outer.clear();
  };
  const bool asks_early = asks || std::any_of(ends.begin(), ends.end(), reads);
  bool known = true;   // here, whether there are points
  bool waits = false;  // for guards: the loops still read an end
  for (Interval& r : ends) {
    const Expr length = ranges_.tidy(build_.sub(r.hi, r.lo));
    const bool never = ir::is_const(length) && length->scalar().as_int() <= 0;
    const bool perhaps = (!exists || asks_early) && !ir::is_const(length);
    const bool plain = ir::free_variables(r.lo).empty() && ir::free_variables(r.hi).empty();
    if (depends(r) || (!known && reads(r))) {
      known = false;
      waits = waits || reads(r);
    } else if (reads(r)) {
      enter();
      r = {early_end(leaf, r.lo, *start), early_end(leaf, r.hi, *start), false};
      outer.push_back(build_.lt(r.lo, r.hi));
    } else if (never || perhaps || !plain) {
      outer.push_back(build_.lt(resolve(leaf, r.lo, *start), resolve(leaf, r.hi, *start)));
    }
  }
  Conditions here{outer, outer.size()};
  for (Expr g : guards) {
    if (inner.empty() && !waits && says_nothing(g) && (known || ir::reads(g).empty()))
      add_guard(leaf, g, here, *start);
    else
      inner.push_back(g);
  }
  Body* body = start;
  loops::If active;
  if (!here.all.empty()) {
    active.condition = settle(here, *start);
    body = &active.then_body;
  }
  std::vector<std::vector<Expr>> elements;
  for (const ir::Target& t : s.targets) elements.push_back(resolve(leaf, t.indices, *body));
  // Only the loops find out whether there are points: what is asked of the target waits for them.
  const bool unsure = !known || !inner.empty();
  const bool may_miss = unsure && !exists;
  if (!may_miss) check_writes(s, elements, {}, *body);
  const auto there = [&](std::size_t i) { return in_range(s.targets[i].array, elements[i]); };
  Cell acc;
  std::vector<Expr> old;
  for (std::size_t i = 0; i < s.targets.size(); ++i) {
    acc.names.push_back(fresh("acc"));
    const Symbol array = s.targets[i].array;
    const DType kept = nest_.program.find_array(array)->dtype;
    const DType dtype = ir::is_bool(kept) ? kept : c.dtypes[i];
    old.push_back(old_content(leaf, array, dtype, elements[i]));
    Expr first = old.back();
    if (unsure && watched_.count(first))
      first =
          graph_.read(buffer_of(array), dtype, element(array, elements[i]), ir::Policy::Trusted);
    if (may_miss && first->op == Op::Read)
      first = build_.select(there(i), first, build_.constant(dtype, 0));
    body->push_back(
        {loops::Var{acc.names.back(),
                    build_.cast(c.dtypes[i], options_.watch ? settle(first, *body) : first)}});
  }
  std::vector<Axis1> axes;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // These loops count the program's own points.
    const Node& loop = *leaf.path[from + i];
    const Symbol v = nest_.variables.at(&loop);
    axes.push_back({v, ends[i].lo, ends[i].hi});
    ranges_.set_value(loop, ranges_.add(graph_.index(v), -leaf.shift(order[i])));
  }
  const auto bound = [&](Expr e, Body& b) {
    current_label_ = s.label;
    return settle(resolve(leaf, e, b), b);
  };
  const auto point = [&](Body& b, Use use) {
    current_label_ = s.label;
    Conditions now{deferred_conditions(number, b)};
    now.domain = now.all.size();
    for (Expr g : inner) add_guard(leaf, g, now, b);
    Body* inside = &b;
    loops::If guarded;
    if (!now.all.empty()) {
      guarded.condition = settle(now, b);
      inside = &guarded.then_body;
    }
    if (may_miss) check_writes(s, elements, {}, *inside);
    for (std::size_t i = 0; unsure && i < old.size(); ++i)
      if (watched_.count(old[i])) test_read(old[i], elements[i], *inside);
    Value value;
    for (std::size_t i = 0; i < s.values.size(); ++i)
      value.values.push_back(build_.cast(c.dtypes[std::min(i, c.dtypes.size() - 1)], s.values[i]));
    value.values = resolve(leaf, value.values, *inside);
    use(*inside, value);
    if (!now.all.empty()) b.push_back({std::move(guarded)});
  };
  // Where the result does not depend on the order, lanes are as good as any.
  ir::Order how = s.accumulate->order;
  if (how == ir::Order::Free && c.exact_absent) how = ir::Order::Tree;
  const bool threads = spread && how == ir::Order::Tree && c.exact_absent;
  if (threads && axes.size() == 1) {
    const Symbol v = axes[0].variable;
    const Expr lo = bound(axes[0].lo, *body), hi = bound(axes[0].hi, *body);
    if (!first_place_in_blocks(c, v, lo, hi, acc, point, *body)) {
      const Symbol kept = is_looked_for(c, s) ? keep_blocks(c, buffer_of(s.targets[0].array), v, lo,
                                                            hi, point, *body)
                                              : Symbol();
      parallel_tree(c, v, lo, hi, acc, point, kept, *body);
    }
  } else if (threads)
    parallel_rows(c, axes, n.tile, acc, bound, point, *body);
  else if (how != ir::Order::Tree || axes.size() != 1 ||
           !row_of_place(c, leaf, depth, old[0], axes[0], acc, bound, point, *body))
    reduce(c, how, axes, acc, bound, point, *body);
  for (std::size_t i = 0; i < s.targets.size(); ++i) {
    const Symbol array = s.targets[i].array;
    const DType kept = nest_.program.find_array(array)->dtype;
    Expr value = graph_.param(acc.names[i], c.dtypes[i]);
    if (ir::is_bool(kept)) value = build_.cast(kept, value);
    if (const auto reg = registers_.find(array); reg != registers_.end())
      body->push_back({loops::Assign{reg->second.front()->name, value}});
    else {
      loops::Stmt store{loops::Store{buffer_of(array), element(array, elements[i]), value, false}};
      if (may_miss) store = {loops::If{settle(there(i), *body), {std::move(store)}, {}}};
      body->push_back(std::move(store));
    }
  }
  if (body != start) start->push_back({std::move(active)});
  for (; !around.empty(); around.pop_back()) {
    Body& outside = around.size() == 1 ? out : around[around.size() - 2].then_body;
    outside.push_back({std::move(around.back())});
  }
  return true;
}

// An end of a range, read here and now.
Expr Lowering::early_end(const Leaf& leaf, Expr e, Body& out) {
  const Expr value = settle(resolve(leaf, e, out), out);
  if (ir::is_const(value) || value->op == Op::Param) return value;
  const Symbol name = fresh("end");
  out.push_back({loops::Let{name, value}});
  return graph_.param(name, DType::I64);
}

}  // namespace lathe::lower
