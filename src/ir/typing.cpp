// SPDX-License-Identifier: Apache-2.0
// One function per column of ops.def: Typing gives the result dtype, or a sentence why not.

#include "ir/typing.h"

#include <limits>

#include "base/quoted.h"

namespace lathe::ir {
namespace {

std::string refuse(Op op, std::string_view needs, DType got) {
  return quoted(info(op).spelling) + " needs " + std::string(needs) + ", not " +
         std::string(name(got));
}

}  // namespace

std::variant<DType, std::string> result_dtype(Op op, std::span<const DType> operands) {
  const OpInfo& i = info(op);
  if (i.arity >= 0 && operands.size() != static_cast<std::size_t>(i.arity))
    return quoted(i.spelling) + " takes " + std::to_string(i.arity) + " operand" +
           (i.arity == 1 ? "" : "s") + ", not " + std::to_string(operands.size());
  if (operands.empty()) return quoted(i.spelling) + " has a dtype of its own";
  // Select and Gate have a bool in front of the operands that share a dtype.
  const bool guarded = i.typing == Typing::Select || i.typing == Typing::Gate;
  if (guarded && !is_bool(operands[0])) return refuse(op, "a bool condition", operands[0]);
  const std::span<const DType> values = operands.subspan(guarded ? 1 : 0);
  const DType t = values[0];
  for (DType other : values)
    if (other != t)
      return quoted(i.spelling) + " needs operands of one dtype, not " + std::string(name(t)) +
             " and " + std::string(name(other));
  switch (i.typing) {
    case Typing::Arith:
      if (is_bool(t)) return refuse(op, "numbers", t);
      return t;
    case Typing::Float:
      if (!is_float(t)) return refuse(op, "a float", t);
      return t;
    case Typing::Integer:
      if (!is_int(t)) return refuse(op, "integers", t);
      return t;
    case Typing::Bits:
      if (is_float(t)) return refuse(op, "integers or bools", t);
      return t;
    case Typing::Order:
      if (is_bool(t)) return refuse(op, "numbers", t);
      return DType::Bool;
    case Typing::Same: return DType::Bool;
    case Typing::Logic:
      if (!is_bool(t)) return refuse(op, "bools", t);
      return DType::Bool;
    case Typing::Test:
      if (!is_float(t)) return refuse(op, "a float", t);
      return DType::Bool;
    case Typing::Select: return t;
    case Typing::Gate: return t;
    case Typing::Special: return quoted(info(op).spelling) + " has a dtype of its own";
  }
  return quoted(i.spelling) + " has no typing rule";
}

bool order_matters(Op op, DType accumulator) {
  if (op == Op::Fma) return true;
  if (has(op, kAssociates) && has(op, kCommutes)) return false;
  return is_float(accumulator) || !(op == Op::Add || op == Op::Mul);
}

bool can_accumulate(Op op, DType t) {
  if (op == Op::Fma) return is_float(t);
  if (info(op).arity != 2) return false;
  const DType both[] = {t, t};
  const auto result = result_dtype(op, both);
  return std::holds_alternative<DType>(result) && std::get<DType>(result) == t;
}

std::optional<Scalar> neutral(Op op, DType t) {
  const double inf = std::numeric_limits<double>::infinity();
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Fma:
    case Op::Or:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Shl:
    case Op::Shr: return Scalar::of_int(t, 0);
    case Op::Mul:
    case Op::Div:
    case Op::FloorDiv:
    case Op::TruncDiv:
    case Op::Pow:
    case Op::And: return Scalar::of_int(t, 1);
    case Op::BitAnd: return is_bool(t) ? Scalar::of_bool(true) : Scalar::of_int(t, -1);
    case Op::Min: return Scalar::of_double(t, inf);  // the largest number of an integer dtype
    case Op::Max: return Scalar::of_double(t, -inf);
    case Op::FMin:
    case Op::FMax:
      return Scalar::of_double(t, std::numeric_limits<double>::quiet_NaN());  // NaN loses
    default: return std::nullopt;
  }
}

}  // namespace lathe::ir
