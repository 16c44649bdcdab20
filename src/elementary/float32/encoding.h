// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values made from float32's encoding, and polynomials.

#include "elementary/number.h"

namespace lathe::elementary::float32 {

template <class N>
typename N::F infinity() {
  return from_bits(typename N::I(0x7f800000));
}

template <class N>
typename N::F not_a_number() {
  return from_bits(typename N::I(0x7fc00000));
}

// 2^k for -126 <= k <= 127.
template <class N>
typename N::F power_of_two(typename N::I k) {
  using I = typename N::I;
  return from_bits(shift_left(k + I(127), I(23)));
}

// x * 2^k with one rounding, for |x| in [2^-2, 2^3] and -252 <= k <= 254.
template <class N>
typename N::F scale(typename N::F x, typename N::I k) {
  using I = typename N::I;
  const I half = shift_right(k, I(1));
  return x * power_of_two<N>(half) * power_of_two<N>(k - half);
}

// c0 + x (c1 + x (c2 + ...)), Horner's rule with fma.
template <class N, class... Rest>
typename N::F polynomial(typename N::F x, double c0, Rest... rest) {
  using F = typename N::F;
  if constexpr (sizeof...(rest) == 0) {
    return F(c0);
  } else {
    return fma(x, polynomial<N>(x, rest...), F(c0));
  }
}

}  // namespace lathe::elementary::float32
