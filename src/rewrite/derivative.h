// SPDX-License-Identifier: Apache-2.0
#pragma once
// First derivatives, Expr -> Expr: forward (one direction) and reverse (all reads of one value).

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/build.h"

namespace lathe::rewrite {

// Why an expression has no derivative here: "'gamma' has no derivative in this language".
struct NoDerivative {
  ir::Expr at;
  std::string reason;
};

// d e, given the tangent of each independent node (reads or parameters; all others have tangent 0).
// Comparisons, floor, casts to integers and the like have derivative 0; |x|' is +1 at +-0 as in
// energies, min/max take the side that they take (the left one of equals); select differentiates
// the chosen side. Sums are differentiated inside; tangents may speak of their bound variables.
// Integers and bools have no tangent, and what depends on an independent node only through them is
// constant. What stands below an independent node is not looked at.
std::variant<ir::Expr, NoDerivative> forward_derivative(
    ir::Maker& maker, ir::Expr e, std::span<const std::pair<ir::Expr, ir::Expr>> tangents);

// For each independent node: d e / d node, times `seed` (the adjoint of e; null: 1). One pass over
// the graph, so the cost is a small multiple of e's for any number of independents. Reductions that
// depend on one are refused: their adjoint is a statement (the adjoint pass over Programs).
std::variant<std::vector<ir::Expr>, NoDerivative> reverse_derivative(
    ir::Maker& maker, ir::Expr e, std::span<const ir::Expr> independents, ir::Expr seed = nullptr);

}  // namespace lathe::rewrite
