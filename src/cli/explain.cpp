// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "analysis/versions.h"
#include "api/predict.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "ir/domain.h"
#include "ir/loops_text.h"
#include "ir/text.h"
#include "pipeline.h"
#include "schedule/values.h"

namespace lathe::cli {
namespace {

// After the passes: decisions, loops, and what the C compiler gets to see.
constexpr std::string_view kCodeStages[] = {"schedule", "lockfile", "loops", "c"};

bool is_preparation(std::string_view name) {
  const auto table = preparation();
  return std::any_of(table.begin(), table.end(), [&](const Pass& p) { return p.name == name; });
}

void list_stages(bool json, std::ostream& out) {
  nlohmann::ordered_json names = {"source"};
  for (const Pass& p : pipeline()) names.push_back(std::string(p.name));
  names.push_back("values");
  for (const Pass& p : preparation()) names.push_back(std::string(p.name));
  for (const std::string_view name : kCodeStages) names.push_back(std::string(name));
  if (json) {
    out << names.dump() << "\n";
    return;
  }
  for (const auto& name : names) out << name.get<std::string>() << "\n";
}

// Each statement and its loop domain, as document 003 draws it; who reads which version.
void print_facts(const ExplainArgs& args, const ir::Program& program, std::ostream& out) {
  nlohmann::ordered_json json;
  bool first = true;
  if (args.domains)
    ir::for_each_statement(program.body, [&](const ir::Statement& s) {
      const std::string label(s.label.text());
      std::string tree = ir::to_tree(ir::to_set(s.domain));
      while (tree.ends_with('\n')) tree.pop_back();
      json["domains"][label] = tree;
      if (!args.json)
        out << (std::exchange(first, false) ? "" : "\n") << label << ":\n" << tree << "\n";
    });
  if (args.versions) {
    const std::string text = analysis::to_text(analysis::versions(program));
    json["versions"] = text;
    if (!args.json) out << (first ? "" : "\n") << text;
  }
  if (args.json) out << json.dump(2) << "\n";
}

// What the schedule costs on this machine, for sizes given as n=100.
std::string cost_text(const api::Compiled& compiled, const std::vector<std::string>& set) {
  schedule::SizeNumbers sizes;
  for (const std::string& text : set) {
    const std::size_t at = text.find('=');
    const std::string name = text.substr(0, at);
    const auto value = parse_int64(at == std::string::npos ? "" : text.substr(at + 1));
    const auto& known = compiled.prepared().parameters;
    const bool is_size = std::any_of(known.begin(), known.end(), [&](const ir::Parameter& p) {
      return p.is_size && p.name.text() == name;
    });
    if (!value || value.value < 0 || !is_size)
      throw UserError("--set " + text + " gives no size of the program", {},
                      "write NAME=NUMBER with the name of a size, such as n=1000");
    sizes[name] = value.value;
  }
  for (const ir::Parameter& p : compiled.prepared().parameters)
    if (p.is_size && !sizes.count(std::string(p.name.text())))
      throw UserError("the size '" + std::string(p.name.text()) + "' is not set", {},
                      "add --set " + std::string(p.name.text()) + "=NUMBER");
  return schedule::to_text(api::predict(compiled, sizes, host::measured(), 0));
}

// The stages after the passes.
int explain_code(const ExplainArgs& args, Streams io) {
  auto loaded = load(args.file, args.json, io, args.stencil);
  if (!loaded) return 1;
  try {
    api::CompileOptions options;
    options.lockfile = args.schedule;
    if (!args.machine.empty()) options.machine = schedule::machine_named(args.machine);
    api::Compiled compiled(loaded->program, options);
    if (args.pass == "schedule") {
      io.out << schedule::print_tree(compiled.schedule());
      if (!args.set.empty()) io.out << "\n" << cost_text(compiled, args.set);
    } else if (args.pass == "lockfile") {
      io.out << schedule::print(compiled.schedule());
    } else {
      const api::Variant& v = compiled.variant(compiled.plain_key());
      io.out << (args.pass == "loops" ? loops::to_text(v.kernel) : v.code.text);
    }
    return 0;
  } catch (const UserError& e) {  // of the lockfile
    Diagnostics diagnostics;
    diagnostics.add(e.diagnostic());
    report_errors(diagnostics, *loaded->sources, args.json, io);
    return 1;
  }
}

}  // namespace

int explain(const ExplainArgs& args, Streams io) {
  if (!args.machine.empty() && !schedule::machine_named(args.machine))
    throw UserError("there is no machine '" + args.machine + "'", {},
                    "the machines are " + schedule::machine_names());
  if (!args.machine.empty() && !args.set.empty())
    throw UserError("what a schedule costs is known of this machine only", {},
                    "leave out --machine or --set");
  if (args.list) {
    list_stages(args.json, io.out);
    return 0;
  }
  if (std::find(std::begin(kCodeStages), std::end(kCodeStages), args.pass) != std::end(kCodeStages))
    return explain_code(args, io);
  if (!args.pass.empty() && args.pass != "source" && args.pass != "values" &&
      !find_pass(args.pass)) {
    std::string names = "source";
    for (const Pass& p : pipeline()) names += ", " + std::string(p.name);
    names += ", values";
    for (const Pass& p : preparation()) names += ", " + std::string(p.name);
    for (const std::string_view name : kCodeStages) names += ", " + std::string(name);
    throw UserError("there is no stage '" + args.pass + "'", {}, "the stages are " + names);
  }
  for (const auto& [option, value] :
       {std::pair("--schedule ", args.schedule), std::pair("--machine ", args.machine)})
    if (!value.empty())
      throw UserError(option + value + " has no part in this stage", {},
                      "give --stage schedule, loops or c, too");
  auto loaded = load(args.file, args.json, io, args.stencil);
  if (!loaded) return 1;
  const ir::Program& program = loaded->program;
  if (args.domains || args.versions) {
    print_facts(args, program, io.out);
    return 0;
  }
  nlohmann::ordered_json stages = nlohmann::ordered_json::array();
  std::string before = ir::print(program);
  const auto show = [&](std::string_view name, const std::string& text, double seconds) {
    if (!args.pass.empty() && args.pass != name) return;
    if (args.json)
      stages.push_back({{"stage", std::string(name)}, {"seconds", seconds}, {"program", text}});
    else if (!args.pass.empty())
      io.out << text;
    else if (name != "source" && text == before)
      io.out << fmt::format("--- {}: nothing to do ({:.1f} ms)\n", name, seconds * 1e3);
    else if (name == "source")
      io.out << "--- source\n" << text;
    else
      io.out << fmt::format("--- {} ({:.1f} ms)\n", name, seconds * 1e3) << text;
  };
  show("source", before, 0);
  const auto seen = [&](const Pass& pass, const ir::Program& result, double seconds) {
    const std::string text = ir::print(result);
    show(pass.name, text, seconds);
    before = text;
  };
  try {
    const ir::Program decided = run_pipeline(program, seen);
    if (args.pass == "values") show("values", schedule::print(schedule::build_values(decided)), 0);
    if (args.prepare || is_preparation(args.pass)) run_preparation(decided, seen);
  } catch (const UserError& e) {
    io.err << render_text(e.diagnostic(), *program.sources);
    return 1;
  }
  if (args.json) io.out << stages.dump(2) << "\n";
  return 0;
}

}  // namespace lathe::cli
