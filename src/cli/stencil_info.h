// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `lathe check --info` says of stencils.

#include <iosfwd>
#include <string>
#include <vector>

#include "frontend/stencil/stencil.h"

namespace lathe::cli {

// A stencil that is fine.
struct CheckedStencil {
  std::string file;
  stencil::Info info;
};

void print_info(const stencil::Info& info, std::ostream& out);

// A JSON array of objects: file, stencil, levels, arguments, temporaries.
std::string info_json(const std::vector<CheckedStencil>& stencils);

}  // namespace lathe::cli
