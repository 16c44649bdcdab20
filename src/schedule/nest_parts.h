// SPDX-License-Identifier: Apache-2.0
#pragma once
// The steps of resolve() (nest.h). Each throws UserError where the tree does not fit the program.

#include "schedule/nest.h"

namespace lathe::schedule {

// nest_leaves.cpp: every statement of the program, where the tree has it, as a leaf.
void find_leaves(Nest& nest);
// nest_places.cpp: storage of temporaries that are not whole, and which statements run on demand.
void place_temporaries(Nest& nest);
// nest_loops.cpp: loops run variables of the statements below, each once, sweeps in their order.
void check_loops(const Nest& nest);

}  // namespace lathe::schedule
