// SPDX-License-Identifier: Apache-2.0
// A store under a condition is, in lanes, a store of `select(condition, value, what is there)`, and
// lazy operations evaluate all their operands: lanes also touch elements that the program does not,
// which no dependence speaks of. Here it is decided where nobody can tell.

#include <algorithm>

#include "ir/group_rule.h"
#include "ir/index_form.h"
#include "lower/lowering.h"

namespace lathe::lower {
namespace {

using schedule::NodeKind;

// An axis along which an index is the loop's variable plus something: it, in the loop's own
// numbers.
using Owner = std::pair<std::size_t, Expr>;

void keep_common(std::vector<Owner>& all, const std::vector<Owner>& more) {
  std::erase_if(
      all, [&](const Owner& o) { return std::find(more.begin(), more.end(), o) == more.end(); });
}

void add_roots(const Task& t, std::vector<Expr>& roots) {
  roots.push_back(t.value);
  roots.insert(roots.end(), t.indices.begin(), t.indices.end());
  roots.insert(roots.end(), t.conditions.begin(), t.conditions.end());
}

}  // namespace

// Does no other point of the statement write what a lane finds, nor need it?
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

// What the tasks evaluate whatever their conditions are: as in the program.
std::unordered_set<Expr> Lowering::unconditional(const std::vector<Task>& tasks) {
  std::unordered_set<Expr> found;
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
    if (!found.insert(e).second) continue;
    const std::size_t n = ir::has(e->op, ir::kLazy) ? 1 : e->arg_count;
    for (std::size_t i = 0; i < n; ++i) stack.push_back(e->arg(i));
  }
  return found;
}

// The arrays that the tasks touch under conditions.
std::set<Symbol> Lowering::touched_conditionally(const std::vector<Task>& tasks) const {
  std::set<Symbol> labels, arrays;
  std::vector<Expr> roots;
  for (const Task& t : tasks) {
    if (!t.conditions.empty() && !t.assign) labels.insert(t.label);
    add_roots(t, roots);
  }
  const std::unordered_set<Expr> certain = unconditional(tasks);
  for (Expr e : ir::post_order(roots))
    if (e->op == Op::Read && e->arg_count > 0 && !certain.count(e)) arrays.insert(e->name);
  for (const Leaf& leaf : nest_.leaves)
    for (const ir::Statement* line : leaf.lines)
      if (labels.count(line->label))
        for (const ir::Target& t : line->targets) arrays.insert(t.array);
  return arrays;
}

// The arrays that iterations of the loop write and do not share out among themselves. Otherwise all
// who touch such an array there have the loop's variable, shifted alike, as the index of one axis.
const std::set<Symbol>& Lowering::shared_in(const Node& loop) {
  const auto [known, fresh] = shared_in_.try_emplace(&loop);
  if (!fresh) return known->second;
  std::map<Symbol, std::vector<Owner>> axes;
  std::set<Symbol> written;
  const auto touch = [&](const Leaf& leaf, Symbol array, std::span<const Expr> indices) {
    if (const schedule::Storage* own = nest_.find_storage(array))  // made anew inside?
      if (std::find(own->path.begin(), own->path.end(), &loop) != own->path.end()) return;
    std::vector<Owner> here;
    const Expr point = ranges_.add(graph_.index(loop.name), leaf.shift(loop.name));
    for (std::size_t x = 0; x < indices.size(); ++x)
      if (ir::shifted_variable(indices[x]) == loop.name)
        here.push_back({x, ranges_.tidy(ir::rename(maker_, indices[x], {{loop.name, point}}))});
    const auto [it, first] = axes.insert({array, here});
    if (!first) keep_common(it->second, here);
  };
  for (const Leaf& leaf : nest_.leaves) {
    if (std::find(leaf.path.begin(), leaf.path.end(), &loop) == leaf.path.end()) continue;
    for (const ir::Statement* line : leaf.lines) {
      std::vector<Expr> roots = line->values;
      for (Expr g : {line->domain.guard, leaf.guard})
        if (g) roots.push_back(g);
      for (const ir::Target& t : line->targets) {
        touch(leaf, t.array, t.indices);
        written.insert(t.array);
        roots.insert(roots.end(), t.indices.begin(), t.indices.end());
      }
      for (Expr e : ir::post_order(roots))
        if (e->op == Op::Read && e->arg_count > 0) touch(leaf, e->name, e->args());
    }
  }
  for (const auto& [array, owned] : axes)
    if (owned.empty() && written.count(array)) known->second.insert(array);
  return known->second;
}

// Do iterations of parallel and vector loops touch, under conditions, elements of their own only?
bool Lowering::keep_apart(const Node& vector, const std::vector<Task>& tasks) {
  const std::set<Symbol> arrays = touched_conditionally(tasks);
  if (arrays.empty()) return true;
  std::vector<const Node*> around = path_;
  around.push_back(&vector);
  return std::none_of(around.begin(), around.end(), [&](const Node* loop) {
    if (loop->kind != NodeKind::Parallel && loop->kind != NodeKind::Vector) return false;
    const std::set<Symbol>& shared = shared_in(*loop);
    return std::any_of(arrays.begin(), arrays.end(),
                       [&](Symbol array) { return shared.count(array) > 0; });
  });
}

}  // namespace lathe::lower
