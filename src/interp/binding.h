// SPDX-License-Identifier: Apache-2.0
#pragma once
// Are the parameters and arrays of a State what the program declares?

#include "interp/space.h"

namespace lathe::interp {

// Throws UserError for anything missing or wrong. Touches nothing.
void check_binding(const ir::Program& program, const State& state);

// After check_binding: attaches what the caller gave and allocates the rest, zero-filled, but for
// arrays whose extents the program computes.
void bind_arrays(Space& space);

}  // namespace lathe::interp
