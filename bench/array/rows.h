// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rows of the array bench: a formula in one dtype at one of three sizes. What the road's
// machinery asks about a row is in `row`.

#include <lathe/array.h>

#include <string>
#include <vector>

#include "road/rows.h"

namespace lathe::bench {

// Odd is for comparing results: remainders everywhere.
enum class Scale { Odd, Small, Cache, Memory };

// Numbers in [0, 1); or whole ones below a bound, as indices or as floats.
struct ArrayInput {
  std::vector<std::int64_t> shape;
  std::int64_t below = 0;
  bool is_index = false;
};

struct Formula {
  std::string name;
  lathe::Array (*graph)(const std::vector<lathe::Array>&) = nullptr;
  std::vector<ArrayInput> (*inputs)(Scale) = nullptr;
  std::vector<std::int64_t> (*most)(const std::vector<ArrayInput>&) = nullptr;  // of its result
  bool finds_index = false;                                                     // its result is i64
  bool is_by_hand = false;     // there is a hand-written one for this row's dtype and size
  double rounding_times = 10;  // results may differ by, against one of few operations
};

struct ArrayRow {
  const Formula* formula = nullptr;
  Scale scale = Scale::Small;
  int repeat = 1;  // steps of a run: a short one cannot be measured
  Row row;
};

const std::vector<Formula>& formulas();
std::vector<ArrayRow> array_rows();
std::string name_of(Scale scale);
// Is there something that the machine must do at least?
bool has_limit(const ArrayRow& row);

}  // namespace lathe::bench
