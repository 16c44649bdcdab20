// SPDX-License-Identifier: Apache-2.0
// Promotion: bring the operands of an operation to one dtype that its typing rule takes, by casts.

#include "ir/build.h"

#include "base/diagnostics.h"
#include "ir/typing.h"

namespace lathe::ir {
namespace {

// The dtype in which an operation on promoted operands of dtype t is done: NumPy turns integer
// operands of a float operation into f64.
DType operating_dtype(Op op, DType t) {
  const Typing typing = info(op).typing;
  const bool wants_float = typing == Typing::Float || typing == Typing::Test;
  if (wants_float && !is_float(t)) return DType::F64;
  return t;
}

// NumPy's bool arithmetic: + is `or`, * is `and`, min and max likewise.
Op bool_form(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Max: return Op::Or;
    case Op::Mul:
    case Op::Min: return Op::And;
    default: return op;
  }
}

}  // namespace

Expr RawMaker::make(Op op, DType t, std::span<const Expr> args) {
  return graph().apply(op, t, args);
}
Expr RawMaker::remake(Expr e, std::span<const Expr> args) { return graph().with_args(e, args); }

Expr Build::constant(DType t, double v) const { return graph().constant(Scalar::of_double(t, v)); }
Expr Build::integer(std::int64_t v, DType t) const {
  return graph().constant(Scalar::of_int(t, v));
}
Expr Build::boolean(bool v) const { return graph().constant(Scalar::of_bool(v)); }
Expr Build::index(std::string_view name) const { return graph().index(graph().symbol(name)); }
Expr Build::read(Symbol array, DType t, std::initializer_list<Expr> indices, Policy p) const {
  return graph().read(array, t, std::span(indices.begin(), indices.size()), p);
}

Expr Build::bound(Expr x) const { return x && is_int(x->dtype) ? cast(DType::I64, x) : x; }
Expr Build::cast(DType t, Expr x) const {
  return x->dtype == t ? x : maker_.make(Op::Cast, t, std::span(&x, 1));
}

Expr Build::bit_cast(DType t, Expr x) const {
  if (x->dtype == t) return x;
  if (size_bytes(t) != size_bytes(x->dtype) || is_bool(t) || is_bool(x->dtype)) {
    refusal_ = "'bitcast_" + std::string(name(t)) + "' needs a number of " +
               std::to_string(width_bits(t)) + " bits, not " + std::string(name(x->dtype));
    return nullptr;
  }
  return maker_.make(Op::BitCast, t, std::span(&x, 1));
}

Expr Build::op(Op op, std::initializer_list<Expr> args) const {
  return this->op(op, std::span(args.begin(), args.size()));
}

Expr Build::op(Op op, std::span<const Expr> args) const {
  const Typing typing = info(op).typing;
  const std::size_t first = typing == Typing::Select || typing == Typing::Gate ? 1 : 0;
  std::vector<Expr> operands(args.begin(), args.end());
  if (operands.size() > first) {
    DType t = operands[first]->dtype;
    for (std::size_t i = first + 1; i < operands.size(); ++i) t = promote(t, operands[i]->dtype);
    if (is_bool(t)) op = bool_form(op);
    t = operating_dtype(op, t);
    for (std::size_t i = first; i < operands.size(); ++i) operands[i] = cast(t, operands[i]);
  }
  std::vector<DType> dtypes;
  for (Expr e : operands) dtypes.push_back(e->dtype);
  const auto result = result_dtype(op, dtypes);
  if (auto* why = std::get_if<std::string>(&result)) {
    refusal_ = *why;
    return nullptr;
  }
  return maker_.make(op, std::get<DType>(result), operands);
}

}  // namespace lathe::ir
