// SPDX-License-Identifier: Apache-2.0
#pragma once
// With numbers for all sizes: which part of each array does a part of an output depend on, and how
// much does each statement move and compute?

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/sets.h"
#include "ir/program.h"

namespace lathe::analysis {

using SizeValues = std::map<std::string, std::int64_t>;

// lo <= index < hi per axis; none for a scalar.
struct NumberBox {
  std::vector<std::int64_t> lo, hi;
  friend bool operator==(const NumberBox&, const NumberBox&) = default;
  bool is_empty() const;
};

// The boxes of inputs, inouts, states and consts whose content (before the call) can reach the
// given region of `array` after it: an upper bound by interval arithmetic, cut to the declared
// ranges. Indices that are not affine, and declared ranges that the sizes do not give, count as
// everything.
std::map<Symbol, NumberBox> required(const ir::Program& program, Symbol array,
                                     const NumberBox& region, const SizeValues& sizes);

// One execution of a statement, all rounds of the loops around it included. Guards count as true.
struct StatementCost {
  Symbol label;
  std::optional<std::int64_t> points;     // nothing when a bound depends on data
  std::int64_t reads_per_point = 0;       // bytes, each read once, reductions multiplied out
  std::int64_t writes_per_point = 0;      // bytes
  std::int64_t operations_per_point = 0;  // distinct operations, reductions multiplied out
  std::optional<std::int64_t> bytes() const;
  std::optional<std::int64_t> operations() const;
};
std::vector<StatementCost> statement_costs(const ir::Program& program, const SizeValues& sizes,
                                           SetQuery& query);

}  // namespace lathe::analysis
