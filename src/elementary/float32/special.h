// SPDX-License-Identifier: Apache-2.0
#pragma once
// erf, erfc: for |x| < 1/2, erf x = c0 x + x^3 p(x^2), c0 = 2/sqrt(pi) in two floats. For larger
// |x|,
//   erfc|x| = e^(-x^2) g(q) / (1 + 2|x|),  q = (|x| - 5/2) / (|x| + 5/2),
// where x^2, e^(-x^2) and the quotient have two floats, and g = (1 + 2x) e^(x^2) erfc(x) moves only
// between 1.17 and 1.28, so its polynomial's roundings weigh 7%. The rest is 1 - erf or 1 - erfc in
// two floats.
//
// tgamma, lgamma: z = x, or 1 - x for x < 1/2 (reflection); w = z + n >= 4 with n <= 4, where
// Stirling's
//   log Gamma(w) = w (log w - 1) - log(w)/2 + log(2 pi)/2 + 1/(12 w) - 1/(360 w^3) + ...
// is good to 2^-31 with five terms. All of it is in two floats, with log w from log2_two (power.h):
// relative error 2^-36. The steps from z to w divide by z (z + 1) ..., the reflection by
// sin(pi x)/pi, both in two floats: Gamma(x) = Q Gamma(w) or Q / Gamma(w). tgamma multiplies Q by
// the exponential, lgamma adds log|Q|. Near lgamma's zeros 1 and 2 it is a polynomial times x - 1
// or x - 2, so it is within 1 ulp of itself for all x > 0; near its zeros below 0 the error is
// absolute, about 2^-31.

#include "elementary/float32/encoding.h"
#include "elementary/float32/exp.h"
#include "elementary/float32/log.h"
#include "elementary/float32/power.h"
#include "elementary/float32/trig.h"
#include "elementary/float32/two_float.h"

namespace lathe::elementary::float32 {

// erf a for 0 <= a <= 1/2; loose.
template <class N>
Two<N> erf_small(typename N::F a) {
  using F = typename N::F;
  const F z = a * a;
  const Two<N> first = two_prod<N>(a, F(0x1.20dd76p0));
  // (erf a - c0 a) / a^3, error 2^-33 of erf a.
  const F p =
      polynomial<N>(z, -0x1.812746p-2, 0x1.ce2eb8p-4, -0x1.b8165cp-6, 0x1.5424p-8, -0x1.8b1a64p-11);
  return {first.hi, fma(a * z, p, fma(a, F(-0x1.f7ac92p-25), first.lo))};
}

// erfc a for 1/2 <= a <= 10.5, normalised but for the factor 2^k.
template <class N>
ScaledTwo<N> erfc_large(typename N::F a) {
  using F = typename N::F;
  const Two<N> square = two_prod<N>(a, a);
  const ScaledTwo<N> e = exp_parts<N>(-square.hi);
  const Two<N> e_square = {e.value.hi, fma(-square.lo, e.value.hi + e.value.lo, e.value.lo)};
  const F q = (a - F(2.5)) / (a + F(2.5));
  // g(q) - 0x1.43cc7p0 for |x| in [0.5, 10.6], error 2^-30.
  const F tail = polynomial<N>(q, -0x1.295166p-25, -0x1.f52c6p-4, -0x1.959ab6p-4, 0x1.42d3bcp-3,
                               -0x1.a5c1d2p-4, 0x1.0c51b6p-5, 0x1.ecc16ep-11, -0x1.1c770ep-8,
                               0x1.e7fde6p-12, 0x1.1267e6p-11, -0x1.cf290ap-15);
  const Two<N> g = fast_two_sum<N>(F(0x1.43cc7p0), tail);
  const Two<N> product = normalize<N>(mul<N>(normalize<N>(e_square), g));
  const Two<N> y = div<N>(product, two_sum<N>(F(1), a + a));
  return {y, e.k};
}

template <class N>
typename N::F erf(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const auto large = a >= F(0.5);
  // Far from denormals, so that the low parts do not underflow.
  const auto tiny = a < F(0x1p-100);
  const Two<N> small = erf_small<N>(select(large, F(0), a) * select(tiny, F(0x1p60), F(1)));
  const F y_small = (small.hi + small.lo) * select(tiny, F(0x1p-60), F(1));
  const F inside = select(large, select(a > F(5), F(5), a), F(0.5));
  const ScaledTwo<N> c = erfc_large<N>(inside);
  const F power = power_of_two<N>(c.k);
  const Two<N> s = fast_two_sum<N>(F(1), -(c.value.hi * power));
  const F y = select(large, s.hi + fma(-c.value.lo, power, s.lo), y_small);
  return copysign(y, x);
}

template <class N>
typename N::F erfc(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const auto large = a >= F(0.5);
  // |x| < 1/2: 1 - erf x.
  const Two<N> erf_x = erf_small<N>(select(large, F(0), x));
  const Two<N> near = fast_two_sum<N>(F(1), -erf_x.hi);
  const F y_small = near.hi + (near.lo - erf_x.lo);
  const F inside = select(large, select(a > F(10.5), F(10.5), a), F(0.5));
  const ScaledTwo<N> c = erfc_large<N>(inside);
  const F y_right = scale<N>(c.value.hi + c.value.lo, c.k);
  const Two<N> left = fast_two_sum<N>(F(2), -y_right);
  const F y_left = left.hi + left.lo;
  return select(large, select(x < F(0), y_left, y_right), y_small);
}

// sin(pi x) in two floats (loose) for |x| < 2^24; relative error 2^-31 while |x| > 2^-100.
template <class N>
Two<N> sin_pi(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const F whole = round_even(x);
  const F d = x - whole;  // exact
  const F a = abs(d);
  const auto steep = a > F(0.25);
  const F reduced = select(steep, F(0.5) - a, a);  // exact
  const Two<N> r = normalize<N>(mul<N>(Two<N>{F(0x1.921fb6p1), F(-0x1.777a5cp-24)}, reduced));
  const Two<N> s = sin_reduced<N>(r);
  const Two<N> c = cos_reduced<N>(r);
  const F sign =
      select(d < F(0), F(-1), F(1)) * select((to_int(whole) & I(1)) == I(0), F(1), F(-1));
  return {sign * select(steep, c.hi, s.hi), sign * select(steep, c.lo, s.lo)};
}

// log x in two floats for normalised x > 0, with relative error 2^-36.
template <class N>
Two<N> log_two(Two<N> x) {
  using F = typename N::F;
  const Two<N> l = mul<N>(log2_two<N>(x.hi), Two<N>{F(0x1.62e43p-1), F(-0x1.05c61p-29)});
  return normalize<N>(add<N>(l, x.lo / x.hi));
}

// Gamma(x) = quotient exp(log_w), or quotient exp(-log_w) if reflected; log_w = log Gamma(w).
template <class N>
struct GammaParts {
  Two<N> quotient, log_w;
  typename N::B reflected;
};

// For finite |x| >= 2^-60 that is no integer below 1. Where x < lowest, Gamma(lowest) stands for
// the size of Gamma(x), but not for its sign.
template <class N>
GammaParts<N> gamma_parts(typename N::F x, typename N::F lowest) {
  using F = typename N::F;
  const auto reflected = x < F(0.5);
  const Two<N> mirror = two_sum<N>(F(1), -select(x < lowest, lowest, x));
  Two<N> w = {select(reflected, mirror.hi, x), select(reflected, mirror.lo, F(0))};
  Two<N> steps = {F(1), F(0)};  // z (z + 1) ...
  for (int i = 0; i < 4; ++i) {
    const auto step = w.hi < F(4);
    const Two<N> longer = normalize<N>(mul<N>(steps, w));
    const Two<N> further = normalize<N>(add<N>(w, F(1)));
    steps = {select(step, longer.hi, steps.hi), select(step, longer.lo, steps.lo)};
    w = {select(step, further.hi, w.hi), select(step, further.lo, w.lo)};
  }
  const Two<N> l = log_two<N>(w);
  const F u = F(1) / w.hi;
  // Stirling's series, cut after w^-9: error below 2^-31.
  const F series = u * polynomial<N>(u * u, 0x1.555556p-4, -0x1.6c16c2p-9, 0x1.a01a02p-11,
                                     -0x1.3813b8p-11, 0x1.b951e2p-11);
  const Two<N> main = mul<N>(normalize<N>(add<N>(l, F(-1))), w);
  const Two<N> lesser = add<N>(Two<N>{F(-0.5) * l.hi, F(-0.5) * l.lo},
                               Two<N>{F(0x1.d67f1cp-1), F(0x1.0c97d6p-26) + series});
  const Two<N> log_w = normalize<N>(add<N>(normalize<N>(main), normalize<N>(lesser)));

  const Two<N> sine = sin_pi<N>(select(reflected, x, F(0.5)));
  const Two<N> pi_steps = mul<N>(steps, Two<N>{F(0x1.921fb6p1), F(-0x1.777a5cp-24)});
  const Two<N> top = normalize<N>(
      Two<N>{select(reflected, pi_steps.hi, F(1)), select(reflected, pi_steps.lo, F(0))});
  const Two<N> bottom = normalize<N>(
      Two<N>{select(reflected, sine.hi, steps.hi), select(reflected, sine.lo, steps.lo)});
  return {normalize<N>(div<N>(top, bottom)), log_w, reflected};
}

template <class N>
typename N::F tgamma(typename N::F x) {
  using F = typename N::F;
  const auto pole = (trunc(x) == x) & (x < F(0));  // -infinity too
  const auto tiny = abs(x) < F(0x1p-60);
  const auto ordinary = (x == x) & !pole & !tiny;
  const F inside = select(ordinary, select(x > F(37), F(37), x), F(1));
  const GammaParts<N> g = gamma_parts<N>(inside, F(-50));
  const ScaledTwo<N> e = exp_parts<N>(select(g.reflected, -g.log_w.hi, g.log_w.hi));
  const F correction = select(g.reflected, -g.log_w.lo, g.log_w.lo);
  const Two<N> factor = {e.value.hi, fma(correction, e.value.hi + e.value.lo, e.value.lo)};
  const Two<N> y = mul<N>(g.quotient, normalize<N>(factor));
  const F value = scale<N>(y.hi + y.lo, e.k);
  const F edge = select(tiny, F(1) / x, not_a_number<N>());
  return select(ordinary, value, edge);
}

// lgamma by its Taylor-like polynomials at its zeros 1 and 2, for |x - zero| <= 0.1875.
template <class N>
typename N::F lgamma_near_zero(typename N::F x) {
  using F = typename N::F;
  const auto first = x < F(1.5);
  const F d = x - select(first, F(1), F(2));
  // (lgamma(1 + d) - slope d) / d^2, error 2^-32 of lgamma / d, and the same for 2 + d.
  const F p1 = polynomial<N>(d, 0x1.a51a66p-1, -0x1.9a4d54p-2, 0x1.1513b2p-2, -0x1.a8bc6ep-3,
                             0x1.5acae2p-3, -0x1.26502p-3, 0x1.1235e6p-3, -0x1.eef5eap-4);
  const F p2 = polynomial<N>(d, 0x1.4a34ccp-2, -0x1.13e002p-4, 0x1.51320cp-6, -0x1.e4004ep-8,
                             0x1.7dbba4p-9, -0x1.3c86cap-10);
  // The slopes, minus Euler's constant and one more, have the same low part.
  const Two<N> line = two_prod<N>(d, select(first, F(-0x1.2788dp-1), F(0x1.b0ee6p-2)));
  return line.hi + fma(d * d, select(first, p1, p2), fma(d, F(0x1.c824f4p-28), line.lo));
}

template <class N>
typename N::F lgamma(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const auto tiny = a < F(0x1p-60);
  const auto pole = (trunc(x) == x) & !(x > F(0));
  const auto overflow = x > F(0x1.895f1ap121);
  const F inside = select((x == x) & !pole & !overflow & !tiny, x, F(1.5));
  const GammaParts<N> g = gamma_parts<N>(inside, F(-0x1p24));
  const F sign = select(g.quotient.hi < F(0), F(-1), F(1));
  const Two<N> argument = {select(tiny & !pole, a, sign * g.quotient.hi),
                           select(tiny, F(0), sign * g.quotient.lo)};
  const Two<N> l = log_two<N>(argument);
  const F direction = select(g.reflected, F(-1), F(1));
  const Two<N> sum = add<N>(l, Two<N>{direction * g.log_w.hi, direction * g.log_w.lo});
  const F from_one = abs(x - F(1));
  const F from_two = abs(x - F(2));
  const auto at_zero = (from_one <= F(0.1875)) | (from_two <= F(0.1875));
  const F y = select(tiny, -(l.hi + l.lo), sum.hi + sum.lo);
  const F positive = select(at_zero, lgamma_near_zero<N>(x), y);
  const F edge = select(x == x, infinity<N>(), not_a_number<N>());
  return select((x == x) & !pole & !overflow, positive, edge);
}

}  // namespace lathe::elementary::float32
