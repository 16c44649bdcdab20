// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a worker of lathe_campaign does: checks on seeds, told as lines of JSON.
//
//   {"begin": 17}
//   {"done": 17, "failures": [{"check": "inline", "message": "...", "text": "..."}]}
//   {"usage": [{"name": "inline", "asked": 4, "applied": 1}]}

#include <cstdint>
#include <string>
#include <vector>

namespace lathe::testing {

struct WorkSettings {
  std::string check;        // only this one; empty: all
  bool targets = false;     // schedules and targets instead of passes
  bool everything = false;  // every program in every build; else each in some
  std::size_t batch = 24;   // programs per C file
  int tries = 1500;         // of the reducer, per failure
};

std::vector<std::string> check_names(const WorkSettings& settings);
void work(const WorkSettings& settings, const std::vector<std::uint64_t>& seeds, int fd);
// Trials of a saved file; the number of those that fail, with their messages printed.
int replay(const std::string& path);

}  // namespace lathe::testing
