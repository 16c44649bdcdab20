// SPDX-License-Identifier: Apache-2.0
// n - 2 becomes: push parameter 0, push 2, subtract. Shared parts are repeated: bounds are small.

#include "api/formula.h"

#include <algorithm>

namespace lathe::api {

std::optional<Formula> Formula::compile(ir::Expr e, std::span<const ir::Parameter> parameters) {
  using ir::Op;
  Formula out;
  // A node is pushed, then its operands, then the node once more, as done: no recursion.
  struct Visit {
    ir::Expr node;
    bool done;
  };
  std::vector<Visit> stack = {{e, false}};
  std::size_t visits = 0;
  while (!stack.empty()) {
    const Visit v = stack.back();
    stack.pop_back();
    if (++visits > 4 * kMaxInstructions || v.node->dtype != ir::DType::I64) return std::nullopt;
    if (!v.done) {
      stack.push_back({v.node, true});
      for (std::size_t i = v.node->arg_count; i-- > 0;) stack.push_back({v.node->arg(i), false});
      continue;
    }
    Instruction next{Code::Constant, 0};
    switch (v.node->op) {
      case Op::Const: next.value = v.node->scalar().as_int(); break;
      case Op::Param: {
        const auto found =
            std::find_if(parameters.begin(), parameters.end(),
                         [&](const ir::Parameter& p) { return p.name == v.node->name; });
        if (found == parameters.end()) return std::nullopt;
        next = {Code::Parameter, found - parameters.begin()};
        break;
      }
      case Op::Add: next.code = Code::Add; break;
      case Op::Sub: next.code = Code::Sub; break;
      case Op::Mul: next.code = Code::Mul; break;
      case Op::Neg: next.code = Code::Neg; break;
      case Op::Min: next.code = Code::Min; break;
      case Op::Max: next.code = Code::Max; break;
      case Op::FloorDiv: next.code = Code::Div; break;
      case Op::Mod: next.code = Code::Mod; break;
      default: return std::nullopt;
    }
    out.code_.push_back(next);
    if (out.code_.size() > kMaxInstructions) return std::nullopt;
  }
  return out;
}

CheckedInt Formula::evaluate(const std::uint64_t* parameters) const {
  std::int64_t stack[kMaxInstructions];
  std::size_t top = 0;  // how many are on it
  bool fits = true;
  for (const Instruction& i : code_) {
    if (i.code == Code::Constant || i.code == Code::Parameter) {
      stack[top++] =
          i.code == Code::Constant ? i.value : static_cast<std::int64_t>(parameters[i.value]);
      continue;
    }
    if (i.code == Code::Neg) {
      fits &= !__builtin_sub_overflow(std::int64_t{0}, stack[top - 1], &stack[top - 1]);
      continue;
    }
    const std::int64_t right = stack[--top];
    std::int64_t& left = stack[top - 1];
    switch (i.code) {
      case Code::Add: fits &= !__builtin_add_overflow(left, right, &left); break;
      case Code::Sub: fits &= !__builtin_sub_overflow(left, right, &left); break;
      case Code::Mul: fits &= !__builtin_mul_overflow(left, right, &left); break;
      case Code::Min: left = std::min(left, right); break;
      case Code::Max: left = std::max(left, right); break;
      case Code::Div:
        if (right == 0 || (left == INT64_MIN && right == -1)) return std::nullopt;
        left = floor_div(left, right);
        break;
      case Code::Mod:
        if (right == 0) return std::nullopt;
        left = floor_mod(left, right);
        break;
      case Code::Constant:
      case Code::Parameter:
      case Code::Neg: break;
    }
  }
  return fits ? CheckedInt(stack[0]) : std::nullopt;
}

}  // namespace lathe::api
