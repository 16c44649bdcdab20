// SPDX-License-Identifier: Apache-2.0
// Val operations: C++ numbers take the dtype that the typed operands agree on, Build does the rest.

#include "ir/val.h"

#include "base/diagnostics.h"
#include "ir/literal.h"

namespace lathe::ir {

Expr Val::in(const Build& build, DType t) const {
  switch (kind_) {
    case Kind::Expression: check(e_ != nullptr, "a value that is there"); return build.cast(t, e_);
    case Kind::Bool: return build.cast(t, build.boolean(integer_ != 0));
    case Kind::Integer: {
      const Expr e = build.integer(integer_, t);
      if (is_int(t) && (e->scalar().as_int() != integer_ || (is_unsigned_int(t) && integer_ < 0)))
        throw UserError(std::to_string(integer_) + " does not fit " + std::string(name(t)));
      return e;
    }
    case Kind::Real:
      if (!is_float(t)) throw UserError("a real number cannot be " + std::string(name(t)));
      return build.constant(t, real_);
  }
  internal_error("a value of no kind");
}

Expr Val::plain(const Build& build) const {
  if (kind_ == Kind::Bool) return build.boolean(integer_ != 0);
  if (weak()) return in(build, is_real() ? DType::F64 : DType::I64);
  check(e_ != nullptr, "a value that is there");
  return e_;
}

Val apply(Op op, std::initializer_list<Val> operands) {
  return apply(op, std::span(operands.begin(), operands.size()));
}

Val apply(Op op, std::span<const Val> operands) {
  const Build* build = nullptr;
  for (const Val& v : operands)
    if (v.build()) build = v.build();
  check(build != nullptr, "an operand that belongs to a program");
  const Typing typing = info(op).typing;
  const std::size_t first = typing == Typing::Select || typing == Typing::Gate ? 1 : 0;
  std::vector<OperandKind> kinds;
  for (const Val& v : operands.subspan(std::min(first, operands.size())))
    kinds.push_back({v.weak() ? std::nullopt : std::optional(v.plain(*build)->dtype), v.is_real()});
  const DType t = common_dtype(kinds, typing == Typing::Float || typing == Typing::Test);
  std::vector<Expr> args;
  for (std::size_t i = 0; i < operands.size(); ++i)
    args.push_back(operands[i].weak() && i >= first ? operands[i].in(*build, t)
                                                    : operands[i].plain(*build));
  const Expr e = build->op(op, args);
  if (!e) throw UserError(build->refusal());
  return {*build, e};
}

Val cast(DType t, const Val& x) {
  check(x.build() != nullptr, "an operand that belongs to a program");
  return {*x.build(), x.build()->cast(t, x.expr())};
}

Val bit_cast(DType t, const Val& x) {
  check(x.build() != nullptr, "an operand that belongs to a program");
  const Expr e = x.build()->bit_cast(t, x.expr());
  if (!e) throw UserError(x.build()->refusal());
  return {*x.build(), e};
}

}  // namespace lathe::ir
