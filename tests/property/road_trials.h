// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trials: a program under a schedule, compiled in several ways and run on several threads, must
// give the interpreter's bits. Many trials share each call of a C compiler.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel_batch.h"
#include "road_case.h"
#include "schedule/schedule.h"

namespace lathe::testing {

struct Trial {
  std::shared_ptr<const Subject> subject;
  std::string lockfile;       // the tree; empty: default_schedule()
  std::string name;           // of the schedule: "plain", "default", "random"
  std::vector<Build> builds;  // those to run it in, besides Loops by their interpreter
};

struct RoadOptions {
  // Every so many-th trial also runs with every access tested (gcc -O0). 0: none.
  int checked_every = 0;
  int vector_bytes = 0;  // 0: this machine's
  bool stream = false;   // heed `-> stream` whatever the size
  std::vector<int> threads = {1, 2, 3};
  // Told before each trial is prepared: a crash of Lathe itself is then its fault.
  std::function<void(const Trial&)> begins;
};
// Most of the time what people have; now and then other widths of vectors, streams.
RoadOptions road_options(std::uint64_t seed);

// What is wrong with a trial, or nothing.
struct Verdict {
  // "difference: gcc -O3, 2 threads, n=17: 'v' element 3: ...", "error: ...", "crash: ..."
  std::string message;
  std::optional<Build> build;  // where it was seen; nothing: before any C compiler
  bool checked = false;
};
// Compiled code runs in child processes.
std::vector<Verdict> run_trials(const std::vector<Trial>& trials, const RoadOptions& options);

// The builds that the road is tested with, those that this machine has.
std::vector<Build> all_builds();

// A tree of that program as a lockfile that is read for other versions of the program, too.
std::string tree_text(schedule::Schedule s);

// A program under the plain, the default and a random schedule, and which builds are due: all for
// each when `everything`, else one for each, in turn.
std::vector<Trial> road_trials(std::uint64_t seed, bool everything);

}  // namespace lathe::testing
