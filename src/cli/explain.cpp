// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "analysis/versions.h"
#include "api/compiled.h"
#include "cli/commands.h"
#include "ir/domain.h"
#include "ir/loops_text.h"
#include "ir/text.h"
#include "pipeline.h"

namespace lathe::cli {
namespace {

bool is_preparation(std::string_view name) {
  const auto table = preparation();
  return std::any_of(table.begin(), table.end(), [&](const Pass& p) { return p.name == name; });
}

void list_stages(bool prepare, bool json, std::ostream& out) {
  nlohmann::ordered_json names = {"source"};
  for (const Pass& p : pipeline()) names.push_back(std::string(p.name));
  if (prepare)
    for (const Pass& p : preparation()) names.push_back(std::string(p.name));
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

}  // namespace

namespace {

// The stages after the passes: what the machine gets to see.
int explain_code(const ExplainArgs& args, Streams io) {
  auto loaded = load(args.file, args.json, io);
  if (!loaded) return 1;
  api::Compiled compiled(loaded->program, {});
  if (args.pass == "prepared") {
    io.out << ir::print(compiled.prepared());
  } else if (args.pass == "schedule") {
    io.out << schedule::print_tree(compiled.schedule());
  } else {
    const api::Variant& v = compiled.variant(compiled.plain_key());
    io.out << (args.pass == "loops" ? loops::to_text(v.kernel) : v.code.text);
  }
  return 0;
}

}  // namespace

int explain(const ExplainArgs& args, Streams io) {
  if (args.list) {
    list_stages(args.prepare, args.json, io.out);
    return 0;
  }
  const std::string_view later[] = {"prepared", "schedule", "loops", "c"};
  if (std::find(std::begin(later), std::end(later), args.pass) != std::end(later))
    return explain_code(args, io);
  if (!args.pass.empty() && args.pass != "source" && !find_pass(args.pass)) {
    std::string names = "source";
    for (const auto table : {pipeline(), preparation()})
      for (const Pass& p : table) names += ", " + std::string(p.name);
    throw UserError("there is no stage '" + args.pass + "'", {}, "the stages are " + names);
  }
  auto loaded = load(args.file, args.json, io);
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
  const ir::Program decided = run_pipeline(program, seen);
  if (args.prepare || is_preparation(args.pass)) run_preparation(decided, seen);
  if (args.json) io.out << stages.dump(2) << "\n";
  return 0;
}

}  // namespace lathe::cli
