// SPDX-License-Identifier: Apache-2.0
// The rule of split_conditionals. What runs in a branch may be moved apart - masks first, then the
// sides, then the commits - only if nothing that the branch writes decides where it reads or
// writes.

#include "passes/branch_rule.h"

#include <algorithm>

namespace lathe::passes {
namespace {

// Commits of inner branches and of accumulations go by the outer mask: an element that was not
// written gets its old value. Safe only where no other point can have written it.
bool at_point(const ir::Statement& s, const ir::Branch& b) {
  const std::vector<ir::Range>& own = b.domain.ranges;
  std::size_t found = 0;
  for (Expr e : s.targets[0].indices)
    if (found < own.size() && e->op == ir::Op::Index && e->name == own[found].variable) ++found;
  return found == own.size();
}

bool writes_at_point(const Body& body, const ir::Branch& b) {
  bool all = true;
  ir::for_each_statement(body, [&](const ir::Statement& s) { all = all && at_point(s, b); });
  return all;
}

// Such a commit also puts old values back: no side may write that array at another point.
bool commits_keep_apart(const ir::Branch& b) {
  std::set<Symbol> coarse, astray;
  for (const Body* body : {&b.then_body, &b.else_body})
    for (const Item& item : *body) {
      auto* s = std::get_if<ir::Statement>(&item.node);
      if (!s || s->accumulate) coarse.merge(touched(item).writes);
      ir::for_each_statement({item}, [&](const ir::Statement& t) {
        if (!at_point(t, b)) astray.insert(t.targets[0].array);
      });
    }
  return std::none_of(astray.begin(), astray.end(), [&](Symbol a) { return coarse.contains(a); });
}

// The commit of an accumulation runs over the ranges that its target knows: they must not need the
// others.
bool ranges_stand_alone(const ir::Statement& s) {
  const auto known = [&](Symbol v) {
    const std::vector<Expr>& at = s.targets[0].indices;
    return std::any_of(at.begin(), at.end(), [&](Expr e) { return ir::mentions(e, v); });
  };
  for (const ir::Range& r : s.domain.ranges) {
    if (!known(r.variable)) continue;
    for (const ir::Range& other : s.domain.ranges)
      if (!known(other.variable) &&
          (ir::mentions(r.lo, other.variable) || ir::mentions(r.hi, other.variable)))
        return false;
  }
  return true;
}

bool can_split_statement(const ir::Statement& s, const ir::Branch& b,
                         const std::set<Symbol>& writes) {
  if (s.domain.ranges.size() < b.domain.ranges.size()) return false;
  if (s.accumulate &&
      (s.accumulate->fresh || s.targets.size() > 1 || !at_point(s, b) || !ranges_stand_alone(s)))
    return false;
  if (s.domain.guard && !is_stable(s.domain.guard, writes) && !declarable(s.domain.ranges))
    return false;
  for (const ir::Range& r : s.domain.ranges)
    if (!is_stable(r.lo, writes) || !is_stable(r.hi, writes)) return false;
  for (Expr e : s.targets[0].indices)
    if (!is_stable(e, writes)) return false;
  for (Expr e : expressions(s))
    for (Expr n : ir::post_order(e))
      if (n->op == ir::Op::Inside) return false;  // versions may have other ranges
  return true;
}

bool can_split_body(const Body& body, const ir::Branch& b, const std::set<Symbol>& writes) {
  for (const Item& item : body) {
    if (auto* inner = std::get_if<ir::Branch>(&item.node)) {
      if (!can_split(*inner) || !writes_at_point(inner->then_body, b) ||
          !writes_at_point(inner->else_body, b))
        return false;
      continue;
    }
    auto* s = std::get_if<ir::Statement>(&item.node);
    if (!s || !can_split_statement(*s, b, writes)) return false;
  }
  return true;
}

}  // namespace

bool can_split(const ir::Branch& b) {
  const std::set<Symbol> writes = branch_writes(b);
  return declarable(b.domain.ranges) && (!b.domain.guard || is_stable(b.domain.guard, writes)) &&
         can_split_body(b.then_body, b, writes) && can_split_body(b.else_body, b, writes) &&
         commits_keep_apart(b);
}

std::set<Symbol> branch_writes(const ir::Branch& b) {
  std::set<Symbol> all = touched(b.then_body).writes;
  all.merge(touched(b.else_body).writes);
  return all;
}

bool is_stable(Expr e, const std::set<Symbol>& writes) {
  const auto arrays = ir::arrays_read(e);
  return std::none_of(arrays.begin(), arrays.end(), [&](Symbol a) { return writes.contains(a); });
}

}  // namespace lathe::passes
