// SPDX-License-Identifier: Apache-2.0
// The words of `lathe diff`, `emit` and `cache`.

#include <CLI/CLI.hpp>
#include <limits>

#include "cli/tools.h"

namespace lathe::cli {
namespace {

constexpr const char* kDiffExamples = R"(
Examples:
  lathe diff diffuse.lathe --set n=64 --set m=64 --set a=0.1 --in u=random:1
  lathe diff diffuse.lathe --set n=64 --set m=64 --set a=0.1 --in u=random:1 --a c,threads=1 --b c,threads=2
  lathe diff diffuse.lathe --set a=0.1 --in u=u.npy --a c --b c,schedule=diffuse.schedule
  lathe diff diffuse.lathe --set a=0.1 --in u=u.npy --a interp --b interp,f32 --ulps 8
  lathe diff model.py:hdiff --domain 16x16x8 --in in_f=random:1 --in coeff=random:2

A way to run a program is a target and words after it, separated by commas:
  interp         the reference interpreter; loops: scheduled, then interpreted; c: compiled
  optimize       interp: the passes run first (loops and c always run them)
  f32            every f64 array, parameter and literal is f32
  schedule=FILE  loops, c: a lockfile
  threads=N      c: that many threads

What is compared: first the results (outputs, inouts, states), on the same inputs, bit for bit; all
NaNs are one value. When they differ, the program is cut after each of its top-level items in turn,
with every array written so far made a result, and both ways run the rest: the first item after
which an array differs is named, with the first element of the first statement in it that does.
A lockfile belongs to the whole program: with one, only results are compared. Where one way has
f64 and the other f32, the f64 value is rounded first.

Exit status: 0 equal, 1 different, 2 one of them failed.)";

constexpr const char* kEmitExamples = R"(
Examples:
  lathe emit diffuse.lathe -o bundle                     then: make -C bundle test
  lathe emit diffuse.lathe -o bundle --set n=64 --set m=48 --in u=u.npy
  lathe emit diffuse.lathe -o bundle --schedule diffuse.schedule
  lathe emit model.py:hdiff -o bundle --set ni=16 --set nj=16 --set nk=8

The bundle needs no Lathe, only a C compiler (gcc or clang) and make: NAME.c (the kernel, with
OpenMP), NAME.h (a plain C function and what it takes), golden.h (inputs and the results that the
interpreter gives), test.c (compares them bit for bit), Makefile. --set and --in choose the golden
data; what they leave open gets small sizes and random numbers. A folder that holds anything but an
unchanged bundle is not touched.)";

constexpr const char* kCacheExamples = R"(
Examples:
  lathe cache list                     kept kernels, last used first
  lathe cache info                     where they are, how much, the limit, the compiler
  lathe cache clear --older-than 30d   those that nobody used for 30 days
  lathe cache clear --key 3f2a         those whose key begins so; --all: all
  lathe cache verify                   compare what is kept with its hashes; --repair: remove damaged

The folder is LATHE_CACHE_DIR, else XDG_CACHE_HOME/lathe, else HOME/.cache/lathe.)";

void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& values,
                  const char* type, const char* help) {
  app.add_option(name, values, help)->type_name(type)->type_size(1)->allow_extra_args(false);
}

void add_inputs(CLI::App& app, std::vector<std::string>& set, std::vector<std::string>& in) {
  add_repeated(app, "--set", set, "NAME=VALUE", "The value of a parameter");
  add_repeated(app, "--in", in, "NAME=SOURCE", "An input: FILE.npy, random:SEED, ramp or zeros");
}

}  // namespace

void add_stencil_options(CLI::App& command, StencilArgs& args) {
  add_repeated(command, "--external", args.externals, "NAME=VALUE",
               "Of stencils: the value of an external: 3, 0.5, True, I[0] + 1");
  add_repeated(command, "--dtype", args.dtypes, "NAME=DTYPE",
               "Of stencils: float=float32, or of Field[\"NAME\"]");
  command
      .add_option("--layout", args.layout, "Of stencils: axes, the dense one last: IJK, KJI ...")
      ->type_name("AXES");
}

void add_domain_options(CLI::App& command, std::string& domain, std::vector<std::string>& origin) {
  command.add_option("--domain", domain, "Of stencils: the compute domain, 128x128x80")
      ->type_name("NIxNJxNK");
  add_repeated(command, "--origin", origin, "[NAME=]I,J,K",
               "Of stencils: the element of a field at the first point of the domain");
}

namespace {

void add_diff(CLI::App& app, DiffArgs& args) {
  CLI::App* diff = app.add_subcommand("diff", "Run a program two ways, name where they differ");
  diff->add_option("file", args.file, "A .lathe file, or FILE.py:STENCIL")
      ->type_name("FILE")
      ->required();
  diff->add_option("--a", args.a, "One way: interp by default")->type_name("WAY");
  diff->add_option("--b", args.b, "The other: c by default")->type_name("WAY");
  add_inputs(*diff, args.set, args.in);
  add_domain_options(*diff, args.domain, args.origin);
  add_stencil_options(*diff, args.stencil);
  diff->add_option("--ulps", args.ulps, "Floats that are no further apart count as equal; 0")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  diff->add_flag("--every", args.every, "Look into the middle even when the results are equal");
  diff->add_flag("--json", args.json, "The report, or the errors, as JSON");
  diff->footer(kDiffExamples);
}

void add_emit(CLI::App& app, EmitArgs& args) {
  CLI::App* emit = app.add_subcommand("emit", "Write a bundle that builds with no Lathe");
  emit->add_option("file", args.file, "A .lathe file, or FILE.py:STENCIL")
      ->type_name("FILE")
      ->required();
  emit->add_option("--target", args.target, "c")->type_name("NAME")->check(CLI::IsMember({"c"}));
  emit->add_option("-o,--output", args.folder, "The folder of the bundle")->type_name("DIR");
  emit->add_option("--schedule", args.schedule, "A lockfile that says how to run it")
      ->type_name("FILE");
  add_inputs(*emit, args.set, args.in);
  add_stencil_options(*emit, args.stencil);
  emit->add_flag("--json", args.json, "What was written, or the errors, as JSON");
  emit->footer(kEmitExamples);
}

void add_cache(CLI::App& app, CacheArgs& args) {
  CLI::App* cache = app.add_subcommand("cache", "Show, check and clear the kept kernels");
  cache->add_option("action", args.action, "list, info, clear or verify")
      ->type_name("ACTION")
      ->check(CLI::IsMember({"list", "info", "clear", "verify"}));
  cache->add_option("--key", args.key, "list, clear: those whose key begins so")
      ->type_name("DIGITS");
  cache->add_option("--older-than", args.older_than, "list, clear: not used since: 30d, 12h")
      ->type_name("AGE");
  cache->add_flag("--all", args.all, "clear: all of them");
  cache->add_flag("--repair", args.repair, "verify: remove what is damaged");
  cache->add_flag("--json", args.json, "The answer as JSON");
  cache->footer(kCacheExamples);
}

}  // namespace

void add_tools(CLI::App& app, ToolWords& words) {
  add_diff(app, words.diff);
  add_emit(app, words.emit);
  add_cache(app, words.cache);
}

bool is_tool(std::string_view name) { return name == "diff" || name == "emit" || name == "cache"; }

int call_tool(std::string_view name, const ToolWords& words, Streams io) {
  if (name == "diff") return diff(words.diff, io);
  if (name == "emit") return emit(words.emit, io);
  return cache(words.cache, io);
}

}  // namespace lathe::cli
