// SPDX-License-Identifier: Apache-2.0
#pragma once
// Program + Schedule -> Loops. Decides nothing: the tree says what runs where, and this writes it
// down, with every boundary, remainder and order of summation spelled out.

#include "ir/loops.h"
#include "schedule/nest.h"

namespace lathe::lower {

struct LowerOptions {
  std::vector<Symbol> unit;  // arguments whose last axis has stride 1
  bool stream = true;        // heed `-> stream`; otherwise plain stores
  std::int64_t while_cap = std::int64_t{1} << 31;
  // Report reads of elements that nothing has written, and elements that one statement sets twice.
  // For plain_schedule() alone: the statements must run one after another, on whole arrays.
  bool watch = false;
};

// The schedule must be legal (schedule/legal.h). Throws UserError where the tree asks for something
// that has no loops: bounds that use variables of loops further inside.
loops::Kernel lower(const schedule::Nest& nest, const LowerOptions& options);

}  // namespace lathe::lower
