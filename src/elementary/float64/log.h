// SPDX-License-Identifier: Apache-2.0
#pragma once
// log_pair, the core that everything logarithmic here shares: log(u.hi + u.lo) as a pair.
// u = 2^k m with m in [0.6875, 1.375). A table of 128 entries gives c near 1/m, and r = m c - 1 is
// exact as a pair (two_product, and subtracting 1 is exact). log u = (k ln2 - log c) + log(1 + r):
// the high parts of k ln2 and -log c are multiples of 2^-42, so their sum is exact. Both table
// entries that touch 1 have c = 1, so that near 1 nothing cancels; there -2^-8 <= r <= 2^-7, else
// |r| < 2^-8. log(1+r) = r - r^2/2 + r^3 q(r): r^2/2 as an exact pair, q of degree 6 off by 2^-54
// relative, that is 2^-69.5 of r; rounding r^3 q adds 2^-67. Relative error below 2^-66.5.
//
// log: the pair rounded: 0.501 ulp. Denormal arguments are scaled by 2^54 first.
//
// log2, log10: k and the rest are multiplied as pairs: 0.501 ulp; log2 of a power of two is exact.
//
// log1p: 1 + x is an exact pair: 0.501 ulp. For |x| < 2^-60, x itself.

#include "elementary/float64/double_double.h"
#include "elementary/float64/log_table.h"

namespace lathe::elementary::float64 {

// (log(1+r) - r + r^2/2) / r^3 on [-2^-8, 2^-7], relative error 2^-53.9.
inline constexpr double kLogTail[] = {
    0x1.5555555555555p-2, -0x1.fffffffffffb4p-3, 0x1.99999999bab04p-3, -0x1.5555556dbca6fp-3,
    0x1.24923903f887p-3,  -0x1.ffd5cb40ae46ap-4, 0x1.b8e92e15d6025p-4};

// log_hi + log_lo + log(1 + r) with the table's -log c and any exact multiple of ln2 in log_hi.
template <class N>
Pair<N> log_sum(typename N::F log_hi, typename N::F log_lo, Pair<N> r) {
  using F = typename N::F;
  Pair<N> square = two_product<N>(r.hi, r.hi);
  Pair<N> first = fast_two_sum<N>(log_hi, r.hi);
  Pair<N> second = fast_two_sum<N>(first.hi, F(-0.5) * square.hi);
  F cube = square.hi * r.hi;
  F small = fma(-r.hi, r.lo, fma(F(-0.5), square.lo, r.lo)) + log_lo;
  F low = (first.lo + second.lo) + fma(cube, polynomial<N>(r.hi, kLogTail), small);
  return fast_two_sum<N>(second.hi, low);
}

// u = 2^exponent (1 + r) / c, c the table's entry.
template <class N>
struct LogReduced {
  typename N::F exponent;
  typename N::I entry;
  Pair<N> r;
};

// u.hi normal and positive, else garbage; u.lo 0 where u.hi >= 2^1000.
template <class N>
LogReduced<N> log_reduce(Pair<N> u) {
  using F = typename N::F;
  using I = typename N::I;
  I u_bits = bits(abs(u.hi));
  I above = u_bits - I(0x3fe6000000000000);
  I k = shift_right(above, I(52));
  I entry = shift_right(above, I(45)) & I(127);
  F m = from_bits(u_bits - shift_left(k, I(52)));
  F m_low = u.lo * power_of_two<N>(-select(k < I(1000), k, I(1000)));
  F c = lookup(kInverse, entry);
  Pair<N> product = two_product<N>(m, c);
  // Nearly cancelling, product.hi - 1 can be as small as the rest, or smaller.
  Pair<N> r = two_sum<N>(product.hi - F(1), fma(m_low, c, product.lo));
  return {small_to_float<N>(k), entry, r};
}

template <class N>
Pair<N> log_combine(LogReduced<N> x, typename N::F exponent) {
  using F = typename N::F;
  F log_hi = fma(exponent, F(0x1.62e42fefa3800p-1), lookup(kLogHi, x.entry));
  F log_lo = fma(exponent, F(0x1.ef35793c76730p-45), lookup(kLogLo, x.entry));
  return log_sum<N>(log_hi, log_lo, x.r);
}

template <class N>
Pair<N> log_pair(Pair<N> u) {
  LogReduced<N> x = log_reduce<N>(u);
  return log_combine<N>(x, x.exponent);
}

// Of |x|, any finite number but 0.
template <class N>
LogReduced<N> log_reduce_any(typename N::F x) {
  using F = typename N::F;
  F size = abs(x);
  typename N::B denormal = size < F(0x1p-1022);
  LogReduced<N> reduced = log_reduce<N>({select(denormal, size * F(0x1p54), size), F(0)});
  reduced.exponent = reduced.exponent - select(denormal, F(54), F(0));
  return reduced;
}

// What a logarithm gives where its argument is not a positive finite number.
template <class N>
typename N::F log_domain(typename N::F x, typename N::F result) {
  using F = typename N::F;
  F infinity = F(std::numeric_limits<double>::infinity());
  F not_a_number = F(std::numeric_limits<double>::quiet_NaN());
  F outside = select(x == F(0), -infinity, select(x > F(0), x, not_a_number));
  return select((x > F(0)) & (x < infinity), result, outside);
}

template <class N>
typename N::F log(typename N::F x) {
  LogReduced<N> reduced = log_reduce_any<N>(x);
  return log_domain<N>(x, log_combine<N>(reduced, reduced.exponent).hi);
}

template <class N>
typename N::F log2(typename N::F x) {
  using F = typename N::F;
  LogReduced<N> reduced = log_reduce_any<N>(x);
  Pair<N> inverse_log_2 = {F(0x1.71547652b82fep+0), F(0x1.777d0ffda0d24p-56)};
  Pair<N> rest = multiply<N>(log_combine<N>(reduced, F(0)), inverse_log_2);
  return log_domain<N>(x, add<N>(rest, reduced.exponent).hi);
}

template <class N>
typename N::F log10(typename N::F x) {
  using F = typename N::F;
  LogReduced<N> reduced = log_reduce_any<N>(x);
  Pair<N> inverse_log_10 = {F(0x1.bcb7b1526e50ep-2), F(0x1.95355baaafad3p-57)};
  Pair<N> natural = log_combine<N>(reduced, reduced.exponent);
  return log_domain<N>(x, multiply<N>(natural, inverse_log_10).hi);
}

template <class N>
typename N::F log1p(typename N::F x) {
  using F = typename N::F;
  // From 2^900 on, log1p and log agree.
  Pair<N> u = two_sum<N>(F(1), x);
  u.lo = select(x < F(0x1p900), u.lo, F(0));
  F result = log_domain<N>(F(1) + x, log_pair<N>(u).hi);
  return select(abs(x) < F(0x1p-60), x, result);
}

}  // namespace lathe::elementary::float64
