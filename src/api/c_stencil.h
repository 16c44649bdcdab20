// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands behind a lathe_stencil: where its definition comes from, and a kernel for each order
// of axes that calls have shown.

#include <lathe/c_stencil.h>

#include <map>

#include "api/c_handles.h"
#include "api/stencil_plan.h"
#include "frontend/stencil/objects.h"
#include "frontend/stencil/stencil.h"

struct lathe_stencil {
  std::shared_ptr<lathe::SourceMap> sources = std::make_shared<lathe::SourceMap>();
  // A file and a name in it, or a function of Python.
  std::optional<lathe::stencil::File> file;
  std::shared_ptr<const lathe::stencil::Objects> objects;
  lathe::stencil::Objects::Id function = 0;
  std::string name;
  lathe::stencil::Options options;
  bool checked = false, interpret = false;
  const lathe::api::StencilKernel* first = nullptr;  // that of "IJK"
  std::mutex mutex;                                  // guards `kernels`
  // By layout; "IJK" always.
  std::map<std::string, std::unique_ptr<lathe::api::StencilKernel>> kernels;
  lathe::api::StencilPlans plans;  // refer to `kernels`

  const lathe::stencil::Info& info() const { return first->info; }
};

namespace lathe::api {

void take_options(lathe_stencil& s, const lathe_stencil_options& given);

// Compiles the definition, for rows along K. Answers whether it is fine; `diagnostics` has what is
// wrong otherwise.
bool make_first_kernel(lathe_stencil& s, Diagnostics& diagnostics);

}  // namespace lathe::api
