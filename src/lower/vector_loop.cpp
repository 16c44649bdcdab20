// SPDX-License-Identifier: Apache-2.0
// Vector loops over statements: an interior without tests that runs in vectors, and the points
// around it one by one.

#include <algorithm>

#include "ir/domain.h"
#include "ir/group_rule.h"
#include "ir/traverse.h"
#include "lower/lowering.h"
#include "schedule/register_tile.h"

namespace lathe::lower {

using schedule::Interval;
using schedule::NodeKind;

std::optional<std::int64_t> coefficient(Expr e, Symbol v) {
  if (!ir::mentions(e, v)) return 0;
  const auto both = [&](std::int64_t sign) -> std::optional<std::int64_t> {
    const auto a = coefficient(e->arg(0), v), b = coefficient(e->arg(1), v);
    if (!a || !b) return std::nullopt;
    return *a + sign * *b;
  };
  switch (e->op) {
    case Op::Index: return 1;
    case Op::Add: return both(1);
    case Op::Sub: return both(-1);
    case Op::Neg: {
      const auto a = coefficient(e->arg(0), v);
      return a ? std::optional(-*a) : std::nullopt;
    }
    case Op::Mul:
      for (const int side : {0, 1})
        if (ir::is_const(e->arg(static_cast<std::size_t>(side))))
          if (const auto a = coefficient(e->arg(static_cast<std::size_t>(1 - side)), v))
            return *a * e->arg(static_cast<std::size_t>(side))->scalar().as_int();
      return std::nullopt;
    default: return std::nullopt;
  }
}

namespace {

std::vector<Expr> roots_of(const std::vector<Task>& tasks) {
  std::vector<Expr> roots;
  for (const Task& t : tasks) {
    roots.push_back(t.value);
    roots.insert(roots.end(), t.conditions.begin(), t.conditions.end());
    roots.insert(roots.end(), t.indices.begin(), t.indices.end());
  }
  return roots;
}

bool is_comparison(Expr e) {
  return (e->op == Op::Lt || e->op == Op::Le || e->op == Op::Gt || e->op == Op::Ge) &&
         e->arg(0)->dtype == DType::I64 && ir::reads(e).empty();
}

}  // namespace

// Comparisons `v < bound` whose bound is a fixed number away from an end of the program's own range
// hold almost everywhere: they are true in the interior.
Lowering::Split Lowering::find_interior(const Node& n, Expr lo, Expr hi,
                                        const std::vector<Task>& tasks, Row row) {
  const Symbol v = nest_.variables.at(&n);
  Split split;
  split.lo = lo;
  split.hi = hi;
  // Where the loops around run, and where this one does, before any tiling.
  std::map<Symbol, Interval> whole;
  std::vector<const Node*> around = path_;
  around.push_back(&n);
  for (const Node* loop : around) {
    if (!loop->is_loop() || schedule::is_tile_loop(*loop)) continue;
    for (std::size_t i : leaves_below(*loop)) {
      const Leaf& leaf = nest_.leaves[i];
      if (!leaf.range(loop->name) || ranges_.depends_on_inner(leaf, loop->name, 0)) continue;
      const Interval r = {ranges_.tidy(leaf.range(loop->name)->lo),
                          ranges_.tidy(leaf.range(loop->name)->hi), false};
      whole.insert({nest_.variables.at(loop), r});
      if (jam_ && jam_->loop == loop) whole.insert({jam_->base, r});
    }
  }
  // Where all statements of the loop take part.
  for (const Task& t : tasks)
    for (Expr e : t.conditions) {
      const auto it = edges_.find(e);
      if (it == edges_.end()) continue;
      split.assumed[e] = build_.boolean(true);
      const Edge& edge = it->second;
      if (edge.loop != &n) {
        if (std::count(split.uniform.begin(), split.uniform.end(), e) == 0)
          split.uniform.push_back(e);
      } else if (edge.lower) {
        split.lo = ranges_.maximum(split.lo, edge.bound);
      } else {
        split.hi = ranges_.minimum(split.hi, edge.bound);
      }
    }
  for (Expr e : ir::post_order(roots_of(tasks))) {
    if (!is_comparison(e) || split.assumed.count(e)) continue;
    const std::vector<Symbol> names = ir::free_variables(e);
    if (names.size() != 1 || !whole.count(names.front())) continue;
    const Symbol name = names.front();
    if (row == Row::Unusual && name != v) continue;
    const Interval& range = whole.at(name);
    // a < b as 0 < b - a: the coefficient of the variable tells which end is cut.
    const bool greater = e->op == Op::Gt || e->op == Op::Ge;
    const Expr difference =
        ranges_.tidy(greater ? build_.sub(e->arg(0), e->arg(1)) : build_.sub(e->arg(1), e->arg(0)));
    const auto k = coefficient(difference, name);
    if (!k || (*k != 1 && *k != -1)) continue;
    const bool strict = e->op == Op::Lt || e->op == Op::Gt;
    // difference = k * v + rest > 0 (or >= 0)
    const Expr rest = ranges_.tidy(build_.sub(difference, build_.mul(i64(*k), graph_.index(name))));
    Expr bound = *k == 1 ? ranges_.tidy(build_.neg(rest)) : rest;  // v > bound, or v < bound
    if (*k == 1 && strict) bound = ranges_.add(bound, 1);          // v >= bound
    if (*k == -1 && !strict) bound = ranges_.add(bound, 1);        // v < bound
    const Expr away = ranges_.tidy(build_.sub(bound, *k == 1 ? range.lo : range.hi));
    if (!ir::is_const(away)) continue;
    split.assumed[e] = build_.boolean(true);
    if (name == v) {
      if (*k == 1)
        split.lo = ranges_.maximum(split.lo, bound);
      else
        split.hi = ranges_.minimum(split.hi, bound);
    } else {
      split.uniform.push_back(e);
    }
  }
  return split;
}

Expr Lowering::vector_safety(Symbol v, Expr lo, Expr hi, const std::vector<Task>& tasks,
                             const std::unordered_set<Expr>& tested) {
  if (options_.watch) return nullptr;  // lanes touch more than the program does
  Expr all = build_.boolean(true);
  const Expr last = ranges_.add(hi, -1);
  bool possible = true;
  std::unordered_set<Symbol> inner;  // scalars of the loop's own iterations
  for (const Task& t : tasks)
    if (t.assign) inner.insert(t.target);
  const auto need = [&](Symbol array, std::span<const Expr> indices) {
    const auto found = buffer_axes_.find(array);
    const ir::Array* a = nest_.program.find_array(array);
    if (found == buffer_axes_.end() && !a) return;
    const std::vector<ir::Axis>& axes = found != buffer_axes_.end() ? found->second : a->axes;
    for (std::size_t x = 0; x < indices.size(); ++x) {
      const auto k = coefficient(indices[x], v);
      const std::vector<Expr> nodes = ir::post_order(indices[x]);
      const bool own = std::any_of(nodes.begin(), nodes.end(), [&](Expr e) {
        return e->op == Op::Param && inner.count(e->name) > 0;
      });
      if (!k || own || !ir::reads(indices[x]).empty()) {
        possible = false;
        return;
      }
      for (const Expr end : {lo, last}) {
        const Expr at = ranges_.tidy(ir::rename(maker_, indices[x], {{v, end}}));
        all = build_.logical_and(all, build_.le(axes[x].lo, at));
        all = build_.logical_and(all, build_.lt(at, axes[x].hi));
        if (*k == 0) break;
      }
    }
  };
  const std::unordered_set<Expr> certain = unconditional(tasks);
  const auto need_reads = [&](const std::vector<Expr>& roots, bool all) {
    for (Expr e : ir::post_order(roots)) {
      if (e->op != Op::Read || (!all && !risky_.count(e)) || tested.count(e)) continue;
      if (e->policy == ir::Policy::Trusted && certain.count(e)) continue;
      need(e->name, e->args());
    }
  };
  need_reads(roots_of(tasks), false);
  // Beyond the points of its statement any read may lie outside.
  for (const Task& t : tasks)
    if (t.domain > 0) need_reads(roots_of({t}), true);
  // Where a statement does not run it may be asked for points beyond its range.
  const auto demanded = [&](Symbol label) {
    return std::any_of(nest_.leaves.begin(), nest_.leaves.end(),
                       [&](const Leaf& leaf) { return leaf.on_demand && leaf.label == label; });
  };
  for (const Task& t : tasks)
    if (t.conditions.empty() ? !proven_writes_.count(t.label)
                             : !safe_writes_.count(t.label) || demanded(t.label))
      need(t.target, t.indices);
  return possible ? all : nullptr;
}

Lowering::PointTasks Lowering::point_of(const Node& n, std::span<const Node> leaves) {
  const auto registers = registers_;
  PointTasks point;
  path_.push_back(&n);
  trusts_writes_ = true;
  // Before all tasks: one may look at what nobody has set yet, and make nothing of it.
  for (const auto& [array, storage] : nest_.storage)
    if (storage.path == path_ && storage.place.kind == schedule::PlaceKind::Register &&
        !schedule::register_group(nest_, array))
      declare_register(array, nest_.program.find_array(array)->dtype, point.statements);
  std::size_t segment = 0;
  const auto add = [&](const std::vector<Task>& tasks) {
    for (const Task& t : tasks) {
      point.tasks.push_back(t);
      point.tasks.back().segment = segment;
    }
  };
  for (const Node& leaf_node : leaves) {
    if (leaf_node.kind != NodeKind::Compute) continue;
    const std::size_t number = nest_.leaf_of.at(&leaf_node);
    const Leaf& leaf = nest_.leaves[number];
    if (leaf.rounds) {
      for (const ir::Statement* line : leaf.lines)
        point.simple =
            point.simple && !holds_reduction(leaf, *line) && keeps_to_itself(leaf, *line);
      if (!point.simple || options_.watch) {
        point.simple = false;
        continue;
      }
      RoundTasks own = round_tasks(number, true, point.statements);
      add(own.before);
      ++segment;
      add(own.round);
      point.rounds.emplace(segment, std::move(own));
      ++segment;
      add(point.rounds.at(segment - 1).after);
      continue;
    }
    if (leaf.group)
      for (const ir::Local& l : leaf.group->locals)
        declare_register(l.name, l.dtype, point.statements);
    for (const ir::Statement* line : leaf.lines) {
      point.simple = point.simple && !holds_reduction(leaf, *line) &&
                     !(line->accumulate && line->targets.size() > 1) &&
                     keeps_to_itself(leaf, *line);
      if (!point.simple) continue;
      std::vector<Task> own;
      tasks_of(number, *line, own, point.statements);
      add(own);
    }
  }
  trusts_writes_ = false;
  registers_ = registers;
  path_.pop_back();
  return point;
}

void Lowering::innermost(const Node& n, std::size_t depth, const Interval& hull, Body& out) {
  if (jam_) return jammed(n, depth, hull, out);
  if (!row_by_row(n, depth, hull, out)) vectors(n, n.body, depth, hull, Row::Unknown, out);
}

void Lowering::vectors(const Node& n, std::span<const Node> leaves, std::size_t depth,
                       const Interval& hull, Row row, Body& out) {
  const Symbol v = nest_.variables.at(&n);
  loops::For plain;
  plain.variable = v;
  auto [tasks, statements, simple, rounds] = points_of(n, leaves);

  const auto serial = [&](Expr lo, Expr hi, Body& body) {
    loops::For f = plain;
    f.lo = lo;
    f.hi = hi;
    if (leaves.size() == n.body.size())
      run_body(n, depth, f.body);
    else
      run_some(n, leaves, f.body);
    if (jam_) {
      loops::For copies;
      copies.variable = nest_.variables.at(jam_->loop);
      copies.lo = graph_.index(jam_->base);
      copies.hi = ranges_.add(copies.lo, jam_->loop->tile);
      copies.body.push_back({std::move(f)});
      f = std::move(copies);
    }
    body.push_back({std::move(f)});
  };
  if (!simple) return serial(hull.lo, hull.hi, out);

  Split split = find_interior(n, hull.lo, hull.hi, tasks, row);
  std::vector<Task> inside = tasks;
  const auto assume = [&](Expr e) {
    return ir::rewrite(maker_, e, [&](Expr x) {
      const auto it = split.assumed.find(x);
      return it == split.assumed.end() ? nullptr : it->second;
    });
  };
  if (!split.assumed.empty())
    for (Expr e : ir::post_order(roots_of(tasks)))
      if (e->op == Op::Read && risky_.count(e)) {
        risky_.insert(assume(e));
        rename_checked(e, assume(e));
      }
  for (Task& t : inside) {
    t.value = assume(t.value);
    for (Expr& e : t.indices) e = assume(e);
    for (Expr& e : t.conditions) e = assume(e);
    const auto holds = [](Expr e) { return ir::is_const(e) && e->scalar().as_bool(); };
    const auto rest = t.conditions.begin() + static_cast<std::ptrdiff_t>(t.domain);
    t.domain -= static_cast<std::size_t>(std::count_if(t.conditions.begin(), rest, holds));
    std::erase_if(t.conditions, holds);
  }
  if (!keep_apart(n, inside)) return serial(hull.lo, hull.hi, out);
  const bool edges = split.lo != hull.lo || split.hi != hull.hi;
  const auto named = [&](std::string_view stem, Expr value) {
    const Symbol name = fresh(stem);
    out.push_back({loops::Let{name, value}});
    return graph_.param(name, value->dtype);
  };
  Expr lo = hull.lo, hi = hull.hi;
  if (edges) {
    lo = named("lo", build_.op(Op::Min, {hi, split.lo}));
    hi = named("hi", build_.op(Op::Max, {lo, build_.op(Op::Min, {hi, split.hi})}));
  }
  // Rounds have faults of their own, of which lanes would report another one first.
  const std::unordered_set<Expr> gathers =
      rounds.empty() ? tested_in_lanes(v, inside) : std::unordered_set<Expr>();
  Expr safe = vector_safety(v, lo, hi, inside, gathers);
  if (!safe) return serial(hull.lo, hull.hi, out);
  if (row == Row::Unknown)
    for (Expr e : split.uniform) safe = build_.logical_and(e, safe);
  const bool tested = !(ir::is_const(safe) && safe->scalar().as_bool());
  if (tested) {
    // Where it does not hold the interior is empty.
    const Expr ok = named("interior", safe);
    lo = named("lo", build_.select(ok, lo, hull.hi));
    hi = named("hi", build_.select(ok, hi, hull.hi));
  }
  if (edges || tested) {
    loops::For sides;
    sides.variable = fresh("side");
    sides.lo = i64(0);
    sides.hi = i64(2);
    const Expr left = build_.eq(graph_.index(sides.variable), i64(0));
    serial(build_.select(left, hull.lo, hi), build_.select(left, lo, hull.hi), sides.body);
    out.push_back({std::move(sides)});
  }
  // All in range now: nothing is skipped, nor checked but for gathers.
  for (Task& t : inside) {
    t.value = trusted_but(gathers, t.value);
    for (Expr& e : t.indices) e = trusted_but(gathers, e);
    for (Expr& e : t.conditions) e = trusted_but(gathers, e);
  }
  loops::For vector = plain;
  vector.kind = loops::Kind::Vector;
  vector.width = n.tile;
  vector.lo = lo;
  vector.hi = hi;
  vector.body = std::move(statements);  // declarations of registers
  const std::size_t copies = jam_ ? static_cast<std::size_t>(jam_->loop->tile) : 1;
  check(inside.size() % copies == 0, "as many tasks in each iteration of a jam");
  for (std::size_t u = 0; u < copies; ++u)
    prefetch(n, {lo, hi},
             std::span(inside).subspan(u * inside.size() / copies, inside.size() / copies),
             vector.body);
  for (std::size_t at = 0; at < inside.size();) {
    const std::size_t segment = inside[at].segment;
    std::vector<Task> together;
    for (; at < inside.size() && inside[at].segment == segment; ++at)
      together.push_back(inside[at]);
    const auto loop = rounds.find(segment);
    Body once;
    emit(together, true, loop == rounds.end() ? vector.body : once);
    if (loop != rounds.end()) run_rounds(loop->second, std::move(once), vector.body);
  }
  if (Ahead ahead = ahead_of_gathers(v, inside); !ahead.prefetches.empty()) {
    // Whole vectors, as long as the last one looks at no point beyond the end.
    const Expr most = ranges_.tidy(build_.sub(hi, ranges_.add(lo, ahead.points)));
    const Expr count = build_.op(Op::BitAnd, {build_.op(Op::Max, {most, i64(0)}), i64(-n.tile)});
    const Expr mid = named("mid", build_.select(ahead.pays, build_.add(lo, count), lo));
    loops::For first = vector;
    first.hi = mid;
    first.body.insert(first.body.begin(), ahead.prefetches.begin(), ahead.prefetches.end());
    out.push_back({std::move(first)});
    vector.lo = mid;
  }
  out.push_back({std::move(vector)});
}

}  // namespace lathe::lower
