// SPDX-License-Identifier: Apache-2.0
#pragma once
// May a statement write its array into the storage of a temporary (private to src/schedule)?

#include <optional>

#include "passes/passes.h"

namespace lathe::schedule {

// Nothing when `s`, a statement of the program, may: the values of `over` are used up element by
// element before `s` overwrites them, and whatever stood in that storage before is overwritten
// before somebody could take it for the array of `s`.
std::optional<passes::Refusal> in_place_refusal(const ir::Program& program, const ir::Statement& s,
                                                ir::Symbol over);

}  // namespace lathe::schedule
