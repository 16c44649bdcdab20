// SPDX-License-Identifier: Apache-2.0
#pragma once
// sin, cos, tan: x = q pi/2 + r with |r| <= pi/4, by Payne and Hanek's method for every |x| > pi/4:
// x is m 2^(e-23) with a 24-bit integer m; 96 bits of 2/pi, starting where their product with m
// reaches weight 2 (higher bits give whole turns), times m, modulo 4, is q and a fraction of 62
// bits with an error below 2^-61. No float32 comes closer than about 2^-30 to a multiple of pi/2,
// so r, in two floats, is good to 2^-31 of itself, always. Smaller |x| are r themselves. sin r = r
// + r^3 p(r^2), cos r = 1 - r^2/2 + r^4 p(r^2), where r and r^2/2 have two floats and the
// polynomial terms are at most 10% and 2% of the result; tan is the quotient of the two, whose
// remainder is divided again. Nearly all of the error is the last rounding.

#include "elementary/float32/encoding.h"
#include "elementary/float32/two_float.h"

namespace lathe::elementary::float32 {

// 32 zero bits, then the bits of 2/pi behind the binary point.
inline constexpr std::uint32_t kTwoOverPi[8] = {0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                                0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

// |x| = q pi/2 + r modulo 2 pi, q in 0..3.
template <class N>
struct QuarterTurns {
  typename N::U q;
  Two<N> r;
};

template <class N>
QuarterTurns<N> reduce_quarter_turns(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  using U = typename N::U;
  using W = typename N::W;
  const F magnitude = abs(x);
  const auto small = !(magnitude > F(0x1.921fb4p-1));
  const I b = bits(select(small, F(1), magnitude));
  const I position = shift_right(b, I(23)) - I(120);  // of the first bit wanted in the table
  const I word = shift_right(position, I(5));
  const U up = to_unsigned(position & I(31));
  const U down = U(32) - up;
  const U t0 = lookup(kTwoOverPi, word);
  const U t1 = lookup(kTwoOverPi, word + I(1));
  const U t2 = lookup(kTwoOverPi, word + I(2));
  const U t3 = lookup(kTwoOverPi, word + I(3));
  const U w0 = shift_left(t0, up) | shift_right(t1, down);
  const U w1 = shift_left(t1, up) | shift_right(t2, down);
  const U w2 = shift_left(t2, up) | shift_right(t3, down);
  const U m = to_unsigned((b & I(0x7fffff)) | I(0x800000));
  const W low_product = to_word(m) * to_word(w1) + shift_right(to_word(m) * to_word(w2), W(32));
  // high:low is the product as fixed point, two bits before the point.
  const U high = m * w0 + low_bits<U>(shift_right(low_product, W(32)));
  const U low = low_bits<U>(low_product);
  const U q = shift_right(high + U(0x20000000), U(30));
  const I top = to_signed(high - shift_left(q, U(30)));  // in [-2^29, 2^29)
  // The signed 62-bit fraction top:low in pieces of 24, 20 and 18 bits; each is exact in a float.
  const U rest = to_unsigned(top & I(63));
  const F first = to_float(shift_right(top, I(6))) * F(0x1p38);
  const F second =
      to_float(to_signed(shift_left(rest, U(14)) | shift_right(low, U(18)))) * F(0x1p18);
  const F third = to_float(to_signed(low & U(0x3ffff)));
  const Two<N> s = fast_two_sum<N>(first, second);
  const Two<N> fraction = fast_two_sum<N>(s.hi, s.lo + third);
  const Two<N> half_pi = {F(0x1.921fb6p-62), F(-0x1.777a5cp-87)};
  const Two<N> r = normalize<N>(mul<N>(fraction, half_pi));
  return {select(small, U(0), q), {select(small, magnitude, r.hi), select(small, F(0), r.lo)}};
}

// sin r and cos r in two floats (loose), |r| <= pi/4.
template <class N>
Two<N> sin_reduced(Two<N> r) {
  using F = typename N::F;
  const F z = r.hi * r.hi;
  // (sin r - r) / r^3, error 2^-32 of sin r.
  const F p = polynomial<N>(z, -0x1.555556p-3, 0x1.111164p-7, -0x1.a04864p-13, 0x1.77e0fap-19);
  return {r.hi, fma(r.hi * z, p, fma(r.lo * z, F(-0.5), r.lo))};
}
template <class N>
Two<N> cos_reduced(Two<N> r) {
  using F = typename N::F;
  const Two<N> half_square = two_prod<N>(F(0.5) * r.hi, r.hi);
  const F z = r.hi * r.hi;
  // (cos r - 1 + r^2/2) / r^4, error 2^-33 of cos r.
  const F p = polynomial<N>(z, 0x1.55554ap-5, -0x1.6c0c2ap-10, 0x1.99e90ap-16);
  const Two<N> s = fast_two_sum<N>(F(1), -half_square.hi);
  return {s.hi, s.lo + (fma(z * z, p, -(r.hi * r.lo)) - half_square.lo)};
}

template <class N>
typename N::F sin(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  using U = typename N::U;
  const QuarterTurns<N> t = reduce_quarter_turns<N>(x);
  const Two<N> s = sin_reduced<N>(t.r);
  const Two<N> c = cos_reduced<N>(t.r);
  const F y = select((t.q & U(1)) == U(0), s.hi + s.lo, c.hi + c.lo);
  const F turned = select((t.q & U(2)) == U(0), y, -y);
  const F signed_y = select(bits(x) < I(0), -turned, turned);
  return select(abs(x) < infinity<N>(), signed_y, not_a_number<N>());
}

template <class N>
typename N::F cos(typename N::F x) {
  using F = typename N::F;
  using U = typename N::U;
  const QuarterTurns<N> t = reduce_quarter_turns<N>(x);
  const Two<N> s = sin_reduced<N>(t.r);
  const Two<N> c = cos_reduced<N>(t.r);
  const F y = select((t.q & U(1)) == U(0), c.hi + c.lo, s.hi + s.lo);
  const F turned = select(((t.q + U(1)) & U(2)) == U(0), y, -y);
  return select(abs(x) < infinity<N>(), turned, not_a_number<N>());
}

template <class N>
typename N::F tan(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  using U = typename N::U;
  const QuarterTurns<N> t = reduce_quarter_turns<N>(x);
  const Two<N> s = sin_reduced<N>(t.r);
  const Two<N> c = cos_reduced<N>(t.r);
  const auto even = (t.q & U(1)) == U(0);
  const Two<N> numerator = {select(even, s.hi, -c.hi), select(even, s.lo, -c.lo)};
  const Two<N> denominator = {select(even, c.hi, s.hi), select(even, c.lo, s.lo)};
  const Two<N> y = div<N>(normalize<N>(numerator), normalize<N>(denominator));
  const F sum = y.hi + y.lo;
  const F signed_y = select(bits(x) < I(0), -sum, sum);
  return select(abs(x) < infinity<N>(), signed_y, not_a_number<N>());
}

}  // namespace lathe::elementary::float32
