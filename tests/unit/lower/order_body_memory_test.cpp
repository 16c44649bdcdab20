// SPDX-License-Identifier: Apache-2.0
#include "order_text.h"

namespace lathe::lower {
namespace {

TEST(OrderBodyMemory, AReadStaysBeforeTheWriteThatFollows) {
  EXPECT_EQ(ordered(R"(
    w[i] = v[i]
    v[i] = u[i]
    z[i] = w[i] + v[i] * 2.0
)"),
            R"(
let t = v[i]
let t.1 = u[i]
w[i] = t
v[i] = t.1
z[i] = t + t.1 * 2
)");
}

TEST(OrderBodyMemory, UpdatesReadLikeTheProgram) {
  EXPECT_EQ(ordered(R"(
    v[i] = v[i] + 1.0
    x = x + v[i]
    w[i] = x
)"),
            R"(
let t = v[i] + 1
let t.1 = x + t
v[i] = t
x = t.1
w[i] = t.1
)");
}

TEST(OrderBodyMemory, ConditionalWritesAreReadBack) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = u[i] * 2.0
    w[i] = v[i]
    where u[i] < a: z[i] = v[i] + 1.0
)"),
            R"(
let t = u[i]
if t < a:
  let t.1 = t * 2
  v[i] = t.1
  z[i] = t.1 + 1
w[i] = v[i]
)");
}

TEST(OrderBodyMemory, ConstantsApart) {
  EXPECT_EQ(ordered(R"(
    v[i] = v[i+1] * 2.0
    v[i+1] = v[i] + v[i+1]
    w[i] = v[i+2]
)"),
            R"(
let t = v[i+1]
let t.1 = t * 2
v[i] = t.1
v[i+1] = t.1 + t
w[i] = v[i+2]
)");
}

TEST(OrderBodyMemory, UnknownIndicesMayMeet) {
  EXPECT_EQ(ordered(R"(
    v[i] = u[i]
    v[p[i]] = a
    w[i] = v[i]
    v[p[i]] = 2.0
    z[i] = v[p[i]]
)"),
            R"(
let t = p[i]
v[i] = u[i]
v[t] = a
w[i] = v[i]
v[t] = 2.0
z[i] = 2.0
)");
}

TEST(OrderBodyMemory, ATestIsMadeBeforeItsElementChanges) {
  EXPECT_EQ(ordered(R"(
    where v[i] < a: w[i] = 1.0
    v[p[i]] = 2.0
    where u[i] < a: z[i] = v[i] * u[i]
)"),
            R"(
let t = v[i] < a
let t.1 = u[i]
v[p[i]] = 2.0
if t.1 < a:
  z[i] = v[i] * t.1
if t:
  w[i] = 1.0
)");
}

TEST(OrderBodyMemory, Channels) {
  EXPECT_EQ(ordered(R"(
    v[i] = m[i, 0] + m[i, 1] * m[i, 2]
    w[i] = m[i, 1]
    z[i] = u[i] * u[i+1] * u[i+3]
)",
                    false, true),
            R"(
load t = m[i, 0] width 3
v[i] = t[0] + t[1] * t[2]
w[i] = t[1]
z[i] = u[i] * u[i+1] * u[i+3]
)");
}

TEST(OrderBodyMemory, ChannelsUnderACondition) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = m[i, 0] + m[i, 1] * m[i, 2]
)",
                    false, true),
            R"(
if u[i] < a:
  load t = m[i, 0] width 3
  v[i] = t[0] + t[1] * t[2]
)");
}

}  // namespace
}  // namespace lathe::lower
