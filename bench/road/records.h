// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the bench found, for people and for programs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "road/measure.h"
#include "road/rows.h"

namespace lathe::bench {

struct Record {
  std::string bench = {}, dtype = {}, size = {}, who = {};
  double seconds = 0;
  double fastest = 0;  // run; 0: not told
  std::optional<double> limit_seconds = {};
  std::optional<double> of_limit = {};  // 1: at the limit; 0.5: takes twice as long
  std::optional<double> predicted_seconds = {};
  std::optional<double> lathe_speed = {};  // how many times as fast Lathe is
  bool busy = false;                       // other programs were: not to be trusted
  std::string note = {};
  std::optional<double> bytes = {};  // of records about memory, which have no time
  std::string missing = {};          // why somebody did not take part: there is no time either
};

std::vector<Record> records_of(const Row& row, const std::vector<Result>& results,
                               std::optional<double> predicted);

// Somebody who did not take part.
Record missing_record(const Row& row, const std::string& who, const std::string& why);

// A line for each contender, then what is missed of the row's goals.
std::string table_of(const Row& row, const std::vector<Record>& records);
std::string latency_table(const std::vector<Record>& records);
std::vector<std::string> missed_goals(const Row& row, const std::vector<Result>& results);

// A list of records, one per line. What the file already has of stencils and of arrays stays there
// until they are measured again, because all of their rows take long; a run of the other rows
// replaces those.
void write_json(const std::string& path, const std::vector<Record>& records);

}  // namespace lathe::bench
