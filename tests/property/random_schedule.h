// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random legal schedules: edits of the plain or the default one, each kept if legal() agrees. The
// edits draw every form that a tree has (schedule_edits.h).

#include "rng.h"
#include "schedule/default_schedule.h"

namespace lathe::testing {

schedule::Schedule random_schedule(const ir::Program& prepared, Rng& rng);
// A machine with vectors and caches of any size, so that small programs fill its tiles.
schedule::Machine random_machine(Rng& rng);

}  // namespace lathe::testing
