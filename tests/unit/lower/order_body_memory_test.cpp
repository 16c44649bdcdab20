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
            R"()");
}

TEST(OrderBodyMemory, UpdatesReadLikeTheProgram) {
  EXPECT_EQ(ordered(R"(
    v[i] = v[i] + 1.0
    x = x + v[i]
    w[i] = x
)"),
            R"()");
}

TEST(OrderBodyMemory, ConditionalWritesAreReadBack) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = u[i] * 2.0
    w[i] = v[i]
    where u[i] < a: z[i] = v[i] + 1.0
)"),
            R"()");
}

TEST(OrderBodyMemory, ConstantsApart) {
  EXPECT_EQ(ordered(R"(
    v[i] = v[i+1] * 2.0
    v[i+1] = v[i] + v[i+1]
    w[i] = v[i+2]
)"),
            R"()");
}

TEST(OrderBodyMemory, UnknownIndicesMayMeet) {
  EXPECT_EQ(ordered(R"(
    v[i] = u[i]
    v[p[i]] = a
    w[i] = v[i]
    v[p[i]] = 2.0
    z[i] = v[p[i]]
)"),
            R"()");
}

TEST(OrderBodyMemory, Channels) {
  EXPECT_EQ(ordered(R"(
    v[i] = m[i, 0] + m[i, 1] * m[i, 2]
    w[i] = m[i, 1]
    z[i] = u[i] * u[i+1] * u[i+3]
)",
                    false, true),
            R"()");
}

TEST(OrderBodyMemory, ChannelsUnderACondition) {
  EXPECT_EQ(ordered(R"(
    where u[i] < a: v[i] = m[i, 0] + m[i, 1] * m[i, 2]
)",
                    false, true),
            R"()");
}

}  // namespace
}  // namespace lathe::lower
