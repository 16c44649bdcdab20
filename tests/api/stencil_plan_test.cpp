// SPDX-License-Identifier: Apache-2.0
// Calls of one stencil after another: what is kept of earlier ones never shows.

#include <gtest/gtest.h>
#include <lathe/stencil.h>

#include <thread>

#include "api/examples.h"

namespace lathe::testing {
namespace {

using Numbers = std::vector<double>;

constexpr const char* kSmooth = R"(
from gt4py.cartesian.gtscript import *

@stencil(backend="numpy")
def smooth(u: Field[float], v: Field[float], *, a: float = 0.5, b: float = 0.0):
    with computation(PARALLEL), interval(...):
        v = a * (u[-1, 0, 0] + u[1, 0, 0]) + b
)";

// Arrays for a domain of n points along I, and what a call must make of them.
struct Line {
  explicit Line(std::int64_t n, double scale = 1) : n(n), u(size(n + 2)), v(size(n), -1.0) {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = scale * static_cast<double>(i * i);
  }
  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }
  View in() { return View(u.data(), {n + 2, 1, 1}); }
  View out() { return View(v.data(), {n, 1, 1}); }
  Numbers expected(double a, double b) const {
    Numbers r;
    for (std::size_t i = 0; i + 2 < u.size(); ++i) r.push_back(a * (u[i] + u[i + 2]) + b);
    return r;
  }

  std::int64_t n;
  Numbers u, v;
};

void run(const Stencil& s, Line& line, double a) {
  const View in = line.in(), out = line.out();
  s.run({{"u", in}, {"v", out}}, {{"a", a}});
}

TEST(StencilPlan, ShapesBackAndForth) {
  const Stencil smooth = stencil(kSmooth);
  // More shapes than plans are kept.
  for (const std::int64_t n : {4, 5, 4, 6, 7, 8, 9, 4, 5, 9, 8, 4}) {
    Line line(n, static_cast<double>(n));
    run(smooth, line, 2.0);
    EXPECT_EQ(line.v, line.expected(2.0, 0.0)) << n;
  }
}

TEST(StencilPlan, OtherArraysOfTheSameShape) {
  const Stencil smooth = stencil(kSmooth);
  Line one(5), two(5, 3.0);
  for (int round = 0; round < 3; ++round)
    for (Line* line : {&one, &two}) {
      const double a = 1.0 + round;
      line->v.assign(line->v.size(), -1.0);
      run(smooth, *line, a);
      EXPECT_EQ(line->v, line->expected(a, 0.0));
    }
}

TEST(StencilPlan, ValuesComeAndGo) {
  const Stencil smooth = stencil(kSmooth);
  Line line(4);
  const View in = line.in(), out = line.out();
  const auto call = [&](std::initializer_list<Value> values) {
    smooth.run({{"u", in}, {"v", out}}, values);
    return line.v;
  };
  EXPECT_EQ(call({{"a", 2.0}}), line.expected(2.0, 0.0));
  EXPECT_EQ(call({}), line.expected(0.5, 0.0));
  EXPECT_EQ(call({{"b", 2.0}}), line.expected(0.5, 2.0));
  EXPECT_EQ(call({{"a", 3.0}}), line.expected(3.0, 0.0));
  EXPECT_EQ(call({{"a", 3.0}, {"b", 1.0}}), line.expected(3.0, 1.0));
  EXPECT_EQ(call({{"b", 3.0}, {"a", 1.0}}), line.expected(1.0, 3.0));
  EXPECT_EQ(call({{"a", 1.0}, {"b", std::int64_t{7}}}), line.expected(1.0, 7.0));
}

TEST(StencilPlan, OriginsAndDomainsAreLookedAt) {
  const Stencil smooth = stencil(kSmooth);
  Line line(6);
  const Numbers all = line.expected(1.0, 0.0);
  const View in = line.in(), from_two = line.in().from({-2, 0, 0}), out = line.out();
  const auto call = [&](const View& u, std::optional<std::array<std::int64_t, 3>> domain) {
    line.v.assign(line.v.size(), -1.0);
    smooth.run({{"u", u}, {"v", out}}, {{"a", 1.0}}, domain);
    return line.v;
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(call(in, {}), all);
    EXPECT_EQ(call(in, {{2, 1, 1}}), (Numbers{all[0], all[1], -1, -1, -1, -1}));
    EXPECT_EQ(call(from_two, {{2, 1, 1}}), (Numbers{all[1], all[2], -1, -1, -1, -1}));
    EXPECT_EQ(call(in, {{3, 1, 1}}), (Numbers{all[0], all[1], all[2], -1, -1, -1}));
  }
}

TEST(StencilPlan, ARefusedCallLeavesNothingBehind) {
  const Stencil smooth = stencil(kSmooth);
  Line good(5), other(5, 2.0), small(3);
  run(smooth, good, 1.0);
  const View in = good.in(), out = good.out(), few = small.out();
  const View nowhere(static_cast<double*>(nullptr), {7, 1, 1});
  const View readable = View(good.v.data(), {5, 1, 1}).read_only();
  const Numbers before = good.v;
  const auto refused = [&](const View& u, const View& v, std::initializer_list<Value> values) {
    return refusal([&] { smooth.run({{"u", u}, {"v", v}}, values, {{5, 1, 1}}); });
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_NE(refused(in, few, {{"a", 9.0}}).find("must have at least 5"), std::string::npos);
    EXPECT_NE(refused(nowhere, out, {{"a", 9.0}}).find("is null"), std::string::npos);
    EXPECT_NE(refused(in, readable, {{"a", 9.0}}).find("read-only"), std::string::npos);
    EXPECT_NE(refused(in, out, {{"a", true}}).find("is bool"), std::string::npos);
    EXPECT_EQ(good.v, before);
    run(smooth, other, 3.0);
    EXPECT_EQ(other.v, other.expected(3.0, 0.0));
    run(smooth, good, 1.0);
    EXPECT_EQ(good.v, before);
  }
}

// An input that shares memory with an output acts as if it was copied first; the next call, with
// arrays apart, is of the same shapes.
TEST(StencilPlan, FieldsThatShareMemory) {
  const Stencil smooth = stencil(kSmooth);
  for (int round = 0; round < 2; ++round) {
    Line apart(5), shared(5, 2.0);
    run(smooth, apart, 1.0);
    EXPECT_EQ(apart.v, apart.expected(1.0, 0.0));
    const Numbers expected = shared.expected(1.0, 0.0);
    const View in = shared.in(), over(shared.u.data() + 1, {5, 1, 1});
    smooth.run({{"u", in}, {"v", over}}, {{"a", 1.0}});
    EXPECT_EQ(Numbers(shared.u.begin() + 1, shared.u.end() - 1), expected);
  }
}

TEST(StencilPlan, SeveralThreads) {
  const Stencil smooth = stencil(kSmooth);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        // Now the same shape as others have, now one of its own.
        Line line(i % 3 == 0 ? 4 : 5 + t + i % 4, 1.0 + t);
        run(smooth, line, 1.0 + i);
        if (line.v != line.expected(1.0 + i, 0.0)) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace lathe::testing
