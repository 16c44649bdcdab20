// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "api/compiled.h"
#include "road/rows.h"

namespace lathe::bench {

// Runs the program at small sizes, compiled and interpreted; how they differ in bits, or "".
std::string check_small(const ir::Program& program, api::Compiled& compiled, const Row& row,
                        int threads);

}  // namespace lathe::bench
