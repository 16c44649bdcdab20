// SPDX-License-Identifier: Apache-2.0
// Forward derivative: tangents travel from the independent nodes up, each node once.
//
//   x * sin(x), x moves by t:   t, then t * cos(x), then t * sin(x) + t * cos(x) * x
//
// A sum moves by the sum of what its body moves by; a contraction by one contraction per factor.
// A node without derivative matters only if its tangent is asked for: floor(gamma(x)) is flat.

#include <unordered_map>

#include "ir/traverse.h"
#include "rewrite/derivative_rules.h"

namespace lathe::rewrite {
namespace {

using ir::Expr;
using ir::Op;

// What is known of a node that moves: its tangent, or why it has none.
using Tangent = std::variant<Expr, NoDerivative>;
using Tangents = std::unordered_map<Expr, Tangent>;

Expr add(const ir::Build& build, Expr sum, Expr term) {
  return sum == nullptr ? term : build.add(sum, term);
}

Tangent through_reduce(const ir::Build& build, Expr e, const Tangents& tangents) {
  const ir::view::Reduce reduce(e);
  if (reduce.info.op != Op::Add && reduce.info.op != Op::Fma)
    return NoDerivative{e, "a reduction by '" + std::string(info(reduce.info.op).spelling) +
                               "' has no derivative here; sums and contractions have"};
  const std::size_t first = e->args().size() - reduce.values.size();
  Expr sum = nullptr;
  for (std::size_t i = first; i < e->args().size(); ++i) {
    const auto moved = tangents.find(e->arg(i));
    if (moved == tangents.end()) continue;
    if (std::holds_alternative<NoDerivative>(moved->second)) return moved->second;
    std::vector<Expr> args(e->args().begin(), e->args().end());
    args[i] = std::get<Expr>(moved->second);
    sum = add(build, sum, build.maker().remake(e, args));
  }
  return sum;
}

// Null when the operation is flat.
Tangent through_operation(const ir::Build& build, Expr e, const Tangents& tangents) {
  std::vector<bool> active;
  for (Expr arg : e->args()) active.push_back(tangents.contains(arg));
  const auto maps = partials(build, e, active);
  if (auto* none = std::get_if<NoDerivative>(&maps)) return *none;
  Expr sum = nullptr;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const Partial& map = std::get<std::vector<Partial>>(maps)[i];
    if (!active[i] || map.kind == Partial::Kind::Zero) continue;
    const Tangent& t = tangents.at(e->arg(i));
    if (std::holds_alternative<NoDerivative>(t)) return t;
    sum = add(build, sum, apply(build, map, std::get<Expr>(t), e->dtype));
  }
  return sum;
}

}  // namespace

std::variant<Expr, NoDerivative> forward_derivative(ir::Maker& maker, Expr e,
                                                    std::span<const std::pair<Expr, Expr>> given) {
  if (!ir::is_float(e->dtype))
    return NoDerivative{e, "an expression of dtype " + std::string(name(e->dtype)) +
                               " has no derivative; only floats have"};
  const ir::Build build(maker);
  Tangents tangents(given.begin(), given.end());
  const std::vector<Expr> nodes = ir::post_order(e);
  std::vector<bool> independent;
  for (Expr node : nodes)
    independent.push_back(ir::is_float(node->dtype) && tangents.contains(node));
  const std::vector<bool> active = active_nodes(nodes, independent);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!active[i] || independent[i]) continue;
    Tangent moved = nodes[i]->op == Op::Reduce ? through_reduce(build, nodes[i], tangents)
                                               : through_operation(build, nodes[i], tangents);
    const Expr* t = std::get_if<Expr>(&moved);
    if (t == nullptr || *t != nullptr) tangents.emplace(nodes[i], std::move(moved));
  }
  const auto found = tangents.find(e);
  return found == tangents.end() ? build.constant(e->dtype, 0) : found->second;
}

}  // namespace lathe::rewrite
