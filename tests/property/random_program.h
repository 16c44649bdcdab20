// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random programs over everything in ir/program.h and ir/ops.def.
//
// Well formed by construction, and free of everything that a program must not do: each index fits
// its array symbolically (random_shapes.h), nothing is read before it was written, no plain set
// writes one element twice, no integer divides by zero, every `while` ends. Values are steered to
// stay mostly finite: most of the time, risky functions get arguments from where they are tame.

#include <cstdint>
#include <map>
#include <string>

#include "interp/interpreter.h"
#include "ir/program.h"

namespace lathe::testing {

struct RandomOptions {
  int items = 7;      // top-level items, about
  int depth = 4;      // of expressions, about
  bool loops = true;  // sweep, repeat, while, scan
  bool calls = true;
  bool extended = true;  // temporaries left to compute-extents
  int contractions = 2;  // how often, as a weight among kinds of items
  bool longs = true;     // now and then an extent over 32 or 4,096, where orders of sums branch
};

ir::Program random_program(std::uint64_t seed, const RandomOptions& options = {});

// Sizes (0, 1, 2 and small numbers), scalars, and contents of inputs, inouts and states, with
// special values (NaN, infinities, both zeros, denormals, extremes) sprinkled in.
// What an array or parameter gets depends on its name and the seed alone, so that a program that
// has lost other arrays still sees the same numbers. `sizes` fixes parameters by name.
using Sizes = std::map<std::string, std::int64_t>;
interp::State random_state(const ir::Program& program, std::uint64_t seed, const Sizes& sizes = {});

}  // namespace lathe::testing
