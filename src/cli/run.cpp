// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/bindings.h"
#include "cli/commands.h"
#include "interp/interpreter.h"
#include "ir/text.h"
#include "pipeline.h"

namespace lathe::cli {
namespace {

struct Summary {
  std::string shape, low, high;
};

Summary summarise(const interp::Buffer& b) {
  Summary s;
  for (std::size_t k = 0; k < b.lo.size(); ++k)
    s.shape += (k ? ", " : "") + (b.lo[k] == 0 ? std::to_string(b.extent(k))
                                               : std::to_string(b.lo[k]) + ".." +
                                                     std::to_string(b.hi[k]));
  const std::size_t size = size_bytes(b.dtype);
  std::optional<ir::Scalar> low, high;
  bool nan = false;
  for (std::size_t at = 0; at < b.data.size(); at += size) {
    const ir::Scalar x = ir::Scalar::load(b.dtype, b.data.data() + at);
    nan = nan || x.is_nan();
    if (x.is_nan()) continue;
    if (!low || x.as_double() < low->as_double()) low = x;
    if (!high || x.as_double() > high->as_double()) high = x;
  }
  s.low = low ? ir::to_text(*low) : nan ? "nan" : "-";
  s.high = high ? ir::to_text(*high) : nan ? "nan" : "-";
  if (nan && low) s.high += " (and nan)";
  return s;
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string text = "[";
  for (std::int64_t i : index) text += (text.size() > 1 ? ", " : "") + std::to_string(i);
  return text + "]";
}

void print_events(const std::vector<interp::Event>& events, std::size_t from,
                  const SourceMap& sources, std::ostream& out) {
  for (std::size_t i = from; i < events.size(); ++i) {
    const interp::Event& e = events[i];
    out << "watch " << e.array.text() << index_text(e.index) << ": " << ir::to_text(e.before)
        << " -> " << ir::to_text(e.after) << "  by '" << e.label.text() << "'";
    if (e.span.known()) {
      const Location at = sources.location(e.span);
      out << " at " << at.file << ":" << at.line;
    }
    out << "\n";
  }
}

// The arrays that a run gives back, in the order of their declaration.
std::vector<std::string> results(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Array& a : program.arrays)
    if (a.role == ir::Role::Output || a.role == ir::Role::InOut || a.role == ir::Role::State)
      names.push_back(std::string(a.name.text()));
  return names;
}

ir::Program prepare(const ir::Program& program, bool optimize) {
  if (optimize) return run_pipeline(program);
  return run_pass(*find_pass("compute-extents"), program);
}

void report(const RunArgs& args, const ir::Program& program, const interp::State& state,
            std::uint64_t operations, Streams io) {
  nlohmann::ordered_json json;
  json["program"] = std::string(program.name.text());
  json["operations"] = operations;
  for (const std::string& name : results(program)) {
    const interp::Buffer& b = state.arrays.at(name);
    const Summary s = summarise(b);
    json["arrays"][name] = {{"dtype", std::string(ir::name(b.dtype))},
                            {"lo", b.lo},
                            {"hi", b.hi},
                            {"digest", interp::digest(b)},
                            {"min", s.low},
                            {"max", s.high}};
    if (!args.json)
      io.out << name << ": " << ir::name(b.dtype) << "[" << s.shape << "]  min " << s.low
             << "  max " << s.high << "  digest " << interp::digest(b) << "\n";
  }
  if (args.json) io.out << json.dump(2) << "\n";
}

}  // namespace

int run(const RunArgs& args, Streams io) {
  auto loaded = load(args.file, io);
  if (!loaded) return 1;
  ir::Program& program = loaded->program;
  program = prepare(program, args.optimize);
  interp::State state = bind_inputs(program, args.set, args.in);
  std::vector<std::pair<std::string, std::string>> files;
  const auto names = results(program);
  for (const std::string& text : args.out) {
    files.push_back(split_assignment("--out", text));
    if (std::find(names.begin(), names.end(), files.back().first) == names.end())
      throw UserError("--out " + text + ": program '" + std::string(program.name.text()) +
                      "' has no output, inout or state '" + files.back().first + "'");
  }
  std::vector<interp::Event> events;
  interp::Options options;
  options.checked = args.checked;
  options.events = &events;
  for (const std::string& text : args.watch) options.watch.push_back(parse_watch(program, text));

  interp::Interpreter interpreter(program, state, options);
  std::size_t seen = 0;
  try {
    while (const ir::Item* item = interpreter.next()) {
      if (args.steps) io.out << ir::print(program, *item);
      interpreter.step();
      if (!args.json) print_events(events, seen, *loaded->sources, io.out);
      seen = events.size();
    }
  } catch (const UserError& e) {
    if (!args.json) print_events(events, seen, *loaded->sources, io.out);
    io.err << render_text(e.diagnostic(), *loaded->sources);
    return 1;
  }
  for (const auto& [name, file] : files) write_array(name, state.arrays.at(name), file);
  report(args, program, state, interpreter.operations(), io);
  return 0;
}

}  // namespace lathe::cli
