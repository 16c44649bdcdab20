// SPDX-License-Identifier: Apache-2.0
#include "array/latency.h"

#include <fmt/format.h>
#include <lathe/array.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/diagnostics.h"
#include "device/host/temporary_folder.h"

namespace lathe::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_from(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Ten operations on two arrays: three sums of products, two functions, a reduction.
lathe::Array ten_operations(const lathe::Array& x, const lathe::Array& y) {
  const lathe::Array a = x * y, b = x + y, c = sqrt(b), d = exp(a - c);  // five
  return sum(d * x + c * y) / 3.0;                                       // five more
}

// What a part of a child's life took: "build" to "first result".
double ask_child(const std::string& cache) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = fmt::format("LATHE_CACHE_DIR='{}' '{}' --latency-child", cache, self);
  double seconds = 0;
  std::FILE* const child = ::popen(command.c_str(), "r");
  const bool fine = child && std::fscanf(child, "%lf", &seconds) == 1;
  if (child) ::pclose(child);
  if (!fine) throw UserError("the process that was to evaluate a graph failed");
  return seconds;
}

Record record(std::string bench, std::string who, const std::vector<double>& seconds) {
  return {.bench = std::move(bench),
          .dtype = "f64",
          .size = "10 operations",
          .who = std::move(who),
          .seconds = median(seconds),
          .fastest = *std::min_element(seconds.begin(), seconds.end())};
}

template <class Step>
std::vector<double> rounds_of(Step&& step) {
  constexpr int kCalls = 500;
  std::vector<double> out;
  for (int round = 0; round < 15; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < kCalls; ++i) step();
    out.push_back(seconds_from(begin) / kCalls);
  }
  return out;
}

const std::vector<double>& numbers() {
  static const std::vector<double> all(100, 0.5);
  return all;
}
lathe::Array operand() { return refer(lathe::View(numbers().data(), {100})); }

}  // namespace

int print_array_latency() {
  const auto begin = Clock::now();
  const lathe::Array value = ten_operations(operand(), operand()).eval();
  const double seconds = seconds_from(begin);
  fmt::print("{} {}\n", seconds, value.item<double>());
  return 0;
}

std::vector<Record> array_latency(const ArrayBenchOptions& options) {
  std::vector<double> cold, cached;
  for (int i = 0; i < (options.quick ? 3 : 9); ++i) {
    const host::TemporaryFolder folder("bench");
    cold.push_back(ask_child(folder.path()));
    cached.push_back(ask_child(folder.path()));
  }
  const lathe::Array x = operand(), y = operand(), graph = ten_operations(x, y);
  std::vector<Record> out;
  out.push_back(record("array_cold", "lathe and cc", cold));
  out.push_back(record("array_cached", "lathe", cached));
  out.push_back(record("array_build", "lathe", rounds_of([&] { ten_operations(x, y); })));
  out.push_back(record("array_eval", "lathe", rounds_of([&] { graph.eval(); })));
  out.push_back(record("array_build_and_eval", "lathe",
                       rounds_of([&] { ten_operations(operand(), operand()).eval(); })));
  return out;
}

}  // namespace lathe::bench
