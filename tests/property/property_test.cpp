// SPDX-License-Identifier: Apache-2.0
// Every check on a few random programs; how many, LATHE_PROPERTY_COUNT says. The long run is
// lathe_campaign.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "coverage.h"
#include "harness.h"
#include "ir/text.h"
#include "ir/traverse.h"
#include "program_slots.h"
#include "reduce.h"
#include "thorough.h"

namespace lathe::testing {
namespace {

using namespace ir;

constexpr std::uint64_t kFirstSeed = 1;

std::uint64_t program_count(std::uint64_t otherwise) {
  const char* text = std::getenv("LATHE_PROPERTY_COUNT");
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Stops at the first few failures: each is reduced, which takes a while.
void expect_on_all(const Check& check, std::uint64_t count) {
  int failures = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + count && failures < 2; ++seed) {
    const Case c = random_case(seed);
    const std::string message = run_check(check, c);
    if (message.empty()) continue;
    ++failures;
    const Case small = reduce(c, fails_like(check, message), 3000).smallest;
    ADD_FAILURE() << describe(small, check.name, run_check(check, small))
                  << "\n# first seen: " << message;
  }
}

class EveryCheck : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryCheck, HoldsOnRandomPrograms) {
  expect_on_all(all_checks()[GetParam()], program_count(is_thorough() ? 150 : 40));
}

INSTANTIATE_TEST_SUITE_P(Property, EveryCheck,
                         ::testing::Range<std::size_t>(0, all_checks().size()),
                         [](const auto& info) {
                           std::string name = all_checks()[info.param].name;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

TEST(RandomProgram, IsTheSameForTheSameSeed) {
  for (std::uint64_t seed = 1; seed < 50; ++seed)
    EXPECT_EQ(print(random_program(seed)), print(random_program(seed)));
}

TEST(RandomProgram, CoversTheLanguage) {
  Coverage coverage;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + 1500; ++seed)
    coverage.add(random_program(seed));
  for (const std::string& what : coverage.missing()) ADD_FAILURE() << "never generated: " << what;
  const double share =
      static_cast<double>(coverage.pairs_seen()) / static_cast<double>(coverage.pairs_possible());
  EXPECT_GT(share, 0.6) << coverage.report();
  RecordProperty("operation_pairs", static_cast<int>(coverage.pairs_seen()));
}

// Results that are all NaN, or all the same, hide mistakes.
TEST(RandomProgram, ResultsAreMostlyNumbers) {
  double sum = 0;
  int programs = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + program_count(250); ++seed) {
    const Case c = random_case(seed);
    const Outcome out = run(c.program, state_of(c));
    ASSERT_EQ(out.error, "") << print(c.program);
    const double nans = nan_fraction(c.program, out.state);
    if (nans < 0) continue;
    sum += nans;
    ++programs;
  }
  EXPECT_LT(sum / programs, 0.10);
  RecordProperty("nan_percent", static_cast<int>(100 * sum / programs));
}

// ---- The reducer, on a transform that is wrong on purpose.

std::optional<Program> swap_one_difference(const Program& p, Rng&) {
  Program q = p;
  RawMaker maker(*q.graph);
  for (Expr* slot : all_slots(q))
    for (Expr node : post_order(*slot)) {
      if (node->op != Op::Sub || !is_float(node->dtype)) continue;
      const auto [left, right] = view::Binary(node);
      const Expr swapped[] = {right, left};
      const Expr wrong = maker.make(Op::Sub, node->dtype, swapped);
      *slot = ir::rewrite(maker, *slot, [&](Expr e) { return e == node ? wrong : nullptr; });
      return q;
    }
  return std::nullopt;
}

TEST(Reducer, BringsAWrongTransformToAFewLines) {
  const NamedTransform wrong{"swap-one-difference", true, swap_one_difference};
  const Check check = transform_check(wrong);
  int found = 0;
  for (std::uint64_t seed = 1; seed < 400 && found < 5; ++seed) {
    const Case c = random_case(seed);
    const std::string message = run_check(check, c);
    if (message.empty()) continue;
    ++found;
    const Reduction r = reduce(c, fails_like(check, message));
    EXPECT_FALSE(run_check(check, r.smallest).empty());
    EXPECT_LE(line_count(r.smallest.program), 12u)
        << describe(r.smallest, check.name, message) << "tried " << r.tried;
  }
  EXPECT_EQ(found, 5);
}

}  // namespace
}  // namespace lathe::testing
