// SPDX-License-Identifier: Apache-2.0
#pragma once
// One row after the other: everybody's results at a small size, then everybody's time.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "road/options.h"
#include "road/records.h"
#include "stencil/contenders.h"
#include "stencil/options.h"

namespace lathe::bench {

class StencilBench {
 public:
  explicit StencilBench(const StencilBenchOptions& options) : options_(options) {}

  // Prints the row. Peers start with the first row that wants them: some take seconds for it.
  void run(const StencilRow& row, Progress& progress);
  // Small sizes only: no times.
  void check(const StencilRow& row, Progress& progress);

  // Somebody's results differed, or a row could not be measured.
  bool has_failed() const { return has_failed_; }

  std::vector<Record> records;
  std::vector<std::string> missed;  // goals

 private:
  using Missing = std::vector<std::pair<std::string, std::string>>;  // who, and why

  std::vector<std::string> wanted_peers(const StencilRow& row) const;
  Peer& peer(const std::string& who);
  // Everybody at a small size: who can run the row at all, and whose results differ from Lathe's.
  std::vector<std::string> check_small(const lathe::Stencil& stencil, const StencilRow& row,
                                       Missing& missing);
  std::vector<Result> measure_row(const lathe::Stencil& stencil, const StencilRow& row,
                                  const std::vector<std::string>& able, Progress& progress);
  void report(const StencilRow& row, const std::vector<Result>& results, const Missing& missing);

  const StencilBenchOptions& options_;
  std::map<std::string, std::unique_ptr<Peer>> peers_;
  std::map<std::string, std::string> wrong_;  // of the row: who, and how
  bool has_failed_ = false;
};

}  // namespace lathe::bench
