// SPDX-License-Identifier: Apache-2.0
#pragma once
// Is this Kernel well formed? Kernels are made by Lathe, so a refusal is a mistake of a pass; it
// names the statement and the loops around it.

#include "base/diagnostics.h"
#include "ir/loops.h"

namespace lathe::loops {

inline constexpr int kMaxLoopNesting = 128;  // loops and ifs, one inside the other
inline constexpr std::int64_t kMaxLoadWidth = 64;

// Checks what ir/loops.h states. Names: declared or bound before they are used, for one thing at a
// time. dtypes: bounds and fault values i64, indices integers, conditions bool, stores and
// assignments what they go to. Expressions: trusted reads of the right rank, no reductions or
// bounds tests. Buffers: which space may stand where, be written, and have which extents. Loops:
// parallel ones not nested; vector ones holding only what has a meaning for lanes; nothing assigned
// across a parallel or vector loop; breaks in serial loops; rotations and calls outside of parallel
// and vector ones.
bool verify(const Kernel& kernel, Diagnostics& diagnostics);

// For passes: throws InternalError naming `stage` with the first refusal and the kernel's text.
void verify_or_die(const Kernel& kernel, std::string_view stage);

}  // namespace lathe::loops
