// SPDX-License-Identifier: Apache-2.0
#pragma once
// All three reduce |x| = quadrant * pi/2 + r, |r| <= pi/4 + 2^-20, r a pair with relative error
// below 2^-63, and take the sine and cosine of r as pairs.
//
// Reduction, |x| < 2^26 (Cody and Waite): n = round(2x/pi), and pi/2 as three float64 parts. x - n
// P1 is exact under fma (a multiple of 2^-52, or of 2^-53 below 1, and at most 1), n P2 is an exact
// pair, and n P3 is off by 2^-134, while a float64 is never nearer than 2^-62 to a multiple of
// pi/2: relative error below 2^-70. Reduction, |x| >= 2^26 (Payne and Hanek): x = M 2^e, M an
// integer of 53 bits. The bits of 2/pi that give multiples of 4 quadrants are skipped and the next
// 192 times M, mod 2^192, are the quadrant (2 bits) and 126 good bits of its fraction. At worst 62
// of those cancel: relative error below 2^-63.
//
// sin of the pair: r - r^3/6 + r^5 s(r^2), r^3/6 as a pair, s of degree 5 off by 2^-56 relative.
// r^5 s is at most r/310, its roundings and the low parts it leaves out at most 11 times 2^-53:
// 0.04 ulp. cos: 1 - r^2/2 + r^4 c(r^2), r^2 as a pair, c of degree 5 off by 2^-54. r^4 c is at
// most 1/63 and its roundings 4 times 2^-53: 0.07 ulp.
//
// sin, cos: the pair rounded: 0.58 ulp. tan: the quotient of the pairs: 0.66 ulp. Where
// |x| < 2^-27, sin and tan are x, off by x^2/3 < 2^-55.5 relative: 0.18 ulp.

#include "elementary/float64/double_double.h"
#include "elementary/float64/trig_table.h"

namespace lathe::elementary::float64 {

template <class N>
struct Reduced {
  typename N::I quadrant;  // only its lowest two bits count
  Pair<N> r;
};

// The high 64 bits of a * b, by 32-bit halves.
template <class N>
typename N::U multiply_high(typename N::U a, typename N::U b) {
  using U = typename N::U;
  U half = U(0xffffffff);
  U a_low = a & half, a_high = shift_right(a, U(32));
  U b_low = b & half, b_high = shift_right(b, U(32));
  U cross = a_high * b_low + shift_right(a_low * b_low, U(32));
  U middle = a_low * b_high + (cross & half);
  return a_high * b_high + shift_right(cross, U(32)) + shift_right(middle, U(32));
}

// For 0 <= x < 2^26; garbage beyond.
template <class N>
Reduced<N> reduce_moderate(typename N::F x) {
  using F = typename N::F;
  F shifted = fma(x, F(0x1.45f306dc9c883p-1), F(0x1.8p52));
  F n = shifted - F(0x1.8p52);
  F first = fma(-n, F(0x1.921fb54442d18p+0), x);
  Pair<N> second = two_product<N>(-n, F(0x1.1a62633145c07p-54));
  Pair<N> sum = two_sum<N>(first, second.hi);
  F low = fma(n, F(0x1.f1976b7ed8fbcp-110), second.lo);
  return {bits(shifted), fast_two_sum<N>(sum.hi, sum.lo + low)};
}

// 64 bits of a bit string in words, from bit `shift` of the first word on; shift < 64.
template <class N>
typename N::U bit_window(typename N::U word, typename N::U next, typename N::U shift) {
  using U = typename N::U;
  return shift_left(word, shift) | shift_right(next, U(64) - shift);
}

// For finite x >= 2^26; garbage below.
template <class N>
Reduced<N> reduce_large(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  using U = typename N::U;
  I biased = shift_right(bits(x), I(52));
  // x = mantissa * 2^(biased - 1075); bits of 2/pi before biased - 1077 give multiples of 4. The
  // table starts with 64 bits that are 0.
  I offset = biased - I(1013);
  offset = select(offset < I(0), I(0), offset);
  I word = shift_right(offset, I(6));
  U shift = to_unsigned(offset & I(63));
  U w0 = lookup(kTwoOverPi, word);
  U w1 = lookup(kTwoOverPi, word + I(1));
  U w2 = lookup(kTwoOverPi, word + I(2));
  U w3 = lookup(kTwoOverPi, word + I(3));
  U v0 = bit_window<N>(w0, w1, shift);
  U v1 = bit_window<N>(w1, w2, shift);
  U v2 = bit_window<N>(w2, w3, shift);
  U mantissa = to_unsigned((bits(x) & I(0xfffffffffffff)) | I(0x10000000000000));

  U low_product = mantissa * v1;
  U low = low_product + multiply_high<N>(mantissa, v2);
  U carry = select(low < low_product, U(1), U(0));
  U high = mantissa * v0 + multiply_high<N>(mantissa, v1) + carry;

  // As a signed fraction of a quadrant, in [-1/2, 1/2): the quadrant is the nearest.
  I fraction = to_signed(shift_left(high, U(2)) | shift_right(low, U(62)));
  U rest = shift_left(low, U(2));
  I quadrant = to_signed(shift_right(high, U(62))) + select(fraction < I(0), I(1), I(0));
  Pair<N> top = two_sum<N>(small_to_float<N>(shift_right(fraction, I(32))) * F(0x1p-32),
                           small_to_float<N>(fraction & I(0xffffffff)) * F(0x1p-64));
  Pair<N> bottom = two_sum<N>(small_to_float<N>(to_signed(shift_right(rest, U(32)))) * F(0x1p-96),
                              small_to_float<N>(to_signed(rest & U(0xffffffff))) * F(0x1p-128));
  Pair<N> half_pi = {F(0x1.921fb54442d18p+0), F(0x1.1a62633145c07p-54)};
  return {quadrant, multiply<N>(add<N>(top, bottom), half_pi)};
}

// For x >= 0.
template <class N>
Reduced<N> reduce_angle(typename N::F x) {
  using F = typename N::F;
  Reduced<N> moderate = reduce_moderate<N>(x);
  Reduced<N> large = reduce_large<N>(x);
  typename N::B is_large = x >= F(0x1p26);
  return {select(is_large, large.quadrant, moderate.quadrant),
          select_pair<N>(is_large, large.r, moderate.r)};
}

// (sin(r)/r - 1 + z/6) / z^2 in z = r^2 on |r| <= pi/4 + 2^-20, relative error 2^-56.
inline constexpr double kSinTail[] = {0x1.1111111111111p-7,  -0x1.a01a01a019ea5p-13,
                                      0x1.71de3a5505acap-19, -0x1.ae645526fdfbdp-26,
                                      0x1.61225081b9acbp-33, -0x1.ab8da0dc3e7bbp-41};
// (cos(r) - 1 + z/2) / z^2 in z = r^2, same range, relative error 2^-54.
inline constexpr double kCosTail[] = {0x1.5555555555555p-5,  -0x1.6c16c16c168cap-10,
                                      0x1.a01a019f3838fp-16, -0x1.27e4fa02e3bf8p-22,
                                      0x1.1eeb57d2ffc05p-29, -0x1.907385311fb0bp-37};

template <class N>
Pair<N> square(Pair<N> r) {
  using F = typename N::F;
  Pair<N> z = two_product<N>(r.hi, r.hi);
  return {z.hi, fma(r.hi * r.lo, F(2), z.lo)};
}

template <class N>
Pair<N> sin_pair(Pair<N> r) {
  using F = typename N::F;
  Pair<N> z = square<N>(r);
  Pair<N> sixth = {F(-0x1.5555555555555p-3), F(-0x1.5555555555555p-57)};
  Pair<N> cubic = multiply<N>(multiply<N>(r, z), sixth);
  F tail = z.hi * z.hi * r.hi * polynomial<N>(z.hi, kSinTail);
  Pair<N> sum = fast_two_sum<N>(r.hi, cubic.hi);
  return fast_two_sum<N>(sum.hi, sum.lo + ((cubic.lo + r.lo) + tail));
}

template <class N>
Pair<N> cos_pair(Pair<N> r) {
  using F = typename N::F;
  Pair<N> z = square<N>(r);
  F tail = z.hi * z.hi * polynomial<N>(z.hi, kCosTail);
  Pair<N> sum = fast_two_sum<N>(F(1), F(-0.5) * z.hi);
  // The derivative in z, times z.lo.
  F slope = fma(z.hi, F(0x1.5555555555555p-4), F(-0.5));
  return fast_two_sum<N>(sum.hi, sum.lo + fma(slope, z.lo, tail));
}

template <class N>
typename N::B is_finite(typename N::F x) {
  using F = typename N::F;
  return abs(x) < F(std::numeric_limits<double>::infinity());
}

template <class N>
typename N::F not_a_number() {
  return typename N::F(std::numeric_limits<double>::quiet_NaN());
}

template <class N>
typename N::F sin(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  Reduced<N> a = reduce_angle<N>(abs(x));
  F value = select((a.quadrant & I(1)) == I(0), sin_pair<N>(a.r).hi, cos_pair<N>(a.r).hi);
  value = select((a.quadrant & I(2)) == I(0), value, -value);
  value = select(x < F(0), -value, value);
  value = select(abs(x) < F(0x1p-27), x, value);
  return select(is_finite<N>(x), value, not_a_number<N>());
}

template <class N>
typename N::F cos(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  Reduced<N> a = reduce_angle<N>(abs(x));
  F value = select((a.quadrant & I(1)) == I(0), cos_pair<N>(a.r).hi, sin_pair<N>(a.r).hi);
  typename N::B positive = ((a.quadrant + I(1)) & I(2)) == I(0);
  value = select(positive, value, -value);
  return select(is_finite<N>(x), value, not_a_number<N>());
}

template <class N>
typename N::F tan(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  Reduced<N> a = reduce_angle<N>(abs(x));
  Pair<N> s = sin_pair<N>(a.r);
  Pair<N> c = cos_pair<N>(a.r);
  typename N::B even = (a.quadrant & I(1)) == I(0);
  F value = divide<N>(select_pair<N>(even, s, c), select_pair<N>(even, c, s)).hi;
  value = select(even, value, -value);
  value = select(x < F(0), -value, value);
  value = select(abs(x) < F(0x1p-27), x, value);
  return select(is_finite<N>(x), value, not_a_number<N>());
}

}  // namespace lathe::elementary::float64
