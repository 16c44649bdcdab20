// SPDX-License-Identifier: Apache-2.0
// Variables get the names of the loops that run them: with S(i = x+1) in the lockfile, x stands in
// S wherever i stood (the shift is the loop's matter).
#pragma once

#include <map>

#include "ir/program.h"
#include "schedule/schedule.h"

namespace lathe::schedule {

using Bound = std::map<Symbol, const Node*>;  // by label of the statement

// UserError where a bound variable does not exist, or would get the name of another one: of its
// statement, of a sweep or repeat around it.
void rename_bound(ir::Program& program, const Bound& bound);

}  // namespace lathe::schedule
