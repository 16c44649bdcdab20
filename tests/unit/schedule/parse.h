// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs and their schedules from text, for tests.

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "schedule/schedule.h"

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

inline Schedule parsed(const ir::Program& program, const std::string& text) {
  Diagnostics diagnostics;
  auto s = parse_schedule("test.lock", text, program, diagnostics);
  EXPECT_TRUE(s) << render_text(diagnostics, *program.sources);
  if (!s) throw std::runtime_error("the test's lockfile is wrong");
  return *s;
}

}  // namespace lathe::schedule
