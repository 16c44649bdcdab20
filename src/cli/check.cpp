// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "analysis/check_access.h"
#include "base/files.h"
#include "cli/commands.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace lathe::cli {
namespace {

std::optional<ir::Program> examine(const std::string& file, std::shared_ptr<SourceMap> sources,
                                   Diagnostics& diagnostics) {
  auto program = ir::parse_program(file, read_file(file), diagnostics, std::move(sources));
  if (!program || !ir::verify(*program, diagnostics)) return std::nullopt;
  analysis::check_access(*program, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return program;
}

}  // namespace

std::optional<Loaded> load(const std::string& file, Streams io) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  auto program = examine(file, sources, diagnostics);
  io.err << render_text(diagnostics, *sources);
  if (!program) return std::nullopt;
  return Loaded{std::move(*program), sources};
}

int check(const CheckArgs& args, Streams io) {
  bool fine = true;
  auto sources = std::make_shared<SourceMap>();
  Diagnostics all(1000);
  for (const std::string& file : args.files) {
    Diagnostics diagnostics;
    const auto program = examine(file, sources, diagnostics);
    fine = fine && program;
    for (const Diagnostic& d : diagnostics.all()) all.add(d);
    if (!args.json && program)
      io.out << file << ": program " << program->name.text() << ", "
             << program->parameters.size() << " parameters, " << program->arrays.size()
             << " arrays: fine\n";
  }
  if (args.json)
    io.out << render_json(all, *sources) << "\n";
  else
    io.err << render_text(all, *sources);
  return fine ? 0 : 1;
}

}  // namespace lathe::cli
