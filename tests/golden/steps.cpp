// SPDX-License-Identifier: Apache-2.0
#include "golden/steps.h"

#include <random>
#include <sstream>

#include "interp/interpreter.h"
#include "interp/loops_interpreter.h"
#include "ir/detach.h"
#include "ir/loops_text.h"
#include "ir/loops_verify.h"
#include "ir/text.h"
#include "ir/traverse.h"
#include "lower/lower.h"
#include "passes/passes.h"
#include "passes/rebuild.h"
#include "pipeline.h"
#include "schedule/default_schedule.h"
#include "schedule/legal.h"
#include "schedule/values.h"

namespace lathe::testing {
namespace {

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream in(line);
  for (std::string w; in >> w;) found.push_back(w);
  return found;
}

StepResult outcome(const passes::Outcome& o) {
  if (auto* refused = std::get_if<passes::Refusal>(&o))
    return {std::nullopt, "refused: " + refused->reason + "\n"};
  const auto& program = std::get<ir::Program>(o);
  return {program, ir::print(program)};
}

// The subexpression of any statement that prints like `text`.
ir::Expr find_expression(const ir::Program& program, const std::string& text) {
  ir::Expr found = nullptr;
  ir::for_each_statement(program.body, [&](const ir::Statement& s) {
    for (ir::Expr root : passes::expressions(s))
      for (ir::Expr e : ir::post_order(root))
        if (ir::print(e) == text) found = e;
  });
  return found;
}

StepResult share(const ir::Program& program, const std::string& step) {
  const std::size_t colon = step.find(": ");
  const auto head = words(step.substr(0, colon));
  std::vector<Symbol> labels;
  std::istringstream list(head.at(2));
  for (std::string label; std::getline(list, label, ',');)
    labels.push_back(program.graph->symbol(label));
  const ir::Expr what = find_expression(program, step.substr(colon + 2));
  if (!what) return {std::nullopt, "no such expression\n"};
  return outcome(passes::share_subexpression(program, labels, what, head.at(1)));
}

interp::State random_state(const ir::Program& program, unsigned seed) {
  std::mt19937 random(seed);
  interp::State state;
  for (const ir::Parameter& p : program.parameters)
    state.parameters[std::string(p.name.text())] =
        p.is_size ? ir::Scalar::of_int(ir::DType::I64, 2 + static_cast<int>(random() % 7))
                  : ir::Scalar::of_double(p.dtype, static_cast<int>(random() % 9) - 4);
  for (const ir::Array& a : program.arrays) {
    if (a.role != ir::Role::Input && a.role != ir::Role::InOut && a.role != ir::Role::State)
      continue;
    const interp::Bounds b = interp::declared_bounds(program, a, state);
    interp::Buffer buffer = interp::make_buffer(a.dtype, b.lo, b.hi);
    for (std::size_t at = 0; at < buffer.data.size(); at += size_bytes(a.dtype))
      ir::Scalar::of_double(a.dtype, static_cast<int>(random() % 17) - 8)
          .store(buffer.data.data() + at);
    state.arrays[std::string(a.name.text())] = std::move(buffer);
  }
  return state;
}

// The default decisions, or the loops they become; the loops must give the same bits.
StepResult road(const ir::Program& program, bool loops) {
  const ir::Program prepared = run_preparation(run_pipeline(ir::detach(program)));
  const schedule::Schedule s = schedule::default_schedule(prepared);
  if (!loops) return {std::nullopt, schedule::print_tree(s)};
  const auto nest = schedule::resolve_legal(prepared, s);
  lower::LowerOptions options;
  for (const ir::Array& a : prepared.arrays) options.unit.push_back(a.name);
  const loops::Kernel kernel = lower::lower(*nest, options);
  loops::verify_or_die(kernel, "lower");
  std::string text = loops::to_text(kernel);
  for (unsigned seed = 0; seed < 4; ++seed) {
    interp::State a = random_state(program, seed), b = a;
    interp::run(program, a);
    interp::run(kernel, b, {.checked = true, .seed = seed, .poison = true});
    for (const ir::Array& x : program.arrays)
      if (x.role == ir::Role::Output || x.role == ir::Role::InOut)
        if (const std::string name(x.name.text());
            !interp::same_bits(a.arrays.at(name), b.arrays.at(name)))
          text += "'" + name + "' differs\n";
  }
  return {std::nullopt, text};
}

// The value graph. It must satisfy its rules and, where it can be evaluated, give the same bits.
StepResult values(const ir::Program& program) {
  const schedule::ValueGraph graph = schedule::build_values(program);
  std::string text = schedule::print(graph);
  for (const std::string& broken : schedule::check_values(graph))
    text += "broken: " + broken + "\n";
  if (const std::string why = schedule::why_not_evaluable(graph); !why.empty())
    return {std::nullopt, text + "not evaluable: " + why + "\n"};
  for (unsigned seed = 0; seed < 4; ++seed) {
    interp::State a = random_state(program, seed), b = a;
    interp::run(program, a);
    schedule::evaluate(graph, b);
    for (const auto& [array, id] : graph.results)
      if (!interp::same_bits(a.arrays.at(std::string(array.text())),
                             b.arrays.at(std::string(array.text()))))
        text += "differs: " + std::string(array.text()) + "\n";
  }
  return {std::nullopt, text};
}

}  // namespace

StepResult run_step(const ir::Program& program, const std::string& step) {
  const auto w = words(step);
  const auto symbol = [&](std::size_t i) {
    return i < w.size() ? program.graph->symbol(w[i]) : Symbol{};
  };
  if (w[0] == "inline-temporary")
    return outcome(passes::inline_temporary(program, symbol(1), symbol(2)));
  if (w[0] == "fuse-statements")
    return outcome(passes::fuse_statements(program, symbol(1), symbol(2)));
  if (w[0] == "demote-temporary") return outcome(passes::demote_temporary(program, symbol(1)));
  if (w[0] == "share-subexpression") return share(program, step);
  if (w[0] == "fix-sizes") {  // fix-sizes NAME VALUE: equal at that value alone
    const passes::FixedSize size{symbol(1), std::stoll(w.at(2))};
    return {std::nullopt, ir::print(passes::fix_sizes(program, {size}))};
  }
  if (w[0] == "values") return values(program);
  if (w[0] == "schedule" || w[0] == "loops") return road(program, w[0] == "loops");
  if (w[0] == "split-conditionals" && w.size() > 1)
    return outcome(passes::split_conditionals(program, {.version_reads = true}));
  const Pass* pass = find_pass(w[0]);
  if (!pass) return {std::nullopt, "no such step\n"};
  return outcome(pass->run(program));
}

std::string first_difference(const ir::Program& before, const ir::Program& after) {
  // An `extended` temporary has no meaning of its own before its extent is computed.
  for (const ir::Array& a : before.arrays)
    if (a.extended) return "";
  for (unsigned seed = 0; seed < 8; ++seed) {
    interp::State a = random_state(before, seed), b = a;
    interp::run(before, a);
    interp::run(after, b);
    for (const ir::Array& array : before.arrays) {
      const std::string name(array.name.text());
      const bool visible = array.role == ir::Role::Output || array.role == ir::Role::InOut ||
                           array.role == ir::Role::State;
      if (visible && !interp::same_bits(a.arrays.at(name), b.arrays.at(name))) return name;
    }
  }
  return "";
}

}  // namespace lathe::testing
