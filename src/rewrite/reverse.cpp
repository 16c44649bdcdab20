// SPDX-License-Identifier: Apache-2.0
// Reverse derivative: adjoints travel from the value down to the independent nodes; when a node's
// turn comes, all its users have been seen. Contributions are added in the order of the users from
// the value down, so the result is the same in every run.

#include <unordered_map>

#include "ir/traverse.h"
#include "rewrite/derivative_rules.h"

namespace lathe::rewrite {

using ir::Expr;
using ir::Op;

std::variant<std::vector<Expr>, NoDerivative> reverse_derivative(
    ir::Maker& maker, Expr e, std::span<const Expr> independents, Expr seed) {
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

  std::vector<Expr> adjoints(nodes.size(), nullptr);
  adjoints.back() = seed != nullptr ? seed : build.constant(e->dtype, 1);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const Expr node = nodes[i];
    if (!active[i] || independent[i] || adjoints[i] == nullptr) continue;
    if (node->op == Op::Reduce)
      return NoDerivative{node, "the adjoint of a reduction is a statement of its own: the adjoint "
                                "pass over programs makes it"};
    std::vector<bool> wanted;
    for (Expr arg : node->args()) wanted.push_back(active[position.at(arg)]);
    const auto maps = partials(build, node, wanted);
    if (auto* none = std::get_if<NoDerivative>(&maps)) return *none;
    for (std::size_t a = 0; a < wanted.size(); ++a) {
      if (!wanted[a]) continue;
      const Expr arg = node->arg(a);
      const Partial& map = std::get<std::vector<Partial>>(maps)[a];
      const Expr term = apply(build, map, adjoints[i], arg->dtype);
      Expr& sum = adjoints[position.at(arg)];
      if (term != nullptr) sum = sum == nullptr ? term : build.add(sum, term);
    }
  }

  std::vector<Expr> result;
  for (Expr node : independents) {
    const auto found = position.find(node);
    const Expr adjoint = found == position.end() ? nullptr : adjoints[found->second];
    result.push_back(adjoint != nullptr ? adjoint : build.constant(node->dtype, 0));
  }
  return result;
}

}  // namespace lathe::rewrite
