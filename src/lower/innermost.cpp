// SPDX-License-Identifier: Apache-2.0
// Statements at one point, and vector loops over them: an interior without tests that runs in
// vectors, and the points around it one by one.

#include <algorithm>

#include "ir/domain.h"
#include "ir/group_rule.h"
#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

using schedule::Interval;
using schedule::NodeKind;
using schedule::PlaceKind;

// ---- One point.

std::vector<Expr> Lowering::deferred_conditions(std::size_t number, Body& before) {
  const Leaf& leaf = nest_.leaves[number];
  std::vector<Expr> out;
  for (Symbol v : deferred_[number]) {
    const ir::Range& r = *leaf.range(v);
    const Expr at = resolve(leaf, graph_.index(v), before);
    out.push_back(build_.le(resolve(leaf, r.lo, before), at));
    out.push_back(build_.lt(at, resolve(leaf, r.hi, before)));
  }
  return out;
}

// A point that somebody needs may not be one of the program's.
std::vector<Expr> Lowering::demanded_conditions(const Leaf& leaf, Body& before) {
  std::vector<Expr> out;
  if (!leaf.on_demand) return out;
  for (const ir::Range& r : leaf.ranges) {
    const bool has_loop =
        std::any_of(leaf.path.begin() + static_cast<std::ptrdiff_t>(leaf.scope), leaf.path.end(),
                    [&](const Node* n) { return n->is_loop() && n->name == r.variable; });
    if (has_loop || leaf.is_sweep(r.variable)) continue;
    const Expr at = ranges_.fixed(leaf, r.variable, leaf.path.size());
    const Expr lo = resolve(leaf, r.lo, before), hi = resolve(leaf, r.hi, before);
    if (runs_over(at, lo, hi)) continue;
    out.push_back(build_.le(lo, at));
    out.push_back(build_.lt(at, hi));
  }
  return out;
}

// Is this the variable of a loop around that stays within these bounds?
bool Lowering::runs_over(Expr at, Expr lo, Expr hi) {
  for (std::size_t p = 0; p < path_.size(); ++p) {
    const Node& n = *path_[p];
    if (!n.is_loop() || ranges_.value(n) != at) continue;
    const std::vector<Member> all = members(n, p);
    return !all.empty() && std::all_of(all.begin(), all.end(), [&](const Member& m) {
      return m.range.lo == lo && m.range.hi == hi;
    });
  }
  return false;
}

std::vector<Expr> Lowering::conditions_of(std::size_t number, const ir::Statement& line,
                                          Body& before) {
  const Leaf& leaf = nest_.leaves[number];
  std::vector<Expr> all = conditions_[number];
  for (Expr e : demanded_conditions(leaf, before)) all.push_back(e);
  for (Expr e : deferred_conditions(number, before)) all.push_back(e);
  const auto add = [&](Expr guard) {
    const std::vector<Expr> nodes = ir::post_order(guard);
    const bool reduces =
        std::any_of(nodes.begin(), nodes.end(), [](Expr e) { return e->op == Op::Reduce; });
    if (!reduces || all.empty()) return all.push_back(resolve(leaf, guard, before));
    // A reduction is evaluated only where the conditions before it hold.
    const Symbol name = fresh("guard");
    before.push_back({loops::Var{name, build_.boolean(false)}});
    loops::If s;
    s.condition = settle(all_of(all), before);
    const Expr value = settle(resolve(leaf, guard, s.then_body), s.then_body);
    s.then_body.push_back({loops::Assign{name, value}});
    before.push_back({std::move(s)});
    all = {graph_.param(name, DType::Bool)};
  };
  if (leaf.guard) add(leaf.guard);
  if (line.domain.guard && line.domain.guard != leaf.guard) add(line.domain.guard);
  return all;
}

bool Lowering::holds_reduction(const Leaf& leaf, const ir::Statement& line) const {
  std::vector<Expr> roots = line.values;
  for (const ir::Target& t : line.targets)
    roots.insert(roots.end(), t.indices.begin(), t.indices.end());
  for (Expr g : {leaf.guard, line.domain.guard})
    if (g) roots.push_back(g);
  const std::vector<Expr> nodes = ir::post_order(roots);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr e) { return e->op == Op::Reduce; });
}

bool Lowering::needs_statements(const Leaf& leaf, const ir::Statement& line) const {
  if (holds_reduction(leaf, line)) return true;
  if (trusts_writes_) return false;
  bool arrays = false;
  for (const ir::Target& t : line.targets) arrays |= nest_.program.find_array(t.array) != nullptr;
  return arrays && !proven_writes_.count(line.label);
}

void Lowering::check_writes(const ir::Statement& line,
                            const std::vector<std::vector<Expr>>& elements,
                            const std::vector<Expr>& conditions, Body& out) {
  if (proven_writes_.count(line.label) || trusts_writes_) return;
  for (std::size_t i = 0; i < line.targets.size(); ++i) {
    const Symbol array = line.targets[i].array;
    if (!nest_.program.find_array(array) || elements[i].empty()) continue;
    loops::If s;
    std::vector<Expr> all = conditions;
    all.push_back(build_.logical_not(in_range(array, elements[i])));
    s.condition = settle(all_of(all), out);
    loops::Site where;
    where.kind = loops::Site::Kind::Range;
    where.label = line.label;
    where.array = array;
    where.span = line.span;
    where.writes = true;
    loops::Fault f;
    f.site = site(where);
    for (Expr e : elements[i]) f.values.push_back(settle(e, s.then_body));
    s.then_body.push_back({std::move(f)});
    out.push_back({std::move(s)});
  }
}

// Appends the tasks of one line; what needs statements of its own goes to `out` first.
void Lowering::tasks_of(std::size_t number, const ir::Statement& line, std::vector<Task>& tasks,
                        Body& out) {
  const Leaf& leaf = nest_.leaves[number];
  if (needs_statements(leaf, line) && !tasks.empty()) {
    emit(tasks, false, out);
    tasks.clear();
  }
  current_label_ = line.label;
  const std::vector<Expr> conditions = conditions_of(number, line, out);
  // Whatever must be computed by statements happens only where the conditions hold.
  Body* body = &out;
  loops::If active;
  const bool inside = needs_statements(leaf, line) && !conditions.empty();
  if (inside) {
    active.condition = settle(all_of(conditions), out);
    body = &active.then_body;
  }
  std::vector<std::vector<Expr>> elements;
  for (const ir::Target& t : line.targets) elements.push_back(resolve(leaf, t.indices, *body));
  check_writes(line, elements, {}, *body);
  std::vector<Expr> values;
  if (line.accumulate) {
    // Combined with the content, point by point: loops keep the order.
    const Combining c = combining(*line.accumulate);
    std::vector<Expr> old;
    for (std::size_t i = 0; i < line.targets.size(); ++i)
      old.push_back(registers_.count(line.targets[i].array)
                        ? registers_[line.targets[i].array].front()
                        : graph_.read(buffer_of(line.targets[i].array), c.dtypes[i],
                                      element(line.targets[i].array, elements[i]),
                                      ir::Policy::Trusted));
    for (std::size_t i = 0; i < line.values.size(); ++i)
      values.push_back(build_.cast(c.dtypes[std::min(i, c.dtypes.size() - 1)], line.values[i]));
    values = absorb(c, old, resolve(leaf, values, *body));
    if (values.size() > 1) {  // all components before any is written
      std::vector<Task> first;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Symbol name = fresh("t");
        body->push_back({loops::Var{name, constant(c.neutral[i])}});
        Task t;
        t.conditions = inside ? std::vector<Expr>{} : conditions;
        t.target = name;
        t.assign = true;
        t.value = values[i];
        t.label = line.label;
        first.push_back(t);
        values[i] = graph_.param(name, c.dtypes[i]);
      }
      if (!tasks.empty()) emit(tasks, false, *body);
      tasks.clear();
      emit(first, false, *body);
    }
  } else {
    values = resolve(leaf, line.values, *body);
  }
  std::vector<Task> mine;
  for (std::size_t i = 0; i < line.targets.size(); ++i) {
    const Symbol array = line.targets[i].array;
    const ir::Array* declared = nest_.program.find_array(array);
    DType dtype = values[i]->dtype;
    if (declared)
      dtype = declared->dtype;
    else
      for (const ir::Local& l : leaf.group->locals)
        if (l.name == array) dtype = l.dtype;
    const Expr value = build_.cast(dtype, values[i]);
    const schedule::Storage* storage = nest_.find_storage(array);
    if (!declared || (storage && storage->place.kind == PlaceKind::Register)) {
      if (registers_.find(array) == registers_.end()) declare_register(array, dtype, out);
      Task t;
      if (!inside) t.conditions = conditions;
      t.target = registers_.at(array).front()->name;
      t.assign = true;
      t.value = value;
      t.label = line.label;
      mine.push_back(std::move(t));
      continue;
    }
    Task t;
    if (!inside) t.conditions = conditions;
    t.target = buffer_of(array);
    t.indices = element(array, elements[i]);
    t.value = value;
    t.label = line.label;
    t.stream = options_.stream && leaf.node->place.kind == PlaceKind::Stream;
    mine.push_back(std::move(t));
  }
  if (!inside) {
    tasks.insert(tasks.end(), mine.begin(), mine.end());
    return;
  }
  emit(mine, false, *body);
  out.push_back({std::move(active)});
}

void Lowering::declare_register(Symbol array, DType dtype, Body& out) {
  const Symbol name = fresh(array.text());
  out.push_back({loops::Var{name, constant(ir::Scalar::of_int(dtype, 0))}});
  registers_[array] = {graph_.param(name, dtype)};
}

void Lowering::batch(std::span<const Node> siblings, Body& out) {
  std::vector<Task> tasks;
  std::vector<Symbol> locals;
  for (const Node& n : siblings) {
    const std::size_t number = nest_.leaf_of.at(&n);
    const Leaf& leaf = nest_.leaves[number];
    if (leaf.group)
      for (const ir::Local& l : leaf.group->locals) {
        declare_register(l.name, l.dtype, out);
        locals.push_back(l.name);
      }
    for (const ir::Statement* line : leaf.lines) tasks_of(number, *line, tasks, out);
  }
  emit(tasks, false, out);
  for (Symbol l : locals) registers_.erase(l);
}

std::size_t Lowering::read_site(Expr read) {
  const auto it = read_sites_.find(read);
  if (it != read_sites_.end()) return it->second;
  const auto& [label, original] = checked_reads_.at(read);
  loops::Site where;
  where.kind = loops::Site::Kind::Range;
  where.label = label;
  where.array = original->name;
  where.span = nest_.program.spans ? nest_.program.spans->find(label, original) : Span{};
  return read_sites_[read] = site(where);
}

void Lowering::emit(const std::vector<Task>& tasks, bool flat, Body& out) {
  if (tasks.empty()) return;
  OrderOptions options;
  options.flat = flat;
  auto find_site = [&](Expr read) { return read_site(read); };
  auto is_risky = [&](Expr read) { return risky_.count(read) > 0; };
  auto axes = [&](Symbol buffer) {
    if (const auto it = buffer_axes_.find(buffer); it != buffer_axes_.end()) return it->second;
    const ir::Array* a = nest_.program.find_array(buffer);
    return a ? a->axes : std::vector<ir::Axis>{};
  };
  FunctionRef<std::size_t(Expr)> site_of(find_site);
  FunctionRef<bool(Expr)> risky(is_risky);
  FunctionRef<std::vector<ir::Axis>(Symbol)> axes_of(axes);
  options.site_of = &site_of;
  options.risky = &risky;
  options.axes_of = &axes_of;
  Body body = order_body(maker_, tasks, options);
  for (loops::Stmt& s : body) out.push_back(std::move(s));
}

// ---- Vector loops.

namespace {

// The coefficient of v in an affine expression; nothing when it is not affine in v.
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
                                        const std::vector<Task>& tasks) {
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

Expr Lowering::vector_safety(Symbol v, Expr lo, Expr hi, const std::vector<Task>& tasks) {
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
  // What is still evaluated without a condition is what the program evaluates here.
  std::unordered_set<Expr> certain;
  std::vector<Expr> stack;
  for (const Task& t : tasks) {
    if (!t.conditions.empty()) {
      stack.push_back(t.conditions.front());
      continue;
    }
    stack.push_back(t.value);
    stack.insert(stack.end(), t.indices.begin(), t.indices.end());
  }
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!certain.insert(e).second) continue;
    const std::size_t n = ir::has(e->op, ir::kLazy) ? 1 : e->arg_count;
    for (std::size_t i = 0; i < n; ++i) stack.push_back(e->arg(i));
  }
  for (Expr e : ir::post_order(roots_of(tasks))) {
    if (e->op != Op::Read || !risky_.count(e)) continue;
    if (e->policy == ir::Policy::Trusted && certain.count(e)) continue;
    need(e->name, e->args());
  }
  for (const Task& t : tasks)
    if (t.conditions.empty() ? !proven_writes_.count(t.label) : !safe_writes_.count(t.label))
      need(t.target, t.indices);
  return possible ? all : nullptr;
}

Expr Lowering::trusted(Expr root) {
  return ir::rewrite(maker_, root, [&](Expr x) -> Expr {
    if (x->op != Op::Read || x->policy != ir::Policy::Error || x->arg_count == 0) return nullptr;
    std::vector<Expr> indices;
    for (Expr i : x->args()) indices.push_back(trusted(i));
    return graph_.read(x->name, x->dtype, indices, ir::Policy::Trusted);
  });
}

// Of several rows of an array, the one that is met first comes from memory; the others follow out
// of the caches.
void Lowering::prefetch(const Node& loop, const std::vector<Task>& tasks, Body& out) {
  const Symbol v = nest_.variables.at(&loop);
  for (const Node* p : prefetches_) {
    Expr leading = nullptr;
    for (Expr e : ir::post_order(roots_of(tasks))) {
      if (e->op != Op::Read || e->name != buffer_of(p->name) || e->arg_count == 0) continue;
      if (coefficient(e->args().back(), v) != 1) continue;
      std::int64_t ahead = 0;
      for (std::size_t x = 0; leading && x < e->arg_count && ahead == 0; ++x) {
        const Expr d = ranges_.tidy(build_.sub(e->arg(x), leading->arg(x)));
        ahead = ir::is_const(d) ? d->scalar().as_int() : 0;
      }
      if (!leading || ahead > 0) leading = e;
    }
    if (!leading) continue;
    const auto size = static_cast<std::int64_t>(ir::size_bytes(leading->dtype));
    std::vector<Expr> at(leading->args().begin(), leading->args().end());
    at.back() = ranges_.add(at.back(), p->bytes / size);
    out.push_back({loops::Prefetch{leading->name, at}});
  }
}

// Lanes that a guard leaves out store back what they find, and read what they do not need. That is
// only right where no other point writes there.
bool Lowering::keeps_to_itself(const Leaf& leaf, const ir::Statement& line) const {
  if (!leaf.guard && !line.domain.guard) return true;
  for (Expr e : ir::post_order(line.values)) {
    if (e->op != Op::Read || e->arg_count == 0) continue;
    for (const ir::Target& t : line.targets)
      if (t.array == e->name && !std::equal(t.indices.begin(), t.indices.end(), e->args().begin()))
        return false;
  }
  return std::all_of(line.targets.begin(), line.targets.end(), [&](const ir::Target& t) {
    return nest_.program.find_array(t.array) == nullptr || ir::determines_point(t, leaf.ranges);
  });
}

void Lowering::innermost(const Node& n, std::size_t depth, const Interval& hull, Body& out) {
  const Symbol v = nest_.variables.at(&n);
  loops::For plain;
  plain.variable = v;
  const auto registers = registers_;
  // The tasks of a point, if it has nothing but tasks.
  path_.push_back(&n);
  Body statements;
  std::vector<Task> tasks;
  bool simple = true;
  trusts_writes_ = true;
  for (const Node& leaf_node : n.body) {
    if (leaf_node.kind != NodeKind::Compute) continue;
    const std::size_t number = nest_.leaf_of.at(&leaf_node);
    const Leaf& leaf = nest_.leaves[number];
    if (leaf.group)
      for (const ir::Local& l : leaf.group->locals) declare_register(l.name, l.dtype, statements);
    for (const ir::Statement* line : leaf.lines) {
      simple = simple && !holds_reduction(leaf, *line) &&
               !(line->accumulate && line->targets.size() > 1) && keeps_to_itself(leaf, *line);
      if (simple) tasks_of(number, *line, tasks, statements);
    }
  }
  trusts_writes_ = false;
  registers_ = registers;
  path_.pop_back();

  const auto serial = [&](Expr lo, Expr hi, Body& body) {
    loops::For f = plain;
    f.lo = lo;
    f.hi = hi;
    run_body(n, depth, f.body);
    body.push_back({std::move(f)});
  };
  if (!simple) return serial(hull.lo, hull.hi, out);

  Split split = find_interior(n, hull.lo, hull.hi, tasks);
  std::vector<Task> inside = tasks;
  const auto assume = [&](Expr e) {
    return ir::rewrite(maker_, e, [&](Expr x) {
      const auto it = split.assumed.find(x);
      return it == split.assumed.end() ? nullptr : it->second;
    });
  };
  if (!split.assumed.empty())
    for (Expr e : ir::post_order(roots_of(tasks)))
      if (e->op == Op::Read && risky_.count(e)) risky_.insert(assume(e));
  for (Task& t : inside) {
    t.value = assume(t.value);
    for (Expr& e : t.indices) e = assume(e);
    for (Expr& e : t.conditions) e = assume(e);
    std::erase_if(t.conditions, [](Expr e) { return ir::is_const(e) && e->scalar().as_bool(); });
  }
  const bool edges = !split.assumed.empty();
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
  Expr safe = vector_safety(v, lo, hi, inside);
  if (!safe) return serial(hull.lo, hull.hi, out);
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
  // All in range now: nothing is checked or skipped.
  for (Task& t : inside) {
    t.value = trusted(t.value);
    for (Expr& e : t.indices) e = trusted(e);
    for (Expr& e : t.conditions) e = trusted(e);
  }
  loops::For vector = plain;
  vector.kind = loops::Kind::Vector;
  vector.width = n.tile;
  vector.lo = lo;
  vector.hi = hi;
  vector.body = std::move(statements);  // declarations of registers
  prefetch(n, inside, vector.body);
  emit(inside, true, vector.body);
  out.push_back({std::move(vector)});
}

}  // namespace lathe::lower
