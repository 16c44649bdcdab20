// SPDX-License-Identifier: Apache-2.0
#pragma once
// Properties of the road: every schedule and every target gives the interpreter's bits.

#include "harness.h"

namespace lathe::testing {

// Loops by their interpreter: the plain, the default and a random schedule.
const std::vector<Check>& loops_checks();
// The same, compiled; one C file per program, so slow.
const std::vector<Check>& c_checks();

}  // namespace lathe::testing
