// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "analysis/check_access.h"
#include "base/files.h"
#include "base/quoted.h"
#include "cli/commands.h"
#include "cli/stencils.h"
#include "frontend/stencil/faults.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "pipeline.h"

namespace lathe::cli {
namespace {

std::optional<ir::Program> examine(const std::string& file, std::shared_ptr<SourceMap> sources,
                                   Diagnostics& diagnostics) {
  std::string text;
  try {
    text = read_file(file);
  } catch (const UserError& e) {
    diagnostics.add(e.diagnostic());
    return std::nullopt;
  }
  auto program = ir::parse_program(file, text, diagnostics, std::move(sources));
  if (!program || !ir::verify(*program, diagnostics)) return std::nullopt;
  analysis::check_access(*program, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return program;
}

}  // namespace

bool compiles(const ir::Program& program, Diagnostics& diagnostics) {
  try {
    run_pipeline(program);
    return true;
  } catch (const UserError& e) {
    diagnostics.add(e.diagnostic());
    return false;
  }
}

namespace {

std::string count(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

void report_errors(const Diagnostics& diagnostics, const SourceMap& sources, bool json,
                   Streams io) {
  if (json)
    io.out << "{\"errors\": " << render_json(diagnostics, sources) << "}\n";
  else
    io.err << render_text(diagnostics, sources);
}

namespace {

std::string option_given(const StencilArgs& args) {
  if (!args.externals.empty()) return "--external " + args.externals[0];
  if (!args.dtypes.empty()) return "--dtype " + args.dtypes[0];
  return args.layout == StencilArgs().layout ? "" : "--layout " + args.layout;
}

}  // namespace

Diagnostic Loaded::in_the_users_words(const Diagnostic& said) const {
  return stencil ? stencil::in_the_users_words(said, stencil->info) : said;
}

std::optional<Loaded> load(const std::string& file, bool json, Streams io,
                           const StencilArgs& args) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  std::optional<stencil::Stencil> stencil;
  std::optional<ir::Program> program;
  if (const auto name = stencil_name(file)) {
    stencil = load_stencil(*name, args, sources, diagnostics);
    if (stencil) program = stencil->program;
  } else if (const std::string option = option_given(args); !option.empty()) {
    diagnostics.error({}, option + " is for stencils, and " + lathe::quoted(file) + " is none")
        .help = "a stencil is in a .py file: FILE.py:NAME";
  } else {
    program = examine(file, sources, diagnostics);
  }
  if (!program) {
    report_errors(diagnostics, *sources, json, io);
    return std::nullopt;
  }
  io.err << render_text(diagnostics, *sources);  // warnings
  return Loaded{std::move(*program), sources, std::move(stencil)};
}

int check(const CheckArgs& args, Streams io) {
  bool fine = true;
  auto sources = std::make_shared<SourceMap>();
  Diagnostics all(1000);
  KnownNames known;
  std::vector<CheckedStencil> checked;
  for (const std::string& file : args.files) {
    Diagnostics diagnostics;
    if (const auto name = stencil_name(file)) {
      fine = check_stencils(*name, args.stencil, args.info, sources, diagnostics, io.out, args.json,
                            known, checked) &&
             fine;
      for (const Diagnostic& d : diagnostics.all()) all.add(d);
      continue;
    }
    auto program = examine(file, sources, diagnostics);
    if (program && !compiles(*program, diagnostics)) program.reset();
    fine = fine && program;
    for (const Diagnostic& d : diagnostics.all()) all.add(d);
    if (!args.json && program)
      io.out << file << ": program " << program->name.text() << ", "
             << count(program->parameters.size(), "parameter") << ", "
             << count(program->arrays.size(), "array") << ": fine\n";
  }
  if (fine) {  // a stencil in error may know more names
    known.check(
        args.stencil,
        args.files.size() == 1 ? lathe::quoted(args.files[0]) + " has no" : "no file has the", all);
    fine = !all.has_errors();
  }
  if (args.json && args.info)
    io.out << "{\"stencils\": " << info_json(checked)
           << ", \"diagnostics\": " << render_json(all, *sources) << "}\n";
  else if (args.json)
    io.out << render_json(all, *sources);
  else
    io.err << render_text(all, *sources);
  return fine ? 0 : 1;
}

}  // namespace lathe::cli
