// SPDX-License-Identifier: Apache-2.0
// Statements at one point: their conditions, what they write and with what.

#include <algorithm>

#include "ir/domain.h"
#include "ir/group_rule.h"
#include "ir/labels.h"
#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

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

Lowering::Conditions Lowering::conditions_of(std::size_t number, const ir::Statement& line,
                                             Body& before) {
  const Leaf& leaf = nest_.leaves[number];
  Conditions conditions;
  std::vector<Expr>& all = conditions.all;
  if (round_conditions_) {
    all = *round_conditions_;
    if (line.domain.guard) all.push_back(resolve(leaf, line.domain.guard, before));
    return conditions;
  }
  all = conditions_[number];
  for (Expr e : demanded_conditions(leaf, before)) all.push_back(e);
  for (Expr e : deferred_conditions(number, before)) all.push_back(e);
  conditions.domain = all.size();
  if (leaf.guard) add_guard(leaf, leaf.guard, conditions, before);
  if (line.domain.guard && line.domain.guard != leaf.guard)
    add_guard(leaf, line.domain.guard, conditions, before);
  return conditions;
}

void Lowering::add_guard(const Leaf& leaf, Expr guard, Conditions& conditions, Body& before) {
  const std::vector<Expr> nodes = ir::post_order(guard);
  const bool reduces =
      std::any_of(nodes.begin(), nodes.end(), [](Expr e) { return e->op == Op::Reduce; });
  if (!reduces || conditions.all.empty())
    return conditions.all.push_back(resolve(leaf, guard, before));
  const Symbol name = fresh("guard");
  before.push_back({loops::Var{name, build_.boolean(false)}});
  loops::If s;
  s.condition = settle(conditions, before);
  const Expr value = settle(resolve(leaf, guard, s.then_body), s.then_body);
  s.then_body.push_back({loops::Assign{name, value}});
  before.push_back({std::move(s)});
  conditions = {{graph_.param(name, DType::Bool)}, 1};
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
  if (options_.watch) return true;  // each line by itself
  if (holds_reduction(leaf, line)) return true;
  if (trusts_writes_) return false;
  bool arrays = false;
  for (const ir::Target& t : line.targets) arrays |= nest_.program.find_array(t.array) != nullptr;
  return arrays && !proven_writes_.count(line.label);
}

void Lowering::check_writes(const ir::Statement& line,
                            const std::vector<std::vector<Expr>>& elements,
                            const std::vector<Expr>& conditions, Body& out, const Leaf* at_point) {
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
    name_array(where, line.label, nullptr, array);
    where.span = line.span;
    where.writes = true;
    loops::Fault f;
    for (Expr e : elements[i]) f.values.push_back(settle(build_.cast(DType::I64, e), s.then_body));
    std::vector<Symbol> named;  // by the indices
    if (at_point && options_.watch)
      for (Expr e : line.targets[i].indices)
        for (Symbol v : ir::free_variables(e))
          if (std::find(named.begin(), named.end(), v) == named.end()) named.push_back(v);
    for (Symbol v : named) {
      const Expr value = ranges_.fixed(*at_point, v, at_point->path.size());
      f.values.push_back(value ? value : graph_.index(v));
    }
    where.variables = std::move(named);
    f.site = site(where);
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
  Conditions conditions = conditions_of(number, line, out);
  // Whatever must be computed by statements happens only where the conditions hold.
  Body* body = &out;
  loops::If active;
  const bool inside = needs_statements(leaf, line) && !conditions.all.empty();
  if (inside) {
    active.condition = settle(conditions, out);
    body = &active.then_body;
    conditions = {};
  }
  const auto new_task = [&](Symbol target, bool assign, Expr value) {
    Task t;
    t.conditions = conditions.all;
    t.domain = conditions.domain;
    t.target = target;
    t.assign = assign;
    t.value = value;
    t.label = line.label;
    return t;
  };
  std::vector<std::vector<Expr>> elements;
  for (const ir::Target& t : line.targets) elements.push_back(resolve(leaf, t.indices, *body));
  check_writes(line, elements, {}, *body, &leaf);
  if (options_.watch)
    for (std::size_t i = 0; i < elements.size(); ++i)
      test_target(leaf, line, i, elements[i], *body);
  std::vector<Expr> values;
  if (line.accumulate) {
    // Combined with the content, point by point: loops keep the order.
    const Combining c = combining(*line.accumulate);
    std::vector<Expr> old;
    for (std::size_t i = 0; i < line.targets.size(); ++i)
      old.push_back(old_content(leaf, line.targets[i].array, c.dtypes[i], elements[i]));
    for (std::size_t i = 0; i < line.values.size(); ++i)
      values.push_back(build_.cast(c.dtypes[std::min(i, c.dtypes.size() - 1)], line.values[i]));
    values = absorb(c, old, resolve(leaf, values, *body));
    if (values.size() > 1) {  // all components before any is written
      std::vector<Task> first;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Symbol name = fresh("t");
        body->push_back({loops::Var{name, constant(c.neutral[i])}});
        first.push_back(new_task(name, true, values[i]));
        values[i] = graph_.param(name, c.dtypes[i]);
      }
      if (!tasks.empty()) emit(tasks, false, *body);
      tasks.clear();
      emit(first, false, *body);
    }
  } else {
    copied_ = options_.watch ? ir::version_copied(line) : nullptr;
    values = resolve(leaf, line.values, *body);
    copied_ = nullptr;
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
    const bool carried = round_conditions_ && registers_.count(array) > 0;
    if (!declared || carried || (storage && storage->place.kind == PlaceKind::Register)) {
      if (registers_.find(array) == registers_.end()) declare_register(array, dtype, out);
      mine.push_back(new_task(registers_.at(array).front()->name, true, value));
      // A local of a round is set anew in the next one: points that are off may have any value.
      if (!declared && round_conditions_)
        std::erase_if(mine.back().conditions, [&](Expr e) {
          return std::count(round_conditions_->begin(), round_conditions_->end(), e) > 0;
        });
      continue;
    }
    Task t = new_task(buffer_of(array), false, value);
    t.indices = element(array, elements[i]);
    t.stream = options_.stream && leaf.node->place.kind == PlaceKind::Stream;
    mine.push_back(t);
    if (const Expr mark = options_.watch ? mark_of(line, i, values[i]) : nullptr) {
      t.target = written_.at(array);
      t.value = mark;
      mine.push_back(std::move(t));
    }
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
    if (leaf.rounds) {
      emit(tasks, false, out);
      tasks.clear();
      rounds_at_point(number, out);
      continue;
    }
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

// Errors are told in the names that the program has, also of what was taken over.
void Lowering::name_array(loops::Site& where, Symbol label, Expr read, Symbol array) const {
  where.array = nest_.called(label, read, array);
  if (where.array != array) where.buffer = array;
}

std::size_t Lowering::read_site(Expr read) {
  const auto& [label, original] = checked_reads_.at(read);
  const auto it = read_sites_.find({label, read});
  if (it != read_sites_.end()) return it->second;
  loops::Site where;
  where.kind = loops::Site::Kind::Range;
  where.label = label;
  name_array(where, label, original, original->name);
  if (nest_.program.spans) where.span = nest_.program.spans->find(label, original);
  if (!where.span.known()) where.span = nest_.span_of(label);  // GTScript: lines, not reads
  return read_sites_[{label, read}] = site(where);
}

void Lowering::emit(const std::vector<Task>& tasks, bool flat, Body& out) {
  if (tasks.empty()) return;
  OrderOptions options;
  options.flat = flat;
  auto find_site = [&](Expr read) { return read_site(read); };
  auto is_risky = [&](Expr read) { return risky_.count(read) > 0; };
  auto axes = [&](Symbol buffer) { return axes_of(buffer); };
  auto shared = [&](Expr read) {
    return std::any_of(path_.begin(), path_.end(), [&](const Node* n) {
      return n->kind == schedule::NodeKind::Parallel && shared_in(*n).count(read->name) > 0;
    });
  };
  FunctionRef<std::size_t(Expr)> site_of(find_site);
  FunctionRef<bool(Expr)> is_shared(shared);
  options.is_shared = &is_shared;
  FunctionRef<bool(Expr)> risky(is_risky);
  FunctionRef<std::vector<ir::Axis>(Symbol)> find_axes(axes);
  options.site_of = &site_of;
  options.risky = &risky;
  options.axes_of = &find_axes;
  auto watched = [&](Expr read) { return watched_.count(read) > 0; };
  auto test = [&](Expr read, const std::vector<Expr>& at, Body& body) {
    test_read(read, at, body);
  };
  FunctionRef<bool(Expr)> is_watched(watched);
  FunctionRef<void(Expr, const std::vector<Expr>&, Body&)> watch(test);
  if (options_.watch) {
    options.is_watched = &is_watched;
    options.watch = &watch;
  }
  Body body = order_body(maker_, tasks, options);
  for (loops::Stmt& s : body) out.push_back(std::move(s));
}

}  // namespace lathe::lower
