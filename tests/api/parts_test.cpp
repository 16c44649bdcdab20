// SPDX-License-Identifier: Apache-2.0
// The parts that calls are made of, each alone: formulas, overlaps, strided copies, scratch places.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "api/formula.h"
#include "api/overlap.h"
#include "api/scratch.h"
#include "api/strided.h"
#include "api/thread_arena.h"
#include "interp/interpreter.h"
#include "ir/loops_text.h"
#include "ir/text.h"

namespace lathe::api {
namespace {

TEST(Formula, AgreesWithTheInterpreter) {
  const char* bounds[] = {
      "n",         "n - 2",         "2 * n + m",       "max(0, n - m)", "-n", "(n + 3) // 4",
      "n % 5 - m", "min(n, m) * 7", "0 - m % (0 - 3)", "n // (0 - 2)"};
  for (const char* text : bounds) {
    Diagnostics diagnostics;
    const std::string whole = "program p(n: size, m: size)\n  output v: f64[i: -100.." +
                              std::string(text) + "]\n  for i in 0..0: v[i] = 0\n";
    const auto program = ir::parse_program("p", whole, diagnostics);
    ASSERT_TRUE(program) << whole;
    const auto formula = Formula::compile(program->arrays[0].axes[0].hi, program->parameters);
    ASSERT_TRUE(formula) << text;
    for (std::uint64_t n : {0u, 1u, 7u, 1000u})
      for (std::uint64_t m : {0u, 3u, 12u}) {
        interp::State state;
        state.parameters["n"] = {ir::DType::I64, n};
        state.parameters["m"] = {ir::DType::I64, m};
        const std::uint64_t bits[2] = {n, m};
        EXPECT_EQ(formula->evaluate(bits),
                  interp::declared_bounds(*program, program->arrays[0], state).hi[0])
            << text << " " << n << " " << m;
      }
  }
}

TEST(Formula, GivesUpWhereTheInterpreterHasTheWords) {
  Diagnostics diagnostics;
  const auto program = ir::parse_program(
      "p", "program p(n: size, k: i32)\n  output v: f64[i: n * n, j: i64(k), l: 7 // n]\n",
      diagnostics);
  ASSERT_TRUE(program);
  const std::vector<ir::Axis>& axes = program->arrays[0].axes;
  const auto square = Formula::compile(axes[0].hi, program->parameters);
  std::uint64_t bits[2] = {std::uint64_t{1} << 33, 0};
  EXPECT_EQ(square->evaluate(bits), std::nullopt);
  EXPECT_FALSE(Formula::compile(axes[1].hi, program->parameters));
  bits[0] = 0;
  EXPECT_EQ(Formula::compile(axes[2].hi, program->parameters)->evaluate(bits), std::nullopt);
}

struct Layout {
  std::int64_t offset = 0;
  std::vector<std::int64_t> extents, strides;

  Footprint footprint(std::int64_t size) const {
    // Never looked at: only addresses are compared.
    return Footprint(reinterpret_cast<void*>(static_cast<std::uintptr_t>(4096 + offset)), size,
                     extents.size(), extents.data(), strides.data());
  }
  std::multiset<std::int64_t> bytes(std::int64_t size) const {
    std::multiset<std::int64_t> at = {offset};
    for (std::size_t x = 0; x < extents.size(); ++x) {
      std::multiset<std::int64_t> next;
      for (std::int64_t o : at)
        for (std::int64_t k = 0; k < extents[x]; ++k) next.insert(o + k * strides[x]);
      at = std::move(next);
    }
    std::multiset<std::int64_t> out;
    for (std::int64_t o : at)
      for (std::int64_t b = 0; b < size; ++b) out.insert(o + b);
    return out;
  }
};

TEST(Overlap, IsWhatComparingAllBytesSays) {
  std::mt19937 rng(7);
  const auto pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng); };
  int apart = 0, together = 0;
  for (int round = 0; round < 3000; ++round) {
    Layout l[2];
    for (Layout& a : l) {
      a.offset = pick(-60, 60);
      for (int x = pick(0, 3); x > 0; --x) {
        a.extents.push_back(pick(0, 9) == 0 ? 0 : pick(1, 4));
        a.strides.push_back(pick(-20, 20));
      }
    }
    const std::int64_t sizes[2] = {1 << pick(0, 3), 1 << pick(0, 3)};
    const auto a = l[0].bytes(sizes[0]), b = l[1].bytes(sizes[1]);
    const bool share =
        std::any_of(a.begin(), a.end(), [&](std::int64_t o) { return b.contains(o); });
    EXPECT_EQ(overlap(l[0].footprint(sizes[0]), l[1].footprint(sizes[1])), share) << round;
    (share ? together : apart) += 1;
    const bool itself = std::set(a.begin(), a.end()).size() != a.size();
    EXPECT_TRUE(!itself || overlaps_itself(l[0].footprint(sizes[0]))) << round;
  }
  EXPECT_GT(apart, 300);
  EXPECT_GT(together, 300);
}

TEST(Overlap, LargeArraysAreDecidedExactly) {
  // Column blocks, rows and channels of a picture of 10000 x 10000 x 4 bytes.
  const Layout left{0, {10000, 5000, 4}, {40000, 4, 1}},
      right{20000, {10000, 5000, 4}, {40000, 4, 1}};
  EXPECT_FALSE(overlap(left.footprint(1), right.footprint(1)));
  const Layout red{0, {10000, 10000}, {40000, 4}}, blue{2, {10000, 10000}, {40000, 4}};
  EXPECT_FALSE(overlap(red.footprint(1), blue.footprint(1)));
  EXPECT_TRUE(overlap(red.footprint(4), blue.footprint(1)));
  EXPECT_TRUE(overlap(left.footprint(1), blue.footprint(1)));
  const Layout up{399960000, {10000, 10000}, {-40000, 4}};  // the same rows, the last one first
  EXPECT_TRUE(overlap(red.footprint(1), up.footprint(1)));
  EXPECT_FALSE(overlaps_itself(red.footprint(4)));
  EXPECT_TRUE(overlaps_itself(red.footprint(8)));
}

TEST(Strided, CopiesAndFindsBools) {
  const std::int64_t extents[3] = {2, 3, 4}, reversed[3] = {-12, -4, -1};
  std::int64_t dense[3];
  EXPECT_EQ(dense_strides(extents, 3, 1, dense), 24);
  std::byte from[24], to[24];
  for (int i = 0; i < 24; ++i) from[i] = static_cast<std::byte>(i);
  copy_elements({to + 23, reversed}, {from, dense}, extents, 3, 1);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(to[i], from[23 - i]);
  EXPECT_EQ(find_bad_bool({from, dense}, extents, 3), 2);
  const std::int64_t zero[3] = {0, 0, 0};
  EXPECT_EQ(find_bad_bool({from + 1, zero}, extents, 3), -1);
}

TEST(ThreadArena, GoesBackToItsMark) {
  ThreadArena arena;
  char* first = arena.take(100);
  const ThreadArena::Mark mark = arena.mark();
  char* second = arena.take(10);
  EXPECT_EQ(second - first, 128);
  ASSERT_NE(arena.take(std::int64_t{3} << 20), nullptr);  // a piece of its own
  arena.release_to(mark);
  EXPECT_EQ(arena.take(10), second);
  arena.release(first);
  EXPECT_EQ(arena.take(1), first);
  EXPECT_EQ(arena.take(-1), nullptr);
}

ScratchPlaces places(const std::string& body) {
  Diagnostics diagnostics;
  const auto kernel = loops::parse_kernel("k",
                                          "kernel k(n: size)\n"
                                          "  argument u: f64[0..n] inout unit\n"
                                          "  scratch a: f64[0..n]\n  scratch b: f64[0..n]\n"
                                          "  scratch c: f64[0..n]\n  scratch d: i32[0..4]\n\n" +
                                              body,
                                          diagnostics);
  EXPECT_TRUE(kernel) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  return kernel ? plan_scratch(*kernel) : ScratchPlaces{};
}

TEST(Scratch, LivesFromTheFirstToTheLastTouch) {
  const ScratchPlaces p = places(
      "  for i in 0..n:\n    a[i] = u[i]\n"
      "  for i in 0..n:\n    b[i] = a[i]\n"
      "  for i in 0..n:\n    c[i] = b[i]\n"
      "  for i in 0..n:\n    u[i] = c[i]\n");
  EXPECT_EQ(p.lifetimes[1], (Lifetime{0, 1}));
  EXPECT_EQ(p.lifetimes[2], (Lifetime{1, 2}));
  EXPECT_EQ(p.lifetimes[3], (Lifetime{2, 3}));
  EXPECT_EQ(p.lifetimes[4], std::nullopt);
  EXPECT_EQ(p.count, 2u);
  EXPECT_EQ(p.places[3], p.places[1]);
  EXPECT_NE(p.places[2], p.places[1]);
}

TEST(Scratch, InsideOfOneLoopAllLiveAtOnce) {
  EXPECT_EQ(places("  for s in 0..3:\n"
                   "    for i in 0..n:\n      a[i] = u[i]\n"
                   "    for i in 0..n:\n      b[i] = a[i]\n"
                   "    for i in 0..n:\n      c[i] = b[i]\n")
                .count,
            3u);
}

TEST(Scratch, RotatedOnesShareWithNobody) {
  const ScratchPlaces p = places(
      "  for i in 0..n:\n    a[i] = u[i]\n"
      "  rotate a, b\n"
      "  for i in 0..n:\n    c[i] = u[i]\n"
      "  for i in 0..n:\n    u[i] = c[i]\n");
  EXPECT_EQ(p.count, 3u);
}

}  // namespace
}  // namespace lathe::api
