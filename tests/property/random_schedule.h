// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random legal schedules: edits of the plain or the default one, each kept if legal() agrees.

#include "rng.h"
#include "schedule/schedule.h"

namespace lathe::testing {

schedule::Schedule random_schedule(const ir::Program& prepared, Rng& rng);

}  // namespace lathe::testing
