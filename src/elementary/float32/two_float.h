// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two-float arithmetic: a value as the unevaluated sum hi + lo of two floats, |lo| <= ulp(hi)/2 or
// a little more, which carries about 48 bits without float64. The building blocks are the classic
// error-free sums and products (Dekker, Knuth; the product by fma). Operations marked "loose" leave
// lo unnormalised: add hi + lo once at the end, or call `normalize`.

#include "elementary/number.h"

namespace lathe::elementary::float32 {

template <class N>
struct Two {
  typename N::F hi, lo;
};

// a + b exactly, when |a| >= |b| or a == 0.
template <class N>
Two<N> fast_two_sum(typename N::F a, typename N::F b) {
  const typename N::F s = a + b;
  return {s, b - (s - a)};
}

// a + b exactly, in any order.
template <class N>
Two<N> two_sum(typename N::F a, typename N::F b) {
  using F = typename N::F;
  const F s = a + b;
  const F from_b = s - a;
  const F from_a = s - from_b;
  return {s, (a - from_a) + (b - from_b)};
}

// a * b exactly, unless the error underflows.
template <class N>
Two<N> two_prod(typename N::F a, typename N::F b) {
  const typename N::F p = a * b;
  return {p, fma(a, b, -p)};
}

template <class N>
Two<N> normalize(Two<N> a) {
  return fast_two_sum<N>(a.hi, a.lo);
}

// Relative error about 2^-45 unless the sum cancels; loose.
template <class N>
Two<N> add(Two<N> a, Two<N> b) {
  const Two<N> s = two_sum<N>(a.hi, b.hi);
  return {s.hi, s.lo + (a.lo + b.lo)};
}
template <class N>
Two<N> add(Two<N> a, typename N::F b) {
  const Two<N> s = two_sum<N>(a.hi, b);
  return {s.hi, s.lo + a.lo};
}

// Relative error about 2^-45; loose.
template <class N>
Two<N> mul(Two<N> a, Two<N> b) {
  const Two<N> p = two_prod<N>(a.hi, b.hi);
  return {p.hi, fma(a.hi, b.lo, fma(a.lo, b.hi, p.lo))};
}
template <class N>
Two<N> mul(Two<N> a, typename N::F b) {
  const Two<N> p = two_prod<N>(a.hi, b);
  return {p.hi, fma(a.lo, b, p.lo)};
}

// n / d: the quotient rounded, and the remainder divided. Relative error about 2^-45.
template <class N>
Two<N> div(Two<N> n, Two<N> d) {
  using F = typename N::F;
  const F q = n.hi / d.hi;
  const F rest = fma(-q, d.lo, fma(-q, d.hi, n.hi) + n.lo);
  return {q, rest / d.hi};
}

// The square root of a positive value. Relative error about 2^-45.
template <class N>
Two<N> sqrt_two(Two<N> a) {
  using F = typename N::F;
  const F s = sqrt(a.hi);
  const F rest = fma(-s, s, a.hi) + a.lo;
  return {s, rest / (s + s)};
}

}  // namespace lathe::elementary::float32
