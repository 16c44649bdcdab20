// SPDX-License-Identifier: Apache-2.0
#pragma once
// How temporaries lie in memory (private to src/schedule).
//
//   t -> whole [y, x]      t[x, y] and t[x+1, y] are neighbours

#include "schedule/nest.h"

namespace lathe::schedule {

// Fills nest.layouts. Throws UserError where a layout does not name each axis of a temporary once,
// or where statements or rotations that share memory do not agree.
void find_layouts(Nest& nest);

}  // namespace lathe::schedule
