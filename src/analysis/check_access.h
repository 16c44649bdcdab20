// SPDX-License-Identifier: Apache-2.0
#pragma once
// Does the program provably read or write what it must not?
//
// Reported, each with the place, the range and a way out:
//   - an access outside its array's declared range: for all sizes from 2 up, whenever the access
//     happens at all, some point of it lies outside. Reads with a policy never do.
//   - a plain assignment where, likewise, several points write one element;
//   - a temporary read where no write before it (or around it in a loop) put anything.
// Whatever depends on data, or on how two sizes compare, is left to the checked interpreter:
// nothing is reported that could run well.

#include "analysis/sets.h"
#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::analysis {

// False when something was reported.
bool check_access(const ir::Program& program, Diagnostics& diagnostics);
bool check_access(const ir::Program& program, Diagnostics& diagnostics, SetQuery& query);

}  // namespace lathe::analysis
