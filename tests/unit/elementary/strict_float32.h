// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers for float32 bodies that allow what number.h allows and nothing else: no conversion
// between floats, integers and conditions, no branch on a value, shift counts of the shifted type.
// Signed overflow and a table index outside the table stop the program. A body that compiles with
// them builds a graph as well as it computes, and must give the bits it gives with Native<float>.

#include <concepts>

#include "elementary/number.h"

namespace lathe::strict32 {

template <class T>
struct Value {
  T v;
  template <class Literal>
  requires std::is_arithmetic_v<Literal>
  explicit Value(Literal literal) : v(static_cast<T>(literal)) {}
  Value() = delete;
};

struct Condition {
  bool v;
  explicit Condition(bool b) : v(b) {}
  friend Condition operator&(Condition a, Condition b) { return Condition(a.v && b.v); }
  friend Condition operator|(Condition a, Condition b) { return Condition(a.v || b.v); }
  friend Condition operator!(Condition a) { return Condition(!a.v); }
};

struct Numbers {
  using F = Value<float>;
  using I = Value<std::int32_t>;
  using U = Value<std::uint32_t>;
  using W = Value<std::uint64_t>;
  using B = Condition;
};
using F = Numbers::F;
using I = Numbers::I;
using U = Numbers::U;
using W = Numbers::W;

#define LATHE_STRICT(op, checked)                  \
  template <class T>                               \
  Value<T> operator op(Value<T> a, Value<T> b) {   \
    if constexpr (std::signed_integral<T>) {       \
      T r;                                         \
      if (checked(a.v, b.v, &r)) __builtin_trap(); \
    }                                              \
    return Value<T>(a.v op b.v);                   \
  }
LATHE_STRICT(+, __builtin_add_overflow)
LATHE_STRICT(-, __builtin_sub_overflow)
LATHE_STRICT(*, __builtin_mul_overflow)
#undef LATHE_STRICT
inline F operator/(F a, F b) { return F(a.v / b.v); }
inline F operator-(F a) { return F(-a.v); }

#define LATHE_STRICT(op)                         \
  template <std::integral T>                     \
  Value<T> operator op(Value<T> a, Value<T> b) { \
    return Value<T>(a.v op b.v);                 \
  }
LATHE_STRICT(&)
LATHE_STRICT(|)
LATHE_STRICT(^)
#undef LATHE_STRICT

#define LATHE_STRICT(op)                          \
  template <class T>                              \
  Condition operator op(Value<T> a, Value<T> b) { \
    return Condition(a.v op b.v);                 \
  }
LATHE_STRICT(==)
LATHE_STRICT(!=)
LATHE_STRICT(<)
LATHE_STRICT(<=)
LATHE_STRICT(>)
LATHE_STRICT(>=)
#undef LATHE_STRICT

template <class T>
Value<T> select(Condition c, Value<T> a, Value<T> b) {
  return c.v ? a : b;
}
inline F fma(F a, F b, F c) { return F(elementary::fma(a.v, b.v, c.v)); }
inline F sqrt(F x) { return F(elementary::sqrt(x.v)); }
inline F abs(F x) { return F(elementary::abs(x.v)); }
inline F copysign(F x, F s) { return F(elementary::copysign(x.v, s.v)); }
inline F floor(F x) { return F(elementary::floor(x.v)); }
inline F trunc(F x) { return F(elementary::trunc(x.v)); }
inline F round_even(F x) { return F(elementary::round_even(x.v)); }
inline I bits(F x) { return I(elementary::bits(x.v)); }
inline F from_bits(I b) { return F(elementary::from_bits(b.v)); }
inline I to_int(F x) { return I(elementary::to_int(x.v)); }
inline F to_float(I i) { return F(elementary::to_float(i.v)); }
inline U to_unsigned(I i) { return U(elementary::to_unsigned(i.v)); }
inline I to_signed(U i) { return I(elementary::to_signed(i.v)); }
inline W to_word(U i) { return W(i.v); }
template <class To>
To low_bits(W w) {
  return To(static_cast<std::uint32_t>(w.v));
}
template <class T>
Value<T> shift_left(Value<T> x, Value<T> count) {
  return Value<T>(elementary::shift_left(x.v, count.v));
}
template <class T>
Value<T> shift_right(Value<T> x, Value<T> count) {
  return Value<T>(elementary::shift_right(x.v, count.v));
}
template <class T, std::size_t kSize>
Value<T> lookup(const T (&table)[kSize], I i) {
  if (i.v < 0 || i.v >= static_cast<std::int32_t>(kSize)) __builtin_trap();
  return Value<T>(table[i.v]);
}

}  // namespace lathe::strict32
