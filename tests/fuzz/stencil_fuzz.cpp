// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of stencils: either errors that can be shown, or programs that the verifier
// can judge and whose text parses back.
#include <cstdlib>

#include "frontend/python/encoding.h"
#include "frontend/stencil/stencil.h"
#include "ir/text.h"
#include "ir/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lathe;
  const auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const std::uint32_t id = python::add_source(
      *sources, "fuzz.py", std::string(reinterpret_cast<const char*>(data), size));
  const auto file = stencil::File::parse(sources, id, diagnostics);
  render_text(diagnostics, *sources);
  if (!file) return 0;
  for (const std::string& name : file->stencils()) {
    Diagnostics own;
    const auto compiled = file->compile(name, {}, own);
    if (compiled.has_value() == own.has_errors()) std::abort();
    render_text(own, *sources);
    if (!compiled || !ir::verify(compiled->program, own)) continue;
    Diagnostics again;
    const auto parsed = ir::parse_program("again", ir::print(compiled->program), again);
    if (!parsed || !ir::same_program(*parsed, compiled->program)) std::abort();
  }
  return 0;
}
