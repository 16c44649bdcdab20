// SPDX-License-Identifier: Apache-2.0
#pragma once
// The reads of an expression with the points at which they happen.

#include "analysis/access.h"
#include "base/function_ref.h"

namespace lathe::analysis {

// Where something happens: a set and the variables around it.
struct Scope {
  ir::SetExpr set = ir::SetExpr::universe();
  std::vector<std::string> variables, sequential;  // as in StatementAccess
  std::vector<int> directions, rounds, loops;
};
Scope inside(const Scope& scope, const ir::SetExpr& condition);
Scope inside(const Scope& scope, const ir::Range& range);

// Calls f(read, scope) for every Read below `root`, once for each different scope in which the
// language evaluates it. Linear in the size of the graph times the number of scopes; beyond a cap
// of visits the reads that are left come with an opaque condition.
void for_each_read(const ir::Program& program, ir::Expr root, const Scope& scope,
                   FunctionRef<void(ir::Expr, const Scope&)> f);

}  // namespace lathe::analysis
