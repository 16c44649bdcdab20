// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one output of a stencil needs: where outputs differ, all that a call needs is more.

#include <vector>

#include "frontend/stencil/steps.h"

namespace lathe::stencil {

// The statements that can reach what the stencil leaves in that field; all others are left out.
std::vector<Step> steps_for(const std::vector<FieldUse>& fields, const std::vector<Step>& steps,
                            std::size_t output);
// By field: does one of the steps read it?
std::vector<bool> read_by(const std::vector<Step>& steps, std::size_t fields);

}  // namespace lathe::stencil
