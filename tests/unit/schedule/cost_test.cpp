// SPDX-License-Identifier: Apache-2.0
// The cost model on a machine with round numbers: bytes and operations exactly, times by their
// reasons.

#include "schedule/cost.h"

#include "base/files.h"
#include "pipeline.h"
#include "schedule/default_schedule.h"
#include "schedule/legal.h"
#include "source_dir.h"
#include "unit/schedule/parse.h"

namespace lathe::schedule {
namespace {

CostMachine round_machine() {
  CostMachine m;
  m.threads = 2;
  m.clock = 3e9;
  m.vector_bytes = 64;
  m.l1 = 48 << 10;
  m.l2 = 2 << 20;
  m.last = 16 << 20;
  m.all = {24e9, 40e9, 32e9};
  m.one = {12e9, 20e9, 16e9};
  return m;
}

Cost cost_of(const std::string& text, const SizeNumbers& sizes, bool stream = true,
             CostMachine machine = round_machine(), const std::string& lockfile = {}) {
  const ir::Program program = run_preparation(run_pipeline(parse(text)));
  Machine facts;
  facts.l1 = machine.l1;
  facts.l2 = machine.l2;
  Schedule schedule = default_schedule(program, facts);
  if (!lockfile.empty()) {
    Diagnostics diagnostics;
    auto parsed = parse_schedule("test.schedule", lockfile, program, diagnostics);
    check(parsed.has_value(), "a lockfile that parses");
    schedule = std::move(*parsed);
  }
  return predict(*resolve_legal(program, schedule), sizes, machine, stream);
}

constexpr const char* kChain = R"(program chain(n: size)
  input  a: f64[i: n]
  input  b: f64[i: n]
  output c: f64[i: n]
  for i in 0..n: c[i] = a[i] * b[i] + a[i]
)";

TEST(CostTest, StreamsMoveEveryByteOnce) {
  const Cost cost = cost_of(kChain, {{"n", 10'000'000}});
  ASSERT_EQ(cost.nests.size(), 1u);
  EXPECT_TRUE(cost.complete);
  EXPECT_EQ(cost.nests[0].label, "c");
  EXPECT_EQ(cost.nests[0].bound, "memory");
  EXPECT_DOUBLE_EQ(cost.nests[0].memory_read, 160e6);
  EXPECT_DOUBLE_EQ(cost.nests[0].memory_written, 80e6);
  EXPECT_DOUBLE_EQ(cost.nests[0].operations, 20e6);
  EXPECT_GE(cost.seconds, 240e6 / 32e9);
  EXPECT_LE(cost.seconds, 1.3 * 240e6 / 32e9);
}

TEST(CostTest, PlainStoresFetchTheirLines) {
  const Cost cost = cost_of(kChain, {{"n", 10'000'000}}, false);
  EXPECT_DOUBLE_EQ(cost.nests[0].memory_read, 240e6);
}

TEST(CostTest, OneThreadIsSlower) {
  CostMachine alone = round_machine();
  alone.threads = 1;
  alone.all = alone.one;
  EXPECT_GT(cost_of(kChain, {{"n", 10'000'000}}, true, alone).seconds,
            1.8 * cost_of(kChain, {{"n", 10'000'000}}).seconds);
}

constexpr const char* kThreePoints = R"(program stencil(n: size, m: size)
  input  u: f64[i: n, j: m]
  output v: f64[i: n, j: m]
  for i in 1..n-1, j in 0..m: v[i, j] = u[i-1, j] + u[i+1, j]
)";

TEST(CostTest, RowsThatStayInACacheAreReadOnce) {
  // Three rows of 32 KB: too much for L1, nothing for L2.
  const NestCost n = cost_of(kThreePoints, {{"n", 4096}, {"m", 4096}}).nests.at(0);
  EXPECT_DOUBLE_EQ(n.memory_read, 4096.0 * 4096 * 8);
  EXPECT_DOUBLE_EQ(n.memory_written, 4094.0 * 4096 * 8);
  EXPECT_DOUBLE_EQ(n.last_bytes, n.memory_read);
  EXPECT_GE(n.l2_bytes, 2 * 4094.0 * 4096 * 8);
}

TEST(CostTest, RowsThatDoNotAreReadAgain) {
  // A row of 16 MB.
  const NestCost n = cost_of(kThreePoints, {{"n", 16}, {"m", 1 << 21}}).nests.at(0);
  EXPECT_DOUBLE_EQ(n.memory_read, 14 * 3 * 8.0 * (1 << 21));
}

constexpr const char* kColumns = R"(program columns(n: size)
  input  u: f64[i: n, j: n]
  output v: f64[j: n]
  for j in 0..n: v[j] = sum i in 0..n: u[i, j]
)";

TEST(CostTest, PiecesOfLinesCostWholeLines) {
  const char* const kDownColumns = R"(schedule columns
v.init
for j:
  for i:
    v
)";
  const Cost cost = cost_of(kColumns, {{"n", 65536}}, true, round_machine(), kDownColumns);
  // 65,536 lines of 64 bytes are 4 MB: more than L2 holds, less than the last cache.
  EXPECT_DOUBLE_EQ(cost.nests.back().memory_read, 65536.0 * 65536 * 8 + 65536 * 8);
  EXPECT_GE(cost.nests.back().last_bytes, 65536.0 * 65536 * 64);
}

TEST(CostTest, WindowsAndRegistersNeverReachMemory) {
  const std::string text = read_file(source_dir() + "/bench/programs/hdiff.lathe");
  const NestCost n = cost_of(text, {{"nk", 80}, {"n", 1024}, {"m", 1024}}).nests.at(0);
  EXPECT_DOUBLE_EQ(n.memory_read, 80.0 * 8 * (1028 * 1028 + 1024 * 1024));
  EXPECT_DOUBLE_EQ(n.memory_written, 80.0 * 8 * 1024 * 1024);
}

TEST(CostTest, MatricesAreBoundByArithmetic) {
  const std::string text = read_file(source_dir() + "/bench/programs/matmul.lathe");
  const Cost cost = cost_of(text, {{"n", 1024}});
  EXPECT_EQ(cost.nests.back().bound, "arithmetic");
  EXPECT_DOUBLE_EQ(cost.nests.back().operations, 1024.0 * 1024 * 1024);
  // 8 lanes, two units, two threads.
  const double peak = 1024.0 * 1024 * 1024 / (8 * 2 * 2 * 3e9);
  EXPECT_GE(cost.seconds, peak);
  EXPECT_LE(cost.seconds, 1.75 * peak);
}

TEST(CostTest, WhatDependsOnDataIsSaidToBeLeftOut) {
  const Cost cost = cost_of(R"(program graph(n: size)
  input  ptr: i64[v: n+1]
  input  x: f64[v: n]
  output y: f64[v: n]
  for v in 0..n: y[v] = sum e in ptr[v]..ptr[v+1]: x[e % n]
)",
                            {{"n", 1000}});
  EXPECT_FALSE(cost.complete);
  EXPECT_NE(to_text(cost).find("ms, without what depends on data\n"), std::string::npos);
}

TEST(CostTest, Text) {
  Cost cost;
  cost.nests.push_back({"lap", 2e6, 5e6, 4e6, 3e6, 1e6, 0.00125, "memory"});
  cost.seconds = 0.00125;
  EXPECT_EQ(to_text(cost),
            "lap                    1.25 ms, bound by memory: memory 3 MB read, 1 MB written; last "
            "cache 4 MB; L2 5 MB; 2 Mop\n"
            "all                    1.25 ms\n");
}

}  // namespace
}  // namespace lathe::schedule
