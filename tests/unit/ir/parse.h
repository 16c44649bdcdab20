// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs and kernels from text, not verified. Without `messages` the text is expected to parse.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "ir/loops_text.h"
#include "ir/text.h"

namespace lathe::ir {

inline std::optional<Program> parse(const std::string& text, std::string* messages = nullptr) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  auto program = parse_program("test.lathe", text, diagnostics, sources);
  const std::string rendered = render_text(diagnostics, *sources);
  if (messages) {
    *messages = rendered;
  } else {
    EXPECT_TRUE(program) << rendered << "in\n" << text;
  }
  return program;
}

}  // namespace lathe::ir

namespace lathe::loops {

inline std::optional<Kernel> parse(std::string_view text, std::string* messages = nullptr,
                                   std::shared_ptr<SourceMap> sources = nullptr) {
  if (!sources) sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  auto kernel = parse_kernel("test.loops", text, diagnostics, sources);
  if (messages) {
    *messages = render_text(diagnostics, *sources);
  } else {
    EXPECT_TRUE(kernel) << render_text(diagnostics, *sources) << "in\n" << text;
  }
  return kernel;
}

}  // namespace lathe::loops
