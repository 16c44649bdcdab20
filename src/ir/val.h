// SPDX-License-Identifier: Apache-2.0
#pragma once
// Val: an expression as a C++ value, for front ends and tests that build programs without text.
//
//   Val r = sqrt(x * x + y * y);      Val w = select(i > 0, u.at(i - 1), 0);
//
// C++ numbers are weak, as literals of the text are: `2 * x` has the dtype of x. What the typing
// rules refuse throws UserError.

#include <concepts>
#include <initializer_list>
#include <span>

#include "ir/build.h"

namespace lathe::ir {

class Val {
 public:
  Val() = default;  // no value at all: a guard that is not there
  Val(const Build& build, Expr e) : build_(&build), e_(e) {}
  Val(std::same_as<bool> auto b) : kind_(Kind::Bool), integer_(b ? 1 : 0) {}
  Val(std::integral auto v) requires(!std::same_as<decltype(v), bool>)
      : kind_(Kind::Integer), integer_(static_cast<std::int64_t>(v)) {}
  Val(std::floating_point auto v) : kind_(Kind::Real), real_(static_cast<double>(v)) {}

  bool present() const { return e_ != nullptr || kind_ != Kind::Expression; }
  bool weak() const { return kind_ == Kind::Integer || kind_ == Kind::Real; }
  bool is_real() const { return kind_ == Kind::Real; }
  const Build* build() const { return build_; }
  Expr expr() const { return e_; }  // null for C++ numbers

  // As an expression: a C++ number becomes a constant of that dtype, or of i64 and f64.
  Expr in(const Build& build, DType t) const;
  Expr plain(const Build& build) const;

 private:
  enum class Kind : std::uint8_t { Expression, Bool, Integer, Real };
  const Build* build_ = nullptr;
  Expr e_ = nullptr;
  Kind kind_ = Kind::Expression;
  std::int64_t integer_ = 0;
  double real_ = 0;
};

// Any operation of ops.def without attribute; at least one operand must be an expression.
Val apply(Op op, std::initializer_list<Val> operands);
Val apply(Op op, std::span<const Val> operands);
Val cast(DType t, const Val& x);
Val bit_cast(DType t, const Val& x);

inline Val operator+(const Val& a, const Val& b) { return apply(Op::Add, {a, b}); }
inline Val operator-(const Val& a, const Val& b) { return apply(Op::Sub, {a, b}); }
inline Val operator*(const Val& a, const Val& b) { return apply(Op::Mul, {a, b}); }
inline Val operator/(const Val& a, const Val& b) { return apply(Op::Div, {a, b}); }
inline Val operator%(const Val& a, const Val& b) { return apply(Op::Mod, {a, b}); }
inline Val operator-(const Val& a) { return apply(Op::Neg, {a}); }
inline Val operator<(const Val& a, const Val& b) { return apply(Op::Lt, {a, b}); }
inline Val operator<=(const Val& a, const Val& b) { return apply(Op::Le, {a, b}); }
inline Val operator>(const Val& a, const Val& b) { return apply(Op::Gt, {a, b}); }
inline Val operator>=(const Val& a, const Val& b) { return apply(Op::Ge, {a, b}); }
inline Val operator==(const Val& a, const Val& b) { return apply(Op::Eq, {a, b}); }
inline Val operator!=(const Val& a, const Val& b) { return apply(Op::Ne, {a, b}); }
// Lazy in the program, as `and` and `or` are; both sides are built.
inline Val operator&&(const Val& a, const Val& b) { return apply(Op::And, {a, b}); }
inline Val operator||(const Val& a, const Val& b) { return apply(Op::Or, {a, b}); }
inline Val operator!(const Val& a) { return apply(Op::Not, {a}); }
inline Val operator&(const Val& a, const Val& b) { return apply(Op::BitAnd, {a, b}); }
inline Val operator|(const Val& a, const Val& b) { return apply(Op::BitOr, {a, b}); }
inline Val operator^(const Val& a, const Val& b) { return apply(Op::BitXor, {a, b}); }
inline Val operator~(const Val& a) { return apply(Op::BitNot, {a}); }
inline Val operator<<(const Val& a, const Val& b) { return apply(Op::Shl, {a, b}); }
inline Val operator>>(const Val& a, const Val& b) { return apply(Op::Shr, {a, b}); }

inline Val select(const Val& c, const Val& a, const Val& b) { return apply(Op::Select, {c, a, b}); }
inline Val gate(const Val& c, const Val& x) { return apply(Op::Gate, {c, x}); }
inline Val floor_div(const Val& a, const Val& b) { return apply(Op::FloorDiv, {a, b}); }
inline Val pow(const Val& a, const Val& b) { return apply(Op::Pow, {a, b}); }
inline Val min(const Val& a, const Val& b) { return apply(Op::Min, {a, b}); }
inline Val max(const Val& a, const Val& b) { return apply(Op::Max, {a, b}); }
inline Val fma(const Val& a, const Val& b, const Val& c) { return apply(Op::Fma, {a, b, c}); }
inline Val atan2(const Val& a, const Val& b) { return apply(Op::Atan2, {a, b}); }
inline Val copysign(const Val& a, const Val& b) { return apply(Op::Copysign, {a, b}); }
inline Val abs(const Val& x) { return apply(Op::Abs, {x}); }
inline Val sign(const Val& x) { return apply(Op::Sign, {x}); }
inline Val floor(const Val& x) { return apply(Op::Floor, {x}); }
inline Val ceil(const Val& x) { return apply(Op::Ceil, {x}); }
inline Val round(const Val& x) { return apply(Op::Round, {x}); }
inline Val sqrt(const Val& x) { return apply(Op::Sqrt, {x}); }
inline Val exp(const Val& x) { return apply(Op::Exp, {x}); }
inline Val log(const Val& x) { return apply(Op::Log, {x}); }
inline Val sin(const Val& x) { return apply(Op::Sin, {x}); }
inline Val cos(const Val& x) { return apply(Op::Cos, {x}); }
inline Val tanh(const Val& x) { return apply(Op::Tanh, {x}); }
inline Val isnan(const Val& x) { return apply(Op::IsNan, {x}); }

}  // namespace lathe::ir
