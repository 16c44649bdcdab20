// SPDX-License-Identifier: Apache-2.0
#pragma once
// Temporaries that are read where nothing has written them, as far as the text tells: warnings.

#include "frontend/stencil/steps.h"

namespace lathe::stencil {

// `least`: the smallest number of levels. Only reads that happen in any case are judged.
void warn_of_unwritten(const std::vector<FieldUse>& fields, const std::vector<Step>& steps,
                       std::int64_t least, Diagnostics& diagnostics);

}  // namespace lathe::stencil
