// SPDX-License-Identifier: Apache-2.0
#pragma once
// pow: e^(y log|x|) through the pairs of log.h and exp.h. The logarithm is off by 2^-66.5 relative
// and |y log x| is at most 745 where the result is neither 0 nor infinite, so the exponent is off
// by 2^-56.9 and the result by 0.07 ulp: 0.57 ulp; a denormal result is rounded twice: 0.83 ulp. y
// is clamped to 2^65, where every |x| other than 1 has long overflowed or underflowed.
//
// cbrt: |x| = 2^3q M with M in [1, 8). A polynomial of degree 4 gives M^(1/3) to 2^-16.7, one step
// of Halley's method 2^-50, and one of Newton's, with the cube as a pair, 2^-99: 0.501 ulp.
//
// rsqrt: y = 1/sqrt(x) in float64 is off by 2^-52; y + y (1 - x y^2) / 2 with x y as a pair leaves
// 2^-103: 0.501 ulp.

#include "elementary/float64/exp.h"
#include "elementary/float64/log.h"

namespace lathe::elementary::float64 {

// |x|^y for finite x other than 0.
template <class N>
typename N::F pow_size(typename N::F x, typename N::F y) {
  using F = typename N::F;
  LogReduced<N> reduced = log_reduce_any<N>(x);
  Pair<N> log_x = log_combine<N>(reduced, reduced.exponent);
  Pair<N> product = multiply<N>(log_x, clamp<N>(y, F(-0x1p65), F(0x1p65)));
  F inside = clamp<N>(product.hi, F(-800), F(800));
  F low = select(inside == product.hi, product.lo, F(0));
  Scaled<N> e = exp_pair<N>({inside, low});
  return scale_by_power<N>(e.mantissa.hi, e.exponent);
}

template <class N>
typename N::F pow(typename N::F x, typename N::F y) {
  using F = typename N::F;
  F infinity = F(std::numeric_limits<double>::infinity());
  F size = abs(x);
  typename N::B whole = floor(y) == y;  // also for infinite y
  F half_y = F(0.5) * y;
  typename N::B even = floor(half_y) == half_y;
  typename N::B odd = whole & !even;
  F ordinary = pow_size<N>(x, y);
  // 0 and infinity: to a positive power themselves, to a negative one each other.
  typename N::B zero = size == F(0), infinite = size == infinity;
  typename N::B falls = (zero & (y > F(0))) | (infinite & (y < F(0)));
  F value = select(zero | infinite, select(falls, F(0), infinity), ordinary);
  typename N::B undefined = (x < F(0)) & !infinite & !whole;
  value = select(undefined, F(std::numeric_limits<double>::quiet_NaN()), value);
  typename N::B minus = copysign(F(1), x) < F(0);
  value = select(odd & minus, -value, value);
  value = select((x == x) & (y == y), value, x + y);
  return select((x == F(1)) | (y == F(0)), F(1), value);
}

// x^(1/3) on [1, 2], relative error 2^-16.7.
inline constexpr double kCbrtGuess[] = {0x1.0392ccec5c007p-1, 0x1.6fb1dfe050122p-1,
                                        -0x1.33d38507196d4p-2, 0x1.60a1537293169p-4,
                                        -0x1.5b77f08bc62e9p-7};

template <class N>
typename N::F cbrt(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  F size = abs(x);
  typename N::B denormal = size < F(0x1p-1022);
  I b = bits(select(denormal, size * F(0x1p54), size));
  // Exponent + 1200 >= 0 divided by 3: 43691 / 2^17 is 1/3 closely enough below 2^16.
  I exponent = shift_right(b, I(52)) + select(denormal, I(123), I(177));
  I third = shift_right(exponent * I(43691), I(17));
  I rest = exponent - I(3) * third;
  F mantissa = from_bits((b & I(0xfffffffffffff)) | I(0x3ff0000000000000));
  F root = select(rest == I(0), F(1),
                  select(rest == I(1), F(0x1.428a2f98d728bp+0), F(0x1.965fea53d6e3dp+0)));
  F guess = root * polynomial<N>(mantissa, kCbrtGuess);
  F m = mantissa * select(rest == I(0), F(1), select(rest == I(1), F(2), F(4)));
  F cube = guess * guess * guess;
  F y = guess - guess * ((cube - m) / (cube + cube + m));
  Pair<N> y_squared = two_product<N>(y, y);
  Pair<N> y_cubed = multiply<N>(y_squared, y);
  F missing = (m - y_cubed.hi) - y_cubed.lo;
  F value = (y + missing / (F(3) * y_squared.hi)) * power_of_two<N>(third - I(400));
  typename N::B ordinary = (size > F(0)) & (size < F(std::numeric_limits<double>::infinity()));
  return select(ordinary, copysign(value, x), x);
}

template <class N>
typename N::F rsqrt(typename N::F x) {
  using F = typename N::F;
  F infinity = F(std::numeric_limits<double>::infinity());
  F y = F(1) / sqrt(x);
  Pair<N> root = two_product<N>(x, y);
  F missing = fma(-root.lo, y, fma(-root.hi, y, F(1)));
  F value = fma(F(0.5) * y, missing, y);
  return select((x > F(0)) & (x < infinity), value, y);
}

}  // namespace lathe::elementary::float64
