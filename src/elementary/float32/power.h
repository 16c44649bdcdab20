// SPDX-License-Identifier: Apache-2.0
#pragma once
// pow: 2^(y log2|x|). log2|x| = k + 2/ln2 atanh(s) with s = (m - 1)/(m + 1), |s| < 0.172, in two
// floats; the series' first two coefficients have two floats and only z^2 p(z), z = s^2, is rounded
// in one, so the logarithm is good to 2^-36 of itself and y log2|x|, at most 150 where it matters,
// to 2^-29. exp2 (exp.h) takes it in two floats. Denormal results are rounded twice (below 0.8
// ulp).
//
// cbrt: a third of the encoding is a first guess good to 4%; one Halley step in floats (2^-14), one
// with the residual x - y^3 exact. Arguments near the ends of the range are scaled by 2^60 or
// 2^-30.
//
// rsqrt: y = 1/sqrt(x) has two roundings; the residual 1 - x y^2, exact to a few bits, removes
// them.

#include "elementary/float32/encoding.h"
#include "elementary/float32/exp.h"
#include "elementary/float32/log.h"
#include "elementary/float32/two_float.h"

namespace lathe::elementary::float32 {

// log2 x for positive finite x, with relative error 2^-36; loose but |lo| < 2^-22 |hi|.
template <class N>
Two<N> log2_two(typename N::F x) {
  using F = typename N::F;
  const Decomposed<N> d = decompose_any<N>(x);
  const Two<N> s = div<N>({d.m - F(1), F(0)}, two_sum<N>(d.m, F(1)));
  const Two<N> z = mul<N>(s, s);
  // 2/ln2 atanh(s) = s (c0 + z (c1 + z p(z))) on |s| < 0.1717, error 2^-43.
  const F p = polynomial<N>(z.hi, 0x1.2776c4p-1, 0x1.a61946p-2, 0x1.47b4bp-2, 0x1.202d3p-2);
  const Two<N> inner = fast_two_sum<N>(F(0x1.ec709ep-1), z.hi * p);
  const Two<N> second = mul<N>(Two<N>{inner.hi, inner.lo + F(-0x1.e2fe02p-28)}, z);
  const Two<N> sum = fast_two_sum<N>(F(0x1.715476p1), second.hi);
  const Two<N> l = mul<N>(Two<N>{sum.hi, sum.lo + (second.lo + F(0x1.4ae0cp-25))}, s);
  return normalize<N>(add<N>(l, to_float(d.k)));
}

template <class N>
typename N::F pow(typename N::F x, typename N::F y) {
  using F = typename N::F;
  using I = typename N::I;
  const F inf = infinity<N>();
  const F a = abs(x);
  const Two<N> l = log2_two<N>(log_argument<N>(a));
  const F whole = y * l.hi;
  const F clamped = select(whole > F(200), F(200), select(whole < F(-200), F(-200), whole));
  const F rest = select(whole == clamped, fma(y, l.lo, fma(y, l.hi, -whole)), F(0));
  const ScaledTwo<N> e = exp2_parts<N>({clamped, rest});
  const F power = scale<N>(e.value.hi + e.value.lo, e.k);

  const F at_zero = select(y < F(0), inf, F(0));
  const F at_infinity = select(y < F(0), F(0), inf);
  const F edge = select(a == F(0), at_zero, select(a == inf, at_infinity, power));
  const F magnitude = select(a == F(1), F(1), edge);
  const auto negative = bits(x) < I(0);
  const auto integer = trunc(y) == y;
  const F half = F(0.5) * y;
  const auto odd = integer & !(trunc(half) == half);
  const F signed_power = select(negative & odd, -magnitude, magnitude);
  const auto undefined = (x < F(0)) & (x > -inf) & !integer;
  const auto number = (x == x) & (y == y) & !undefined;
  const F value = select(number, signed_power, not_a_number<N>());
  return select((x == F(1)) | (y == F(0)), F(1), value);
}

template <class N>
typename N::F cbrt(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  using U = typename N::U;
  using W = typename N::W;
  const F a = abs(x);
  const auto ordinary = (a > F(0)) & (a < infinity<N>());
  const auto tiny = a < F(0x1p-90);
  const auto huge = a > F(0x1p100);
  const F v = select(ordinary, a, F(1)) * select(tiny, F(0x1p60), select(huge, F(0x1p-30), F(1)));
  const U third = low_bits<U>(
      shift_right(to_word(to_unsigned(bits(v))) * W(0xaaaaaaabu), W(33)));  // bits(v) / 3
  const F guess = from_bits(to_signed(third) + I(0x2a5119f2));
  const F guess_cube = guess * guess * guess;
  const F y = guess + guess * ((v - guess_cube) / (guess_cube + guess_cube + v));
  const Two<N> cube = mul<N>(two_prod<N>(y, y), y);
  const F residual = (v - cube.hi) - cube.lo;
  const F root = y + y * (residual / (cube.hi + cube.hi + v));
  const F unscaled = root * select(tiny, F(0x1p-20), select(huge, F(0x1p10), F(1)));
  return select(ordinary, copysign(unscaled, x), x);
}

template <class N>
typename N::F rsqrt(typename N::F x) {
  using F = typename N::F;
  const F y = F(1) / sqrt(x);
  const Two<N> p = two_prod<N>(x, y);
  const F residual = fma(-p.lo, y, fma(-p.hi, y, F(1)));
  return select((x > F(0)) & (x < infinity<N>()), fma(F(0.5) * y, residual, y), y);
}

}  // namespace lathe::elementary::float32
