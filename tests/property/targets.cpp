// SPDX-License-Identifier: Apache-2.0
#include "targets.h"

#include "api/compiled.h"
#include "interp/loops_interpreter.h"
#include "ir/detach.h"
#include "ir/loops_text.h"
#include "ir/loops_verify.h"
#include "lower/lower.h"
#include "pipeline.h"
#include "random_schedule.h"
#include "schedule/default_schedule.h"
#include "schedule/legal.h"

namespace lathe::testing {
namespace {

using schedule::Schedule;

enum class How { Plain, Default, Random };

Schedule choose(const ir::Program& prepared, How how, std::uint64_t seed) {
  if (how == How::Plain) return schedule::plain_schedule(prepared);
  if (how == How::Default) return schedule::default_schedule(prepared);
  Rng rng(seed);
  return random_schedule(prepared, rng);
}

std::vector<ir::Symbol> arguments(const ir::Program& program) {
  std::vector<ir::Symbol> out;
  for (const ir::Array& a : program.arrays)
    if (a.role != ir::Role::Temp && a.role != ir::Role::Const) out.push_back(a.name);
  return out;
}

std::string with_schedule(const std::string& what, const Schedule& s) {
  return what + "\n" + schedule::print_tree(s);
}

std::string loops_agree(const Case& c, How how) {
  const interp::State inputs = state_of(c);
  const Outcome wanted = run(c.program, inputs);
  if (!wanted.error.empty()) return "";
  const ir::Program prepared = run_preparation(run_pipeline(c.program));
  const Schedule s = choose(prepared, how, c.seed);
  try {
    const auto nest = schedule::resolve_legal(prepared, s);
    lower::LowerOptions options;
    options.unit = arguments(prepared);
    const loops::Kernel kernel = lower::lower(*nest, options);
    Diagnostics diagnostics;
    if (!loops::verify(kernel, diagnostics))
      return with_schedule("refused: " + diagnostics.all().front().message, s);
    interp::State state = inputs;
    interp::LoopsOptions how_run;
    how_run.poison = true;
    how_run.seed = c.seed;
    interp::run(kernel, state, how_run);
    const std::string d = difference(c.program, wanted.state, state);
    return d.empty() ? "" : with_schedule("difference: " + d, s);
  } catch (const std::exception& e) {
    return with_schedule(std::string("error: ") + e.what(), s);
  }
}

std::string c_agrees(const Case& c, How how) {
  const interp::State inputs = state_of(c);
  const Outcome wanted = run(c.program, inputs);
  if (!wanted.error.empty()) return "";
  api::CompileOptions options;
  // Names depend on the program alone, so a schedule made for one copy fits another.
  const ir::Program prepared = run_preparation(run_pipeline(ir::detach(c.program)));
  const Schedule chosen = choose(prepared, how, c.seed);
  options.lockfile_text = schedule::print(chosen);
  options.optimize = static_cast<int>(c.seed % 3);
  try {
    api::Compiled compiled(c.program, options);
    interp::State state = inputs;
    api::RunOptions how_run;
    how_run.threads = 1 + static_cast<int>(c.seed % 3);
    compiled.run(state, how_run);
    const std::string d = difference(c.program, wanted.state, state);
    return d.empty() ? "" : with_schedule("difference: " + d, chosen);
  } catch (const std::exception& e) {
    return with_schedule(std::string("error: ") + e.what(), chosen);
  }
}

}  // namespace

const std::vector<Check>& loops_checks() {
  static const std::vector<Check> checks = {
      {"loops-plain", [](const Case& c) { return loops_agree(c, How::Plain); }},
      {"loops-default", [](const Case& c) { return loops_agree(c, How::Default); }},
      {"loops-random", [](const Case& c) { return loops_agree(c, How::Random); }}};
  return checks;
}

const std::vector<Check>& c_checks() {
  static const std::vector<Check> checks = {
      {"c-default", [](const Case& c) { return c_agrees(c, How::Default); }},
      {"c-random", [](const Case& c) { return c_agrees(c, How::Random); }}};
  return checks;
}

}  // namespace lathe::testing
