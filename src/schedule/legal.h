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

#include "analysis/access.h"
#include "analysis/dependences.h"
#include "analysis/sets.h"
#include "schedule/nest.h"

namespace lathe::schedule {

using Dependences = std::vector<analysis::Dependence>;

// What does not hang on the schedule and takes longest to find: whoever tries many schedules of one
// program finds it once. Refers to the program.
struct KnownProgram {
  KnownProgram(const ir::Program& program, analysis::SetQuery& query);
  std::vector<analysis::StatementAccess> accesses;
  Dependences dependences;
};

// One violated rule, as a message with both source lines and the place in the schedule. `known`:
// of a program that is the same as nest.program.
std::optional<Diagnostic> violation(const Nest& nest, analysis::SetQuery& query,
                                    const KnownProgram* known = nullptr);

// Throws what resolve() throws, or the violation. The result is legal.
std::unique_ptr<Nest> resolve_legal(const ir::Program& program, const Schedule& schedule);
// The same for many schedules of one program.
std::unique_ptr<Nest> resolve_legal(const ir::Program& program, const Schedule& schedule,
                                    const KnownProgram& known, analysis::SetQuery& query);

}  // namespace lathe::schedule
