// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs from text, for tests.

#include <gtest/gtest.h>

#include <string_view>

#include "base/diagnostics.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace lathe::schedule {

inline ir::Program parse(std::string_view text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<SourceMap>();
  auto program = ir::parse_program("test.lathe", text, diagnostics, sources);
  const bool good = program && ir::verify(*program, diagnostics);
  EXPECT_TRUE(good) << render_text(diagnostics, *sources);
  if (!good) throw std::runtime_error("the test's program is wrong");
  return *program;
}

}  // namespace lathe::schedule
