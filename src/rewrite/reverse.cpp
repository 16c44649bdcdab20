// SPDX-License-Identifier: Apache-2.0
// Reverse derivative: adjoints travel from the value down to the independent nodes; when a node's
// turn comes, all its users have been seen. Contributions are added in the order of the users from
// the value down, so the result is the same in every run.
//
// An adjoint carries the condition under which it counts, so that factors are evaluated only where
// the value evaluates them: what select(c, u[i - 1] * x, 0) gives for x is gate(c, u[i - 1]), not
// gate(c, 1) * u[i - 1], which would read outside u and turn infinite slopes into NaN.

#include <unordered_map>

#include "ir/traverse.h"
#include "rewrite/derivative_rules.h"

namespace lathe::rewrite {

using ir::Expr;
using ir::Op;

namespace {

struct Adjoint {
  Expr value = nullptr;      // null: nothing has arrived
  Expr condition = nullptr;  // null: always
};

Expr guarded(const ir::Build& build, const Adjoint& a) {
  return a.condition == nullptr ? a.value : build.op(Op::Gate, {a.condition, a.value});
}

void add(const ir::Build& build, Adjoint& sum, const Adjoint& term) {
  if (sum.value == nullptr) {
    sum = term;
  } else if (sum.condition == term.condition) {
    sum.value = build.add(sum.value, term.value);
  } else {
    const Expr left = guarded(build, sum), right = guarded(build, term);
    const bool always = sum.condition == nullptr || term.condition == nullptr;
    sum.condition = always ? nullptr : build.logical_or(sum.condition, term.condition);
    sum.value = build.add(left, right);
  }
}

Adjoint pull_back(const ir::Build& build, const Partial& map, const Adjoint& a, ir::DType to) {
  if (map.kind != Partial::Kind::When && map.kind != Partial::Kind::Unless)
    return {apply(build, map, a.value, to), a.condition};
  const Expr taken = map.kind == Partial::Kind::When ? map.by : build.logical_not(map.by);
  return {a.value, a.condition == nullptr ? taken : build.logical_and(a.condition, taken)};
}

}  // namespace

std::variant<std::vector<Expr>, NoDerivative> reverse_derivative(ir::Maker& maker, Expr e,
                                                                 std::span<const Expr> independents,
                                                                 Expr seed) {
  if (!ir::is_float(e->dtype))
    return NoDerivative{e, "an expression of dtype " + std::string(name(e->dtype)) +
                               " has no derivative; only floats have"};
  const ir::Build build(maker);
  const std::vector<Expr> nodes = ir::post_order(e);
  std::unordered_map<Expr, std::size_t> position;
  for (std::size_t i = 0; i < nodes.size(); ++i) position.emplace(nodes[i], i);
  std::vector<bool> independent(nodes.size());
  for (Expr node : independents)
    if (const auto found = position.find(node); found != position.end())
      independent[found->second] = ir::is_float(node->dtype);
  const std::vector<bool> active = active_nodes(nodes, independent);

  std::vector<Adjoint> adjoints(nodes.size());
  adjoints.back().value = seed != nullptr ? seed : build.constant(e->dtype, 1);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const Expr node = nodes[i];
    if (!active[i] || independent[i] || adjoints[i].value == nullptr) continue;
    if (node->op == Op::Reduce)
      return NoDerivative{node,
                          "the adjoint of a reduction is a statement of its own: the adjoint "
                          "pass over programs makes it"};
    std::vector<bool> wanted;
    for (Expr arg : node->args()) wanted.push_back(active[position.at(arg)]);
    const auto maps = partials(build, node, wanted);
    if (auto* none = std::get_if<NoDerivative>(&maps)) return *none;
    for (std::size_t a = 0; a < wanted.size(); ++a) {
      const Partial& map = std::get<std::vector<Partial>>(maps)[a];
      if (!wanted[a] || map.kind == Partial::Kind::Zero) continue;
      const Expr arg = node->arg(a);
      add(build, adjoints[position.at(arg)], pull_back(build, map, adjoints[i], arg->dtype));
    }
  }

  std::vector<Expr> result;
  for (Expr node : independents) {
    const auto found = position.find(node);
    const Adjoint adjoint = found == position.end() ? Adjoint{} : adjoints[found->second];
    result.push_back(adjoint.value != nullptr ? guarded(build, adjoint)
                                              : build.constant(node->dtype, 0));
  }
  return result;
}

}  // namespace lathe::rewrite
