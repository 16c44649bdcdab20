// SPDX-License-Identifier: Apache-2.0
// The pass separate-overlaps declares an array for each copy, called after the one that it stands
// for: a.new, a.before. Its span is the statement's.

#include "cli/stencil_copies.h"

#include <algorithm>

#include "base/quoted.h"
#include "pipeline.h"

namespace lathe::cli {

std::vector<StencilCopy> copies_of(const ir::Program& program) {
  ir::Program before = run_pipeline(program);
  std::vector<StencilCopy> out;
  run_preparation(before, [&](const Pass& pass, const ir::Program& after, double) {
    if (pass.name == "separate-overlaps")
      for (const ir::Array& a : after.arrays) {
        if (before.find_array(a.name) || a.axes.empty() || !a.span.known()) continue;
        const std::string name(a.name.text());
        StencilCopy copy{name.substr(0, name.find('.')), after.sources->location(a.span).line,
                         name.find(".before") != std::string::npos};
        // Both sides of a conditional may have one.
        if (std::none_of(out.begin(), out.end(), [&](const StencilCopy& c) {
              return c.field == copy.field && c.line == copy.line && c.old == copy.old;
            }))
          out.push_back(std::move(copy));
      }
    before = after;
  });
  return out;
}

std::string to_text(const StencilCopy& copy) {
  const std::string what =
      copy.old ? "the old values of " + lathe::quoted(copy.field) + " are read from a copy of it"
               : "new values of " + lathe::quoted(copy.field) +
                     " wait in an array of their own until all points have read the old ones";
  return what + " (line " + std::to_string(copy.line) + ")";
}

}  // namespace lathe::cli
