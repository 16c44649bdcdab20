// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stencils of .py files on the command line: FILE.py:NAME, and the options that they take.

#include <optional>
#include <string>
#include <vector>

#include "frontend/stencil/stencil.h"

namespace CLI {
class App;
}

namespace lathe::cli {

struct StencilArgs {
  std::vector<std::string> externals;  // NAME=VALUE
  std::vector<std::string> dtypes;     // NAME=float32
  std::string layout = "IJK";
};
void add_stencil_options(CLI::App& command, StencilArgs& args);

// "file.py", "file.py:name"
struct StencilName {
  std::string file, stencil;
};
std::optional<StencilName> stencil_name(const std::string& argument);  // nothing: not a .py file

// What the words say; throws UserError.
stencil::Options stencil_options(const StencilArgs& args);

// Parsed; nothing after errors.
std::optional<stencil::File> open_stencils(const std::string& file,
                                           std::shared_ptr<SourceMap> sources,
                                           Diagnostics& diagnostics);

// The stencil that is named, or the only one of the file. Verified.
std::optional<stencil::Stencil> load_stencil(const StencilName& name, const StencilArgs& args,
                                             std::shared_ptr<SourceMap> sources,
                                             Diagnostics& diagnostics);

}  // namespace lathe::cli
