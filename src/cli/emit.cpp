// SPDX-License-Identifier: Apache-2.0
// lathe emit: golden data by the interpreter, then the bundle, then the folder.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "api/compiled.h"
#include "base/quoted.h"
#include "cli/bindings.h"
#include "cli/bundle.h"
#include "cli/tools.h"
#include "pipeline.h"

namespace lathe::cli {
namespace {

constexpr std::int64_t kMaxGolden = std::int64_t{1} << 20;  // elements; 20 bytes of text each

bool is_given(const std::vector<std::string>& words, std::string_view name) {
  for (const std::string& word : words)
    if (word.starts_with(name) && word.substr(name.size()).starts_with("=")) return true;
  return false;
}

// What the stencil's definition says; empty: nothing.
std::string default_of(const std::optional<stencil::Stencil>& stencil, std::string_view symbol) {
  if (!stencil) return {};
  for (const stencil::Argument& a : stencil->info.arguments)
    if (a.symbol == symbol && a.default_value) return default_text(a);
  return {};
}

// Is it how many levels a field has beyond the domain?
bool counts_levels(const std::optional<stencil::Stencil>& stencil, std::string_view symbol) {
  if (!stencil) return false;
  const auto& arguments = stencil->info.arguments;
  return std::any_of(arguments.begin(), arguments.end(), [&](const stencil::Argument& a) {
    return symbol == a.levels_before || symbol == a.levels_after;
  });
}

// Small, odd, different from each other: so that vectors have remainders and mixed-up axes show.
// Sizes stay open where a file will tell them.
std::vector<std::string> with_default_values(const ir::Program& program, const EmitArgs& args,
                                             const std::optional<stencil::Stencil>& stencil) {
  std::vector<std::string> set = args.set;
  std::int64_t size = 19;
  bool files = false;
  for (const std::string& word : args.in) files = files || word.ends_with(".npy");
  for (const ir::Parameter& p : program.parameters) {
    const std::string name(p.name.text());
    if (is_given(set, name)) continue;
    if (counts_levels(stencil, name)) {
      set.push_back(fmt::format("{}={}", name, p.least));
      continue;
    }
    if (p.is_size && files) continue;
    if (const std::string own = default_of(stencil, name); !own.empty())
      set.push_back(name + "=" + own);
    else if (p.is_size)
      set.push_back(fmt::format("{}={}", name, size));
    else
      set.push_back(name + (is_bool(p.dtype) ? "=true" : is_float(p.dtype) ? "=0.25" : "=12"));
    size += p.is_size ? 2 : 0;
  }
  return set;
}

std::vector<std::string> with_default_inputs(const ir::Program& program, const EmitArgs& args) {
  std::vector<std::string> in = args.in;
  std::size_t seed = 1;
  for (const ir::Array& a : program.arrays) {
    const bool wanted =
        a.role == ir::Role::Input || a.role == ir::Role::InOut || a.role == ir::Role::State;
    const std::string name(a.name.text());
    if (wanted && !is_given(in, name)) in.push_back(fmt::format("{}=random:{}", name, seed++));
  }
  return in;
}

struct Golden {
  interp::State inputs, results;
};

Golden make_golden(const ir::Program& program, const EmitArgs& args,
                   const std::optional<stencil::Stencil>& stencil) {
  Golden g;
  const auto with_help = [](const UserError& e) {
    Diagnostic d = e.diagnostic();
    d.message = "no golden data: " + d.message;
    d.note("--set and --in choose other data than the small sizes and random numbers of a bundle");
    return UserError(std::move(d));
  };
  try {
    g.inputs = bind_inputs(program, with_default_values(program, args, stencil),
                           with_default_inputs(program, args));
    g.results = g.inputs;
    interp::run(program, g.results);
  } catch (const UserError& e) {
    throw with_help(e);
  }
  std::int64_t elements = 0;
  for (const auto& [name, buffer] : g.inputs.arrays) elements += buffer.element_count();
  for (const std::string& name : result_names(program))
    elements += g.results.arrays.at(name).element_count();
  if (elements > kMaxGolden)
    throw UserError(fmt::format("golden data of {} elements are too much for a C file", elements),
                    {}, fmt::format("set smaller sizes: at most {} elements", kMaxGolden));
  return g;
}

}  // namespace

int emit(const EmitArgs& args, Streams io) {
  if (args.folder.empty()) {
    io.err << render_text(Diagnostic{Severity::Error,
                                     "lathe emit needs a folder for the bundle",
                                     {},
                                     {},
                                     "for example: lathe emit " + args.file + " -o bundle"},
                          SourceMap());
    return 2;
  }
  const auto loaded = load(args.file, args.json, io, args.stencil);
  if (!loaded) return 1;
  try {
    const ir::Program program = run_pass(*find_pass("compute-extents"), loaded->program);
    const Golden golden = make_golden(program, args, loaded->stencil);
    api::CompileOptions options;
    options.lockfile = args.schedule;
    api::Compiled compiled(program, options);
    const Bundle bundle = plan_bundle(args.file, compiled, golden.inputs, golden.results);
    const std::vector<BundleFile> files = bundle_files(bundle);
    write_bundle(args.folder, files);
    if (args.json) {
      nlohmann::ordered_json json = {{"folder", args.folder}, {"function", bundle.function}};
      for (const BundleFile& f : files) json["files"].push_back(f.name);
      io.out << json.dump(2) << "\n";
      return 0;
    }
    io.out << args.folder << ":";
    for (const BundleFile& f : files) io.out << " " << f.name;
    io.out << "\nmake -C " << args.folder << " test\n";
    return 0;
  } catch (const UserError& e) {
    Diagnostics diagnostics;
    diagnostics.add(loaded->in_the_users_words(e.diagnostic()));
    report_errors(diagnostics, *loaded->sources, args.json, io);
    return 1;
  }
}

}  // namespace lathe::cli
