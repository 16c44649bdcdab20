// SPDX-License-Identifier: Apache-2.0
// Any text: the parser must say something sensible or give a program; a program prints to text that
// parses to the same program, and the verifier must not fall over.

#include <cstdint>
#include <cstdlib>

#include "ir/text.h"
#include "ir/verify.h"

using namespace lathe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto program = ir::parse_program("fuzz.lathe", text, diagnostics, sources);
  render_text(diagnostics, *sources);
  if (!program) {
    if (!diagnostics.has_errors()) std::abort();
    return 0;
  }
  Diagnostics refusals;
  ir::verify(*program, refusals);
  render_text(refusals, *sources);
  const std::string printed = ir::print(*program);
  Diagnostics again;
  const auto second = ir::parse_program("printed.lathe", printed, again, sources);
  // Only programs that mean something need a text form (the verifier refuses, say, odd tables).
  if (refusals.has_errors()) return 0;
  if (!second || !ir::same_program(*program, *second) || ir::print(*second) != printed)
    std::abort();
  return 0;
}
