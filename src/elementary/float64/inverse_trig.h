// SPDX-License-Identifier: Apache-2.0
#pragma once
// angle_pair, the core of all four: the angle of the point (b, a) in the first quadrant, a and b
// pairs. The smaller coordinate is divided by the larger (then the angle is taken from pi/2), and
// with i = round(8 a/b) the angle is atan(i/8) from a table of pairs plus atan(t),
// t = (a - b i/8) / (b + a i/8) as a pair, |t| <= 1/16. atan(t) = t + t^3 p(t^2), p of degree 5 off
// by 2^-54 relative. t^3 p is at most t/768, so its roundings are 2^-61 of t. Relative error below
// 2^-60 in all.
//
// atan: the angle of (1, |x|), with the sign of x: 0.51 ulp. atan2: of (|x|, |y|), both scaled to
// lie far from overflow and underflow. Where y/x < 2^-30 and x > 0 the result is the quotient
// itself (off by 2^-61.5), so denormal results are rounded once: 0.51 ulp. Signed zeros follow from
// the selection by the signs; two zeros or two infinities are replaced by points on the same ray.
//
// asin: the angle of (sqrt(1-x^2), |x|), acos: of (x, sqrt(1-x^2)), with 1-x^2 exact before its
// pair is rounded: 0.51 ulp.

#include "elementary/float64/atan_table.h"
#include "elementary/float64/double_double.h"

namespace lathe::elementary::float64 {

// (atan(t)/t - 1) / z in z = t^2 on |t| <= 0.0626, relative error 2^-54.
inline constexpr double kAtanTail[] = {-0x1.5555555555555p-2, 0x1.9999999998c18p-3,
                                       -0x1.2492491fbefb1p-3, 0x1.c71c5aecc19eap-4,
                                       -0x1.744494f298ba7p-4, 0x1.304e6362faa02p-4};

// For 0 <= a <= b, b > 0.
template <class N>
Pair<N> small_angle_pair(Pair<N> a, Pair<N> b) {
  using F = typename N::F;
  F ratio = a.hi / b.hi;
  F shifted = fma(select(ratio < F(1), ratio, F(1)), F(8), F(0x1.8p52));
  typename N::I entry = bits(shifted) - bits(F(0x1.8p52));
  F eighths = F(0.125) * (shifted - F(0x1.8p52));
  Pair<N> t = divide<N>(add<N>(a, multiply<N>(b, -eighths)), add<N>(b, multiply<N>(a, eighths)));
  F z = t.hi * t.hi;
  F tail = fma(t.hi * z, polynomial<N>(z, kAtanTail), t.lo);
  Pair<N> sum = fast_two_sum<N>(lookup(kAtanHi, entry), t.hi);
  return fast_two_sum<N>(sum.hi, sum.lo + (lookup(kAtanLo, entry) + tail));
}

template <class N>
Pair<N> angle_pair(Pair<N> a, Pair<N> b) {
  using F = typename N::F;
  typename N::B steep = a.hi > b.hi;
  Pair<N> angle = small_angle_pair<N>(select_pair<N>(steep, b, a), select_pair<N>(steep, a, b));
  Pair<N> half_pi = {F(0x1.921fb54442d18p+0), F(0x1.1a62633145c07p-54)};
  return select_pair<N>(steep, subtract<N>(half_pi, angle), angle);
}

// pi - angle where `left`.
template <class N>
Pair<N> turn_left(typename N::B left, Pair<N> angle) {
  using F = typename N::F;
  Pair<N> pi = {F(0x1.921fb54442d18p+1), F(0x1.1a62633145c07p-53)};
  return select_pair<N>(left, subtract<N>(pi, angle), angle);
}

template <class N>
typename N::F atan(typename N::F x) {
  using F = typename N::F;
  // From 2^60 on the result is pi/2; the clamp keeps the arithmetic of pairs finite.
  F size = select(abs(x) < F(0x1p60), abs(x), F(0x1p60));
  F value = copysign(angle_pair<N>({size, F(0)}, {F(1), F(0)}).hi, x);
  value = select(abs(x) < F(0x1p-30), x, value);
  return select(x == x, value, x);
}

template <class N>
typename N::F atan2(typename N::F y, typename N::F x) {
  using F = typename N::F;
  F infinity = F(std::numeric_limits<double>::infinity());
  F a = abs(y), b = abs(x);
  // Two zeros stand for the axis (1, 0), two infinities for the diagonal (1, 1); then an infinity
  // beside a finite number is a large number beside 0.
  typename N::B a_infinite = a == infinity, b_infinite = b == infinity;
  F a_finite = select(a_infinite, F(1), select(b_infinite, F(0), a));
  F b_finite = select(b_infinite, F(1), select(a_infinite, F(0), b));
  b_finite = select((a_finite == F(0)) & (b_finite == F(0)), F(1), b_finite);
  F larger = select(a_finite > b_finite, a_finite, b_finite);
  F unit = select(larger > F(0x1p500), F(0x1p-600), select(larger < F(0x1p-400), F(0x1p600), F(1)));
  Pair<N> angle = angle_pair<N>({a_finite * unit, F(0)}, {b_finite * unit, F(0)});
  // The sign of x, zeros included.
  typename N::B left = copysign(F(1), x) < F(0);
  F ratio = a_finite / b_finite;
  F value = select((ratio < F(0x1p-30)) & !left, ratio, turn_left<N>(left, angle).hi);
  return select((x == x) & (y == y), copysign(value, y), x + y);
}

// sqrt(1 - x^2) for |x| <= 1.
template <class N>
Pair<N> cosine_of_sine(typename N::F x) {
  using F = typename N::F;
  Pair<N> squared = two_product<N>(x, x);
  Pair<N> rest = two_sum<N>(F(1), -squared.hi);
  return square_root<N>(fast_two_sum<N>(rest.hi, rest.lo - squared.lo));
}

template <class N>
typename N::F asin(typename N::F x) {
  using F = typename N::F;
  F size = select(abs(x) <= F(1), abs(x), F(1));
  F value = copysign(angle_pair<N>({size, F(0)}, cosine_of_sine<N>(size)).hi, x);
  value = select(abs(x) < F(0x1p-30), x, value);
  return select(abs(x) <= F(1), value, F(std::numeric_limits<double>::quiet_NaN()));
}

template <class N>
typename N::F acos(typename N::F x) {
  using F = typename N::F;
  F size = select(abs(x) <= F(1), abs(x), F(1));
  Pair<N> angle = angle_pair<N>(cosine_of_sine<N>(size), {size, F(0)});
  F value = turn_left<N>(x < F(0), angle).hi;
  return select(abs(x) <= F(1), value, F(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace lathe::elementary::float64
