// SPDX-License-Identifier: Apache-2.0
#include "base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace lathe {
namespace {

TEST(NumberText, Shortest) {
  EXPECT_EQ(to_text(1.0), "1.0");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(0.1f), "0.1");
  EXPECT_EQ(to_text(-0.0), "-0.0");
  EXPECT_EQ(to_text(0.0f), "0.0");
  EXPECT_EQ(to_text(1e22), "1e+22");
  EXPECT_EQ(to_text(1e-7), "1e-07");
  EXPECT_EQ(to_text(123456.0), "123456.0");
  EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(to_text(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(to_text(-std::nan("")), "nan");
  EXPECT_EQ(to_text(5e-324), "5e-324");
}

TEST(NumberText, Hex) {
  EXPECT_EQ(to_hex_text(3.0), "0x1.8p+1");
  EXPECT_EQ(to_hex_text(-0.1f), "-0x1.99999ap-4");
  EXPECT_EQ(to_hex_text(0.0), "0x0p+0");
  EXPECT_EQ(to_hex_text(-0.0), "-0x0p+0");
  EXPECT_EQ(to_hex_text(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(to_hex_text(std::nan("")), "nan");
}

template <class T, class Bits>
void expect_round_trip(T x, ParsedNumber<T> (*parse)(std::string_view)) {
  for (const std::string& text : {to_text(x), to_hex_text(x)}) {
    const ParsedNumber<T> back = parse(text);
    ASSERT_TRUE(back) << text;
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(back.value));
    } else {
      ASSERT_EQ(std::bit_cast<Bits>(back.value), std::bit_cast<Bits>(x)) << text;
    }
  }
}

TEST(NumberText, RandomNumbersReadBack) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    expect_round_trip<double, std::uint64_t>(std::bit_cast<double>(bits), parse_double);
    expect_round_trip<float, std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)),
                                            parse_float);
    // Denormals, which random bits hardly ever are.
    expect_round_trip<double, std::uint64_t>(std::bit_cast<double>(bits >> 12), parse_double);
    expect_round_trip<float, std::uint32_t>(
        std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 41)), parse_float);
  }
  expect_round_trip<double, std::uint64_t>(std::numeric_limits<double>::max(), parse_double);
  expect_round_trip<float, std::uint32_t>(std::numeric_limits<float>::denorm_min(), parse_float);
}

TEST(NumberText, FloatsAreNotReadByWayOfDouble) {
  // 1 + 2^-24 + 2^-60: as a double it is the tie 1 + 2^-24, which goes to even.
  const std::string_view text = "1.00000005960464477626182";
  EXPECT_EQ(parse_float(text).value, 1 + 0x1p-23f);
  EXPECT_EQ(static_cast<float>(parse_double(text).value), 1.0f);
  EXPECT_EQ(parse_float("0x1.000001000000001p+0").value, 1 + 0x1p-23f);
  EXPECT_EQ(parse_float("0x1.000001p+0").value, 1.0f);
  EXPECT_EQ(parse_double("0x1.00000000000008p+0").value, 1.0);
  EXPECT_EQ(parse_double("0x1.000000000000081p+0").value, 1 + 0x1p-52);
}

TEST(NumberText, TooLargeAndTooSmall) {
  EXPECT_EQ(parse_double("1e309").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_double("-1e99999999999999999999").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_double("0x1p1024").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_float("1e39").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_float("340282357e30").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_double(std::string(400, '9')).fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_double("0." + std::string(400, '0') + "1e800").fault, NumberFault::TooLarge);
  EXPECT_EQ(to_text(parse_double("1e-400").value), "0.0");
  EXPECT_EQ(to_text(parse_double("-1e-400").value), "-0.0");
  EXPECT_EQ(to_text(parse_double("-0x1p-2000").value), "-0.0");
  EXPECT_EQ(to_text(parse_double("0." + std::string(400, '0') + "1").value), "0.0");
  EXPECT_EQ(to_text(parse_float("1e-50").value), "0.0");
  EXPECT_EQ(to_text(parse_double("0e999999").value), "0.0");
  EXPECT_EQ(to_text(parse_double("1" + std::string(400, '0') + "e-400").value), "1.0");
  EXPECT_EQ(to_text(parse_double("2.5e-324").value), "5e-324");
  EXPECT_EQ(to_text(parse_double("2.4e-324").value), "0.0");
}

TEST(NumberText, OnlyTheWholeTextIsANumber) {
  for (const char* text : {"",    "-",     ".",   "1.",   ".5",       "+1",  " 1",  "1 ",
                           "1e",  "1e+",   "0x",  "0x.8", "infinity", "INF", "NaN", "nan(1)",
                           "--1", "1_000", "1,5", "0x1p", "1p3",      "1f",  "0b1"}) {
    EXPECT_EQ(parse_double(text).fault, NumberFault::Malformed) << text;
    EXPECT_EQ(parse_float(text).fault, NumberFault::Malformed) << text;
  }
  EXPECT_EQ(parse_double("7").value, 7);
  EXPECT_EQ(parse_double("1E3").value, 1000);
  EXPECT_EQ(parse_double("0x10").value, 16);
  EXPECT_EQ(parse_double("-inf").value, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(parse_double("-nan").value));
}

TEST(NumberText, Integers) {
  EXPECT_EQ(parse_int64("-9223372036854775808").value, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_int64("9223372036854775807").value, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_int64("9223372036854775808").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_int64("-9223372036854775809").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_uint64("18446744073709551615").value, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_uint64("18446744073709551616").fault, NumberFault::TooLarge);
  EXPECT_EQ(parse_int64("-0x10").value, -16);
  EXPECT_EQ(parse_int64("007").value, 7);
  for (const char* text : {"", "-", "+1", "0x", "1.0", "1 ", "x", "--1", "0x-1"}) {
    EXPECT_EQ(parse_int64(text).fault, NumberFault::Malformed) << text;
  }
  EXPECT_EQ(parse_uint64("-1").fault, NumberFault::Malformed);
}

}  // namespace
}  // namespace lathe
