// SPDX-License-Identifier: Apache-2.0
#pragma once
// sinh, cosh: with e^|x| = 2^n m, (m -+ 2^-2n / m) 2^(n-1) as pairs: 0.501 ulp; the exponent is
// halved before scaling, so nothing overflows early. sinh below 0.3: x + x^3 p(x^2), p of degree 4
// off by 2^-54 relative; x^3 p is at most 0.015 x, so its roundings add 0.05 ulp: 0.55 ulp.
//
// tanh: (e^2|x| - 1) / (e^2|x| + 1) as pairs: 0.501 ulp. Below 0.25: x + x^3 p(x^2), p of degree 7
// off by 2^-54 relative; x^3 p is at most 0.021 x: 0.57 ulp.
//
// asinh = log(|x| + sqrt(x^2 + 1)), acosh = log(x + sqrt(x^2 - 1)), atanh = log((1+|x|) / (1-|x|))
// / 2, arguments of the logarithm as pairs with absolute error near 2^-103 where they are near 1.
// asinh and atanh below 2^-20 are x - x^3/6 and x + x^3/3 (next term 2^-82); above, the pair's
// error is at most 2^-82 of the logarithm. acosh's argument exceeds 1 by at least 2^-26. From 2^60
// on, asinh and acosh are log x + log 2. All 0.501 ulp.

#include "elementary/float64/exp.h"
#include "elementary/float64/log.h"

namespace lathe::elementary::float64 {

// (sinh(x)/x - 1) / z in z = x^2 on |x| <= 0.3, relative error 2^-54.
inline constexpr double kSinhTail[] = {0x1.5555555555555p-3, 0x1.1111111111275p-7,
                                       0x1.a01a01a100948p-13, 0x1.71de29e1bd099p-19,
                                       0x1.aeee1e459369cp-26};
// (tanh(x)/x - 1) / z in z = x^2 on |x| <= 0.25, relative error 2^-54.
inline constexpr double kTanhTail[] = {
    -0x1.5555555555555p-2, 0x1.1111111110f33p-3, -0x1.ba1ba1b9b8f02p-5,  0x1.664f4838e7cf7p-6,
    -0x1.226e17d4fc839p-7, 0x1.d6c64f5b3c86ep-9, -0x1.7bdd2c696af15p-10, 0x1.1537044ce1d3cp-11};

// e^|x| / 2 = up 2^n and e^-|x| / 2 = down 2^n.
template <class N>
struct HalfExponentials {
  Pair<N> up, down;
  typename N::I exponent;
};

template <class N>
HalfExponentials<N> half_exponentials(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  F size = select(abs(x) < F(720), abs(x), F(720));
  Scaled<N> e = exp_pair<N>({size, F(0)});
  // Beyond 2^400 the falling part is out of sight; the exponent is held where 2^-2n is normal.
  I held = select(e.exponent < I(400), e.exponent, I(400));
  Pair<N> inverse = divide<N>({F(1), F(0)}, e.mantissa);
  return {e.mantissa, scale<N>(inverse, power_of_two<N>(-(held + held))), e.exponent - I(1)};
}

template <class N>
typename N::F sinh(typename N::F x) {
  using F = typename N::F;
  F z = x * x;
  F small = fma(x * z, polynomial<N>(z, kSinhTail), x);
  HalfExponentials<N> e = half_exponentials<N>(x);
  F large = scale_by_power<N>(subtract<N>(e.up, e.down).hi, e.exponent);
  F value = select(abs(x) < F(0.3), small, copysign(large, x));
  return select((x == x) & (x != F(0)), value, x);
}

template <class N>
typename N::F cosh(typename N::F x) {
  HalfExponentials<N> e = half_exponentials<N>(x);
  return select(x == x, scale_by_power<N>(add<N>(e.up, e.down).hi, e.exponent), x);
}

template <class N>
typename N::F tanh(typename N::F x) {
  using F = typename N::F;
  F z = x * x;
  F small = fma(x * z, polynomial<N>(z, kTanhTail), x);
  F size = select(abs(x) < F(22), abs(x), F(22));
  Scaled<N> e = exp_pair<N>({size + size, F(0)});
  Pair<N> power = scale<N>(e.mantissa, power_of_two<N>(e.exponent));
  F large = divide<N>(add<N>(power, F(-1)), add<N>(power, F(1))).hi;
  F value = select(abs(x) < F(0.25), small, copysign(large, x));
  return select((x == x) & (x != F(0)), value, x);
}

// log of u, or of 2x where x >= 2^60.
template <class N>
Pair<N> log_of_sum(typename N::F x, Pair<N> u) {
  using F = typename N::F;
  typename N::B large = x >= F(0x1p60);
  LogReduced<N> reduced = log_reduce<N>(select_pair<N>(large, {x, F(0)}, u));
  return log_combine<N>(reduced, reduced.exponent + select(large, F(1), F(0)));
}

template <class N>
typename N::F asinh(typename N::F x) {
  using F = typename N::F;
  F size = abs(x);
  F small = fma(size * size * size, F(-0x1.5555555555555p-3), size);
  Pair<N> root = square_root<N>(add<N>(two_product<N>(size, size), F(1)));
  F large = log_of_sum<N>(size, add<N>(root, size)).hi;
  F value = select(size < F(0x1p-20), small, large);
  return select(size < F(std::numeric_limits<double>::infinity()), copysign(value, x), x);
}

template <class N>
typename N::F acosh(typename N::F x) {
  using F = typename N::F;
  Pair<N> root = square_root<N>(add<N>(two_product<N>(x, x), F(-1)));
  F value = log_of_sum<N>(x, add<N>(root, x)).hi;
  F outside = select(x > F(1), x, F(std::numeric_limits<double>::quiet_NaN()));
  typename N::B inside = (x >= F(1)) & (x < F(std::numeric_limits<double>::infinity()));
  return select(inside, value, outside);
}

template <class N>
typename N::F atanh(typename N::F x) {
  using F = typename N::F;
  F size = abs(x);
  F small = fma(size * size * size, F(0x1.5555555555555p-2), size);
  F inside = select(size < F(1), size, F(0.5));
  Pair<N> ratio = divide<N>(two_sum<N>(F(1), inside), two_sum<N>(F(1), -inside));
  F value = select(size < F(0x1p-20), small, F(0.5) * log_pair<N>(ratio).hi);
  F edge = select(size == F(1), F(std::numeric_limits<double>::infinity()),
                  F(std::numeric_limits<double>::quiet_NaN()));
  return copysign(select(size < F(1), value, edge), x);
}

}  // namespace lathe::elementary::float64
