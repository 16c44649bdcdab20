// SPDX-License-Identifier: Apache-2.0
// Random programs under random legal schedules: Loops, and a few compiled, give the interpreter's
// bits. Long runs: lathe_campaign --targets c.

#include "targets.h"

#include <gtest/gtest.h>

namespace lathe::testing {
namespace {

void run_checks(const std::vector<Check>& checks, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Case c = random_case(seed);
    for (const Check& check : checks)
      EXPECT_EQ(run_check(check, c), "") << check.name << " on seed " << seed;
  }
}

TEST(Targets, LoopsGiveTheSameBits) { run_checks(loops_checks(), 5000, 30); }
TEST(Targets, CompiledCodeGivesTheSameBits) { run_checks(c_checks(), 6000, 10); }

}  // namespace
}  // namespace lathe::testing
