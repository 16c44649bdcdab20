// SPDX-License-Identifier: Apache-2.0
#pragma once
// Running a compiled program on arguments as callers have them: with strides of any sign and
// rubbish around and between their elements, which must stay as it is.

#include "api/compiled.h"
#include "road_case.h"

namespace lathe::testing {

// How an argument lies in memory, drawn from the program's seed and the array's name.
struct Layout {
  std::vector<std::size_t> order;  // axes, outermost first
  std::vector<bool> backwards;     // per axis
  std::int64_t step = 1;           // elements between neighbours along the innermost axis
};
Layout argument_layout(const ir::Array& array, std::uint64_t seed);

// The variant that calls with such arguments run.
api::VariantKey road_key(const api::Compiled& compiled, std::uint64_t seed, bool stream);

// Runs on a copy of run.start; empty, or what differs from run.wanted.
std::string run_compiled(api::Compiled& compiled, const Case& c, const RoadRun& run, int threads);

}  // namespace lathe::testing
