// SPDX-License-Identifier: Apache-2.0
#include "ir/index_form.h"

#include <algorithm>

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

static bool costs_little(Op op) {
  switch (op) {
    case Op::Const:
    case Op::Index:
    case Op::Param:
    case Op::Read:
    case Op::Select:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Cast:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Neg:
    case Op::BitAnd: return true;
    default: return false;
  }
}

bool is_quick(Expr index) {
  constexpr std::size_t kFew = 16;
  const std::vector<Expr> nodes = post_order(index);
  return nodes.size() <= kFew &&
         std::all_of(nodes.begin(), nodes.end(), [](Expr e) { return costs_little(e->op); });
}

}  // namespace lathe::ir
