// SPDX-License-Identifier: Apache-2.0
// A while whose points do not meet: each point runs its own rounds, and what it carries from round
// to round is in scalars. In a vector loop some points run theirs together, until none is on; those
// that are off keep what they have.
//
//   w: for i while c[i] > e:        var c.1 = c[i]
//     c[i] = f(c[i])                var on = c.1 > e
//                                   for round in 0..cap:
//                              =>     break if not on          (in lanes: if none is on)
//                                     c.1 = f(c.1)             (in lanes: select(on, f(c.1), c.1))
//                                     on = on and c.1 > e
//                                   if on: fault
//                                   c[i] = c.1

#include <algorithm>
#include <set>

#include "ir/traverse.h"
#include "lower/lowering.h"
#include "passes/rebuild.h"

namespace lathe::lower {

namespace {

// Does a condition say more than values do: which points are on?
bool tells_points_apart(Expr condition) {
  std::vector<Expr> work = {condition};
  std::set<Expr> seen;
  while (!work.empty()) {
    const Expr e = work.back();
    work.pop_back();
    if (!seen.insert(e).second || e->op == Op::Read) continue;
    if (e->op == Op::Index || e->op == Op::Inside) return true;
    for (Expr x : e->args()) work.push_back(x);
  }
  return false;
}

// Is the array read by this leaf at the element alone that it writes?
bool only_its_own(const Leaf& leaf, const ir::Target& own) {
  std::vector<Expr> roots = {leaf.guard};
  for (const ir::Statement* line : leaf.lines)
    for (Expr e : passes::expressions(*line)) roots.push_back(e);
  for (Expr e : ir::post_order(roots)) {
    if (e->name != own.array) continue;
    if (e->op == Op::Inside) return false;
    if (e->op == Op::Read &&
        (e->policy != ir::Policy::Error ||
         !std::equal(own.indices.begin(), own.indices.end(), e->args().begin(), e->args().end())))
      return false;
  }
  return true;
}

}  // namespace

// One for all forms of the leaf: a vector loop, and the points around it.
std::size_t Lowering::cap_site(const Leaf& leaf) {
  const auto [known, fresh] = cap_sites_.try_emplace(leaf.label, 0);
  if (!fresh) return known->second;
  loops::Site where;
  where.kind = loops::Site::Kind::WhileCap;
  where.label = leaf.label;
  where.span = leaf.span;
  for (const ir::Range& r : leaf.own_ranges()) where.variables.push_back(r.variable);
  return known->second = site(where);
}

Lowering::RoundTasks Lowering::round_tasks(std::size_t number, bool lanes, Body& declarations) {
  const Leaf& leaf = nest_.leaves[number];
  const ir::While& w = *leaf.rounds;
  const auto reduces = [](Expr e) {
    const std::vector<Expr> nodes = ir::post_order(e);
    return std::any_of(nodes.begin(), nodes.end(), [](Expr n) { return n->op == Op::Reduce; });
  };
  // Statements of their own come before the tasks around them.
  const bool apart = options_.watch || reduces(leaf.guard);
  for (const ir::Statement* line : leaf.lines) {
    const Symbol array = line->targets[0].array;
    const schedule::Storage* storage = nest_.find_storage(array);
    if (storage && storage->place.kind == schedule::PlaceKind::Register && !registers_.count(array))
      declare_register(array, nest_.program.find_array(array)->dtype, declarations);
  }
  const auto registers = registers_;
  RoundTasks out;
  current_label_ = w.label;
  std::vector<Expr> domain = conditions_[number];
  for (Expr e : demanded_conditions(leaf, declarations)) domain.push_back(e);
  for (Expr e : deferred_conditions(number, declarations)) domain.push_back(e);
  const auto task = [&](std::vector<Expr> conditions, Symbol target, Expr value) {
    Task t;
    t.domain = conditions.size();
    t.conditions = std::move(conditions);
    t.target = target;
    t.assign = true;
    t.value = value;
    t.label = w.label;
    return t;
  };
  const auto variable = [&](std::string_view stem, DType dtype) {
    const Symbol name = fresh(stem);
    declarations.push_back({loops::Var{name, constant(ir::Scalar::of_int(dtype, 0))}});
    return name;
  };

  if (leaf.group)
    for (const ir::Local& l : leaf.group->locals) declare_register(l.name, l.dtype, declarations);
  // What lives in memory is loaded before and stored after the rounds, at every point, also where
  // none is run: if all of them touch it at this point's element only, which is sure to exist, and
  // if dependences take every point to write it, so that nobody else writes there meanwhile.
  const bool everywhere = !w.domain.guard && !tells_points_apart(w.condition);
  std::vector<Task> stores;
  for (const ir::Statement* line : leaf.lines) {
    const ir::Target& t = line->targets[0];
    const ir::Array* array = nest_.program.find_array(t.array);
    if (!array || registers_.count(t.array) || apart || !everywhere) continue;
    if (line->domain.guard || !safe_writes_.count(line->label) || !only_its_own(leaf, t)) continue;
    const Symbol name = variable(t.array.text(), array->dtype);
    const std::vector<Expr> at = element(t.array, resolve(leaf, t.indices, declarations));
    const Symbol buffer = buffer_of(t.array);
    const Expr old = graph_.read(buffer, array->dtype, at, ir::Policy::Trusted);
    out.before.push_back(task(domain, name, old));
    out.before.back().label = line->label;
    registers_[t.array] = {graph_.param(name, array->dtype)};
    Task store = task(domain, buffer, graph_.param(name, array->dtype));
    store.assign = false;
    store.indices = at;
    store.label = line->label;
    stores.push_back(std::move(store));
  }
  out.after = std::move(stores);

  out.on = variable("on", DType::Bool);
  const Expr on = graph_.param(out.on, DType::Bool);
  current_label_ = w.label;
  const Expr starts =
      w.domain.guard ? build_.logical_and(w.domain.guard, w.condition) : w.condition;
  if (reduces(starts) && !domain.empty()) {  // which runs only where there is a point
    Conditions here{domain, domain.size()};
    add_guard(leaf, starts, here, declarations);
    out.before.push_back(task({}, out.on, all_of(here.all)));
  } else {
    out.before.push_back(task(domain, out.on, resolve(leaf, starts, declarations)));
  }
  round_conditions_ = lanes ? std::vector<Expr>{on} : std::vector<Expr>{};
  for (const ir::Statement* line : leaf.lines) tasks_of(number, *line, out.round, out.statements);
  round_conditions_.reset();
  if (apart) {
    emit(out.round, false, out.statements);
    out.round.clear();
  }
  current_label_ = w.label;
  const Expr again = resolve(leaf, w.condition, out.statements);
  out.round.push_back(task({}, out.on, lanes ? build_.logical_and(on, again) : again));

  out.cap.values.push_back(i64(options_.while_cap));
  for (const ir::Range& r : leaf.own_ranges())
    out.cap.values.push_back(ranges_.fixed(leaf, r.variable, leaf.path.size()));
  out.cap.site = cap_site(leaf);
  registers_ = registers;
  return out;
}

// The loop of the rounds, `once` being what one of them does.
void Lowering::run_rounds(const RoundTasks& tasks, Body once, Body& out) {
  const Expr on = graph_.param(tasks.on, DType::Bool);
  loops::For f;
  f.variable = fresh("round");
  f.lo = i64(0);
  f.hi = i64(options_.while_cap);
  f.body.push_back({loops::Break{build_.logical_not(on)}});
  for (loops::Stmt& s : once) f.body.push_back(std::move(s));
  out.push_back({std::move(f)});
  loops::If still_on;
  still_on.condition = on;
  still_on.then_body.push_back({tasks.cap});
  out.push_back({std::move(still_on)});
}

// All of it at one point.
void Lowering::rounds_at_point(std::size_t number, Body& out) {
  RoundTasks tasks = round_tasks(number, false, out);
  emit(tasks.before, false, out);
  Body once = std::move(tasks.statements);
  emit(tasks.round, false, once);
  run_rounds(tasks, std::move(once), out);
  emit(tasks.after, false, out);
}

}  // namespace lathe::lower
