// SPDX-License-Identifier: Apache-2.0
// The value graph against the interpreter, on random programs that mostly have a graph without
// opaque values.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "harness.h"
#include "reduce.h"

namespace lathe::testing {
namespace {

TEST(Values, DenoteWhatTheInterpreterComputes) {
  const char* text = std::getenv("LATHE_PROPERTY_COUNT");
  const std::uint64_t count = text ? std::strtoull(text, nullptr, 10) : 80;
  const auto& checks = all_checks();
  const auto check =
      std::find_if(checks.begin(), checks.end(), [](const Check& c) { return c.name == "values"; });
  ASSERT_NE(check, checks.end());
  RandomOptions options;
  options.items = 3;
  options.calls = false;
  options.extended = false;
  options.longs = false;
  const auto evaluated = [] {
    for (const Usage& u : transform_usage())
      if (u.name == "values") return u.applied;
    return std::uint64_t{0};
  };
  const std::uint64_t before = evaluated();
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= count && failures < 2; ++seed) {
    const Case c = random_case(seed, options);
    const std::string message = run_check(*check, c);
    if (message.empty()) continue;
    ++failures;
    const Case small = reduce(c, fails_like(*check, message), 3000).smallest;
    ADD_FAILURE() << describe(small, check->name, run_check(*check, small))
                  << "\n# first seen: " << message;
  }
  RecordProperty("evaluated", static_cast<int>(evaluated() - before));
  EXPECT_GE(evaluated() - before, count / 8);
}

}  // namespace
}  // namespace lathe::testing
