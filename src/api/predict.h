// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cost model (schedule/cost.h) with this machine's facts and a call's sizes.

#include "api/compiled.h"
#include "device/host/machine.h"
#include "schedule/cost.h"

namespace lathe::api {

schedule::CostMachine cost_machine(const host::Machine& measured, int threads);

// `sizes`: the program's size parameters. Throws nothing that Compiled did not throw before.
schedule::Cost predict(const Compiled& compiled, const schedule::SizeNumbers& sizes,
                       const host::Machine& measured, int threads);

}  // namespace lathe::api
