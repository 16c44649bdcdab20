// SPDX-License-Identifier: Apache-2.0
#pragma once
// Takes turns: in every round each contender runs once, so that whatever else happens on the
// machine meets all of them alike. Ratios are medians over rounds of the ratio within a round. A
// run that had to wait for a processor, because other programs were busy, does not count.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "road/contender.h"

namespace lathe::bench {

struct Result {
  std::string who;
  double seconds = 0;  // the median
  double fastest = 0;
  std::vector<double> runs;  // seconds by round; 0: sat out, or was disturbed
  bool busy = false;         // it was disturbed nearly always, so every run counts
  std::string wrong;         // not empty: how its result differs from the first one's
};

struct Plan {
  int rounds = 9;
  double seconds = 6;   // about so long for a row
  double slow = 0.25;   // seconds; who takes longer runs in two rounds only
  double rounding = 0;  // how far results may differ, as a part of the largest element
};

// `reset` comes before the first run of each, `tick(done, of)` after each round. The first
// contender that has a result judges the others.
std::vector<Result> measure(std::vector<std::unique_ptr<Contender>>& contenders,
                            FunctionRef<void()> reset, const Plan& plan,
                            FunctionRef<void(int done, int of)> tick);

// What results in that dtype may differ by, where operations come in another order.
double rounding_of(const std::string& dtype);
// The largest difference, if it is more than rounding explains; else "".
std::string difference(const std::vector<double>& expected, const std::vector<double>& got,
                       double rounding);

double median(std::vector<double> values);  // 0 when there are none

// How many times as fast `a` was as `b`: above 1 is faster. None when they never ran in one round.
std::optional<double> speed_ratio(const Result& a, const Result& b);

const Result* find(const std::vector<Result>& results, const std::string& who);

}  // namespace lathe::bench
