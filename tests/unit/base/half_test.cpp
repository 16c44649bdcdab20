// SPDX-License-Identifier: Apache-2.0
// The 16-bit conversions against references that are slow and plain: a value is decoded with
// ldexp, and rounding looks at the two neighbours in exact arithmetic.
#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace lathe {
namespace {

double decode(unsigned bits, FloatLayout layout) {
  const unsigned exponent = (bits >> layout.mantissa_bits) & ((1u << layout.exponent_bits) - 1);
  const unsigned fraction = bits & ((1u << layout.mantissa_bits) - 1);
  const double sign = (bits >> layout.sign_shift()) != 0 ? -1 : 1;
  if (exponent == (1u << layout.exponent_bits) - 1) {
    return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  }
  const int power =
      exponent == 0 ? layout.min_quantum() : static_cast<int>(exponent) - 1 + layout.min_quantum();
  const unsigned significand = exponent == 0 ? fraction : fraction + (1u << layout.mantissa_bits);
  return sign * std::ldexp(significand, power);
}

// All finite magnitudes in order, then the first power of two that is too large.
std::vector<double> magnitudes(FloatLayout layout) {
  std::vector<double> all;
  for (unsigned bits = 0; bits < layout.infinity(); ++bits) all.push_back(decode(bits, layout));
  all.push_back(2 * std::ldexp(1.0, layout.bias()));
  return all;
}

unsigned round_reference(double x, FloatLayout layout, const std::vector<double>& all) {
  if (std::isnan(x)) return static_cast<unsigned>(layout.quiet_nan());
  const unsigned sign = std::signbit(x) ? 1u << layout.sign_shift() : 0;
  const double magnitude = std::fabs(x);
  if (magnitude >= all.back()) return sign | static_cast<unsigned>(layout.infinity());
  const auto above =
      static_cast<unsigned>(std::upper_bound(all.begin(), all.end(), magnitude) - all.begin());
  const unsigned below = above - 1;
  // Neighbours have few bits, so their middle is exact in double.
  const double middle = all[below] + (all[above] - all[below]) / 2;
  const bool up = magnitude > middle || (magnitude == middle && below % 2 == 1);
  return sign | (up ? above : below);
}

struct Format {
  const char* name;
  FloatLayout layout;
  std::uint16_t (*from_float)(float);
  std::uint16_t (*from_double)(double);
  float (*to_float)(std::uint16_t);
};

class HalfTest : public testing::TestWithParam<Format> {};

TEST_P(HalfTest, EveryValueBothWays) {
  const Format& f = GetParam();
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double expected = decode(bits, f.layout);
    const float wide = f.to_float(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected)) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(wide), 0x7fc00000u);
      ASSERT_EQ(f.from_float(wide), f.layout.quiet_nan());
      continue;
    }
    ASSERT_EQ(std::bit_cast<std::uint64_t>(static_cast<double>(wide)),
              std::bit_cast<std::uint64_t>(expected))
        << bits;
    ASSERT_EQ(f.from_float(wide), bits);
    ASSERT_EQ(f.from_double(expected), bits);
  }
}

TEST_P(HalfTest, TiesAndTheirNeighbours) {
  const Format& f = GetParam();
  const std::vector<double> all = magnitudes(f.layout);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const double middle = all[i] + (all[i + 1] - all[i]) / 2;
    for (const double x : {middle, std::nextafter(middle, 0), std::nextafter(middle, 1e300)}) {
      ASSERT_EQ(f.from_double(x), round_reference(x, f.layout, all)) << x;
      ASSERT_EQ(f.from_double(-x), round_reference(-x, f.layout, all)) << x;
    }
    const auto m = static_cast<float>(middle);
    for (const float x : {m, std::nextafter(m, 0.0f), std::nextafter(m, 3e38f)}) {
      ASSERT_EQ(f.from_float(x), round_reference(x, f.layout, all)) << x;
    }
  }
}

TEST_P(HalfTest, RandomBits) {
  const Format& f = GetParam();
  const std::vector<double> all = magnitudes(f.layout);
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto any = std::bit_cast<double>(random());
    ASSERT_EQ(f.from_double(any), round_reference(any, f.layout, all)) << any;
    // Most random doubles are far out of range: also take some near it.
    const double near = std::ldexp(any < 0 ? -1.0 : 1.0, static_cast<int>(random() % 64) - 40) *
                        (1 + static_cast<double>(random() >> 12) * 0x1p-52);
    ASSERT_EQ(f.from_double(near), round_reference(near, f.layout, all)) << near;
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    ASSERT_EQ(f.from_float(single), round_reference(single, f.layout, all)) << single;
  }
}

TEST_P(HalfTest, DoublesRoundOnce) {
  // By way of float this would round down to a tie and then to even.
  const Format& f = GetParam();
  const double ulp = std::ldexp(1.0, -f.layout.mantissa_bits);
  const double x = 1 + ulp / 2 + 0x1p-40;
  EXPECT_EQ(f.from_double(x), f.from_double(1) + 1);
  EXPECT_EQ(f.from_float(static_cast<float>(x)), f.from_double(1));
}

TEST_P(HalfTest, SpecialValues) {
  const Format& f = GetParam();
  const auto infinity = static_cast<unsigned>(f.layout.infinity());
  EXPECT_EQ(f.from_double(0.0), 0);
  EXPECT_EQ(f.from_double(-0.0), 0x8000);
  EXPECT_EQ(f.from_double(-std::numeric_limits<double>::infinity()), 0x8000u | infinity);
  EXPECT_EQ(f.from_double(-std::nan("1")), f.layout.quiet_nan());
  EXPECT_EQ(f.from_float(std::numeric_limits<float>::signaling_NaN()), f.layout.quiet_nan());
  EXPECT_EQ(f.from_double(std::numeric_limits<double>::max()), infinity);
  EXPECT_EQ(f.from_double(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(f.from_double(-std::numeric_limits<double>::denorm_min()), 0x8000);
}

INSTANTIATE_TEST_SUITE_P(Formats, HalfTest,
                         testing::Values(Format{"float16", kFloat16, float_to_half, double_to_half,
                                                half_to_float},
                                         Format{"bfloat16", kBFloat16, float_to_bfloat16,
                                                double_to_bfloat16, bfloat16_to_float}),
                         [](const auto& format) { return format.param.name; });

}  // namespace
}  // namespace lathe
