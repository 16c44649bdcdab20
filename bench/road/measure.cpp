// SPDX-License-Identifier: Apache-2.0
#include "road/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "device/host/limits.h"

namespace lathe::bench {
namespace {

constexpr std::size_t kSamples = 10007;
constexpr int kFewestRounds = 5;
constexpr int kSlowRounds = 2;
constexpr double kShort =
    0.01;  // seconds; who takes less runs some times more, untimed, right before
constexpr int kUntimed = 3;
constexpr int kMostTries = 4;  // times the rounds, and the seconds, that are wanted
constexpr int kFewestGood = 3;
// Waking up takes a moment even on an idle machine.
constexpr double kMayWait = 0.02, kSlowMayWait = 0.1, kWakeSeconds = 100e-6;

void wait_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

int good_runs(const Result& r) {
  return static_cast<int>(
      std::count_if(r.runs.begin(), r.runs.end(), [](double s) { return s > 0; }));
}

}  // namespace

double rounding_of(const std::string& dtype) { return dtype == "f32" ? 1e-5 : 1e-12; }

// Compared with the largest element: results of sums of differences have no relative accuracy of
// their own.
std::string difference(const std::vector<double>& expected, const std::vector<double>& got,
                       double rounding) {
  if (expected.size() != got.size())
    return fmt::format("{} elements instead of {}", got.size(), expected.size());
  double largest = 0, worst = 0;
  std::size_t where = 0;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double apart = std::abs(got[i] - expected[i]);
    if (apart <= worst) continue;
    worst = std::isnan(apart) ? HUGE_VAL : apart;
    where = i;
  }
  if (worst <= rounding * largest) return {};
  return fmt::format("sample {} of {}: {} instead of {}", where, got.size(), got[where],
                     expected[where]);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<double> speed_ratio(const Result& a, const Result& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.runs.size(), b.runs.size()); ++i)
    if (a.runs[i] > 0 && b.runs[i] > 0) ratios.push_back(b.runs[i] / a.runs[i]);
  if (ratios.empty()) return std::nullopt;
  return median(std::move(ratios));
}

const Result* find(const std::vector<Result>& results, const std::string& who) {
  for (const Result& r : results)
    if (r.who == who) return &r;
  return nullptr;
}

std::vector<Result> measure(std::vector<std::unique_ptr<Contender>>& contenders,
                            FunctionRef<void()> reset, const Plan& plan,
                            FunctionRef<void(int done, int of)> tick) {
  std::vector<Result> results(contenders.size());
  std::vector<double> expected, once(contenders.size());
  double round_seconds = 0;
  // Warm-up and comparison in one.
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    results[i].who = contenders[i]->who;
    reset();
    once[i] = contenders[i]->run();
    const std::vector<double> got = contenders[i]->sample(kSamples);
    if (!got.empty() && expected.empty())
      expected = got;
    else if (!got.empty())
      results[i].wrong = difference(expected, got, plan.rounding);
    if (once[i] <= plan.slow) once[i] = std::min(once[i], contenders[i]->run());
    wait_for(contenders[i]->gap_seconds);
    round_seconds += (once[i] > plan.slow ? 0 : once[i]) + contenders[i]->gap_seconds;
  }
  const int wanted = static_cast<int>(plan.seconds / std::max(round_seconds, 1e-6));
  const int rounds = std::clamp(wanted, std::min(kFewestRounds, plan.rounds), plan.rounds);
  std::vector<std::vector<double>> all(contenders.size());
  int least = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return passed.count() > kMostTries * plan.seconds;
  };
  for (int round = 0; least < rounds && round < kMostTries * rounds; ++round) {
    if (round >= kFewestGood && is_late()) break;
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      // Another one begins each round: nobody always follows the same neighbour's caches.
      const std::size_t i = (k + static_cast<std::size_t>(round)) % contenders.size();
      const bool is_slow = once[i] > plan.slow;
      if (is_slow && round >= kSlowRounds) {
        results[i].runs.push_back(0);
        continue;
      }
      // As in a loop of calls. Threads that slept take as long to wake up as a short kernel to run,
      // and a last-level cache takes up in several passes what somebody else's pass pushed out.
      for (int n = 0; n < kUntimed && once[i] < kShort; ++n) contenders[i]->run();
      const double before = host::seconds_waited(contenders[i]->process);
      const double seconds = contenders[i]->run();
      const double waited = host::seconds_waited(contenders[i]->process) - before;
      // Long runs meet somebody in any case; they matter little.
      const double may_wait = is_slow ? kSlowMayWait : kMayWait;
      const bool counts = waited <= kWakeSeconds + may_wait * seconds;
      all[i].push_back(seconds);
      results[i].runs.push_back(counts ? seconds : 0);
      wait_for(contenders[i]->gap_seconds);
    }
    least = rounds;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (once[i] <= plan.slow) least = std::min(least, good_runs(results[i]));
    tick(least, rounds);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].busy = good_runs(results[i]) < (once[i] > plan.slow ? 1 : kFewestGood);
    if (results[i].busy) results[i].runs = all[i];
  }
  for (Result& r : results) {
    std::vector<double> ran;
    for (const double seconds : r.runs)
      if (seconds > 0) ran.push_back(seconds);
    r.seconds = median(ran);
    r.fastest = *std::min_element(ran.begin(), ran.end());
  }
  return results;
}

}  // namespace lathe::bench
