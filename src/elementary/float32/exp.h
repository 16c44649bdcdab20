// SPDX-License-Identifier: Apache-2.0
#pragma once
// exp: x = k ln2 + r with |r| <= ln2/2; ln2 is cut in a 16-bit head, so that k times it is exact,
// and a tail. e^r is a polynomial of degree 6 whose own error is 0.1 ulp; with the roundings of r
// and of the last two steps it is 0.921 ulp in all, by trying every argument. The scaling by 2^k is
// in two steps: only the second rounds, for denormal results.
//
// exp_parts, for functions that go on with e^x: the rounding of r is kept, and 1 + r summed
// exactly.
//
// exp2: k is x rounded, r = x - k exactly; 2^r = 1 + r ln2 + r^2 p(r) with r ln2 in two floats.
//
// expm1: as exp, but with r^2/2 in two floats too, since 2^k e^r - 1 partly cancels; then
// (2^k s - 1) + 2^k lo with s + lo = e^r, where the first difference is an exact sum of two floats.
// For k = 0 this gives back r and keeps relative accuracy down to |x| = 2^-26, below which
// expm1(x) = x.

#include "elementary/float32/encoding.h"
#include "elementary/float32/two_float.h"

namespace lathe::elementary::float32 {

// 2^k (value.hi + value.lo), loose.
template <class N>
struct ScaledTwo {
  Two<N> value;
  typename N::I k;
};

// x = k ln2 + r + r_lo, |r| <= 0.347, for |x| <= 150.
template <class N>
struct Ln2Remainder {
  typename N::F k, r, r_lo;
};
template <class N>
Ln2Remainder<N> reduce_ln2(typename N::F x) {
  using F = typename N::F;
  const F k = round_even(x * F(0x1.715476p0));
  const F head = fma(-k, F(0x1.62e4p-1), x);  // exact
  const F r = fma(-k, F(0x1.7f7d1cp-20), head);
  return {k, r, fma(-k, F(0x1.7f7d1cp-20), head - r)};
}

// (e^r - 1 - r - r^2/2) / r^3 on |r| <= 0.347; r^3 times it is good to 2^-32.
template <class N>
typename N::F exp_cubic_tail(typename N::F r) {
  return polynomial<N>(r, 0x1.555556p-3, 0x1.5555p-5, 0x1.110fc2p-7, 0x1.6d3096p-10,
                       0x1.a2d944p-13);
}

// e^x for |x| <= 150.
template <class N>
ScaledTwo<N> exp_parts(typename N::F x) {
  using F = typename N::F;
  const Ln2Remainder<N> a = reduce_ln2<N>(x);
  const F p = fma(a.r, exp_cubic_tail<N>(a.r), F(0.5));
  const Two<N> s = fast_two_sum<N>(F(1), a.r);
  return {{s.hi, s.lo + fma(a.r_lo, s.hi, a.r * a.r * p)}, to_int(a.k)};
}

// 2^(x.hi + x.lo) for |x.hi| <= 1000, |x.lo| <= 2^-15.
template <class N>
ScaledTwo<N> exp2_parts(Two<N> x) {
  using F = typename N::F;
  const F k = round_even(x.hi);
  const F r = x.hi - k;  // exact
  const Two<N> first = two_prod<N>(r, F(0x1.62e43p-1));
  const F first_lo = fma(r, F(-0x1.05c61p-29), first.lo);
  // (2^r - 1 - r ln2) / r^2 on |r| <= 1/2, error of r^2 p below 2^-33.
  const F p = polynomial<N>(r, 0x1.ebfbep-3, 0x1.c6b08ap-5, 0x1.3b2a48p-7, 0x1.5d8c92p-10,
                            0x1.4424aap-13, 0x1.fac5bep-17);
  const Two<N> s = fast_two_sum<N>(F(1), first.hi);
  const F lo = s.lo + fma(r * r, p, first_lo);
  // 2^(r + x.lo) = 2^r (1 + x.lo ln2)
  return {{s.hi, fma(x.lo * F(0x1.62e43p-1), s.hi + lo, lo)}, to_int(k)};
}

// Few operations and no test: exp stands in the inner loops of softmax and of sigmoids, where each
// one shows. k is rounded by adding and taking away 1.5 * 2^23.
template <class N>
typename N::F exp(typename N::F x) {
  using F = typename N::F;
  const F low = select(x < F(-105), F(-105), x);
  const F inside = select(low > F(90), F(90), low);
  const F k = fma(inside, F(0x1.715476p0), F(0x1.8p23)) - F(0x1.8p23);
  const F r = fma(k, F(-0x1.7f7d1cp-20), fma(k, F(-0x1.62e4p-1), inside));
  const F p =
      polynomial<N>(r, 1, 1, 0.5, 0x1.5554acp-3, 0x1.5554e4p-5, 0x1.122a12p-7, 0x1.6d51c8p-10);
  return scale<N>(p, to_int(k));
}

template <class N>
typename N::F exp2(typename N::F x) {
  using F = typename N::F;
  const F low = select(x < F(-152), F(-152), x);
  const F inside = select(low > F(130), F(130), low);
  const ScaledTwo<N> e = exp2_parts<N>({inside, F(0)});
  return scale<N>(e.value.hi + e.value.lo, e.k);
}

template <class N>
typename N::F expm1(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const F low = select(x < F(-20), F(-20), x);
  const F inside = select(low > F(89), F(89), low);
  const Ln2Remainder<N> a = reduce_ln2<N>(inside);
  const Two<N> half_square = two_prod<N>(F(0.5) * a.r, a.r);
  const Two<N> first = fast_two_sum<N>(a.r, half_square.hi);
  const F third = fma(a.r * a.r * a.r, exp_cubic_tail<N>(a.r), half_square.lo);
  const Two<N> s = fast_two_sum<N>(F(1), first.hi);
  const F lo = s.lo + (first.lo + fma(a.r_lo, s.hi, third));  // e^r = s.hi + lo
  const I k = to_int(a.k);
  // At half size when 2^k itself would overflow; the 1 does not matter there.
  const F restore = select(k > I(127), F(2), F(1));
  const F power = power_of_two<N>(select(k > I(127), k - I(1), k));
  const Two<N> head = two_sum<N>(power * s.hi, F(-1));
  const F y = (head.hi + fma(power, lo, head.lo)) * restore;
  return select(abs(x) < F(0x1p-26), x, y);
}

}  // namespace lathe::elementary::float32
