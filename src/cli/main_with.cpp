// SPDX-License-Identifier: Apache-2.0
// The command line. CLI11 is slow to compile, so it stays in this file.

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/tools.h"
#include "schedule/default_schedule.h"

namespace lathe::cli {
namespace {

constexpr const char* kCheckExamples = R"(
Examples:
  lathe check diffuse.lathe            all errors, with source lines and what to do
  lathe check --json *.lathe           the same as a JSON array
  lathe check model.py                 every stencil of a Python file (GTScript)
  lathe check model.py:hdiff --info    its arguments, and what they need around the domain)";

constexpr const char* kRunExamples = R"(
Examples:
  lathe run diffuse.lathe --set n=64 --set m=64 --set a=0.1 --in u=random:1
  lathe run diffuse.lathe --set a=0.1 --in u=u.npy --out v=v.npy --out v=v.png
  lathe run diffuse.lathe --set n=8 --set m=8 --set a=0.1 --in u=ramp --checked --watch v[3,4]
  lathe run model.py:hdiff --domain 128x128x80 --in in_f=random:1 --in coeff=random:2 --target c --time
  lathe run model.py:hdiff --in in_f=a.npy --in coeff=c.npy --origin in_f=2,2,0 --out out_f=b.npy

Sizes that are not set are taken from the shapes of .npy inputs. Every result is summed up in a line:
dtype, shape, min, max and a digest of every bit.)";

constexpr const char* kExplainExamples = R"(
Examples:
  lathe explain diffuse.lathe                       the program after every pass
  lathe explain diffuse.lathe --pass simplify       after this one
  lathe explain diffuse.lathe --prepare             also what makes it ready for loops
  lathe explain diffuse.lathe --stage values        the value graph
  lathe explain diffuse.lathe --stage schedule      the decisions, with their reasons
  lathe explain diffuse.lathe --stage schedule --set n=4096 --set m=4096   and what they cost here
  lathe explain diffuse.lathe --stage loops         the loops; --stage c: the C text
  lathe explain diffuse.lathe --stage loops --schedule my.lock             under that lockfile
  lathe explain diffuse.lathe --domains             the loop domain of each statement
  lathe explain diffuse.lathe --versions            who reads which version of which array
  lathe explain diffuse.lathe --stage loops --machine x86-64-v3            as decided on a machine with AVX2
  lathe explain --list                              the names of the stages)";

constexpr const char* kFmtExamples = R"(
Examples:
  lathe fmt diffuse.lathe              print it formatted; comments stay
  lathe fmt --write *.lathe            format the files in place
  lathe fmt --check *.lathe            only say which files would change)";

constexpr const char* kBenchExamples = R"(
Examples:
  lathe bench                          what this machine reaches at best, measured once
  lathe bench --again --json           measured now, for programs

make bench compares Lathe with these limits, with C and with other libraries.)";

constexpr const char* kMainExamples = R"(
Examples:
  lathe check diffuse.lathe
  lathe run diffuse.lathe --set n=64 --set m=64 --set a=0.1 --in u=random:1 --out v=v.png
  lathe explain diffuse.lathe
  lathe fmt --write diffuse.lathe
  lathe diff diffuse.lathe --set n=64 --set m=64 --set a=0.1 --in u=random:1 --a interp --b c
  lathe emit diffuse.lathe -o bundle
  lathe cache list
  lathe bench)";

struct Words {
  CheckArgs check;
  RunArgs run;
  ExplainArgs explain;
  FmtArgs fmt;
  ToolWords tools;
  BenchArgs bench;
};

void add_check(CLI::App& app, CheckArgs& args) {
  CLI::App* check = app.add_subcommand("check", "Find errors without running anything");
  check->add_option("files", args.files, ".lathe files, .py files, FILE.py:STENCIL")
      ->type_name("FILE")
      ->required();
  check->add_flag("--info", args.info, "Of stencils: arguments, what they need, temporaries");
  add_stencil_options(*check, args.stencil);
  check->add_flag("--json", args.json, "Diagnostics as a JSON array on stdout");
  check->footer(kCheckExamples);
}

void add_run(CLI::App& app, RunArgs& args) {
  CLI::App* run =
      app.add_subcommand("run", "Run a program: interpreted, or compiled by --target c");
  const auto repeated = [&](const char* name, std::vector<std::string>& values, const char* type,
                            const char* help) {
    run->add_option(name, values, help)->type_name(type)->type_size(1)->allow_extra_args(false);
  };
  run->add_option("file", args.file, "A .lathe file, or FILE.py:STENCIL")
      ->type_name("FILE")
      ->required();
  repeated("--set", args.set, "NAME=VALUE", "The value of a parameter");
  repeated("--in", args.in, "NAME=SOURCE", "An input: FILE.npy, random:SEED, ramp or zeros");
  repeated("--out", args.out, "NAME=FILE", "A result to a file: FILE.npy or FILE.png");
  repeated("--watch", args.watch, "NAME[I,J]", "Print every write to an element: v[3,4]");
  run->add_flag("--checked", args.checked,
                "Report uninitialised reads, double writes, integer division by zero");
  run->add_option("--while-cap", args.while_cap, "Rounds that a while may take at most: 2^31")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  run->add_flag("--steps", args.steps, "Print each statement before it runs");
  run->add_flag("--optimize", args.optimize, "Run the passes first; the bits are the same");
  run->add_option(
         "--target", args.target,
         "interp; loops: scheduled, then interpreted; c: compiled by the system's compiler")
      ->type_name("NAME")
      ->check(CLI::IsMember({"interp", "loops", "c"}));
  run->add_option("--schedule", args.schedule, "A lockfile that says how to run it (target c)")
      ->type_name("FILE");
  run->add_option("--threads", args.threads, "Threads of target c; all by default")
      ->check(CLI::Range(0, 1024));
  run->add_option("--repeat", args.repeat, "Run it so often on the same inputs (target c)")
      ->check(CLI::Range(1, 1000000));
  run->add_flag("--time", args.time,
                "Print the median time of a run, beside the machine's limit (target c)");
  add_domain_options(*run, args.domain, args.origin);
  add_stencil_options(*run, args.stencil);
  run->add_flag("--json", args.json, "The report, or the errors, as JSON");
  run->footer(kRunExamples);
}

void add_explain(CLI::App& app, ExplainArgs& args) {
  CLI::App* explain = app.add_subcommand("explain", "Show what each pass makes of a program");
  explain->add_option("file", args.file, "A .lathe file, or FILE.py:STENCIL")->type_name("FILE");
  add_stencil_options(*explain, args.stencil);
  explain->add_option("--pass,--stage", args.pass, "Only the program after this stage")
      ->type_name("NAME");
  explain->add_option("--set", args.set, "A size, for the cost of --stage schedule")
      ->type_name("NAME=VALUE")
      ->type_size(1)
      ->allow_extra_args(false);
  explain->add_option("--schedule", args.schedule, "A lockfile, for the stages from schedule on")
      ->type_name("FILE");
  explain
      ->add_option(
          "--machine", args.machine,
          "Decide for this one, for the stages from schedule on: " + schedule::machine_names())
      ->type_name("NAME");
  explain->add_flag("--prepare", args.prepare, "Also the stages that make it ready for loops");
  explain->add_flag("--list", args.list, "Names of the stages");
  explain->add_flag("--domains", args.domains, "Loop domains, as trees");
  explain->add_flag("--versions", args.versions, "Versions of arrays");
  explain->add_flag("--json", args.json, "Stages, times and programs as JSON");
  explain->footer(kExplainExamples);
}

void add_fmt(CLI::App& app, FmtArgs& args) {
  CLI::App* fmt = app.add_subcommand("fmt", "Format .lathe files");
  fmt->add_option("files", args.files, ".lathe files")->type_name("FILE")->required();
  fmt->add_flag("--write", args.write, "In place");
  fmt->add_flag("--check", args.check, "Exit with 1 if a file would change");
  fmt->footer(kFmtExamples);
}

void add_bench(CLI::App& app, BenchArgs& args) {
  CLI::App* bench = app.add_subcommand("bench", "Show what this machine can reach at best");
  bench->add_flag("--again", args.again, "Measure now; otherwise an earlier result may be shown");
  bench->add_flag("--json", args.json, "As JSON");
  bench->footer(kBenchExamples);
}

bool is_command(const std::string& word) {
  return word == "check" || word == "run" || word == "explain" || word == "fmt" ||
         word == "bench" || is_tool(word);
}

// What CLI11 would say differently.
std::optional<int> refuse_words(const CLI::App& app, const std::vector<std::string>& words,
                                Streams io) {
  if (words.empty()) {
    io.err << app.help();
    return 2;
  }
  const std::string& first = words[0];
  if (is_command(first) || first == "--help" || first == "-h" || first == "--version")
    return std::nullopt;
  return refuse(
      first.starts_with("-") ? "lathe has no option '" + first + "'"
                             : "there is no command '" + first + "'",
      "the commands are check, run, explain, fmt, diff, emit, cache, bench; lathe --help shows how",
      io);
}

int refuse_without_file(const std::string& command, Streams io) {
  return refuse("lathe " + command + " needs a .lathe file",
                "lathe " + command + " --help shows how", io);
}

int call(const CLI::App& app, const Words& words, Streams io) {
  const std::string name = app.get_subcommands().at(0)->get_name();
  if (name == "check") return check(words.check, io);
  if (name == "run") return run(words.run, io);
  if (name == "fmt") return fmt(words.fmt, io);
  if (is_tool(name)) return call_tool(name, words.tools, io);
  if (name == "bench") return bench(words.bench, io);
  if (words.explain.file.empty() && !words.explain.list) return refuse_without_file(name, io);
  return explain(words.explain, io);
}

int dispatch(const std::vector<std::string>& args, Streams io) {
  CLI::App app{"lathe: array programs, one meaning, the same bits everywhere", "lathe"};
  app.set_version_flag("--version", "lathe 0.1.0");
  app.require_subcommand(1);
  app.footer(kMainExamples);
  Words words;
  add_check(app, words.check);
  add_run(app, words.run);
  add_explain(app, words.explain);
  add_fmt(app, words.fmt);
  add_tools(app, words.tools);
  add_bench(app, words.bench);
  if (const auto status = refuse_words(app, args, io)) return *status;
  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend());  // as CLI11 wants them
    app.parse(reversed);
  } catch (const CLI::RequiredError&) {
    return refuse_without_file(args[0], io);  // nothing else is required
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, io.out, io.err);  // --help, --version
    const std::string command = is_command(args[0]) ? "lathe " + args[0] : "lathe";
    return refuse(command + ": " + e.what(), command + " --help shows how", io);
  }
  return call(app, words, io);
}

}  // namespace

int refuse(const std::string& message, const std::string& help, Streams io) {
  Diagnostic d;
  d.message = message;
  d.help = help;
  io.err << render_text(d, SourceMap());
  return 2;
}

int main_with(const std::vector<std::string>& args, Streams io) {
  try {
    return dispatch(args, io);
  } catch (const UserError& e) {
    Diagnostic d = e.diagnostic();
    d.span = {};  // of a file that nobody here knows
    std::erase_if(d.notes, [](const auto& note) { return note.span.known(); });
    io.err << render_text(d, SourceMap());
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
