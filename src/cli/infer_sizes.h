// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sizes that nobody set, from the shapes of the files given.
//
// Every axis of a file is an equation: the number of its elements is hi - lo. Equations that are
// linear in one unknown size give its value, which may make others linear: `-2..n+2`, `2*n`,
// `n + m` with n known. An axis that then does not have as many elements as its range, or that no
// size can make so long, is a UserError with the file, the array, the axis and the numbers.

#include <map>
#include <string>

#include "interp/interpreter.h"
#include "io/npy.h"

namespace lathe::cli {

struct GivenFile {
  std::string path;
  io::NpyArray array;  // mapped
};

// By name of the array. Adds to state.parameters; ranks must be right.
void infer_sizes(const ir::Program& program, const std::map<std::string, GivenFile>& files,
                 interp::State& state);

}  // namespace lathe::cli
