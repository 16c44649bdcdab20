// SPDX-License-Identifier: Apache-2.0
#pragma once
// log: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), from the encoding; denormals are scaled
// up first. log(1 + f) = f - f^2/2 + f^3 p(f): the first two terms are kept exactly in two floats,
// p's error is 2^-30 of the result, and the last term is at most 7% of it, so its roundings weigh
// little. k ln2 is added with a 16-bit head of ln2, exactly.
//
// log2, log10: log(1 + f) in two floats times log2(e) or log10(e) in two floats, plus k or k
// log10(2). Powers of two (of ten) come out exact.
//
// log1p: 1 + x is an exact sum u + c; then as log with f in two floats. When 1 + x needs no scaling
// (k = 0), f is x itself, so small x lose nothing; below 2^-26, log1p(x) = x.

#include "elementary/float32/encoding.h"
#include "elementary/float32/two_float.h"

namespace lathe::elementary::float32 {

// 2^k m = x, m in [sqrt(1/2), sqrt(2)), for positive normal finite x.
template <class N>
struct Decomposed {
  typename N::I k;
  typename N::F m;
};
template <class N>
Decomposed<N> decompose(typename N::F x) {
  using I = typename N::I;
  const I k = shift_right(bits(x) - I(0x3f3504f3), I(23));
  return {k, from_bits(bits(x) - shift_left(k, I(23)))};
}
// The same for any positive finite x.
template <class N>
Decomposed<N> decompose_any(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const auto denormal = x < F(0x1p-126);
  const Decomposed<N> d = decompose<N>(select(denormal, x * F(0x1p23), x));
  return {select(denormal, d.k - I(23), d.k), d.m};
}

// log(1 + f) in two floats (loose), for 1 + f in [sqrt(1/2), sqrt(2)].
template <class N>
Two<N> log_near_one(typename N::F f) {
  using F = typename N::F;
  // (log(1 + f) - f + f^2/2) / f^3 on [-0.294, 0.415]; f^3 p is good to 2^-30 of log(1 + f).
  const F p =
      polynomial<N>(f, 0x1.555548p-2, -0x1.000008p-2, 0x1.99a48cp-3, -0x1.555bb4p-3, 0x1.233878p-3,
                    -0x1.fc31bcp-4, 0x1.e6fee2p-4, -0x1.de09a2p-4, 0x1.13fbeep-4);
  const Two<N> half_square = two_prod<N>(F(0.5) * f, f);
  const Two<N> s = fast_two_sum<N>(f, -half_square.hi);
  return {s.hi, fma(f * f * f, p, s.lo - half_square.lo)};
}

// a + k ln2, loose.
template <class N>
Two<N> add_k_ln2(Two<N> a, typename N::I k) {
  using F = typename N::F;
  const F kf = to_float(k);
  const Two<N> s = two_sum<N>(kf * F(0x1.62e4p-1), a.hi);
  return {s.hi, s.lo + fma(kf, F(0x1.7f7d1cp-20), a.lo)};
}

// log(1 + f.hi + f.lo) + more ln2 (loose), for f.hi >= -1 + 2^-24 finite, |more| < 2^16.
template <class N>
Two<N> log1p_two(Two<N> f, typename N::I more) {
  using F = typename N::F;
  using I = typename N::I;
  const Two<N> u = two_sum<N>(F(1), f.hi);
  const Decomposed<N> d = decompose<N>(u.hi);
  // What u.hi leaves out, scaled as m is. Beyond 2^60 it is below every bit that counts.
  const I back = select(d.k > I(60), I(60), d.k);
  const F u_lo = select(d.k > I(60), F(0), u.lo + f.lo) * power_of_two<N>(I(0) - back);
  const auto unscaled = d.k == I(0);
  const F g = select(unscaled, f.hi, d.m - F(1));
  const F g_lo = select(unscaled, f.lo, u_lo);
  const Two<N> l = log_near_one<N>(g);
  return add_k_ln2<N>({l.hi, l.lo + g_lo / (F(1) + g)}, d.k + more);
}

// log's values outside the positive finite numbers, where y holds.
template <class N>
typename N::F log_special(typename N::F x, typename N::F y) {
  using F = typename N::F;
  const F above = select(x < infinity<N>(), y, x);
  const F below = select(x == F(0), -infinity<N>(), not_a_number<N>());
  return select(x > F(0), above, below);
}

// x, or 1 where log_special overrides.
template <class N>
typename N::F log_argument(typename N::F x) {
  using F = typename N::F;
  return select((x > F(0)) & (x < infinity<N>()), x, F(1));
}

template <class N>
typename N::F log(typename N::F x) {
  using F = typename N::F;
  const Decomposed<N> d = decompose_any<N>(log_argument<N>(x));
  const Two<N> y = add_k_ln2<N>(log_near_one<N>(d.m - F(1)), d.k);
  return log_special<N>(x, y.hi + y.lo);
}

template <class N>
typename N::F log2(typename N::F x) {
  using F = typename N::F;
  const Decomposed<N> d = decompose_any<N>(log_argument<N>(x));
  const Two<N> l =
      mul<N>(normalize<N>(log_near_one<N>(d.m - F(1))), Two<N>{F(0x1.715476p0), F(0x1.4ae0cp-26)});
  const Two<N> y = add<N>(l, to_float(d.k));
  return log_special<N>(x, y.hi + y.lo);
}

template <class N>
typename N::F log10(typename N::F x) {
  using F = typename N::F;
  const Decomposed<N> d = decompose_any<N>(log_argument<N>(x));
  const Two<N> l = mul<N>(normalize<N>(log_near_one<N>(d.m - F(1))),
                          Two<N>{F(0x1.bcb7b2p-2), F(-0x1.5b235ep-27)});
  const F kf = to_float(d.k);
  const Two<N> s = two_sum<N>(kf * F(0x1.344p-2), l.hi);  // log10(2) by a 15-bit head: exact
  const F y = s.hi + (s.lo + fma(kf, F(0x1.3509f8p-18), l.lo));
  return log_special<N>(x, y);
}

template <class N>
typename N::F log1p(typename N::F x) {
  using F = typename N::F;
  using I = typename N::I;
  const F inside = select((x > F(-1)) & (x < infinity<N>()), x, F(0));
  const Two<N> l = log1p_two<N>({inside, F(0)}, I(0));
  const F above = select(x < infinity<N>(), l.hi + l.lo, x);
  const F below = select(x == F(-1), -infinity<N>(), not_a_number<N>());
  const F y = select(x > F(-1), above, below);
  return select(abs(x) < F(0x1p-26), x, y);
}

}  // namespace lathe::elementary::float32
