// SPDX-License-Identifier: Apache-2.0
#pragma once
// asin, acos: for |x| <= 1/2, asin x = x + x^3 p(x^2). Otherwise z = (1 - |x|)/2 is exact and
// acos |x| = 2 asin(sqrt z) with the square root in two floats. Both functions are sums of that and
// a multiple of pi/2, all in two floats; the polynomial term is at most 5%.
//
// atan, atan2: the angle of (d, n) in the first quadrant is base + atan t, with t = n/d,
// (n-d)/(n+d) or -d/n and base = 0, pi/4, pi/2, so that |t| <= tan(pi/8). t is a quotient in two
// floats; atan t = t + t^3 p(t^2), where the last term is at most 6%. atan2 first scales both
// arguments by one power of two away from overflow and underflow, and then mirrors the angle.

#include "elementary/float32/encoding.h"
#include "elementary/float32/two_float.h"

namespace lathe::elementary::float32 {

// asin(s) = s + s^3 p(s^2) for |s| <= 1/2, with z = s^2 given; loose.
template <class N>
Two<N> asin_small(Two<N> s, typename N::F z) {
  using F = typename N::F;
  // (asin s - s) / s^3, error 2^-31 of asin s.
  const F p = polynomial<N>(z, 0x1.55554cp-3, 0x1.33389ep-4, 0x1.6caab6p-5, 0x1.04af34p-5,
                            0x1.d7924cp-7, 0x1.33d432p-5);
  return {s.hi, fma(s.hi * z, p, s.lo)};
}

// asin|x| for |x| <= 1/2, acos|x| / 2 for |x| > 1/2; loose.
template <class N>
Two<N> asin_or_half_acos(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const auto large = a > F(0.5);
  const F z = select(large, F(0.5) - F(0.5) * a, a * a);
  const F root = sqrt(z);
  const F root_lo = select(z > F(0), fma(-root, root, z) / (root + root), F(0));
  return asin_small<N>({select(large, root, a), select(large, root_lo, F(0))}, z);
}

template <class N>
typename N::F asin(typename N::F x) {
  using F = typename N::F;
  const Two<N> a = asin_or_half_acos<N>(x);
  const Two<N> s = fast_two_sum<N>(F(0x1.921fb6p0), F(-2) * a.hi);
  const F large = s.hi + (s.lo + fma(F(-2), a.lo, F(-0x1.777a5cp-25)));
  return copysign(select(abs(x) > F(0.5), large, a.hi + a.lo), x);
}

template <class N>
typename N::F acos(typename N::F x) {
  using F = typename N::F;
  const Two<N> a = asin_or_half_acos<N>(x);
  const auto large = abs(x) > F(0.5);
  const auto negative = x < F(0);
  // base + factor * a
  const Two<N> base = {
      select(large, select(negative, F(0x1.921fb6p1), F(0)), F(0x1.921fb6p0)),
      select(large, select(negative, F(-0x1.777a5cp-24), F(0)), F(-0x1.777a5cp-25))};
  const F factor = select(large, select(negative, F(-2), F(2)), select(negative, F(1), F(-1)));
  const Two<N> s = fast_two_sum<N>(base.hi, factor * a.hi);
  return s.hi + (s.lo + fma(factor, a.lo, base.lo));
}

// The angle of the point (d, n), for finite n, d >= 0 below 2^125, not both 0; loose.
template <class N>
Two<N> first_quadrant_angle(typename N::F n, typename N::F d) {
  using F = typename N::F;
  const auto low = n < F(0x1.a8279ap-2) * d;
  const auto high = n * F(0x1.a8279ap-2) > d;
  const Two<N> difference = two_sum<N>(n, -d);
  const Two<N> sum = two_sum<N>(n, d);
  const Two<N> top = {select(low, n, select(high, -d, difference.hi)),
                      select(low | high, F(0), difference.lo)};
  const Two<N> bottom = {select(low, d, select(high, n, sum.hi)), select(low | high, F(0), sum.lo)};
  const Two<N> t = div<N>(top, bottom);
  const F z = t.hi * t.hi;
  // (atan t - t) / t^3 on |t| < 0.4143, error 2^-33 of atan t.
  const F p = polynomial<N>(z, -0x1.555554p-2, 0x1.9998b2p-3, -0x1.247588p-3, 0x1.c39ec6p-4,
                            -0x1.5764b8p-4, 0x1.767d6cp-5);
  const F tail = fma(t.hi * z, p, fma(-z, t.lo, t.lo));
  const F base = select(low, F(0), select(high, F(0x1.921fb6p0), F(0x1.921fb6p-1)));
  const F base_lo = select(low, F(0), select(high, F(-0x1.777a5cp-25), F(-0x1.777a5cp-26)));
  const Two<N> s = fast_two_sum<N>(base, t.hi);
  return {s.hi, s.lo + (base_lo + tail)};
}

template <class N>
typename N::F atan(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const Two<N> angle = first_quadrant_angle<N>(select(a > F(0x1p60), F(0x1p60), a), F(1));
  return copysign(angle.hi + angle.lo, x);
}

template <class N>
typename N::F atan2(typename N::F y, typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const F ay = abs(y);
  const F ax = abs(x);
  const F largest = select(ay > ax, ay, ax);
  // As large as the sums allow, so that small quotients keep their remainders.
  const F factor =
      select(largest > F(0x1p60), F(0x1p-8), select(largest < F(0x1p-20), F(0x1p100), F(0x1p60)));
  // Infinities and zeros become the ordinary point of the same angle.
  const F inf = infinity<N>();
  const auto infinite = largest == inf;
  const auto origin = largest == F(0);
  const F n = select(infinite, select(ay == inf, F(1), F(0)), ay * factor);
  const F d = select(infinite, select(ax == inf, F(1), F(0)), select(origin, F(1), ax * factor));
  const Two<N> angle = first_quadrant_angle<N>(n, d);
  const Two<N> mirrored = fast_two_sum<N>(F(0x1.921fb6p1), -angle.hi);
  const F left = mirrored.hi + (mirrored.lo + (F(-0x1.777a5cp-24) - angle.lo));
  const F upper = select(bits(x) < I(0), left, angle.hi + angle.lo);
  return select((x == x) & (y == y), copysign(upper, y), not_a_number<N>());
}

}  // namespace lathe::elementary::float32
