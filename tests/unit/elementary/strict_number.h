// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers that allow what number.h allows and nothing else: no conversion between floats, integers
// and conditions, no && or || on values, no branch on them. A body that compiles with them builds a
// graph as well as it computes, and must give the bits it gives with Native<double>.

#include "elementary/number.h"

namespace lathe::strict {

template <class T>
struct Value {
  T v;
  template <class Literal>
  requires std::is_arithmetic_v<Literal>
  explicit Value(Literal literal) : v(static_cast<T>(literal)) {}
  Value() = delete;
};
using F = Value<double>;
using I = Value<std::int64_t>;
using U = Value<std::uint64_t>;

struct B {
  bool v;
  explicit B(bool b) : v(b) {}
  friend B operator&(B a, B b) { return B(a.v && b.v); }
  friend B operator|(B a, B b) { return B(a.v || b.v); }
  friend B operator!(B a) { return B(!a.v); }
};

struct Numbers {
  using F = strict::F;
  using I = strict::I;
  using U = strict::U;
  using W = strict::U;
  using B = strict::B;
};

#define LATHE_STRICT(op)                         \
  template <class T>                             \
  Value<T> operator op(Value<T> a, Value<T> b) { \
    return Value<T>(a.v op b.v);                 \
  }
LATHE_STRICT(+)
LATHE_STRICT(-)
LATHE_STRICT(*)
#undef LATHE_STRICT
inline F operator/(F a, F b) { return F(a.v / b.v); }
inline F operator-(F a) { return F(-a.v); }
inline I operator-(I a) { return I(-a.v); }

#define LATHE_STRICT(op)                                   \
  inline I operator op(I a, I b) { return I(a.v op b.v); } \
  inline U operator op(U a, U b) { return U(a.v op b.v); }
LATHE_STRICT(&)
LATHE_STRICT(|)
LATHE_STRICT(^)
#undef LATHE_STRICT

#define LATHE_STRICT(op)                  \
  template <class T>                      \
  B operator op(Value<T> a, Value<T> b) { \
    return B(a.v op b.v);                 \
  }
LATHE_STRICT(==)
LATHE_STRICT(!=)
LATHE_STRICT(<)
LATHE_STRICT(<=)
LATHE_STRICT(>)
LATHE_STRICT(>=)
#undef LATHE_STRICT

template <class T>
Value<T> select(B c, Value<T> a, Value<T> b) {
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
inline U to_word(U i) { return i; }
template <class T>
Value<T> shift_left(Value<T> x, Value<T> count) {
  return Value<T>(elementary::shift_left(x.v, count.v));
}
template <class T>
Value<T> shift_right(Value<T> x, Value<T> count) {
  return Value<T>(elementary::shift_right(x.v, count.v));
}
// The index is checked, as the native spelling does not.
template <class T, std::size_t kSize>
Value<T> lookup(const T (&table)[kSize], I i) {
  if (i.v < 0 || i.v >= static_cast<std::int64_t>(kSize)) __builtin_trap();
  return Value<T>(table[i.v]);
}

}  // namespace lathe::strict
