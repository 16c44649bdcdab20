// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which branches can split_conditionals make guarded statements of?

#include <set>

#include "passes/rebuild.h"

namespace lathe::passes {

// Only statements and branches inside, nothing fresh, no index or bound that a write could move;
// and commits, which put old values back, do not undo what another point wrote.
bool can_split(const ir::Branch& branch);

// What either side writes.
std::set<Symbol> branch_writes(const ir::Branch& branch);

// Does the expression keep its value while these arrays are written?
bool is_stable(Expr e, const std::set<Symbol>& writes);

}  // namespace lathe::passes
