// SPDX-License-Identifier: Apache-2.0
#include "order_text.h"

namespace lathe::lower {
namespace {

TEST(OrderBodyConditions, TheExampleOfTheHeader) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(0 < i, sqrt(u[i]) + r[i-1], u[i])
    where 0 < i: w[i] = r[i-1]
)"),
            R"()");
}

TEST(OrderBodyConditions, SmallHarmlessSidesStayAnExpression) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(a < u[i], u[i] * 2.0, gate(u[i] < 0.0, u[i]))
)"),
            R"()");
}

TEST(OrderBodyConditions, LongSidesAreWorthABranch) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(a < u[i], exp(w[i]) + exp(-w[i]), w[i])
    z[i] = gate(a < u[i], exp(w[i]))
)"),
            R"()");
}

TEST(OrderBodyConditions, BoundsComeFirstAndSharePrefixes) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a and 0 < i: v[i] = r[i-1]
    where 0 < i and i < n-1: w[i] = r[i-1] + r[i+1]
)"),
            R"()");
}

TEST(OrderBodyConditions, RiskyReadsAreNotPutTogetherWhereNeitherUseHappens) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = r[i-1] * 2.0
    where u[i] < 1.0: w[i] = r[i-1] * 2.0
)"),
            R"()");
}

TEST(OrderBodyConditions, AReadBehindItsOwnBoundsIsHarmless) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = gate(0 <= i-1 and i-1 < n, r[i-1]) * 2.0
    where u[i] < 1.0: w[i] = gate(0 <= i-1 and i-1 < n, r[i-1]) * 2.0
)"),
            R"()");
}

TEST(OrderBodyConditions, BothSidesOfATestAreAlways) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(u[i] < a, r[i-1] * r[i-2], r[i-1])
)"),
            R"()");
}

TEST(OrderBodyConditions, WhatTheConditionsImplyIsDropped) {
  EXPECT_EQ(ordered(R"(
    where 1 <= i and i < n-2: v[i] = gate(0 <= i-1, r[i-1]) + select(i+1 < n, r[i+1], 0.0) + select(i == 0, 1.0, 2.0)
    where i < 0 and 5 < i: w[i] = u[i]
)"),
            R"()");
}

TEST(OrderBodyConditions, CheckedReads) {
  EXPECT_EQ(ordered(R"(
    v[i] = e[i-1] + e[p[i]]
    where i+1 < n: w[i] = e[i+1]
    where u[i] < a: z[i] = e[p[i]]
)"),
            R"()");
}

TEST(OrderBodyConditions, LazyLogic) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(0 < i and r[i-1] < a or u[i] < 0.0, exp(u[i]) * exp(a), exp(w[i]) + exp(a))
)"),
            R"()");
}

TEST(OrderBodyConditions, Ladder) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(u[i] < 1.0, r[i-1], select(u[i] < 2.0, r[i-2], select(u[i] < 3.0, r[i-3], 0.0)))
)"),
            R"()");
}

TEST(OrderBodyConditions, FlatHasNoIf) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = u[i] * 2.0
    where 0 < i: v[i] = v[i] + 1.0
    w[i] = gate(u[i] < a, v[i])
    where u[i] < a: x = u[i]
)",
                    true),
            R"()");
}

}  // namespace
}  // namespace lathe::lower
