// SPDX-License-Identifier: Apache-2.0
// Regions of temporaries that need each other in turn: the least that fits together, found in few
// rounds.

#include "schedule/ranges.h"

#include "schedule/legal.h"
#include "unit/schedule/parse.h"

namespace lathe::schedule {
namespace {

std::string text_of(const Interval& i) { return ir::print(i.lo) + ".." + ir::print(i.hi); }

// Of `count` temporaries each is written twice, the second time from all others: what nested
// conditionals with two branches become.
std::string all_from_all(int count) {
  std::string arrays, first, second, sum, tree;
  for (int i = 0; i < count; ++i) {
    const std::string t = "t" + std::to_string(i);
    arrays += "  temp " + t + ": f64[x: n]\n";
    first += "  first" + t + ": for x in 0..n: " + t + "[x] = a[x]\n";
    second += "  second" + t + ": for x in 0..n: " + t + "[x] = " + t + "[x]";
    for (int other = 0; other < count; ++other)
      if (other != i) second += " + t" + std::to_string(other) + "[x]";
    second += "\n";
  }
  return "program p(n: size)\n  input a: f64[x: n]\n" + arrays + "  output v: f64[x: n]\n" + first +
         second + "  v: for x in 0..n: v[x] = t0[x]\n";
}

Schedule one_loop(const ir::Program& program, int count) {
  std::string tree = "schedule p\nfor x:\n";
  for (const char* which : {"first", "second"})
    for (int i = 0; i < count; ++i)
      tree += "  " + std::string(which) + "t" + std::to_string(i) + " -> register\n";
  return parsed(program, tree + "  v\n");
}

TEST(Ranges, PointsThatNeedEachOtherAreOnePoint) {
  const ir::Program program = parse(all_from_all(3));
  const auto nest = resolve_legal(program, one_loop(program, 3));
  ir::RawMaker maker(*nest->program.graph);
  Ranges ranges(*nest, maker);
  for (const char* array : {"t0", "t1", "t2"}) {
    const Interval region = ranges.region(program.graph->symbol(array), 0, 1);
    EXPECT_TRUE(region.point) << array;
    EXPECT_EQ(text_of(region), "x..x+1") << array;
  }
}

// Once per array and round, however many ways lead around.
TEST(Ranges, ManyThatNeedEachOtherAreFoundOnce) {
  constexpr int kCount = 14;
  const ir::Program program = parse(all_from_all(kCount));
  const auto nest = resolve_legal(program, one_loop(program, kCount));
  ir::RawMaker maker(*nest->program.graph);
  Ranges ranges(*nest, maker);
  for (int i = 0; i < kCount; ++i)
    ranges.region(program.graph->symbol("t" + std::to_string(i)), 0, 1);
  EXPECT_LE(ranges.regions_evaluated(), 4U * kCount);
}

TEST(Ranges, WhatGrowsFromRoundToRoundIsTheWholeAxis) {
  const ir::Program program = parse(R"(program p(n: size, m: size)
  input a: f64[y: m, x: n]
  temp t: f64[y: m, x: n]
  temp u: f64[y: m, x: n]
  output v: f64[y: m, x: n]
  t0: for y in 0..m, x in 0..n: t[y, x] = a[y, x]
  u0: for y in 0..m, x in 0..n: u[y, x] = a[y, x]
  t1: for y in 0..m, x in 1..n: t[y, x] = u[y, x-1]
  u1: for y in 0..m, x in 1..n: u[y, x] = t[y, x-1]
  v: for y in 0..m, x in 3..4: v[y, x] = u[y, x]
)");
  const auto nest =
      resolve(program, parsed(program,
                              "schedule p\nfor y:\n  t0 -> tile\n  u0 -> tile\n  t1 -> tile\n"
                              "  u1 -> tile\n  v\n"));
  ir::RawMaker maker(*nest->program.graph);
  Ranges ranges(*nest, maker);
  EXPECT_EQ(text_of(ranges.region(program.graph->symbol("u"), 1, 1)), "0..n");
  EXPECT_EQ(text_of(ranges.region(program.graph->symbol("t"), 1, 1)), "0..n-1");  // u1 reads x-1
  EXPECT_TRUE(ranges.region(program.graph->symbol("u"), 0, 1).point);
}

// Whoever asks, and whatever becomes known of loops further inside: storage and what fills it have
// one answer.
TEST(Ranges, RegionsStayWhatTheyAre) {
  const ir::Program program = parse(R"(program p(n: size, m: size)
  input a: f64[y: m, x: n]
  temp t: f64[y: m, x: n]
  temp u: f64[y: m, x: n]
  output v: f64[y: m, x: n]
  t0: for y in 0..m, x in 0..n: t[y, x] = a[y, x]
  u0: for y in 0..m, x in 0..n: u[y, x] = a[y, x]
  t1: for y in 0..m, x in 1..n: t[y, x] = u[y, x-1]
  u1: for y in 0..m, x in 1..n: u[y, x] = t[y, x-1]
  v: for y in 0..m, x in 3..4: v[y, x] = u[y, x]
)");
  const auto nest =
      resolve(program, parsed(program,
                              "schedule p\nfor y:\n  for x:\n    t0 -> tile\n    u0 -> tile\n"
                              "  for x:\n    t1 -> tile\n    u1 -> tile\n  v\n"));
  ir::RawMaker maker(*nest->program.graph);
  Ranges ranges(*nest, maker);
  const ir::Symbol t = program.graph->symbol("t"), u = program.graph->symbol("u");
  EXPECT_EQ(text_of(ranges.region(u, 1, 1)), "0..n");
  EXPECT_EQ(text_of(ranges.region(t, 1, 1)), "0..n-1");
  const Node &inner = *nest->leaves[0].path[1], &outer = *nest->leaves[0].path[0];
  ranges.set_start(inner, ir::Build(maker).integer(0));
  EXPECT_EQ(text_of(ranges.region(t, 1, 1)), "0..n-1");
  // Inside of another iteration of a loop around it they are found anew.
  const std::size_t before = ranges.regions_evaluated();
  ranges.set_value(outer, ir::Build(maker).integer(2));
  EXPECT_EQ(text_of(ranges.region(u, 0, 1)), "2..3");
  EXPECT_GT(ranges.regions_evaluated(), before);
}

}  // namespace
}  // namespace lathe::schedule
