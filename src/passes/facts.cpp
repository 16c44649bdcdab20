// SPDX-License-Identifier: Apache-2.0
#include "passes/facts.h"

#include <algorithm>

#include "ir/domain.h"

namespace lathe::passes {
namespace {

bool holds(const std::vector<Expr>& facts, Expr e) {
  return std::find(facts.begin(), facts.end(), e) != facts.end();
}

// What operand `k` of a lazy operation knows besides what the operation knows.
std::vector<Expr> edge_facts(ir::Maker& maker, Expr user, std::size_t k) {
  const ir::Build build(maker);
  switch (user->op) {
    case ir::Op::Select: {
      const ir::view::Select s(user);
      if (k == 1) return conjuncts(s.cond);
      if (k == 2) return conjuncts(build.logical_not(s.cond));
      return {};
    }
    case ir::Op::Gate: return k == 1 ? conjuncts(ir::view::Gate(user).cond) : std::vector<Expr>{};
    case ir::Op::And: return k == 1 ? conjuncts(ir::view::Binary(user).left) : std::vector<Expr>{};
    case ir::Op::Or:
      return k == 1 ? conjuncts(build.logical_not(ir::view::Binary(user).left))
                    : std::vector<Expr>{};
    case ir::Op::Reduce: {
      const ir::view::Reduce r(user);
      std::vector<ir::Range> ranges;
      // Bound k/2 may rely on the variables before it; guard and body on all of them.
      const std::size_t known = std::min(k / 2, r.info.variables.size());
      for (std::size_t v = 0; v < known; ++v)
        ranges.push_back({r.info.variables[v], r.lo(v), r.hi(v)});
      std::vector<Expr> facts = range_facts(maker, ranges);
      if (k > 2 * r.info.variables.size())
        for (Expr e : conjuncts(r.guard)) facts.push_back(e);
      return facts;
    }
    default: return {};
  }
}

}  // namespace

std::vector<Expr> range_facts(ir::Maker& maker, const std::vector<ir::Range>& ranges) {
  const ir::Build build(maker);
  std::vector<Expr> facts;
  for (const ir::Range& r : ranges) {
    const Expr v = maker.graph().index(r.variable);
    facts.push_back(build.le(r.lo, v));
    facts.push_back(build.lt(v, r.hi));
  }
  return facts;
}

FactTable facts_below(ir::Maker& maker, Expr root, const std::vector<Expr>& given) {
  FactTable table;
  table[root] = given;
  const std::vector<Expr> order = ir::post_order(root);
  // Users before operands: what all users know.
  for (auto user = order.rbegin(); user != order.rend(); ++user) {
    for (std::size_t k = 0; k < (*user)->arg_count; ++k) {
      const Expr operand = (*user)->arg(k);
      std::vector<Expr> known = table[*user];
      for (Expr e : edge_facts(maker, *user, k))
        if (!holds(known, e)) known.push_back(e);
      const auto [at, first] = table.try_emplace(operand, known);
      if (!first) std::erase_if(at->second, [&](Expr e) { return !holds(known, e); });
    }
  }
  return table;
}

bool implies(analysis::SetQuery& query, const std::vector<Expr>& facts, Expr condition) {
  if (condition->op == ir::Op::Or) {
    const ir::view::Binary v(condition);
    if (implies(query, facts, v.left) || implies(query, facts, v.right)) return true;
  }
  for (Expr part : conjuncts(condition)) {
    if (holds(facts, part)) continue;
    const ir::SetExpr wanted = ir::to_set(part);
    if (wanted.kind() == ir::SetExpr::Kind::Opaque) return false;
    std::vector<ir::SetExpr> known;
    for (Expr e : facts) known.push_back(ir::to_set(e));
    if (query.is_subset(ir::SetExpr::intersection(known), wanted) != analysis::Proof::Yes)
      return false;
  }
  return true;
}

}  // namespace lathe::passes
