// SPDX-License-Identifier: Apache-2.0
#pragma once
// A trial that failed, made small: first the program, with its schedule following as it can, then
// the schedule. The result is a file that can be kept and replayed:
//
//   # difference: gcc -O3, 2 threads, n=17: 'v' element 3: 1, then 2
//   program random(n: size)
//     ...
//   === schedule
//   for i:
//     v.0
//   === runs
//   seed 4711 n=17

#include <string>

#include "road_trials.h"

namespace lathe::testing {

struct SmallTrial {
  Trial trial;
  Verdict verdict;
  RoadOptions options;
};
SmallTrial reduce_trial(const Trial& failing, const Verdict& verdict, const RoadOptions& options,
                        int max_tries = 1500);

std::string to_file(const SmallTrial& small);
// The trials of such a file: its schedule, or if it has none the plain and the default one. All
// builds. Throws UserError when it does not parse.
std::vector<Trial> read_trials(const std::string& path);

// The part of a message that stays the same while a program shrinks.
std::string kind_of(const std::string& message);

}  // namespace lathe::testing
