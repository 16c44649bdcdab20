// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs from text, for tests.

#include <gtest/gtest.h>

#include <string_view>

#include "base/diagnostics.h"
#include "ir/text.h"

namespace lathe::analysis {

inline ir::Program parse(std::string_view text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<SourceMap>();
  auto program = ir::parse_program("test.lathe", text, diagnostics, sources);
  EXPECT_TRUE(program) << render_text(diagnostics, *sources);
  if (!program) throw std::runtime_error("the test's program does not parse");
  return *program;
}

}  // namespace lathe::analysis
