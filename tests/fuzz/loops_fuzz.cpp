// SPDX-License-Identifier: Apache-2.0
// Any text: the parser of kernels must say something sensible or give a kernel; a kernel that the
// verifier takes prints to text that parses to the same kernel.

#include <cstdint>
#include <cstdlib>

#include "ir/loops_text.h"
#include "ir/loops_verify.h"

using namespace lathe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto kernel = loops::parse_kernel("fuzz.loops", text, diagnostics, sources);
  render_text(diagnostics, *sources);
  if (!kernel) {
    if (!diagnostics.has_errors()) std::abort();
    return 0;
  }
  Diagnostics refusals;
  loops::verify(*kernel, refusals);
  render_text(refusals, *sources);
  const std::string printed = loops::to_text(*kernel);
  Diagnostics again;
  const auto second = loops::parse_kernel("printed.loops", printed, again, sources);
  if (refusals.has_errors()) return 0;
  if (!second || !loops::same_kernel(*kernel, *second) || loops::to_text(*second) != printed)
    std::abort();
  return 0;
}
