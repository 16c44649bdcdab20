// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "api/compiled.h"
#include "cli/bindings.h"
#include "cli/commands.h"
#include "cli/stencil_binding.h"
#include "cli/stencils.h"
#include "cli/timing.h"
#include "interp/interpreter.h"
#include "interp/loops_interpreter.h"
#include "ir/text.h"
#include "pipeline.h"

namespace lathe::cli {
namespace {

using Json = nlohmann::ordered_json;

// [6, 8], or with the ranges of axes that do not begin at 0: [-1..6, 8].
std::string range_text(const interp::Buffer& b) {
  if (b.lo.empty()) return {};
  std::string text = "[";
  for (std::size_t k = 0; k < b.lo.size(); ++k)
    text += (k > 0 ? ", " : "") + (b.lo[k] == 0
                                       ? std::to_string(b.extent(k))
                                       : std::to_string(b.lo[k]) + ".." + std::to_string(b.hi[k]));
  return text + "]";
}

// What a run says while it goes on: at once as text, or gathered for the JSON at its end.
class Report {
 public:
  Report(bool json, const SourceMap& sources, std::ostream& out)
      : is_json_(json), sources_(sources), out_(out) {}

  void step(const std::string& item) {
    if (is_json_)
      json_["steps"].push_back(item);
    else
      out_ << item << "\n";
  }

  void events(const std::vector<interp::Event>& events) {
    for (; seen_ < events.size(); ++seen_) event(events[seen_]);
  }

  void array(const std::string& name, const interp::Buffer& b) {
    const Summary s = summarise(b);
    if (is_json_) {
      json_["arrays"][name] = {{"dtype", std::string(ir::name(b.dtype))},
                               {"lo", b.lo},
                               {"hi", b.hi},
                               {"min", number(s.low)},
                               {"max", number(s.high)},
                               {"nans", s.nans},
                               {"digest", interp::digest(b)}};
      return;
    }
    out_ << name << ": " << ir::name(b.dtype) << range_text(b) << "  ";
    if (b.lo.empty())
      out_ << "value " << (s.nans > 0 ? "nan" : s.low);
    else if (!s.low.empty())
      out_ << "min " << s.low << "  max " << s.high;
    else
      out_ << (b.data.empty() ? "no elements" : "only nan");
    if (s.nans > 0 && !s.low.empty()) out_ << "  nans " << s.nans;
    out_ << "  digest " << interp::digest(b) << "\n";
  }

  void time(const TimeReport& t) {
    json_["time"] = {{"runs", t.runs},
                     {"median_seconds", t.median},
                     {"fastest_seconds", t.fastest},
                     {"bytes", t.bytes},
                     {"limit_seconds", t.limit_seconds},
                     {"limit", t.limit_is_memory ? "memory" : "arithmetic"},
                     {"of_limit", t.of_limit()},
                     {"predicted_seconds", t.predicted}};
  }

  // What happened before the error belongs to its report.
  void fail(const Diagnostic& error, Streams io) {
    Diagnostics diagnostics;
    diagnostics.add(error);
    if (!is_json_) return report_errors(diagnostics, sources_, false, io);
    out_ << "{\"errors\": " << render_json(diagnostics, sources_);
    for (const char* part : {"steps", "watch"})
      if (json_.contains(part)) out_ << ", \"" << part << "\": " << json_[part].dump(2);
    out_ << "}\n";
  }

  void finish(const std::string& program, std::uint64_t operations) {
    if (!is_json_) return;
    json_["program"] = program;
    json_["operations"] = operations;
    out_ << json_.dump(2) << "\n";
  }

 private:
  // The text of a number; null where there is none, because all are NaN.
  static Json number(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

  void event(const interp::Event& e) {
    const std::string name(e.array.text()), label(e.label.text());
    if (is_json_) {
      Json entry = {{"array", name},
                    {"index", e.index},
                    {"before", ir::to_text(e.before)},
                    {"after", ir::to_text(e.after)},
                    {"statement", label}};
      if (e.span.known()) entry["line"] = sources_.location(e.span).line;
      json_["watch"].push_back(std::move(entry));
      return;
    }
    out_ << "watch " << name << index_text(e.index) << ": " << ir::to_text(e.before) << " -> "
         << ir::to_text(e.after) << "  by '" << label << "'";
    if (e.span.known()) {
      const Location at = sources_.location(e.span);
      out_ << " at " << at.file << ":" << at.line;
    }
    out_ << "\n";
  }

  bool is_json_;
  const SourceMap& sources_;
  std::ostream& out_;
  Json json_ = {{"program", ""}, {"operations", 0}, {"arrays", Json::object()}};
  std::size_t seen_ = 0;
};

ir::Program prepare(const ir::Program& program, bool optimize) {
  if (optimize) return run_pipeline(program);
  return run_pass(*find_pass("compute-extents"), program);
}

// A program and what it starts from; of a stencil, how its arrays are parts of the caller's.
struct Job {
  Job(const RunArgs& args, const Loaded& loaded, bool optimize)
      : program(prepare(loaded.program, optimize)) {
    if (loaded.stencil) {
      stencil.emplace(*loaded.stencil, args.stencil.layout,
                      StencilWords{args.domain, args.origin, args.set, args.in});
      inputs = stencil->state();
      files = parse_outs(stencil->results(), args.out);
    } else {
      inputs = bind_inputs(program, args.set, args.in);
      files = parse_outs(program, args.out);
    }
  }

  interp::Options::Watch watch(const std::string& text) const {
    return stencil ? stencil->watch(program, text) : parse_watch(program, inputs, text);
  }
  void finish(const interp::State& state, Report& report) const {
    if (!stencil) {
      for (const OutFile& file : files) write_array(file, state.arrays.at(file.name));
      for (const std::string& name : result_names(program))
        report.array(name, state.arrays.at(name));
      return;
    }
    for (const OutFile& file : files) write_array(file, stencil->result(file.name, state));
    for (const std::string& name : stencil->results())
      report.array(name, stencil->result(name, state));
  }

  ir::Program program;
  std::optional<StencilBinding> stencil;
  interp::State inputs;
  std::vector<OutFile> files;
};

void run_prepared(const RunArgs& args, const Job& job, Report& report) {
  interp::State state = job.inputs;
  std::vector<interp::Event> events;
  interp::Options options;
  options.checked = args.checked;
  options.events = &events;
  if (args.while_cap) options.while_cap = *args.while_cap;
  for (const std::string& text : args.watch) options.watch.push_back(job.watch(text));

  interp::Interpreter interpreter(job.program, state, options);
  try {
    while (const ir::Item* item = interpreter.next()) {
      if (args.steps) report.step(ir::print(job.program, *item));
      interpreter.step();
      report.events(events);
    }
  } catch (const UserError&) {
    report.events(events);  // what happened before the error
    throw;
  }
  job.finish(state, report);
  report.finish(std::string(job.program.name.text()), interpreter.operations());
}

// What has no part in a run is not passed over in silence.
void check_words(const RunArgs& args, bool is_stencil) {
  const auto refuse = [&](bool given, const std::string& option, const std::string& why,
                          const std::string& help) {
    if (given) throw UserError(option + " " + why, {}, help);
  };
  const std::string compiled = "has a part in compiled code only", add = "add --target c";
  refuse(args.time && args.target != "c", "--time", compiled, add);
  refuse(args.repeat != 1 && args.target != "c", "--repeat", compiled, add);
  refuse(args.threads != 0 && args.target != "c", "--threads", compiled, add);
  refuse(!args.schedule.empty() && args.target == "interp", "--schedule",
         "has no part in what the interpreter does", add + ", or --target loops");
  check_domain_words(args.domain, args.origin, args.file, is_stencil);
}

void run_loops(api::Compiled& compiled, const Job& job, interp::State& state) {
  try {
    // Lanes may look at what nobody has written, as long as nobody sees it.
    interp::run(compiled.variant(compiled.plain_key()).kernel, state, {.poison = true});
  } catch (const InternalError&) {
    // What the program itself writes twice looks like a race of ours: then this says so.
    interp::State again = job.inputs;
    interp::Options options;
    options.checked = true;
    interp::run(job.program, again, options);
    throw;
  }
}

// Compiled code: the same results, and how long they took.
void run_compiled(const RunArgs& args, const Job& job, Report& report, Streams io) {
  if (!args.watch.empty() || args.steps)
    throw UserError("--watch and --steps need the interpreter", {}, "leave out --target c");
  api::CompileOptions options;
  options.checked = args.checked;
  if (args.while_cap) options.while_cap = *args.while_cap;
  if (!args.schedule.empty()) options.lockfile = args.schedule;
  api::Compiled compiled(job.program, options);
  api::RunOptions how;
  how.threads = args.threads;
  interp::State state;
  for (int i = 0; i < (args.time ? 1 : args.repeat); ++i) {
    state = job.inputs;
    if (args.target == "c")
      compiled.run(state, how);
    else
      run_loops(compiled, job, state);
  }
  job.finish(state, report);
  if (args.time && args.target == "c") {
    const TimeReport time = time_runs(compiled, job.inputs, state, args.threads, args.repeat);
    if (args.json)
      report.time(time);
    else
      io.err << to_text(time);
  }
  report.finish(std::string(job.program.name.text()), 0);
}

}  // namespace

int run(const RunArgs& args, Streams io) {
  const auto loaded = load(args.file, args.json, io, args.stencil);
  if (!loaded) return 1;
  Report report(args.json, *loaded->sources, io.out);
  try {
    check_words(args, loaded->stencil.has_value());
    if (args.target != "interp")
      run_compiled(args, Job(args, *loaded, false), report, io);
    else
      run_prepared(args, Job(args, *loaded, args.optimize), report);
    return 0;
  } catch (const UserError& e) {
    report.fail(loaded->in_the_users_words(e.diagnostic()), io);
    return 1;
  }
}

}  // namespace lathe::cli
