// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of legal() that judges copies (private to src/schedule).

#include <optional>

#include "schedule/nest.h"

namespace lathe::schedule {

// A copy that would be stale or whose layout does not fit; nothing: all are fine.
std::optional<Diagnostic> refused_copy(const Nest& nest);

}  // namespace lathe::schedule
