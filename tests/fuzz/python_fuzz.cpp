// SPDX-License-Identifier: Apache-2.0
// Any bytes as Python: either errors that can be shown, or a tree whose every node can be printed
// with its place, and which a line end more does not change.
#include <cstdlib>

#include "frontend/python/dump.h"
#include "frontend/python/encoding.h"
#include "frontend/python/parser.h"

namespace {

std::string dump_of(const std::string& text, lathe::python::Positions positions) {
  using namespace lathe;
  SourceMap sources;
  Arena arena;
  Diagnostics diagnostics;
  const std::uint32_t file = python::add_source(sources, "fuzz.py", text);
  const auto module = python::parse_module(sources, file, diagnostics, arena);
  if (module.has_value() == diagnostics.has_errors()) std::abort();
  render_text(diagnostics, sources);
  const Span all{file, 0, static_cast<std::uint32_t>(sources.file(file).text.size())};
  Diagnostics refusals;
  if (const python::Expr* e = python::parse_expression(sources, all, refusals, arena))
    python::dump(*e, sources, positions);
  return module ? python::dump(*module, sources, positions) : "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string tree = dump_of(text, lathe::python::Positions::Print);
  if (!tree.empty() && dump_of(text + "\n", lathe::python::Positions::Print) != tree) std::abort();
  return 0;
}
