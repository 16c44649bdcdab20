// SPDX-License-Identifier: Apache-2.0
#pragma once
// Running a pass or mechanism by its written name, as golden files and docs/tour.md do.

#include <optional>
#include <string>

#include "ir/program.h"

namespace lathe::testing {

struct StepResult {
  std::optional<ir::Program> program;  // nothing when refused, or when the step only shows
  std::string text;                    // the program, "refused: ...", or what it shows
};

//   simplify | compute-extents | ...                        a pass of the pipeline
//   split-conditionals all                                  with versions of arrays only read
//   inline-temporary T [READER]
//   fuse-statements FIRST SECOND
//   demote-temporary T
//   share-subexpression NAME LABEL,LABEL: EXPRESSION
//   values                                                  prints the value graph
//   schedule | loops                                        prints what is decided by default
StepResult run_step(const ir::Program& program, const std::string& step);

// Runs both on random inputs of several sizes; the first output that differs in a bit, or "".
std::string first_difference(const ir::Program& before, const ir::Program& after);

}  // namespace lathe::testing
