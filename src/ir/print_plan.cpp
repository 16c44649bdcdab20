// SPDX-License-Identifier: Apache-2.0
// Where `let` goes. An expression is a graph, its text a tree: a node that is used twice and is not
// small, or that nests deeply, is named once and then referred to.
//
//   select(c, sqrt(x*x + y*y + z*z), -sqrt(x*x + y*y + z*z))
//   ->  let t1 = sqrt(x * x + y * y + z * z)
//       select(c, t1, -t1)
//
// A name must stand where all variables of its node are bound: outside a reduction if it does not
// use the reduction's variables, else in the slot that uses it. So the graph is cut into regions,
// and a node belongs to the outermost one that it can. Time and text stay linear: every use of an
// unnamed shared node costs at most kSmall nodes of text.

#include <algorithm>

#include "ir/precedence.h"
#include "ir/text_printer.h"
#include "ir/traverse.h"

namespace lathe::ir {
namespace {

constexpr std::uint32_t kSmall = 12;  // shared nodes below this are repeated
constexpr std::uint32_t kDeep = 24;   // deeper text is cut by a let
constexpr std::uint32_t kHuge = 1 << 20;

bool is_leaf(Expr e) { return e->arg_count == 0; }

}  // namespace

const Region::Info* Region::find(Expr e) const {
  for (const Region* r = this; r; r = r->parent)
    if (const auto found = r->info.find(e); found != r->info.end()) return &found->second;
  return nullptr;
}

std::string Planner::next_name() {
  for (;;) {
    std::string name = "t" + std::to_string(++names_);
    if (!taken_.contains(name)) return name;
  }
}

std::unique_ptr<Region> Planner::plan(std::vector<Expr> roots) {
  number_variables(roots);
  auto region = std::make_unique<Region>();
  region->roots = std::move(roots);
  fill(*region);
  return region;
}

// Every node gets the set of Reduce-bound variables that are free in it, as bits. With more than 64
// variables some share a bit; a shared bit is never taken out, so a node may seem to depend on more
// than it does, which only keeps it further in.
void Planner::number_variables(std::span<const Expr> roots) {
  const std::vector<Expr> order = post_order(roots);
  for (Expr e : order) {
    if (e->op != Op::Reduce) continue;
    for (Symbol v : e->reduce().variables) {
      const int number = static_cast<int>(variables_.size());
      const bool fresh = variables_.try_emplace(v, number % 64).second;
      if (fresh && number >= 64) shared_bits_ |= std::uint64_t{1} << (number % 64);
    }
  }
  for (Expr e : order) {
    std::uint64_t bits = 0, inside = e->op == Op::Reduce ? bits_of(e) : 0;
    for (Expr a : e->args()) inside |= inside_[a];
    inside_[e] = inside;
    if (e->op == Op::Index)
      if (const auto v = variables_.find(e->name); v != variables_.end())
        bits = std::uint64_t{1} << v->second;
    for (Expr a : e->args()) bits |= free_[a];
    if (e->op == Op::Reduce) bits &= ~(bits_of(e) & ~shared_bits_);
    free_[e] = bits;
  }
}

std::uint64_t Planner::bits_of(Expr reduce) const {
  std::uint64_t bits = 0;
  for (Symbol v : reduce->reduce().variables) bits |= std::uint64_t{1} << variables_.at(v);
  return bits;
}

// What the text of a node refers to in its own region or further out: its operands, or for a Reduce
// whatever its slots reach that depends neither on its variables nor on those of Reduces within it.
// One entry per reference.
std::vector<Expr> Planner::operands(Expr e) const {
  if (e->op != Op::Reduce) return {e->args().begin(), e->args().end()};
  const std::uint64_t bound = inside_.at(e);
  std::vector<Expr> found;
  std::unordered_set<Expr> seen;
  std::vector<Expr> stack(e->args().rbegin(), e->args().rend());
  while (!stack.empty()) {
    const Expr n = stack.back();
    stack.pop_back();
    if ((free_.at(n) & bound) == 0) {
      found.push_back(n);
      continue;
    }
    if (!seen.insert(n).second) continue;
    stack.insert(stack.end(), n->args().rbegin(), n->args().rend());
  }
  return found;
}

// The region's own nodes, operands before users.
std::vector<Expr> Planner::nodes_of(const Region& region) const {
  std::vector<Expr> order;
  std::unordered_set<Expr> seen;
  struct Visit {
    Expr node;
    std::vector<Expr> operands;
    std::size_t next;
  };
  std::vector<Visit> stack;
  const auto enter = [&](Expr e) {
    const bool here = !region.parent || (free_.at(e) & region.bound) != 0;
    if (here && seen.insert(e).second) stack.push_back({e, operands(e), 0});
  };
  for (Expr root : region.roots) {
    enter(root);
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next < top.operands.size()) {
        enter(top.operands[top.next++]);
        continue;
      }
      order.push_back(top.node);
      stack.pop_back();
    }
  }
  return order;
}

void Planner::fill(Region& region) {
  const std::vector<Expr> order = nodes_of(region);
  for (Expr e : order) region.info[e];
  for (Expr e : order)
    for (Expr a : operands(e))
      if (const auto found = region.info.find(a); found != region.info.end()) ++found->second.uses;
  std::unordered_set<Expr> roots;
  for (Expr e : region.roots) {
    roots.insert(e);
    if (const auto found = region.info.find(e); found != region.info.end()) ++found->second.uses;
  }
  for (Expr e : order) measure(region, e, roots.contains(e));
  for (Expr e : region.lets) region.depth = std::max(region.depth, region.info[e].depth);
  for (Expr e : region.roots)
    if (const Region::Info* i = region.find(e); i && !i->is_let)
      region.depth = std::max(region.depth, i->depth);
}

void Planner::measure(Region& region, Expr e, bool is_root) {
  Region::Info& info = region.info[e];
  if (e->op == Op::Reduce) {
    info.size = kHuge;
    for (Expr slot : e->args()) {
      auto inner = std::make_unique<Region>();
      inner->parent = &region;
      inner->bound = bits_of(e);
      inner->roots = {slot};
      fill(*inner);
      info.depth = std::max(info.depth, inner->depth + 2);
      info.slots.push_back(std::move(inner));
    }
  } else {
    for (std::size_t k = 0; k < e->arg_count; ++k) {
      const Region::Info* operand = region.find(e->arg(k));
      if (operand->is_let) {
        ++info.size;
        continue;
      }
      // Operands on the left of an infix operation do not nest, unless they need parentheses.
      const bool flat = k == 0 && ir::info(e->op).form == Form::Infix &&
                        level(e->arg(0)->op) >= left_level(e->op);
      info.depth = std::max(info.depth, operand->depth + (flat ? 0 : 1));
      info.size = std::min(info.size + operand->size, kHuge);
    }
  }
  const bool shared = info.uses > 1 && info.size >= kSmall;
  const bool deep = info.depth >= kDeep && !(is_root && info.uses == 1);
  info.is_let = !is_leaf(e) && (shared || deep);
  if (!info.is_let) return;
  info.name = next_name();
  region.lets.push_back(e);
}

}  // namespace lathe::ir
