// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/format_tokens.h"
#include "ir/text.h"

namespace lathe::cli {

std::optional<std::string> format(const std::string& name, const std::string& text, Streams io) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto program = ir::parse_program(name, text, diagnostics, sources);
  io.err << render_text(diagnostics, *sources);
  if (!program) return std::nullopt;
  const std::string_view written = sources->file(0).text;
  const std::string formatted = format_tokens(written, ir::tokenize(0, written, diagnostics));
  const auto again = ir::parse_program("formatted", formatted, diagnostics, sources);
  lathe::check(again && ir::same_program(*program, *again), "formatting that keeps the program");
  return formatted;
}

int fmt(const FmtArgs& args, Streams io) {
  int status = 0;
  for (const std::string& file : args.files) {
    const std::string before = read_file(file);
    const auto after = format(file, before, io);
    if (!after) {
      status = 1;
    } else if (args.check) {
      if (*after == before) continue;
      io.out << file << " would be reformatted\n";
      status = 1;
    } else if (args.write) {
      if (*after != before) write_file(file, *after);
    } else {
      io.out << *after;
    }
  }
  return status;
}

}  // namespace lathe::cli
