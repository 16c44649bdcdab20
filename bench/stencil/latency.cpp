// SPDX-License-Identifier: Apache-2.0
#include "stencil/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "base/diagnostics.h"
#include "device/host/cache.h"
#include "device/host/temporary_folder.h"
#include "stencil/contenders.h"

namespace lathe::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr const char* kLong = "long";
constexpr int kLines = 200;

// The stencil's fields and scalars: as a row has them, or those of long_stencil().
Definition definition_of(const std::string& name) {
  for (const Definition& d : definitions())
    if (d.name == name) return d;
  Definition d;
  d.name = d.function = kLong;
  d.fields = {{.name = "a", .halo = 1},
              {.name = "b", .halo = 1},
              {.name = "c"},
              {.name = "out", .use = Use::Write}};
  d.scalars = {{"weight", 0.25}};
  return d;
}

lathe::Stencil load(const StencilBenchOptions& options, const Definition& d) {
  if (d.name == kLong) return lathe::stencil(long_stencil(kLines), {.name = kLong});
  return load_stencil(options.examples, d, "f64");
}

struct Latency {
  double total = 0, compiler = 0, own = 0;
};

Latency ask_child(const StencilBenchOptions& options, const std::string& name,
                  const std::string& cache) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      fmt::format("LATHE_CACHE_DIR='{}' '{}' --latency-child {} --examples '{}'", cache, self, name,
                  options.examples);
  Latency out;
  std::FILE* const child = ::popen(command.c_str(), "r");
  const bool fine =
      child && std::fscanf(child, "%lf %lf %lf", &out.total, &out.compiler, &out.own) == 3;
  if (child) ::pclose(child);
  if (!fine) throw UserError("the process that was to compile '" + name + "' failed");
  return out;
}

Record record(std::string bench, std::string size, std::string who,
              const std::vector<double>& seconds) {
  return {.bench = std::move(bench),
          .dtype = "f64",
          .size = std::move(size),
          .who = std::move(who),
          .seconds = median(seconds),
          .fastest = *std::min_element(seconds.begin(), seconds.end())};
}

void add_compile(const StencilBenchOptions& options, const std::string& name,
                 std::vector<Record>& out) {
  std::vector<double> cold, share, compiler, cached;
  for (int i = 0; i < (options.quick ? 3 : 9); ++i) {
    const host::TemporaryFolder folder("bench");
    const Latency first = ask_child(options, name, folder.path());
    cold.push_back(first.total);
    share.push_back(first.own);
    compiler.push_back(first.compiler);
    cached.push_back(ask_child(options, name, folder.path()).total);
  }
  const std::string size = name == kLong ? fmt::format("{} lines", kLines) : name;
  out.push_back(record("stencil_cold", size, "lathe and cc", cold));
  out.push_back(record("stencil_cold", size, "lathe", share));
  out.push_back(record("stencil_cold", size, "cc", compiler));
  out.push_back(record("stencil_cached", size, "lathe", cached));
}

void add_overhead(const StencilBenchOptions& options, std::vector<Record>& out) {
  const Definition d = definition_of("hdiff");
  const lathe::Stencil stencil = load(options, d);
  // One row: what is left is the call itself.
  const Domain domain = {8, 1, 1};
  Fields fields(d, "f64", "KJI", domain);
  for (const int threads : {1, 2}) {
    StencilRow row{&d, "KJI", domain, {}};
    const auto contender = make_lathe(stencil, row, fields, threads);
    contender->run();
    std::vector<double> rounds;
    for (int round = 0; round < 15; ++round) {
      constexpr int kCalls = 1000;
      const auto begin = Clock::now();
      for (int i = 0; i < kCalls; ++i) contender->run();
      rounds.push_back(seconds_since(begin) / kCalls);
    }
    out.push_back(record("stencil_call",
                         fmt::format("{} thread{}", threads, threads > 1 ? "s" : ""), "lathe",
                         rounds));
  }
}

}  // namespace

std::string long_stencil(int lines) {
  std::string out =
      "from gt4py.cartesian import gtscript\n"
      "from gt4py.cartesian.gtscript import PARALLEL, Field, computation, interval\n\n\n"
      "@gtscript.stencil(backend=\"numpy\")\n"
      "def long(a: Field[float], b: Field[float], c: Field[float], out: Field[float], *,\n"
      "         weight: float):\n"
      "    with computation(PARALLEL), interval(...):\n"
      "        t0 = a[1, 0, 0] + b[0, 1, 0]\n"
      "        t1 = a[-1, 0, 0] - b[0, -1, 0]\n";
  const int head = 10;
  for (int n = 2; head + n < lines; ++n)
    out += fmt::format("        t{0} = {1} * t{2} - weight * t{3} * {4}\n", n, 0.5 + 0.001 * n,
                       n - 1, n - 2,
                       n % 3 == 0   ? "c"
                       : n % 3 == 1 ? "a"
                                    : "b[0, -1, 0]");
  out += fmt::format("        out = t{}\n", lines - head - 1);
  return out;
}

int print_latency(const StencilBenchOptions& options) {
  const Definition d = definition_of(options.latency_child);
  Fields fields(d, "f64", "KJI", kSmallDomain);
  const StencilRow row{&d, "KJI", kSmallDomain, {}};
  const auto begin = Clock::now();
  const std::clock_t before = std::clock();
  const lathe::Stencil stencil = load(options, d);
  make_lathe(stencil, row, fields, options.threads)->run();
  const double total = seconds_since(begin);
  // The processor's time of this process alone: what remains when the C compiler's is taken away
  // would have everything in it that others did meanwhile.
  const double own = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  // All that this process, the first user of the cache, had compiled.
  double compiler = 0;
  const host::Cache cache{host::CacheSettings()};
  for (const host::CacheEntry& entry : cache.list())
    compiler += static_cast<double>(entry.manifest.compile_microseconds) * 1e-6;
  fmt::print("{} {} {}\n", total, compiler, own);
  return 0;
}

std::vector<Record> stencil_latency(const StencilBenchOptions& options) {
  std::vector<Record> out;
  for (const char* name : {"hdiff", "vadv", kLong}) add_compile(options, name, out);
  add_overhead(options, out);
  return out;
}

}  // namespace lathe::bench
