// SPDX-License-Identifier: Apache-2.0
#pragma once
// Does a schedule keep the meaning of its program? The only judge: heuristics, people and searches
// propose, legal() decides.
//
// For every dependence, point by point: its source runs first; a dependence between different
// iterations of a parallel or vector loop is a violation unless each iteration has a copy of its
// own; a window still holds what is read; accumulations meet their points in the program's order.
// What cannot be shown counts as violated.

#include <optional>

#include "analysis/dependences.h"
#include "analysis/sets.h"
#include "schedule/nest.h"

namespace lathe::schedule {

// One violated rule, as a message with both source lines and the place in the schedule. Whoever
// tries many schedules gives the dependences of nest.program, which take longest to find.
using Dependences = std::vector<analysis::Dependence>;
std::optional<Diagnostic> violation(const Nest& nest, analysis::SetQuery& query,
                                    const Dependences* known = nullptr);

// Throws what resolve() throws, or the violation. The result is legal.
std::unique_ptr<Nest> resolve_legal(const ir::Program& program, const Schedule& schedule);
// The same for many schedules of one program, whose dependences are known.
std::unique_ptr<Nest> resolve_legal(const ir::Program& program, const Schedule& schedule,
                                    const Dependences& known, analysis::SetQuery& query);

}  // namespace lathe::schedule
