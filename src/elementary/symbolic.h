// SPDX-License-Identifier: Apache-2.0
#pragma once
// The symbolic reading of elementary functions: numbers that write down what is done to them.
//
// Symbolic<DType::F32> has the same types and operations as Native<float> (number.h), but a value
// is an Expr and an operation makes a node. So the body that computes exp for the interpreter also
// gives the graph of exp, operation by operation, for every target to print.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "ir/build.h"

namespace lathe::elementary {

// While one lives, numbers of this thread are made through its maker.
class Recording {
 public:
  explicit Recording(ir::Maker& maker);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  ir::Maker* outer_;
};

namespace symbolic {

ir::Expr constant(const ir::Scalar& s);
ir::Expr make(ir::Op op, ir::DType t, std::initializer_list<ir::Expr> args);
ir::Expr lookup(ir::DType t, std::span<const ir::Scalar> values, ir::Expr index);

template <ir::DType kType>
class Number {
 public:
  Number() = default;
  explicit Number(ir::Expr expr) : expr_(expr) {}
  template <class Literal>
  requires std::is_arithmetic_v<Literal>
  explicit Number(Literal v) {
    if constexpr (std::is_floating_point_v<Literal>) {
      expr_ = constant(ir::Scalar::of_double(kType, v));
    } else if constexpr (std::is_signed_v<Literal>) {
      expr_ = constant(ir::Scalar::of_int(kType, v));
    } else {
      expr_ = constant(ir::Scalar::of_uint(kType, v));
    }
  }
  ir::Expr expr() const { return expr_; }

 private:
  ir::Expr expr_ = nullptr;
};

using Bool = Number<ir::DType::Bool>;

constexpr ir::DType signed_like(ir::DType t) {
  return ir::size_bytes(t) == 4 ? ir::DType::I32 : ir::DType::I64;
}
constexpr ir::DType unsigned_like(ir::DType t) {
  return ir::size_bytes(t) == 4 ? ir::DType::U32 : ir::DType::U64;
}
constexpr ir::DType float_like(ir::DType t) {
  return ir::size_bytes(t) == 4 ? ir::DType::F32 : ir::DType::F64;
}

// Operators and functions of number.h, one line each. They are found through their arguments.
#define LATHE_BINARY(spelling, op)                               \
  template <ir::DType t>                                         \
  Number<t> spelling(Number<t> a, Number<t> b) {                 \
    return Number<t>(make(ir::Op::op, t, {a.expr(), b.expr()})); \
  }
LATHE_BINARY(operator+, Add)
LATHE_BINARY(operator-, Sub)
LATHE_BINARY(operator*, Mul)
LATHE_BINARY(operator/, Div)
LATHE_BINARY(operator&, BitAnd)
LATHE_BINARY(operator|, BitOr)
LATHE_BINARY(operator^, BitXor)
LATHE_BINARY(copysign, Copysign)
#undef LATHE_BINARY

#define LATHE_COMPARISON(spelling, op)                                    \
  template <ir::DType t>                                                  \
  Bool spelling(Number<t> a, Number<t> b) {                               \
    return Bool(make(ir::Op::op, ir::DType::Bool, {a.expr(), b.expr()})); \
  }
LATHE_COMPARISON(operator<, Lt)
LATHE_COMPARISON(operator<=, Le)
LATHE_COMPARISON(operator>, Gt)
LATHE_COMPARISON(operator>=, Ge)
LATHE_COMPARISON(operator==, Eq)
LATHE_COMPARISON(operator!=, Ne)
#undef LATHE_COMPARISON

#define LATHE_UNARY(spelling, op)                      \
  template <ir::DType t>                               \
  Number<t> spelling(Number<t> x) {                    \
    return Number<t>(make(ir::Op::op, t, {x.expr()})); \
  }
LATHE_UNARY(operator-, Neg)
LATHE_UNARY(operator~, BitNot)
LATHE_UNARY(sqrt, Sqrt)
LATHE_UNARY(abs, Abs)
LATHE_UNARY(floor, Floor)
LATHE_UNARY(trunc, Trunc)
LATHE_UNARY(round_even, Round)
#undef LATHE_UNARY

#define LATHE_CONVERSION(spelling, op, to)                     \
  template <ir::DType t>                                       \
  Number<to(t)> spelling(Number<t> x) {                        \
    return Number<to(t)>(make(ir::Op::op, to(t), {x.expr()})); \
  }
LATHE_CONVERSION(bits, BitCast, signed_like)
LATHE_CONVERSION(from_bits, BitCast, float_like)
LATHE_CONVERSION(to_int, Cast, signed_like)
LATHE_CONVERSION(to_float, Cast, float_like)
LATHE_CONVERSION(to_unsigned, Cast, unsigned_like)
LATHE_CONVERSION(to_signed, Cast, signed_like)
#undef LATHE_CONVERSION

inline Bool operator!(Bool b) { return Bool(make(ir::Op::Not, ir::DType::Bool, {b.expr()})); }

template <ir::DType t>
Number<t> select(Bool c, Number<t> a, Number<t> b) {
  return Number<t>(make(ir::Op::Select, t, {c.expr(), a.expr(), b.expr()}));
}

template <ir::DType t>
Number<t> fma(Number<t> a, Number<t> b, Number<t> c) {
  return Number<t>(make(ir::Op::Fma, t, {a.expr(), b.expr(), c.expr()}));
}

// The language shifts by a count of the same dtype.
template <ir::DType t, ir::DType c>
Number<t> shift_left(Number<t> x, Number<c> count) {
  static_assert(t == c);
  return Number<t>(make(ir::Op::Shl, t, {x.expr(), count.expr()}));
}
template <ir::DType t, ir::DType c>
Number<t> shift_right(Number<t> x, Number<c> count) {
  static_assert(t == c);
  return Number<t>(make(ir::Op::Shr, t, {x.expr(), count.expr()}));
}

template <ir::DType t>
Number<ir::DType::U64> to_word(Number<t> x) {
  if constexpr (t == ir::DType::U64) {
    return x;
  } else {
    return Number<ir::DType::U64>(make(ir::Op::Cast, ir::DType::U64, {x.expr()}));
  }
}
template <class To>
To low_bits(Number<ir::DType::U64> w) {
  if constexpr (std::is_same_v<To, Number<ir::DType::U64>>) {
    return w;
  } else {
    return To(make(ir::Op::Cast, ir::DType::U32, {w.expr()}));
  }
}

template <class X>
constexpr ir::DType dtype_of() {
  if (std::is_same_v<X, float>) return ir::DType::F32;
  if (std::is_same_v<X, double>) return ir::DType::F64;
  const bool wide = sizeof(X) == 8;
  if (std::is_signed_v<X>) return wide ? ir::DType::I64 : ir::DType::I32;
  return wide ? ir::DType::U64 : ir::DType::U32;
}

template <class X, std::size_t kSize, ir::DType t>
Number<dtype_of<X>()> lookup(const X (&table)[kSize], Number<t> i) {
  constexpr ir::DType kElement = dtype_of<X>();
  ir::Scalar values[kSize];
  for (std::size_t e = 0; e < kSize; ++e) values[e] = Number<kElement>(table[e]).expr()->scalar();
  return Number<kElement>(lookup(kElement, values, i.expr()));
}

}  // namespace symbolic

template <ir::DType kFloat>
struct Symbolic {
  static_assert(kFloat == ir::DType::F32 || kFloat == ir::DType::F64);
  using F = symbolic::Number<kFloat>;
  using I = symbolic::Number<symbolic::signed_like(kFloat)>;
  using U = symbolic::Number<symbolic::unsigned_like(kFloat)>;
  using W = symbolic::Number<ir::DType::U64>;
  using B = symbolic::Bool;
};

// The graph of an elementary operation (exp, sin, pow ... of floats) on its operands, made through
// `maker`; 16-bit floats compute in float32 and round once. Any other expression is returned as it
// is. The graph has the bits of the operation itself.
ir::Expr expand(ir::Maker& maker, ir::Expr call);

// By operation; null for operations that are not elementary.
ir::Expr expand_float32(ir::Op op, std::span<const ir::Expr> args);
ir::Expr expand_float64(ir::Op op, std::span<const ir::Expr> args);

}  // namespace lathe::elementary
