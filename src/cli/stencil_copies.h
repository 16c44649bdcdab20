// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a statement writes what its other points still read, as a = a[1, 0, 0] does: which of the
// two the compiler keeps in an array of its own.

#include <string>
#include <vector>

#include "ir/program.h"

namespace lathe::cli {

struct StencilCopy {
  std::string field;
  std::uint32_t line = 0;  // of the statement
  bool old = false;        // the values from before it, else those that it gives
};

// In the order in which they are made.
std::vector<StencilCopy> copies_of(const ir::Program& program);
// "new values of 'a' wait in an array of their own until all points have read the old ones (line
// 6)"
std::string to_text(const StencilCopy& copy);

}  // namespace lathe::cli
