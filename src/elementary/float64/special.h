// SPDX-License-Identifier: Apache-2.0
#pragma once
// erf below 0.75: x + x p(x^2), p of degree 10 off by 2^-56 absolute; x p is at most 0.13 x: 1.1
// ulp. Above: 1 - erfc, whose ulp is at most half of erf's: 1.4 ulp.
//
// erfc from 0.75 on: e^-x^2 g(t) / (1 + 2x) with t = (x-3) / (x+3), where (1+2x) e^x^2 erfc x is
// smooth enough in t for one polynomial g of degree 20 up to 28 (relative error 2^-56). x^2 is an
// exact pair for the exponential, and all but t and Horner's rule for g are pairs; these two are
// off by less than 1.3 ulp of g, which are at most 2.6 of the result, though 1.2 is the most
// seen: 3.1 ulp. Below 0.75: 1 - x - x p(x^2) as a pair: 0.8 ulp, and 2 - erfc(-x) below -0.75: 0.7
// ulp.
//
// Both gammas: for z >= 8, log gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + s(1/z^2)/z as a pair,
// s of degree 6 off by 2^-57.6, so 2^-60.6 in all; a smaller |x| is raised to it by up to 8
// factors, and gamma(|x|) = gamma(z) / (|x| (|x|+1) ...), their product a pair. Negative x by
// reflection, gamma(-a) = -pi / (a sin(pi a) gamma(a)), sin(pi a) a pair from the exact distance of
// a to the nearest integer.
//
// tgamma: the pairs put together: the exponent is at most 745 and off by 2^-57 (the logarithm) +
// 2^-60: 0.6 ulp, and 0.85 ulp for denormal results. Below 2^-60 it is 1/x (off by 0.6 x).
//
// lgamma: the sum of the logarithm of the product and of log gamma(z), both pairs: off by 2^-60
// absolute, beside the last rounding: 0.51 ulp of max(1, |y|). The relative error is unbounded near
// the zeros, as the bound allows, but 1 and 2 give 0. Below 2^-60 it is -log|x|, from 2^60 on x
// (log x - 1) with two roundings: 1.1 ulp.

#include "elementary/float64/exp.h"
#include "elementary/float64/log.h"
#include "elementary/float64/trig.h"

namespace lathe::elementary::float64 {

// erf(x)/x - 1 in z = x^2 on |x| <= 0.76, absolute error 2^-56.1.
inline constexpr double kErfSmall[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379fdp-2,  0x1.ce2f21a0434abp-4,  -0x1.b82ce31298032p-6,
    0x1.565bcd0c6dadep-8,  -0x1.c02db2a43e035p-11, 0x1.f9a2d7df770d7p-14, -0x1.f4c8805b32319p-17,
    0x1.b9299fd0a4578p-20, -0x1.56e7307e921e1p-23, 0x1.8d09868b1f2d5p-27};

// (1+2x) e^x^2 erfc x in t = (x-3)/(x+3) on 0.74 <= x <= 28, relative error 2^-56 before rounding
// the coefficients.
inline constexpr double kErfcTail[] = {
    0x1.40c522d7e4987p+0,  -0x1.15c084bb9e900p-3,  -0x1.85a15c58aa5f2p-5,  0x1.098366a5b4eb0p-3,
    -0x1.e88b803a49278p-4, 0x1.17ca2877c4fadp-4,   -0x1.8574c40b99462p-6,  0x1.4b884eb3bfb0bp-9,
    0x1.ef1bdcc8a1d30p-10, -0x1.98db6443b87afp-11, -0x1.b911f973c3cebp-14, 0x1.065c26666d44bp-13,
    0x1.4be59f82e92eep-18, -0x1.517716c646743p-16, -0x1.7efda3698481bp-21, 0x1.d6318e89245aep-19,
    0x1.498c45fb21e76p-22, -0x1.5cfa9669ddde9p-21, -0x1.1ae3372135123p-24, 0x1.ce489301b7df3p-24,
    -0x1.7b9458f6f01c4p-27};

// For x >= 0.74.
template <class N>
typename N::F erfc_tail(typename N::F x) {
  using F = typename N::F;
  F size = select(x < F(28), x, F(28));
  F t = (size - F(3)) / (size + F(3));
  Pair<N> slope = divide<N>({polynomial<N>(t, kErfcTail), F(0)}, two_sum<N>(size + size, F(1)));
  Scaled<N> e = exp_pair<N>(two_product<N>(size, -size));
  return scale_by_power<N>(multiply<N>(e.mantissa, slope).hi, e.exponent);
}

template <class N>
typename N::F erf(typename N::F x) {
  using F = typename N::F;
  F small = fma(x, polynomial<N>(x * x, kErfSmall), x);
  F large = copysign(F(1) - erfc_tail<N>(abs(x)), x);
  F value = select(abs(x) < F(0.75), small, large);
  return select((x == x) & (x != F(0)), value, x);
}

template <class N>
typename N::F erfc(typename N::F x) {
  using F = typename N::F;
  Pair<N> rest = two_sum<N>(F(1), -x);
  F small = rest.hi + fma(-x, polynomial<N>(x * x, kErfSmall), rest.lo);
  F tail = erfc_tail<N>(abs(x));
  F large = select(x > F(0), tail, F(2) - tail);
  return select(x == x, select(abs(x) < F(0.75), small, large), x);
}

// (log gamma(z) - (z - 1/2) log z + z - log(2 pi)/2) z in 1/z^2 for z >= 8, absolute error 2^-57.6.
inline constexpr double kStirlingTail[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c10997p-9,  0x1.a01a015dd6151p-11, -0x1.3813320aac223p-11,
    0x1.b920e3035d2d5p-11, -0x1.ee6cb77ad34aap-10, 0x1.46763a5fbc795p-8};

// gamma(a) = e^(log_gamma) / product for a > 0.
template <class N>
struct RaisedGamma {
  Pair<N> log_gamma;  // of a raised by whole numbers to 8 or more
  Pair<N> product;    // of the numbers passed
  Pair<N> log_raised;
};

template <class N>
RaisedGamma<N> raised_gamma(typename N::F a) {
  using F = typename N::F;
  Pair<N> product = {F(1), F(0)};
  F steps = F(0);
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    Pair<N> factor = two_sum<N>(a, F(i));
    typename N::B below = factor.hi < F(8);
    product = select_pair<N>(below, multiply<N>(product, factor), product);
    steps = select(below, F(i + 1), steps);
  }
  Pair<N> z = two_sum<N>(a, steps);
  Pair<N> log_z = log_pair<N>(z);
  F inverse = F(1) / z.hi;
  F tail = inverse * polynomial<N>(inverse * inverse, kStirlingTail);
  Pair<N> half_log_two_pi = {F(0x1.d67f1c864beb5p-1), F(-0x1.65b5a1b7ff5dfp-55)};
  Pair<N> sum = subtract<N>(multiply<N>(add<N>(z, F(-0.5)), log_z), z);
  return {add<N>(sum, add<N>(half_log_two_pi, tail)), product, log_z};
}

// |sin(pi a)|.
template <class N>
Pair<N> sin_pi_size(typename N::F a) {
  using F = typename N::F;
  F distance = abs(a - round_even(a));
  typename N::B near = distance <= F(0.25);
  Pair<N> pi = {F(0x1.921fb54442d18p+1), F(0x1.1a62633145c07p-53)};
  Pair<N> angle = multiply<N>(pi, select(near, distance, F(0.5) - distance));
  return select_pair<N>(near, sin_pair<N>(angle), cos_pair<N>(angle));
}

template <class N>
typename N::F tgamma(typename N::F x) {
  using F = typename N::F;
  F infinity = F(std::numeric_limits<double>::infinity());
  F size = abs(x);
  typename N::B negative = x < F(0);
  // From 190 on all is infinite, or 0 for negative x.
  F a = select(size < F(190.5), size, F(190.5));
  RaisedGamma<N> g = raised_gamma<N>(a);
  Scaled<N> e = exp_pair<N>(select_pair<N>(negative, negate<N>(g.log_gamma), g.log_gamma));
  Pair<N> pi = {F(0x1.921fb54442d18p+1), F(0x1.1a62633145c07p-53)};
  Pair<N> over =
      select_pair<N>(negative, multiply<N>(multiply<N>(pi, g.product), e.mantissa), e.mantissa);
  Pair<N> under = select_pair<N>(negative, multiply<N>(sin_pi_size<N>(a), a), g.product);
  F value = scale_by_power<N>(divide<N>(over, under).hi, e.exponent);
  F whole = floor(size);
  F half = F(0.5) * whole;
  value = select(negative & (floor(half) == half), -value, value);
  value = select(negative & (whole == size), F(std::numeric_limits<double>::quiet_NaN()), value);
  value = select(size < F(0x1p-60), F(1) / x, value);
  return select((x == x) & (x != infinity), value, x);
}

template <class N>
typename N::F lgamma(typename N::F x) {
  using F = typename N::F;
  F infinity = F(std::numeric_limits<double>::infinity());
  F size = abs(x);
  typename N::B negative = x < F(0), tiny = size < F(0x1p-60), huge = size >= F(0x1p60);
  RaisedGamma<N> g = raised_gamma<N>(size);
  Pair<N> pi = {F(0x1.921fb54442d18p+1), F(0x1.1a62633145c07p-53)};
  Pair<N> reflected =
      divide<N>(multiply<N>(sin_pi_size<N>(size), size), multiply<N>(pi, g.product));
  // lgamma = from - log(product); where |x| is tiny, 54 log 2 - log(2^54 |x|), for denormal x.
  Pair<N> product = select_pair<N>(negative, reflected, g.product);
  product = select_pair<N>(tiny, {size * F(0x1p54), F(0)}, product);
  Pair<N> from = select_pair<N>(negative, negate<N>(g.log_gamma), g.log_gamma);
  from = select_pair<N>(tiny, {F(0x1.2b708872320e2p+5), F(-0x1.570da7e077bcbp-50)}, from);
  F value = subtract<N>(from, log_pair<N>(product)).hi;
  Pair<N> slope = add<N>(g.log_raised, F(-1));
  value = select(huge, fma(size, slope.lo, size * slope.hi), value);
  value = select((x == F(1)) | (x == F(2)), F(0), value);
  typename N::B pole = (x <= F(0)) & (floor(x) == x);
  return select(x == x, select(pole | (size == infinity), infinity, value), x);
}

}  // namespace lathe::elementary::float64
