// SPDX-License-Identifier: Apache-2.0
#pragma once
// Double-double arithmetic: a value carried as an unevaluated sum hi + lo of two float64, hi being
// the sum rounded (|lo| <= ulp(hi)/2). About 106 bits. Every function of this folder computes its
// value as such a pair with a relative error near 2^-60 or below, so the only rounding that counts
// is the last one, and the total stays near 0.5 ulp without delicate accounting.
//
// Exact (no rounding at all, short of overflow and underflow): two_sum, fast_two_sum, two_product.
// Relative error at most 2^-100 when the operands do not cancel: add, multiply, divide,
// square_root.

#include <cstddef>

#include "elementary/number.h"

namespace lathe::elementary::float64 {

template <class N>
struct Pair {
  typename N::F hi, lo;
};

// a + b, for any a and b.
template <class N>
Pair<N> two_sum(typename N::F a, typename N::F b) {
  using F = typename N::F;
  F s = a + b;
  F b_part = s - a;
  F a_part = s - b_part;
  return {s, (a - a_part) + (b - b_part)};
}

// a + b, where |a| >= |b| or a is 0.
template <class N>
Pair<N> fast_two_sum(typename N::F a, typename N::F b) {
  using F = typename N::F;
  F s = a + b;
  return {s, b - (s - a)};
}

template <class N>
Pair<N> two_product(typename N::F a, typename N::F b) {
  using F = typename N::F;
  F p = a * b;
  return {p, fma(a, b, -p)};
}

template <class N>
Pair<N> negate(Pair<N> a) {
  return {-a.hi, -a.lo};
}

// By a power of two.
template <class N>
Pair<N> scale(Pair<N> a, typename N::F power) {
  return {a.hi * power, a.lo * power};
}

template <class N>
Pair<N> select_pair(typename N::B c, Pair<N> a, Pair<N> b) {
  return {select(c, a.hi, b.hi), select(c, a.lo, b.lo)};
}

template <class N>
Pair<N> add(Pair<N> a, typename N::F b) {
  Pair<N> s = two_sum<N>(a.hi, b);
  return fast_two_sum<N>(s.hi, s.lo + a.lo);
}

// Absolute error at most 2^-103 (|a| + |b|); both low parts count in full when the high ones
// cancel.
template <class N>
Pair<N> add(Pair<N> a, Pair<N> b) {
  Pair<N> s = two_sum<N>(a.hi, b.hi);
  Pair<N> t = two_sum<N>(a.lo, b.lo);
  Pair<N> u = fast_two_sum<N>(s.hi, s.lo + t.hi);
  return fast_two_sum<N>(u.hi, u.lo + t.lo);
}

template <class N>
Pair<N> subtract(Pair<N> a, Pair<N> b) {
  return add<N>(a, negate<N>(b));
}

template <class N>
Pair<N> multiply(Pair<N> a, typename N::F b) {
  Pair<N> p = two_product<N>(a.hi, b);
  return fast_two_sum<N>(p.hi, fma(a.lo, b, p.lo));
}

template <class N>
Pair<N> multiply(Pair<N> a, Pair<N> b) {
  Pair<N> p = two_product<N>(a.hi, b.hi);
  return fast_two_sum<N>(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}

template <class N>
Pair<N> divide(Pair<N> a, Pair<N> b) {
  using F = typename N::F;
  F q = a.hi / b.hi;
  F rest = fma(-q, b.lo, fma(-q, b.hi, a.hi) + a.lo);
  return fast_two_sum<N>(q, rest / b.hi);
}

// Of a >= 0; 0 gives 0.
template <class N>
Pair<N> square_root(Pair<N> a) {
  using F = typename N::F;
  F s = sqrt(a.hi);
  F rest = fma(-s, s, a.hi) + a.lo;
  F low = select(a.hi == F(0), F(0), rest / (s + s));
  return fast_two_sum<N>(s, low);
}

// c[i] + c[i+1] x + ... by Horner's rule with fma. Recursive, so that no loop is left to compile.
template <class N, std::size_t i = 0, std::size_t kSize>
typename N::F polynomial(typename N::F x, const double (&c)[kSize]) {
  using F = typename N::F;
  if constexpr (i + 1 == kSize) {
    return F(c[i]);
  } else {
    return fma(polynomial<N, i + 1>(x, c), x, F(c[i]));
  }
}

// i as a float, for |i| < 2^51: i added to the last bits of 1.5 * 2^52. Unlike to_float, it is an
// instruction on vectors everywhere.
template <class N>
typename N::F small_to_float(typename N::I i) {
  using F = typename N::F;
  return from_bits(bits(F(0x1.8p52)) + i) - F(0x1.8p52);
}

// 2^n for -1022 <= n <= 1023.
template <class N>
typename N::F power_of_two(typename N::I n) {
  using I = typename N::I;
  return from_bits(shift_left(n + I(1023), I(52)));
}

// v * 2^n for |n| <= 2000, rounded once, at the end, where the result is denormal.
template <class N>
typename N::F scale_by_power(typename N::F v, typename N::I n) {
  using I = typename N::I;
  I half = shift_right(n, I(1));
  return v * power_of_two<N>(half) * power_of_two<N>(n - half);
}

}  // namespace lathe::elementary::float64
