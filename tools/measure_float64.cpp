// SPDX-License-Identifier: Apache-2.0
// How far the float64 elementary functions are from the truth (MPFR), in ulps.
//
//   measure_float64 [--points N] [--threads T] [--seed S] [--screen] [--json] [--speed] [function
//   ...]
//
// One line per function: the largest error seen, and the argument (a hex float) where. The exit
// status is 1 if any is above its bound. --screen compares with the C library's long double first
// and asks MPFR only where the error comes within 0.02 ulp of the largest so far: 20 times faster.
// --speed prints nanoseconds per value instead.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "float64_reference.h"

namespace {

using lathe::reference::Function;
using lathe::reference::Random;
using lathe::reference::Worst;

struct Options {
  std::uint64_t points = 100000, seed = 1;
  unsigned threads = 1;
  bool json = false, speed = false, screen = false;
  std::vector<std::string> names;
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    auto number = [&] { return i + 1 < argc ? std::strtod(argv[++i], nullptr) : 0; };
    if (word == "--points")
      o.points = static_cast<std::uint64_t>(number());
    else if (word == "--threads")
      o.threads = static_cast<unsigned>(number());
    else if (word == "--seed")
      o.seed = static_cast<std::uint64_t>(number());
    else if (word == "--json")
      o.json = true;
    else if (word == "--screen")
      o.screen = true;
    else if (word == "--speed")
      o.speed = true;
    else
      o.names.push_back(word);
  }
  if (o.threads < 1) o.threads = 1;
  return o;
}

Worst measure_threaded(const Function& f, const Options& o) {
  std::vector<Worst> parts(o.threads);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < o.threads; ++t)
    threads.emplace_back([&, t] {
      parts[t] =
          lathe::reference::measure(f, o.points / o.threads, o.seed * 1000003 + t * 7919, o.screen);
      mpfr_free_cache();
    });
  for (std::thread& t : threads) t.join();
  Worst worst = parts[0];
  for (unsigned t = 1; t < o.threads; ++t) {
    std::uint64_t points = worst.points + parts[t].points;
    if (parts[t].error > worst.error) worst = parts[t];
    worst.points = points;
  }
  return worst;
}

double nanoseconds(const Function& f) {
  constexpr std::size_t kRow = 4096;
  std::vector<double> a(kRow), b(kRow), y(kRow);
  Random random{1};
  for (std::size_t i = 0; i < kRow; ++i) {
    if (f.row != nullptr)
      a[i] = random.uniform(f.intervals[0]);
    else
      a[i] = random.uniform({0, 10}), b[i] = random.uniform({-20, 20});
  }
  double best = 1e9;
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto start = std::chrono::steady_clock::now();
    if (f.row != nullptr)
      f.row(a.data(), y.data(), kRow);
    else
      f.binary_row(a.data(), b.data(), y.data(), kRow);
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() * 1e9 / static_cast<double>(kRow));
  }
  return best;
}

void print(const Function& f, const Worst& w, bool json) {
  char where[80];
  if (f.row != nullptr)
    std::snprintf(where, sizeof where, "%a", w.a);
  else
    std::snprintf(where, sizeof where, "%a, %a", w.a, w.b);
  auto points = static_cast<unsigned long long>(w.points);
  if (json)
    std::printf(
        "{\"function\": \"%s\", \"ulp\": %.4f, \"bound\": %g, \"at\": \"%s\", \"points\": %llu}\n",
        f.name.c_str(), w.error, f.bound, where, points);
  else
    std::printf("%-7s %8.4f ulp (bound %g) at %s = %a, %llu points\n", f.name.c_str(), w.error,
                f.bound, where, w.result, points);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options o = parse(argc, argv);
  int status = 0;
  for (const Function& f : lathe::reference::functions()) {
    bool wanted = o.names.empty();
    for (const std::string& name : o.names) wanted = wanted || name == f.name;
    if (!wanted) continue;
    if (o.speed) {
      std::printf("%-7s %6.1f ns\n", f.name.c_str(), nanoseconds(f));
      continue;
    }
    Worst worst = measure_threaded(f, o);
    if (!(worst.error <= f.bound)) status = 1;
    print(f, worst, o.json);
  }
  return status;
}
