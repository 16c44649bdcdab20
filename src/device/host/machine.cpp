// SPDX-License-Identifier: Apache-2.0
// Rates are the best of a few repetitions within a slice of time: other programs can only make a
// repetition slower. The arrays are as large as fits the budget, since a shared last-level cache
// may be larger than all that is worth filling.

#include "device/host/machine.h"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/number_text.h"
#include "base/sha256.h"
#include "device/host/cache_folder.h"
#include "device/host/cpu.h"
#include "device/host/file_lock.h"
#include "device/host/limits.h"
#include "device/host/machine_kernels.h"
#include "device/host/memory.h"
#include "device/host/pool.h"

namespace lathe::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSliceSeconds = 0.08;         // for each of the twenty rates
constexpr double kAllSeconds = 1.3;            // after that, on a busy machine, once is enough
constexpr std::int64_t kHurriedSeconds = 600;  // so long, rates measured in a hurry are good
constexpr std::int64_t kArrayBytes = std::int64_t{96} << 20;
constexpr int kMaxRepetitions = 8;
constexpr double kMayWait = 0.05;  // for a processor, of all the time; more is a busy machine

struct NamedRate {
  const char* name;
  double Rates::*value;
};
constexpr NamedRate kRates[] = {
    {"read", &Rates::read},       {"read_streams", &Rates::read_streams},
    {"write", &Rates::write},     {"triad", &Rates::triad},
    {"copy", &Rates::copy},       {"fma_f32", &Rates::fma_f32},
    {"fma_f64", &Rates::fma_f64}, {"mixed_f64", &Rates::mixed_f64},
    {"div_f64", &Rates::div_f64}, {"sqrt_f64", &Rates::sqrt_f64}};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Sizes in sysfs read "48K", "2048K", "260M".
std::int64_t cache_bytes(int level, std::int64_t otherwise) {
  for (int index = 0; index < 8; ++index) {
    const std::string base =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    int found = 0;
    std::string type, unit;
    std::int64_t size = 0;
    std::ifstream(base + "level") >> found;
    std::ifstream(base + "type") >> type;
    std::ifstream(base + "size") >> size >> unit;
    if (found != level || type == "Instruction" || size <= 0) continue;
    return size * (unit == "K" ? 1024 : unit == "M" ? 1024 * 1024 : 1);
  }
  return otherwise;
}

// One measurement: a function that each thread calls with its number, and what a call is worth.
struct Measurement {
  const MachineKernels& kernels;
  double *a, *b, *c;
  std::int64_t share;  // elements of each array per thread
  std::int64_t rounds;
  Clock::time_point beginning;
  double sink[1024][8];  // one cache line per thread

  // Step for every thread, once.
  template <void (*Step)(Measurement&, std::int64_t thread)>
  void run(int threads) {
    const auto body = [](void* context, std::int64_t lo, std::int64_t hi) {
      for (std::int64_t t = lo; t < hi; ++t) Step(*static_cast<Measurement*>(context), t);
    };
    Pool::shared().parallel(body, this, 0, threads, 1, threads);
  }

  template <void (*Step)(Measurement&, std::int64_t thread)>
  double best_seconds(int threads) {
    double best = HUGE_VAL;
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < kMaxRepetitions; ++i) {
      const Clock::time_point begin = Clock::now();
      run<Step>(threads);
      best = std::min(best, seconds_since(begin));
      if (seconds_since(start) > kSliceSeconds || seconds_since(beginning) > kAllSeconds) break;
    }
    return best;
  }
};

constexpr std::int64_t kSlower = 8;  // divisions and roots than additions, or more

using M = Measurement;
void step_fill(M& m, std::int64_t t) {
  for (double* array : {m.a, m.b, m.c}) std::fill_n(array + t * m.share, m.share, 1.0);
}
void step_read(M& m, std::int64_t t) { m.sink[t][0] = m.kernels.read(m.b + t * m.share, m.share); }
void step_read_streams(M& m, std::int64_t t) {
  m.sink[t][0] = m.kernels.read_streams(m.c + t * m.share, m.share);
}
void step_write(M& m, std::int64_t t) { m.kernels.write(m.a + t * m.share, m.share); }
void step_triad(M& m, std::int64_t t) {
  m.kernels.triad(m.a + t * m.share, m.b + t * m.share, m.c + t * m.share, m.share);
}
void step_copy(M& m, std::int64_t t) {
  std::memcpy(m.a + t * m.share, m.b + t * m.share, static_cast<std::size_t>(m.share) * 8);
}
void step_fma_f32(M& m, std::int64_t t) { m.sink[t][0] = m.kernels.fma_f32(m.rounds); }
void step_fma_f64(M& m, std::int64_t t) { m.sink[t][0] = m.kernels.fma_f64(m.rounds); }
void step_mixed(M& m, std::int64_t t) { m.sink[t][0] = m.kernels.mixed_f64(m.rounds); }
void step_div(M& m, std::int64_t t) { m.sink[t][0] = m.kernels.div_f64(m.rounds / kSlower); }
void step_sqrt(M& m, std::int64_t t) { m.sink[t][0] = m.kernels.sqrt_f64(m.rounds / kSlower); }

Rates measure(Measurement& m, std::int64_t elements, int threads) {
  m.share = elements / threads / 256 * 256;
  m.rounds = 1 << 20;  // some milliseconds
  const double n = static_cast<double>(m.share) * threads;
  const double flops =
      2.0 * kPerRound * m.kernels.vector_bytes * static_cast<double>(m.rounds) * threads;
  Rates out;
  out.read = 8 * n / m.best_seconds<step_read>(threads);
  out.read_streams = 8 * n / m.best_seconds<step_read_streams>(threads);
  out.write = 8 * n / m.best_seconds<step_write>(threads);
  out.triad = 24 * n / m.best_seconds<step_triad>(threads);
  out.copy = 16 * n / m.best_seconds<step_copy>(threads);
  out.fma_f32 = flops / 4 / m.best_seconds<step_fma_f32>(threads);
  out.fma_f64 = flops / 8 / m.best_seconds<step_fma_f64>(threads);
  out.mixed_f64 = flops / 16 / m.best_seconds<step_mixed>(threads);
  out.div_f64 = flops / 16 / kSlower / m.best_seconds<step_div>(threads);
  out.sqrt_f64 = flops / 16 / kSlower / m.best_seconds<step_sqrt>(threads);
  return out;
}

void measure_into(Machine& machine) {
  const std::int64_t bytes = std::min(kArrayBytes, machine.memory_bytes / 16) / 4096 * 4096;
  Allocation a = MemoryPool::shared().allocate(bytes);
  Allocation b = MemoryPool::shared().allocate(bytes);
  Allocation c = MemoryPool::shared().allocate(bytes);
  if (a.error || b.error || c.error) return;
  auto m = std::make_unique<Measurement>(Measurement{machine_kernels(),
                                                     static_cast<double*>(a.block.data()),
                                                     static_cast<double*>(b.block.data()),
                                                     static_cast<double*>(c.block.data()),
                                                     0,
                                                     0,
                                                     Clock::now(),
                                                     {}});
  // Each thread fills its own part, which also places the pages near it; the rest is never read.
  m->share = bytes / 8 / machine.threads / 256 * 256;
  m->run<step_fill>(machine.threads);
  std::fill_n(m->a + m->share * machine.threads, bytes / 8 - m->share * machine.threads, 1.0);
  const double waited = seconds_waited();
  machine.one = measure(*m, bytes / 8, 1);
  machine.all = machine.threads > 1 ? measure(*m, bytes / 8, machine.threads) : machine.one;
  machine.has_rates = true;
  machine.hurried = seconds_since(m->beginning) > kAllSeconds ||
                    seconds_waited() - waited > kMayWait * seconds_since(m->beginning);
}

std::string header_of(const Machine& machine) {
  return "lathe-machine 4\nmodel " + machine.model + "\nthreads " +
         std::to_string(machine.threads) + "\n";
}

}  // namespace

namespace {

Machine find_facts() {
  Machine out;
  out.name = cpu_level();
  out.model = cpu_model();
  out.vector_bytes = vector_bytes();
  out.threads = hardware_threads();
  out.l1d_bytes = cache_bytes(1, 32 << 10);
  out.l2_bytes = cache_bytes(2, 1 << 20);
  out.l3_bytes = cache_bytes(3, 8 << 20);
  out.memory_bytes = memory_limit();
  return out;
}

}  // namespace

Machine machine_facts() {
  static const Machine facts = find_facts();  // dozens of files: too slow for every call
  return facts;
}

void keep_better(Machine& machine, const Machine& other) {
  for (const NamedRate& rate : kRates) {
    machine.one.*rate.value = std::max(machine.one.*rate.value, other.one.*rate.value);
    machine.all.*rate.value = std::max(machine.all.*rate.value, other.all.*rate.value);
  }
  machine.hurried = machine.hurried && other.hurried;
}

std::string print_rates(const Machine& machine) {
  std::string out = header_of(machine);
  for (const Rates* rates : {&machine.one, &machine.all}) {
    for (const NamedRate& rate : kRates) {
      char line[64];
      std::snprintf(line, sizeof line, "%s.%s %.6g\n", rates == &machine.one ? "one" : "all",
                    rate.name, rates->*rate.value);
      out += line;
    }
  }
  return out + "hurried " + (machine.hurried ? "1" : "0") + "\nend\n";
}

bool parse_rates(const std::string& text, Machine& machine) {
  const std::string header = header_of(machine);
  if (!text.starts_with(header) || !text.ends_with("end\n")) return false;
  std::map<std::string, double> values;
  for (std::size_t at = header.size(); at + 4 < text.size();) {
    const std::size_t end = text.find('\n', at), blank = text.find(' ', at);
    if (blank >= end) return false;
    const auto value = parse_double(std::string_view(text).substr(blank + 1, end - blank - 1));
    if (!value || !(value.value >= 0)) return false;
    values[text.substr(at, blank - at)] = value.value;
    at = end + 1;
  }
  Rates one, all;
  for (const NamedRate& rate : kRates) {
    const auto first = values.find(std::string("one.") + rate.name);
    const auto second = values.find(std::string("all.") + rate.name);
    if (first == values.end() || second == values.end()) return false;
    one.*rate.value = first->second;
    all.*rate.value = second->second;
  }
  const auto hurried = values.find("hurried");
  if (hurried == values.end()) return false;
  machine.one = one;
  machine.all = all;
  machine.has_rates = true;
  machine.hurried = hurried->second != 0;
  return true;
}

Machine measured(bool force, const std::string& folder) {
  static std::mutex mutex;
  static std::map<std::string, Machine> known;  // by folder
  const std::scoped_lock guard(mutex);
  if (const auto found = known.find(folder); !force && found != known.end()) return found->second;

  Machine out = machine_facts();
  std::string problem;
  const Descriptor place =
      open_cache_folder(folder.empty() ? default_cache_folder() : folder, problem);
  const std::string name = "machine-" + sha256_hex(header_of(out)).substr(0, 32) + ".txt";
  Machine kept = out;
  const auto good_file = [&] {
    std::string text;
    struct stat status {};
    return place && read_in(place.get(), name, text, 1 << 16) && parse_rates(text, kept) &&
           (!kept.hurried || (::fstatat(place.get(), name.c_str(), &status, 0) == 0 &&
                              ::time(nullptr) - status.st_mtime < kHurriedSeconds));
  };
  if (good_file() && !force) return known[folder] = kept;
  // Two processes that measure at once would each see half a machine.
  std::optional<FileLock> lock;
  if (place) lock.emplace(place.get(), name + ".lock", 3.0);
  if (!force && good_file()) return known[folder] = kept;
  measure_into(out);
  if (kept.has_rates && (!force || out.hurried)) keep_better(out, kept);
  if (place && out.has_rates) (void)put_in(place.get(), name, print_rates(out), true);
  return known[folder] = out;
}

}  // namespace lathe::host
