// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long a compiled program takes, beside what this machine can reach: `run --time`.

#include <string>
#include <vector>

#include "api/compiled.h"
#include "interp/interpreter.h"

namespace lathe::cli {

struct TimeReport {
  int runs = 0;
  double median = 0, fastest = 0;
  double bytes = 0;             // each argument once, those updated in place twice
  double limit_seconds = 0;     // at the machine's rates: the longer of the two
  bool limit_is_memory = true;  // else arithmetic
  double predicted = 0;         // by the cost model
  double of_limit() const { return median > 0 ? limit_seconds / median : 0; }
};

// Runs it `repeat` times on recycled memory, after once to warm up. `results`: the state after a
// run, which says how large the arguments are; `inputs`: what they begin with.
TimeReport time_runs(api::Compiled& compiled, const interp::State& inputs,
                     const interp::State& results, int threads, int repeat);

std::string to_text(const TimeReport& report);

}  // namespace lathe::cli
