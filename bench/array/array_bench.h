// SPDX-License-Identifier: Apache-2.0
#pragma once
// One row after the other: everybody's results at an odd size, then everybody's time.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "array/contenders.h"
#include "array/options.h"
#include "road/options.h"
#include "road/records.h"

namespace lathe::bench {

class ArrayBench {
 public:
  explicit ArrayBench(const ArrayBenchOptions& options) : options_(options) {}

  // Prints the row. Peers start with the first row that wants them: some take seconds for it.
  void run(const ArrayRow& row, Progress& progress);
  // Results only: no times.
  void check(const ArrayRow& row, Progress& progress);

  // Somebody's results differed, or a row could not be measured.
  bool has_failed() const { return has_failed_; }

  std::vector<Record> records;
  std::vector<std::string> missed;  // goals

 private:
  using Missing = std::vector<std::pair<std::string, std::string>>;  // who, and why

  std::vector<std::unique_ptr<Contender>> everybody(const ArrayRow& row, const ArrayData& data,
                                                    Missing& missing);
  bool wants(const std::string& who) const;
  std::string difference_at_odd_size(const ArrayRow& row, Missing& missing);
  void report(const ArrayRow& row, const std::vector<Result>& results, const Missing& missing);

  const ArrayBenchOptions& options_;
  std::map<std::string, std::unique_ptr<Peer>> peers_;
  std::map<std::string, std::string> checked_;  // formula and dtype: how somebody differs, or ""
  bool has_failed_ = false;
};

}  // namespace lathe::bench
