// SPDX-License-Identifier: Apache-2.0
#include "ir/index_form.h"

#include "ir/traverse.h"

namespace lathe::ir {

Symbol shifted_variable(Expr index) {
  const auto constant = [](Expr e) { return free_variables(e).empty() && reads(e).empty(); };
  if (index->op == Op::Index) return index->name;
  if (index->op != Op::Add && index->op != Op::Sub) return {};
  const auto [left, right] = view::Binary(index);
  if (left->op == Op::Index && constant(right)) return left->name;
  if (index->op == Op::Add && right->op == Op::Index && constant(left)) return right->name;
  return {};
}

}  // namespace lathe::ir
