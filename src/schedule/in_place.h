// SPDX-License-Identifier: Apache-2.0
#pragma once
// `S -> in place A`: the array that S writes takes over the storage of A (private to src/schedule).

#include "schedule/nest.h"

namespace lathe::schedule {

// Both become one array of nest.program, under the name of the one that S writes: A is gone, and
// nest.former remembers who called it so. Copies and prefetches of A in nest.body follow. False:
// the schedule has no such place. Throws UserError where it would change a value.
bool take_over_storage(Nest& nest);

}  // namespace lathe::schedule
