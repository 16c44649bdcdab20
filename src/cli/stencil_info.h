// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `lathe check --info` says of stencils.

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/stencil_copies.h"
#include "frontend/stencil/stencil.h"

namespace lathe::cli {

// A stencil that is fine.
struct CheckedStencil {
  std::string file;
  stencil::Info info;
  std::vector<StencilCopy> copies;
};

void print_info(const CheckedStencil& stencil, std::ostream& out);

// A JSON array of objects: file, stencil, levels, arguments, temporaries, copies.
std::string info_json(const std::vector<CheckedStencil>& stencils);

}  // namespace lathe::cli
