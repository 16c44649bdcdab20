// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stencils of .py files on the command line: FILE.py:NAME, and the options that they take.

#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/stencil_info.h"
#include "frontend/stencil/stencil.h"

namespace lathe::cli {

struct StencilArgs {
  std::vector<std::string> externals;  // NAME=VALUE
  std::vector<std::string> dtypes;     // NAME=float32
  std::string layout = "IJK";
};

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

// The default of a scalar, as --set takes it; empty: it has none.
std::string default_text(const stencil::Argument& a);

// The names that options can give values to. Others are misspelled, and would be lost.
struct KnownNames {
  std::set<std::string, std::less<>> externals, dtypes = {"float", "int"};

  void add(const stencil::File& file);
  void add(const stencil::Info& info);
  // Reports options with other names; `nobody` is "stencil 'lap' has no".
  void check(const StencilArgs& args, const std::string& nobody, Diagnostics& diagnostics) const;
};

// Every stencil of the file, or the one that is named: a line for each that is fine, with `info`
// also its arguments. `known` gets the names that they know, `checked` those that are fine. False
// when there was an error.
bool check_stencils(const StencilName& name, const StencilArgs& args, bool info,
                    std::shared_ptr<SourceMap> sources, Diagnostics& diagnostics, std::ostream& out,
                    bool quiet, KnownNames& known, std::vector<CheckedStencil>& checked);

}  // namespace lathe::cli
