// SPDX-License-Identifier: Apache-2.0
#pragma once
// The values of a dtype at which rules break, and random ones.

#include <limits>
#include <vector>

#include "ir/scalar.h"
#include "rng.h"

namespace lathe::testing {

inline std::vector<ir::Scalar> special_values(ir::DType t) {
  using ir::Scalar;
  std::vector<Scalar> values;
  if (ir::is_bool(t)) return {Scalar::of_bool(false), Scalar::of_bool(true)};
  if (ir::is_int(t)) {
    const int width = ir::width_bits(t);
    for (std::int64_t v : {0, 1, 2, 3, 7, 8})
      for (std::int64_t sign : {1, -1}) values.push_back(Scalar::of_int(t, sign * v));
    for (std::int64_t v : {0, -1, 1}) {
      const auto high = std::int64_t{1} << (width - 1 < 63 ? width - 1 : 62);
      values.push_back(Scalar::of_int(t, high + v));   // around the sign bit
      values.push_back(Scalar::of_int(t, width + v));  // shift counts
    }
    values.push_back(Scalar::of_uint(t, std::uint64_t{1} << (width - 1)));
    values.push_back(Scalar::of_uint(t, (std::uint64_t{1} << (width - 1)) - 1));
    return values;
  }
  const double inf = std::numeric_limits<double>::infinity();
  values.push_back(Scalar::of_double(t, std::numeric_limits<double>::quiet_NaN()));
  for (double v : {0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 0.1, 0.75, 1e3, inf})
    for (double sign : {1.0, -1.0}) values.push_back(Scalar::of_double(t, sign * v));
  const std::uint64_t sign = std::uint64_t{1} << (ir::width_bits(t) - 1);
  const std::uint64_t infinity = Scalar::of_double(t, inf).bits;
  const std::uint64_t one = Scalar::of_double(t, 1).bits;
  const int mantissa = t == ir::DType::F16    ? 10
                       : t == ir::DType::BF16 ? 7
                       : t == ir::DType::F32  ? 23
                                              : 52;
  // the smallest denormal, the largest, the smallest normal, the largest number, 1 + ulp, 1 - ulp
  for (std::uint64_t bits : {std::uint64_t{1}, (std::uint64_t{1} << mantissa) - 1,
                             std::uint64_t{1} << mantissa, infinity - 1, one + 1, one - 1})
    for (std::uint64_t s : {std::uint64_t{0}, sign}) values.push_back(Scalar::of_bits(t, bits | s));
  return values;
}

inline ir::Scalar random_value(ir::DType t, Rng& rng) {
  using ir::Scalar;
  if (ir::is_bool(t)) return Scalar::of_bool(rng.percent(50));
  switch (rng.below(4)) {
    case 0: return Scalar::of_bits(t, rng.next() >> (64 - ir::width_bits(t)));  // any bits
    case 1: return Scalar::of_int(t, rng.between(-20, 20));
    case 2: return Scalar::of_double(t, (rng.unit() - 0.5) * 8);
    default: {
      static const auto kSpecial = [] {
        std::vector<std::vector<Scalar>> all;
        for (int i = 0; i < ir::kDTypeCount; ++i)
          all.push_back(special_values(static_cast<ir::DType>(i)));
        return all;
      }();
      return rng.pick(kSpecial[static_cast<std::size_t>(t)]);
    }
  }
}

}  // namespace lathe::testing
