// SPDX-License-Identifier: Apache-2.0
#include "stencil/groups.h"

#include <algorithm>
#include <cstdio>

#include "device/host/limits.h"

namespace lathe::bench {
namespace {

double available_bytes() {
  double bytes = static_cast<double>(host::memory_limit());
  if (std::FILE* file = std::fopen("/proc/meminfo", "r")) {
    char line[128];
    long long kib = 0;
    while (std::fgets(line, sizeof line, file))
      if (std::sscanf(line, "MemAvailable: %lld", &kib) == 1)
        bytes = std::min(bytes, static_cast<double>(kib) * 1024);
    std::fclose(file);
  }
  return bytes;
}

std::size_t rounds_of(const std::vector<Result>& results) {
  std::size_t rounds = 0;
  for (const Result& r : results) rounds = std::max(rounds, r.runs.size());
  return rounds;
}

void summarise(Result& r) {
  std::vector<double> ran;
  for (const double seconds : r.runs)
    if (seconds > 0) ran.push_back(seconds);
  if (ran.empty()) return;
  r.fastest = *std::min_element(ran.begin(), ran.end());
  r.seconds = median(std::move(ran));
}

}  // namespace

std::size_t peers_at_once(const StencilRow& row) {
  constexpr double kPart = 0.6;   // of what is free: others work here too
  constexpr double kTimes = 3.0;  // a peer's temporaries are fields as well
  double fields = 0;
  for (const FieldRow& f : row.definition->fields) fields += f.has_k ? 1 : 0;
  const double each = fields / row.definition->moved * row.row.work * kTimes;
  return static_cast<std::size_t>(std::max(1.0, kPart * available_bytes() / each));
}

void append(std::vector<Result>& all, std::vector<Result> group) {
  const std::size_t before = rounds_of(all);
  for (Result& r : group) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Result& x) { return x.who == r.who; });
    if (at == all.end()) {
      r.runs.insert(r.runs.begin(), before, 0);
      all.push_back(std::move(r));
      continue;
    }
    at->runs.resize(before, 0);
    at->runs.insert(at->runs.end(), r.runs.begin(), r.runs.end());
    at->busy |= r.busy;
    if (at->wrong.empty()) at->wrong = r.wrong;
    summarise(*at);
  }
}

}  // namespace lathe::bench
