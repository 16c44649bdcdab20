// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every place of a program that a reduction can change, as pointers into a copy of it.

#include <vector>

#include "ir/program.h"

namespace lathe::testing {

// All bodies, outermost first.
std::vector<ir::Body*> all_bodies(ir::Program& program);
// All domains: of statements, groups, branches and whiles.
std::vector<ir::Domain*> all_domains(ir::Program& program);
// Statements, those of groups and scans included.
std::vector<ir::Statement*> all_statements(ir::Program& program);
// Where expressions stand, extents of arrays left out. Slots that hold nothing are not listed.
std::vector<ir::Expr*> all_slots(ir::Program& program);

}  // namespace lathe::testing
