// SPDX-License-Identifier: Apache-2.0
#include "analysis/extrema.h"

#include <gtest/gtest.h>

namespace lathe::analysis {
namespace {

using ir::PwAff;

const PwAff n = PwAff::param("n"), m = PwAff::param("m");
PwAff number(std::int64_t v) { return PwAff::integer(v); }

TEST(Extrema, NeverNegative) {
  EXPECT_TRUE(is_never_negative(number(0)));
  EXPECT_TRUE(is_never_negative(max(n - number(1), number(0))));
  EXPECT_TRUE(is_never_negative(n - min(n, number(1))));
  EXPECT_TRUE(is_never_negative(number(2) * max(n, number(0)) + number(3)));
  EXPECT_TRUE(is_never_negative(max(n, m) - min(n, m)));
  // Which operand of the first is large enough depends on the second.
  EXPECT_TRUE(is_never_negative(max(n, number(1)) - max(n, number(0))));
  EXPECT_TRUE(is_never_negative(max(max(n - number(1), number(0)) + number(1) - n, number(-5))));
}

TEST(Extrema, PerhapsNegative) {
  EXPECT_FALSE(is_never_negative(number(-1)));
  EXPECT_FALSE(is_never_negative(n));  // that sizes are not is not of its form
  EXPECT_FALSE(is_never_negative(min(n, number(0)) + number(5)));
  EXPECT_FALSE(is_never_negative(max(n, m) - number(1) - min(n, m)));
  EXPECT_FALSE(is_never_negative(max(n, number(0)) - max(n, number(1))));
  EXPECT_FALSE(is_never_negative(number(-2) * max(n, number(0))));
}

// Sums of extrema double the work: there is an end to it, and the answer is no.
TEST(Extrema, GivesUp) {
  PwAff sum = number(0);
  for (int k = 0; k < 40; ++k)
    sum = sum + max(PwAff::param("a" + std::to_string(k)), PwAff::param("b" + std::to_string(k)));
  EXPECT_FALSE(is_never_negative(sum - n));
}

}  // namespace
}  // namespace lathe::analysis
