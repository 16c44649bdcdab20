// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rows of the bench: one program of bench/programs at one dtype and size each, what the machine
// must at least do for it, whom it is compared with, and what is aimed at.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lathe::bench {

enum class Limit { Triad, Read, Copy, Write, Fma };

// Lathe reaches `speed` times the speed of `against` ("blas": the better of openblas and torch).
struct Goal {
  std::string against;
  double speed = 0;
};

using Sizes = std::map<std::string, std::int64_t>;

struct Row {
  std::string bench, dtype;
  Sizes sizes;
  std::string size_text;
  Limit limit = Limit::Triad;
  double work = 0;  // bytes that must be moved; Fma: operations
  bool by_hand = false, blas = false, torch = false;
  bool quick = false;  // part of --quick
  std::vector<Goal> goals;

  std::string text() const { return bench + " " + dtype + " " + size_text; }
};

std::vector<Row> all_rows();

// Sizes that the interpreter can follow, with remainders everywhere.
Sizes small_sizes(const std::string& bench);

}  // namespace lathe::bench
