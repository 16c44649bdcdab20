// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walking and rewriting expressions without recursion: a chain of 100,000 nodes must not overflow
// the stack.

#include <span>
#include <unordered_map>
#include <vector>

#include "base/function_ref.h"
#include "ir/build.h"

namespace lathe::ir {

// Every node reachable from the roots once, operands before users, in a deterministic order.
std::vector<Expr> post_order(std::span<const Expr> roots);
inline std::vector<Expr> post_order(Expr root) { return post_order(std::span(&root, 1)); }

// Number of distinct nodes.
std::size_t dag_size(std::span<const Expr> roots);

// Rebuilds bottom-up: for each node, `leaf(e)` may give a replacement (not rewritten further) or
// null to rebuild it from its rewritten operands. `memo` is shared between calls on one map.
using Replacement = FunctionRef<Expr(Expr)>;
Expr rewrite(Maker& maker, Expr root, Replacement leaf,
             std::unordered_map<Expr, Expr>* memo = nullptr);

// Document 000's `rename`: every Index whose variable is in the map becomes the given expression
// (shift a computation: i -> i - 1). Capture-avoiding: a Reduce that binds a variable free in a
// replacement gets a fresh one; variables bound by a Reduce are not replaced below it.
using Renaming = std::vector<std::pair<Symbol, Expr>>;
Expr rename(Maker& maker, Expr e, const Renaming& renaming);

// Variables (Index) not bound by a Reduce inside; sorted by name.
std::vector<Symbol> free_variables(Expr e);
bool mentions(Expr e, Symbol variable);
// Arrays read (Read; not Inside), sorted by name, each once.
std::vector<Symbol> arrays_read(Expr e);
// Every Read node, in post order.
std::vector<Expr> reads(Expr e);

}  // namespace lathe::ir
