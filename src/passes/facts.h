// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known to hold where an expression is evaluated, and what follows from it.

#include <set>
#include <unordered_map>
#include <vector>

#include "analysis/sets.h"
#include "ir/program.h"
#include "passes/rebuild.h"

namespace lathe::passes {

// lo <= v and v < hi, for each range.
std::vector<Expr> range_facts(ir::Maker& maker, const std::vector<ir::Range>& ranges);

// Per node of `root`: conditions that hold whenever the node is evaluated, on every path to it: the
// given ones, and those of the lazy operations above (the yes side of a select knows the
// condition, the right side of `and` knows the left, a reduction's body its bounds and guard).
using FactTable = std::unordered_map<Expr, std::vector<Expr>>;
FactTable facts_below(ir::Maker& maker, Expr root, const std::vector<Expr>& given);

// Does `condition` follow? By being among the facts, or as integer arithmetic (boxes, then isl
// within its budget). False when that cannot be shown.
bool implies(analysis::SetQuery& query, const std::vector<Expr>& facts, Expr condition);

}  // namespace lathe::passes
