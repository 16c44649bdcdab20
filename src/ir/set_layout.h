// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the one-line text and the tree of a set have in common: which parts of an intersection stand
// in one pair of braces.

#include <string>
#include <vector>

#include "ir/domain.h"

namespace lathe::ir {

// Stands in one pair of braces: a polygon of comparisons, an opaque condition, empty, universe.
bool is_leaf(const SetExpr& s);
// "{ 0 <= i < n and i % 2 == 0 }"
std::string leaf_text(const SetExpr& leaf);
// The operands that a reader sees below AND or OR. An intersection's comparisons are gathered into
// polygons; unions and opaque conditions stand alone.
std::vector<SetExpr> branches(const SetExpr& s);

}  // namespace lathe::ir
