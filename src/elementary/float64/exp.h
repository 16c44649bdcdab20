// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp_pair, the core that everything exponential here shares: e^(hi + lo) = 2^n (m.hi + m.lo).
// The argument is split as (64 n + j) ln2/64 + r, |r| <= 0.00542. The first product with ln2/64 is
// exact under fma (all terms are multiples of 2^-59 and the difference is below 2^-7), the second
// leaves 2^-98. Then 2^(j/64) comes from a table of pairs, and e^r - 1 = r + r^2 q(r) with q of
// degree 4 off by 2^-52.9 relative, that is 2^-69 of the result. Rounding r^2 q adds about as much.
// Relative error of m below 2^-67.
//
// exp: the pair rounded: 0.501 ulp. Arguments are clamped to where the result is 0 or infinite
// anyway. A denormal result is rounded a second time by the scaling: 0.76 ulp.
//
// exp2: j and n from rounding 64 x, r = (x - j/64) ln2 as a pair: same bounds.
//
// expm1: for |x| < 1/16, x + x^2 q(x) with q of degree 7 off by 2^-59 relative; x^2 q is at most
// x/31, so its roundings add 0.07 ulp: 0.57 ulp. Else 2^n (m - 2^-n) as a pair, whose cancellation
// costs at most 4 bits of the 67: 0.501 ulp.

#include "elementary/float64/double_double.h"
#include "elementary/float64/exp_table.h"

namespace lathe::elementary::float64 {

// 2^exponent * mantissa, mantissa within [0.99, 2.01].
template <class N>
struct Scaled {
  Pair<N> mantissa;
  typename N::I exponent;
};

// (e^r - 1 - r) / r^2 on |r| <= ln2/128, relative error 2^-52.9.
inline constexpr double kExpTail[] = {0x1p-1, 0x1.5555555554dd4p-3, 0x1.5555555555695p-5,
                                      0x1.111120af9c3eep-7, 0x1.6c16cacbc35bbp-10};

// 2^(steps/64) e^r for a small pair r; steps an integer-valued float of less than 2^20.
template <class N>
Scaled<N> exp_reduced(typename N::F shifted_steps, Pair<N> r) {
  using F = typename N::F;
  using I = typename N::I;
  I steps = bits(shifted_steps) - bits(F(0x1.8p52));
  I j = steps & I(63);
  F power_hi = lookup(kPowerHi, j);
  F power_lo = lookup(kPowerLo, j);
  F tail = fma(r.hi * r.hi, polynomial<N>(r.hi, kExpTail), r.lo);
  Pair<N> first = two_product<N>(power_hi, r.hi);
  Pair<N> sum = fast_two_sum<N>(power_hi, first.hi);
  F low = sum.lo + (first.lo + fma(power_hi, tail, fma(power_lo, r.hi, power_lo)));
  return {fast_two_sum<N>(sum.hi, low), shift_right(steps, I(6))};
}

// For |hi| <= 1000 and |lo| <= 2^-40.
template <class N>
Scaled<N> exp_pair(Pair<N> x) {
  using F = typename N::F;
  F shifted = fma(x.hi, F(0x1.71547652b82fep+6), F(0x1.8p52));
  F steps = shifted - F(0x1.8p52);
  F near = fma(-steps, F(0x1.62e42fefa39efp-7), x.hi);
  F rest = fma(-steps, F(0x1.abc9e3b39803fp-62), x.lo);
  return exp_reduced<N>(shifted, two_sum<N>(near, rest));
}

template <class N>
typename N::F clamp(typename N::F x, typename N::F least, typename N::F most) {
  return select(x < most, select(x > least, x, least), most);
}

template <class N>
typename N::F exp(typename N::F x) {
  using F = typename N::F;
  F inside = clamp<N>(x, F(-746), F(710));
  Scaled<N> e = exp_pair<N>({inside, F(0)});
  return select(x == x, scale_by_power<N>(e.mantissa.hi, e.exponent), x);
}

template <class N>
typename N::F exp2(typename N::F x) {
  using F = typename N::F;
  F inside = clamp<N>(x, F(-1076), F(1025));
  F shifted = fma(inside, F(64), F(0x1.8p52));
  F r = fma(shifted - F(0x1.8p52), F(-0x1p-6), inside);
  Pair<N> log_2 = {F(0x1.62e42fefa39efp-1), F(0x1.abc9e3b39803fp-56)};
  Scaled<N> e = exp_reduced<N>(shifted, multiply<N>(log_2, r));
  return select(x == x, scale_by_power<N>(e.mantissa.hi, e.exponent), x);
}

// (e^x - 1 - x) / x^2 on |x| <= 1/16, relative error 2^-59.3.
inline constexpr double kExpm1Tail[] = {0x1p-1,
                                        0x1.5555555555555p-3,
                                        0x1.5555555555711p-5,
                                        0x1.111111111305dp-7,
                                        0x1.6c16c157498f2p-10,
                                        0x1.a01a00c4c9477p-13,
                                        0x1.a022ec2133868p-16,
                                        0x1.71fe9dc942523p-19};

template <class N>
typename N::F expm1(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  F small = fma(x * x, polynomial<N>(x, kExpm1Tail), x);
  F inside = clamp<N>(x, F(-50), F(710));
  Scaled<N> e = exp_pair<N>({inside, F(0)});
  // Above 2^200 the 1 is out of sight; the exponent is held where 2^-n is a normal number.
  F one = power_of_two<N>(-select(e.exponent < I(200), e.exponent, I(200)));
  F large = scale_by_power<N>(add<N>(e.mantissa, -one).hi, e.exponent);
  F result = select(abs(x) < F(0x1p-4), small, large);
  return select((x == x) & (x != F(0)), result, x);
}

}  // namespace lathe::elementary::float64
