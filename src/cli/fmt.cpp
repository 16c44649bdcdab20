// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

namespace {

int format_file(const std::string& file, const FmtArgs& args, Streams io) {
  const std::string before = read_file(file);
  const auto after = format(file, before, io);
  if (!after) return 1;
  if (!args.check && !args.write) io.out << *after;
  if (*after == before) return 0;
  if (args.check) io.out << file << " would be reformatted\n";
  if (args.write && !args.check) write_file(file, *after);
  return args.check ? 1 : 0;
}

}  // namespace

int fmt(const FmtArgs& args, Streams io) {
  int status = 0;
  for (const std::string& file : args.files) {
    try {
      status = std::max(status, format_file(file, args, io));
    } catch (const UserError& e) {
      io.err << render_text(e.diagnostic(), SourceMap());
      status = 1;
    }
  }
  return status;
}

}  // namespace lathe::cli
