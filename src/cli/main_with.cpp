// SPDX-License-Identifier: Apache-2.0
// The command line. CLI11 is slow to compile, so it stays in this file.

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lathe::cli {
namespace {

constexpr const char* kCheckExamples = R"(
Examples:
  lathe check diffuse.lathe            all errors, with source lines and what to do
  lathe check --json *.lathe           the same as a JSON array)";

constexpr const char* kRunExamples = R"(
Examples:
  lathe run diffuse.lathe --set n=64 --set m=64 --set a=0.1 --in u=random:1
  lathe run diffuse.lathe --set a=0.1 --in u=u.npy --out v=v.npy --out v=v.png
  lathe run diffuse.lathe --set n=8 --set m=8 --set a=0.1 --in u=ramp --checked --watch v[3,4]

Sizes that are not set are taken from the shapes of .npy inputs. Arrays that are not written to a
file are summed up in a line: dtype, shape, min, max and a digest of every bit.)";

constexpr const char* kExplainExamples = R"(
Examples:
  lathe explain diffuse.lathe                       the program after every pass
  lathe explain diffuse.lathe --pass simplify       after this one
  lathe explain diffuse.lathe --domains             the loop domain of each statement
  lathe explain diffuse.lathe --versions            who reads which version of which array
  lathe explain --list                              the names of the stages)";

constexpr const char* kFmtExamples = R"(
Examples:
  lathe fmt diffuse.lathe              print it formatted; comments stay
  lathe fmt --write *.lathe            format the files in place
  lathe fmt --check *.lathe            only say which files would change)";

constexpr const char* kMainExamples = R"(
Examples:
  lathe check diffuse.lathe
  lathe run diffuse.lathe --set n=64 --set m=64 --set a=0.1 --in u=random:1 --out v=v.png
  lathe explain diffuse.lathe
  lathe fmt --write diffuse.lathe)";

int dispatch(const std::vector<std::string>& words, Streams io) {
  CLI::App app{"Array programs: one meaning, the same bits everywhere", "lathe"};
  app.set_version_flag("--version", "lathe 0.1.0");
  app.require_subcommand(1);
  app.footer(kMainExamples);

  CheckArgs check_args;
  CLI::App* check_app = app.add_subcommand("check", "Find errors without running anything");
  check_app->add_option("files", check_args.files, ".lathe files")->required();
  check_app->add_flag("--json", check_args.json, "Diagnostics as a JSON array on stdout");
  check_app->footer(kCheckExamples);

  RunArgs run_args;
  CLI::App* run_app = app.add_subcommand("run", "Run a program in the reference interpreter");
  run_app->add_option("file", run_args.file, "A .lathe file")->required();
  run_app->add_option("--set", run_args.set, "NAME=VALUE of a parameter")->allow_extra_args(false);
  run_app->add_option("--in", run_args.in, "NAME=FILE.npy, NAME=random:SEED, NAME=ramp, NAME=zeros")
      ->allow_extra_args(false);
  run_app->add_option("--out", run_args.out, "NAME=FILE.npy or NAME=FILE.png")
      ->allow_extra_args(false);
  run_app->add_option("--watch", run_args.watch, "Print every write to an element: v[3,4]")
      ->allow_extra_args(false);
  run_app->add_flag("--checked", run_args.checked,
                    "Report uninitialised reads, double writes, integer division by zero");
  run_app->add_flag("--steps", run_args.steps, "Print each statement before it runs");
  run_app->add_flag("--optimize", run_args.optimize, "Run the passes first; the bits are the same");
  run_app->add_flag("--json", run_args.json, "The report as JSON");
  run_app->footer(kRunExamples);

  ExplainArgs explain_args;
  CLI::App* explain_app = app.add_subcommand("explain", "Show what each pass makes of a program");
  explain_app->add_option("file", explain_args.file, "A .lathe file");
  explain_app->add_option("--pass", explain_args.pass, "Only the program after this stage");
  explain_app->add_flag("--list", explain_args.list, "Names of the stages");
  explain_app->add_flag("--domains", explain_args.domains, "Loop domains, as trees");
  explain_app->add_flag("--versions", explain_args.versions, "Versions of arrays");
  explain_app->add_flag("--json", explain_args.json, "Stages, times and programs as JSON");
  explain_app->footer(kExplainExamples);

  FmtArgs fmt_args;
  CLI::App* fmt_app = app.add_subcommand("fmt", "Format .lathe files");
  fmt_app->add_option("files", fmt_args.files, ".lathe files")->required();
  fmt_app->add_flag("--write", fmt_args.write, "In place");
  fmt_app->add_flag("--check", fmt_args.check, "Exit with 1 if a file would change");
  fmt_app->footer(kFmtExamples);

  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
    app.parse(reversed);
    if (*explain_app && explain_args.file.empty() && !explain_args.list)
      throw CLI::RequiredError("file");
  } catch (const CLI::ParseError& e) {
    const int status = app.exit(e, io.out, io.err);
    return status == 0 ? 0 : 2;
  }
  if (*check_app) return check(check_args, io);
  if (*run_app) return run(run_args, io);
  if (*explain_app) return explain(explain_args, io);
  return fmt(fmt_args, io);
}

}  // namespace

int main_with(const std::vector<std::string>& args, Streams io) {
  try {
    return dispatch(args, io);
  } catch (const UserError& e) {
    io.err << render_text(e.diagnostic(), SourceMap());
    return 1;
  } catch (const std::bad_alloc&) {
    io.err << "error: not enough memory\n";
    return 1;
  } catch (const std::exception& e) {
    io.err << e.what() << "\n";
    return 3;
  }
}

}  // namespace lathe::cli
