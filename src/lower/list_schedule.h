// SPDX-License-Identifier: Apache-2.0
#pragma once
// Document 000's list scheduling: from the last statement to the first, always the cheapest of the
// units whose users are all placed. Cost, most important first:
//
//   conditions to leave, conditions to enter   what happens under one condition stands together
//   change of live registers                   with one step of looking ahead, while few are ready
//   time in the ready list                     the oldest first

#include <cstdint>
#include <vector>

#include "lower/unit_graph.h"

namespace lathe::lower {

// Units in the order of execution, without those that are no statements.
std::vector<std::uint32_t> list_schedule(const UnitGraph& graph, const Contexts& contexts);

}  // namespace lathe::lower
