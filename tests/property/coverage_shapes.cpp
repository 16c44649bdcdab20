// SPDX-License-Identifier: Apache-2.0
// Combinations of features that once held mistakes in a pass. They are rare by nature, so the
// generator makes them on purpose (random_target.cpp, random_commit.cpp); here they are recognised
// by their form, whoever made them.

#include <algorithm>
#include <set>

#include "coverage.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"

namespace lathe::testing {

using namespace ir;

namespace {

bool is_backward(Expr e) { return e->op == Op::Sub && e->arg(1)->op == Op::Index; }

bool has(Expr root, Op op) {
  for (Expr e : post_order(root))
    if (e->op == op) return true;
  return false;
}

bool is_shared(Expr e) {
  return (e->op == Op::FloorDiv || e->op == Op::Mod) && e->arg(0)->op == Op::Index;
}

bool sums_over_more(const Statement& s) {
  std::set<Symbol> in_target;
  for (Expr e : s.targets[0].indices)
    for (Symbol v : free_variables(e)) in_target.insert(v);
  return std::any_of(s.domain.ranges.begin(), s.domain.ranges.end(),
                     [&](const Range& r) { return !in_target.contains(r.variable); });
}

// What a branch side writes at another point than its own, and what it commits without knowing
// element from element.
void sort_writes(const Branch& b, const Body& side, std::set<Symbol>& astray,
                 std::set<Symbol>& coarse) {
  for (const Item& item : side) {
    const auto* s = std::get_if<Statement>(&item.node);
    if (!s || s->accumulate) coarse.merge(passes::touched(item).writes);
    if (!s || s->accumulate) continue;
    for (Expr e : s->targets[0].indices)
      for (const Range& r : b.domain.ranges)
        if (e->op != Op::Index && mentions(e, r.variable)) astray.insert(s->targets[0].array);
  }
}

using NoteShape = FunctionRef<void(const char*)>;

void walk(const Body& body, bool in_loop, std::set<Symbol>& written, NoteShape note) {
  std::set<Symbol> branched;  // by a branch of this body, before anything else wrote them
  for (const Item& item : body) {
    const std::set<Symbol> writes = passes::touched(item).writes;
    if (const auto* b = std::get_if<Branch>(&item.node)) {
      if (in_loop)
        for (Symbol a : writes)
          if (!written.contains(a)) branched.insert(a);
      std::set<Symbol> astray, coarse;
      for (const Body* side : {&b->then_body, &b->else_body})
        sort_writes(*b, *side, astray, coarse);
      if (std::any_of(astray.begin(), astray.end(), [&](Symbol a) { return coarse.contains(a); }))
        note("offset against coarse side");
    } else if (std::any_of(writes.begin(), writes.end(),
                           [&](Symbol a) { return branched.contains(a); })) {
      note("branch before first write");
    }
    const bool loop =
        std::holds_alternative<Sweep>(item.node) || std::holds_alternative<Repeat>(item.node);
    for_each_body(item, [&](const Body& inner) { walk(inner, loop, written, note); });
    written.insert(writes.begin(), writes.end());
  }
}

}  // namespace

const std::vector<std::string>& Coverage::shapes() {
  static const std::vector<std::string> all = {"reduction to backward target",
                                               "reduction to strided target",
                                               "accumulation to backward target",
                                               "accumulation to strided target",
                                               "target unique by guard",
                                               "target unique by mask",
                                               "offset against coarse side",
                                               "branch before first write",
                                               "reduction in f16",
                                               "reduction in bf16",
                                               "accumulation in f16",
                                               "accumulation in bf16"};
  return all;
}

void Coverage::add_shapes(const Program& p) {
  for_each_statement(p.body, [&](const Statement& s) {
    const bool reduces =
        std::any_of(s.values.begin(), s.values.end(), [](Expr e) { return has(e, Op::Reduce); });
    const bool sums = s.accumulate && sums_over_more(s);
    for (Expr e : s.targets[0].indices) {
      const bool backward = is_backward(e), strided = has(e, Op::Mul);
      for (const char* way : {"backward", "strided"}) {
        if (!(*way == 'b' ? backward : strided)) continue;
        if (reduces) count("reduction to " + std::string(way) + " target");
        if (sums) count("accumulation to " + std::string(way) + " target");
      }
      if (!s.accumulate && is_shared(e))
        count(s.domain.guard ? "target unique by guard" : "target unique by mask");
    }
    for (Expr root : s.values)
      for (Expr e : post_order(root))
        if (e->op == Op::Reduce && is_half(e->reduce().accumulator))
          count("reduction in " + std::string(name(e->reduce().accumulator)));
    if (sums && is_half(s.accumulate->dtype))
      count("accumulation in " + std::string(name(s.accumulate->dtype)));
  });
  std::set<Symbol> written;
  for (const Array& a : p.arrays)
    if (a.role != Role::Temp && a.role != Role::Output) written.insert(a.name);
  walk(p.body, false, written, [&](const char* what) { count(what); });
}

}  // namespace lathe::testing
