// SPDX-License-Identifier: Apache-2.0
#pragma once
// sinh, cosh, tanh: |x| = k ln2 + r as for exp. With a = 2^(k-1) and b = 2^(-k-1),
//   sinh|x| = (a - b) cosh r + (a + b) sinh r,   cosh|x| = (a + b) cosh r + (a - b) sinh r,
// where sinh r = r + r^3 p(r^2) and cosh r = 1 + r^2/2 + r^4 p(r^2) on |r| <= ln2/2. For k = 0 the
// first is sinh r itself, so nothing cancels. The leading terms are summed in two floats; what is
// rounded in one float is at most 6% of the result. tanh is the quotient of the two.
//
// asinh, acosh, atanh: log1p of an argument f in two floats:
//   asinh a = log1p(a + a^2 / (1 + sqrt(1 + a^2))),  acosh x = log1p(t + sqrt(t^2 + 2t)) with t = x
//   - 1, atanh a = log1p(2a / (1 - a)) / 2,
// and log(2x) for x > 2^13, where asinh and acosh differ from it by less than 2^-28. log1p_two
// (log.h) is good to about 2^-28.

#include "elementary/float32/encoding.h"
#include "elementary/float32/exp.h"
#include "elementary/float32/log.h"
#include "elementary/float32/two_float.h"

namespace lathe::elementary::float32 {

// sinh a and cosh a times 1/restore, loose, for 0 <= a <= 90.
template <class N>
struct HyperbolicPair {
  Two<N> sinh, cosh;
  typename N::F restore;
};

template <class N>
HyperbolicPair<N> hyperbolic_pair(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const Ln2Remainder<N> reduced = reduce_ln2<N>(x);
  const F r = reduced.r;
  const F r_lo = reduced.r_lo;
  const F z = r * r;
  // (sinh r - r) / r^3 and (cosh r - 1 - r^2/2) / r^4 on |r| < 0.3475, error 2^-34 and 2^-33.
  const F sinh_tail =
      fma(r * z, polynomial<N>(z, 0x1.555556p-3, 0x1.110fe2p-7, 0x1.a28ee6p-13), r_lo);
  const F cosh_tail = fma(r, r_lo, z * polynomial<N>(z, 0x1p-1, 0x1.5554e6p-5, 0x1.6d4f54p-10));
  const I k = to_int(reduced.k);
  const auto huge = k > I(64);  // a quarter of the size, so that a does not overflow
  const F a = power_of_two<N>(select(huge, k - I(3), k - I(1)));
  const F b = select(huge, F(0), power_of_two<N>(I(-1) - select(huge, I(0), k)));
  const Two<N> plus = fast_two_sum<N>(a, b);
  const Two<N> minus = fast_two_sum<N>(a, -b);
  const Two<N> sinh_r = two_prod<N>(plus.hi, r);
  const Two<N> cosh_r = two_prod<N>(minus.hi, r);
  const Two<N> s = two_sum<N>(minus.hi, sinh_r.hi);
  const Two<N> c = fast_two_sum<N>(plus.hi, cosh_r.hi);
  const F s_lo = fma(plus.hi, sinh_tail, fma(plus.lo, r, sinh_r.lo + minus.lo));
  const F c_lo = fma(minus.hi, sinh_tail, fma(minus.lo, r, cosh_r.lo + plus.lo));
  return {{s.hi, s.lo + fma(minus.hi, cosh_tail, s_lo)},
          {c.hi, c.lo + fma(plus.hi, cosh_tail, c_lo)},
          select(huge, F(4), F(1))};
}

template <class N>
typename N::F sinh(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const HyperbolicPair<N> h = hyperbolic_pair<N>(select(a > F(90), F(90), a));
  const F y = (h.sinh.hi + h.sinh.lo) * h.restore;
  return select(a < F(0x1p-13), x, copysign(y, x));
}

template <class N>
typename N::F cosh(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const HyperbolicPair<N> h = hyperbolic_pair<N>(select(a > F(90), F(90), a));
  return (h.cosh.hi + h.cosh.lo) * h.restore;
}

template <class N>
typename N::F tanh(typename N::F x) {
  using F = typename N::F;
  const F a = abs(x);
  const HyperbolicPair<N> h = hyperbolic_pair<N>(select(a > F(20), F(20), a));
  const Two<N> y = div<N>(normalize<N>(h.sinh), normalize<N>(h.cosh));
  return select(a < F(0x1p-13), x, copysign(y.hi + y.lo, x));
}

template <class N>
typename N::F asinh(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const F a = abs(x);
  const auto large = a > F(0x1p13);
  const F small = select(large, F(1), a);
  const Two<N> square = two_prod<N>(small, small);
  const Two<N> root = sqrt_two<N>(normalize<N>(add<N>(square, F(1))));
  const Two<N> quotient = div<N>(square, normalize<N>(add<N>(root, F(1))));
  const Two<N> f = normalize<N>(add<N>(quotient, small));
  // 1 + f is a itself where a is large.
  const Two<N> y = log1p_two<N>(
      {select(large, select(a < infinity<N>(), a, F(0x1p64)), f.hi), select(large, F(-1), f.lo)},
      select(large, I(1), I(0)));
  const F sum = select(a == infinity<N>(), a, y.hi + y.lo);
  return select((a > F(0x1p-13)), copysign(sum, x), x);
}

template <class N>
typename N::F acosh(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const auto large = x > F(0x1p13);
  const F t = select((x > F(1)) & !large, x - F(1), F(1));
  const Two<N> root = sqrt_two<N>(normalize<N>(add<N>(two_prod<N>(t, t), t + t)));
  const Two<N> f = normalize<N>(add<N>(root, t));
  const Two<N> y = log1p_two<N>(
      {select(large, select(x < infinity<N>(), x, F(0x1p64)), f.hi), select(large, F(-1), f.lo)},
      select(large, I(1), I(0)));
  const F sum = select(x < infinity<N>(), y.hi + y.lo, x);
  return select(x > F(1), sum, select(x == F(1), F(0), not_a_number<N>()));
}

template <class N>
typename N::F atanh(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const F a = abs(x);
  const F inside = select(a < F(1), a, F(0));
  const Two<N> f = normalize<N>(div<N>({inside + inside, F(0)}, two_sum<N>(F(1), -inside)));
  const Two<N> y = log1p_two<N>(f, I(0));
  const F edge = select(a == F(1), infinity<N>(), not_a_number<N>());
  const F sum = select(a < F(1), F(0.5) * (y.hi + y.lo), edge);
  return select(a < F(0x1p-13), x, copysign(sum, x));
}

}  // namespace lathe::elementary::float32
