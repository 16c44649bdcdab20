// SPDX-License-Identifier: Apache-2.0
#include "order_text.h"

namespace lathe::lower {
namespace {

TEST(OrderBodyConditions, TheExampleOfTheHeader) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(0 < i, sqrt(u[i]) + r[i-1], u[i])
    where 0 < i: w[i] = r[i-1]
)"),
            R"(
var t = 0.0
let t.1 = u[i]
if 0 < i:
  let t.2 = r[i-1]
  t = sqrt(t.1) + t.2
  w[i] = t.2
else:
  t = t.1
v[i] = t
)");
}

TEST(OrderBodyConditions, SmallHarmlessSidesStayAnExpression) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(a < u[i], u[i] * 2.0, gate(u[i] < 0.0, u[i]))
)"),
            R"(
let t = u[i]
v[i] = select(a < t, t * 2, gate(t < 0, t))
)");
}

TEST(OrderBodyConditions, LongSidesAreWorthABranch) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(a < u[i], exp(w[i]) + exp(-w[i]), w[i])
    z[i] = gate(a < u[i], exp(w[i]))
)"),
            R"(
var t = 0.0
let t.1 = w[i]
var t.2 = 0.0
if a < u[i]:
  let t.3 = exp(t.1)
  t = t.3 + exp(-t.1)
  t.2 = t.3
else:
  t = t.1
v[i] = t
z[i] = t.2
)");
}

TEST(OrderBodyConditions, BoundsComeFirstAndSharePrefixes) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a and 0 < i: v[i] = r[i-1]
    where 0 < i and i < n-1: w[i] = r[i-1] + r[i+1]
)"),
            R"(
if 0 < i:
  if u[i] < a:
    v[i] = r[i-1]
  if i < n-1:
    w[i] = r[i-1] + r[i+1]
)");
}

TEST(OrderBodyConditions, RiskyReadsAreNotPutTogetherWhereNeitherUseHappens) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = r[i-1] * 2.0
    where u[i] < 1.0: w[i] = r[i-1] * 2.0
)"),
            R"(
let t = u[i]
if t < a:
  v[i] = r[i-1] * 2
if t < 1:
  w[i] = r[i-1] * 2
)");
}

TEST(OrderBodyConditions, AReadBehindItsOwnBoundsIsHarmless) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = gate(0 <= i-1 and i-1 < n, r[i-1]) * 2.0
    where u[i] < 1.0: w[i] = gate(0 <= i-1 and i-1 < n, r[i-1]) * 2.0
)"),
            R"(
var t = 0.0
if 0 <= i-1 and i-1 < n:
  t = r[i-1]
let t.1 = u[i]
let t.2 = t * 2
if t.1 < a:
  v[i] = t.2
if t.1 < 1:
  w[i] = t.2
)");
}

TEST(OrderBodyConditions, BothSidesOfATestAreAlways) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(u[i] < a, r[i-1] * r[i-2], r[i-1])
)"),
            R"(
var t = 0.0
let t.1 = r[i-1]
if u[i] < a:
  t = t.1 * r[i-2]
else:
  t = t.1
v[i] = t
)");
}

TEST(OrderBodyConditions, WhatTheConditionsImplyIsDropped) {
  EXPECT_EQ(ordered(R"(
    where 1 <= i and i < n-2: v[i] = gate(0 <= i-1, r[i-1]) + select(i+1 < n, r[i+1], 0.0) + select(i == 0, 1.0, 2.0)
    where i < 0 and 5 < i: w[i] = u[i]
)"),
            R"(
if 1 <= i and i < n-2:
  v[i] = r[i-1] + r[i+1] + 2
)");
}

TEST(OrderBodyConditions, CheckedReads) {
  EXPECT_EQ(ordered(R"(
    v[i] = e[i-1] + e[p[i]]
    where i+1 < n: w[i] = e[i+1]
    where u[i] < a: z[i] = e[p[i]]
)"),
            R"(
if i+1 < n:
  if not 0 <= i+1:
    fault 0 (i+1)
  let t = e[i+1]
  w[i] = t
let t.1 = p[i]
if not (0 <= t.1 and t.1 < n):
  fault 0 (t.1)
let t.2 = e[t.1]
if u[i] < a:
  z[i] = t.2
if not (0 <= i-1 and i-1 < n):
  fault 0 (i-1)
let t.3 = e[i-1]
v[i] = t.3 + t.2
)");
}

TEST(OrderBodyConditions, LazyLogic) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(0 < i and r[i-1] < a or u[i] < 0.0, exp(u[i]) * exp(a), exp(w[i]) + exp(a))
)"),
            R"(
var t = false
if 0 < i:
  t = r[i-1] < a
let t.1 = u[i]
var t.2 = 0.0
let t.3 = exp(a)
if t or t.1 < 0:
  t.2 = exp(t.1) * t.3
else:
  t.2 = exp(w[i]) + t.3
v[i] = t.2
)");
}

TEST(OrderBodyConditions, Ladder) {
  EXPECT_EQ(ordered(R"(
    v[i] = select(u[i] < 1.0, r[i-1], select(u[i] < 2.0, r[i-2], select(u[i] < 3.0, r[i-3], 0.0)))
)"),
            R"(
let t = u[i]
var t.1 = 0.0
if t < 1:
  t.1 = r[i-1]
else:
  var t.2 = 0.0
  if t < 2:
    t.2 = r[i-2]
  else:
    var t.3 = 0.0
    if t < 3:
      t.3 = r[i-3]
    t.2 = t.3
  t.1 = t.2
v[i] = t.1
)");
}

TEST(OrderBodyConditions, ReadsKeepWithinADomain) {
  constexpr std::string_view kLines = R"(
    where i < n-2: v[i] = u[i] * 2.0
    where 0 < i and i < n-2: w[i] = u[i] * 2.0
)";
  EXPECT_EQ(ordered(kLines), R"(
let t = u[i] * 2
if 0 < i and i < n-2:
  w[i] = t
if i < n-2:
  v[i] = t
)");
  EXPECT_EQ(ordered(kLines, false, false, true), R"(
if 0 < i and i < n-2:
  w[i] = u[i] * 2
if i < n-2:
  v[i] = u[i] * 2
)");
  // The domain of one of them is all that the read needs.
  EXPECT_EQ(ordered(R"(
    v[i] = u[i]
    where 0 < i: w[i] = u[i] * 2.0
)",
                    false, false, true),
            R"(
let t = u[i]
if 0 < i:
  w[i] = t * 2
v[i] = t
)");
}

TEST(OrderBodyConditions, FlatHasNoIf) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = u[i] * 2.0
    where 0 < i: v[i] = v[i] + 1.0
    w[i] = gate(u[i] < a, v[i])
    where u[i] < a: x = u[i]
)",
                    true),
            R"(
let t = u[i]
let t.1 = t < a
let t.2 = select(t.1, t * 2, v[i])
x = select(t.1, t, x)
let t.3 = select(0 < i, t.2 + 1, t.2)
v[i] = t.2
v[i] = t.3
w[i] = gate(t.1, t.3)
)");
}

}  // namespace
}  // namespace lathe::lower
