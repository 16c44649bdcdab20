// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "cli/format_tokens.h"
#include "ir/text.h"
#include "ir/text_lexer.h"
#include "ir/verify.h"
#include "schedule/values.h"

namespace lathe::testing {

using namespace ir;

Case random_case(std::uint64_t seed, const RandomOptions& options) {
  return {random_program(seed, options), seed, {}};
}

interp::State state_of(const Case& c) { return random_state(c.program, c.seed, c.sizes); }

std::string refusal(const Program& program) {
  Diagnostics diagnostics;
  if (verify(program, diagnostics)) return "";
  return diagnostics.all().empty() ? "refused without a reason" : diagnostics.all().front().message;
}

std::string survives_text(const Program& program) {
  const std::string text = print(program);
  Diagnostics diagnostics;
  const auto again = parse_program("random.lathe", text, diagnostics);
  if (!again) {
    const auto& all = diagnostics.all();
    return "refused: its text: " + (all.empty() ? "no reason" : all.front().message);
  }
  if (!same_program(program, *again)) return "difference: parse(print(p)) is another program";
  if (print(*again) != text) return "difference: print(parse(print(p))) is another text";
  if (structural_hash(*again) != structural_hash(program))
    return "difference: the structural hash does not survive text";
  const std::string why = refusal(*again);
  return why.empty() ? "" : "refused: after a trip through text: " + why;
}

Outcome run(const Program& program, const interp::State& state, RunOptions options) {
  Outcome out;
  out.state = state;
  std::optional<interp::Interpreter> machine;
  try {
    machine.emplace(program, out.state,
                    interp::Options{.checked = options.checked,
                                    .while_cap = 1000,
                                    .operation_cap = options.operation_cap,
                                    .watch = {},
                                    .events = nullptr});
    machine->run();
  } catch (const UserError& e) {
    out.error = e.what();
  }
  if (machine) out.operations = machine->operations();
  return out;
}

Case affordable(Case c) {
  constexpr std::uint64_t kMost = 20'000'000;
  for (const std::int64_t smaller : {4, 2, 1}) {
    if (run(c.program, state_of(c), {.operation_cap = kMost}).operations <= kMost) break;
    for (const Parameter& p : c.program.parameters)
      if (p.is_size) c.sizes[std::string(p.name.text())] = smaller;
  }
  return c;
}

namespace {

bool is_observed(const Array& a) {
  return a.role == Role::Output || a.role == Role::InOut || a.role == Role::State;
}

const interp::Buffer* find(const interp::State& s, const Array& a) {
  const auto at = s.arrays.find(std::string(a.name.text()));
  return at == s.arrays.end() ? nullptr : &at->second;
}

std::string first_difference(const Array& a, const interp::Buffer& x, const interp::Buffer& y) {
  const std::size_t width = size_bytes(a.dtype);
  if (x.lo != y.lo || x.hi != y.hi || x.dtype != y.dtype) return "another shape or dtype";
  for (std::size_t at = 0; at < x.data.size(); at += width) {
    const Scalar p = Scalar::load(a.dtype, x.data.data() + at);
    const Scalar q = Scalar::load(a.dtype, y.data.data() + at);
    if (p == q) continue;
    return "element " + std::to_string(at / width) + ": " + to_text(p) + ", then " + to_text(q);
  }
  return "none found element by element";
}

}  // namespace

std::string difference(const Program& program, const interp::State& a, const interp::State& b) {
  for (const Array& array : program.arrays) {
    if (!is_observed(array)) continue;
    const interp::Buffer* x = find(a, array);
    const interp::Buffer* y = find(b, array);
    const std::string name(array.name.text());
    if (!x || !y) return "'" + name + "' is missing";
    if (!interp::same_bits(*x, *y)) return "'" + name + "' " + first_difference(array, *x, *y);
  }
  return "";
}

double nan_fraction(const Program& program, const interp::State& state) {
  std::size_t nans = 0, all = 0;
  for (const Array& array : program.arrays) {
    const interp::Buffer* x = find(state, array);
    if (!x || !is_observed(array) || !is_float(array.dtype)) continue;
    for (std::size_t at = 0; at < x->data.size(); at += size_bytes(array.dtype), ++all)
      if (Scalar::load(array.dtype, x->data.data() + at).is_nan()) ++nans;
  }
  return all == 0 ? -1 : static_cast<double>(nans) / static_cast<double>(all);
}

std::string run_check(const Check& check, const Case& c) {
  try {
    return check.run(c);
  } catch (const std::exception& e) {
    return std::string("error: ") + e.what();
  } catch (...) {
    return "error: something that is no exception of ours was thrown";
  }
}

namespace {

std::mutex usage_mutex;
std::vector<Usage> usage;

void note_use(const std::string& name, bool applied) {
  const std::lock_guard lock(usage_mutex);
  for (Usage& u : usage)
    if (u.name == name) {
      ++u.asked;
      u.applied += applied;
      return;
    }
  usage.push_back({name, 1, applied ? 1u : 0u});
}

// Values are evaluated point by point: what takes longer than this is left out.
constexpr std::uint64_t kMostOperations = 20000;
constexpr std::uint64_t kMostElements = 200'000;  // of values

std::string round_trip(const Case& c) {
  const std::vector<std::string> texts = print_items(c.program);
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i] != print(c.program, c.program.body[i]))
      return "difference: an item printed alone is another text";
  return survives_text(c.program);
}

// `lathe fmt` leaves alone what the printer writes.
std::string formats(const Case& c) {
  const std::string text = print(c.program);
  Diagnostics diagnostics;
  const std::string formatted = cli::format_tokens(text, tokenize(0, text, diagnostics));
  if (formatted == text) return "";
  const auto at = std::mismatch(text.begin(), text.end(), formatted.begin(), formatted.end()).first;
  const std::size_t begin = text.rfind('\n', static_cast<std::size_t>(at - text.begin())) + 1;
  return "difference: formatting changes the line " +
         text.substr(begin, text.find('\n', begin) - begin);
}

std::string verifies(const Case& c) {
  const std::string why = refusal(c.program);
  return why.empty() ? "" : "refused: " + why;
}

// Twice the same, checked mode the same without an alarm, and step by step the same.
std::string interprets(const Case& c) {
  const interp::State start = state_of(c);
  const Outcome once = run(c.program, start);
  if (!once.error.empty()) return "error: " + once.error;
  const Outcome twice = run(c.program, start);
  if (std::string d = difference(c.program, once.state, twice.state); !d.empty())
    return "difference: a second run: " + d;
  const Outcome careful = run(c.program, start, {.checked = true});
  if (!careful.error.empty()) return "error: checked mode: " + careful.error;
  if (std::string d = difference(c.program, once.state, careful.state); !d.empty())
    return "difference: checked mode: " + d;
  interp::State state = start;
  interp::Interpreter machine(c.program, state);
  std::size_t steps = 0;
  while (machine.next()) {
    if (!machine.step()) return "difference: step() refuses though next() names an item";
    ++steps;
  }
  if (machine.step()) return "difference: step() works though next() names nothing";
  if (steps != c.program.body.size()) return "difference: steps are not items";
  const std::string d = difference(c.program, once.state, state);
  return d.empty() ? "" : "difference: step by step: " + d;
}

const NamedTransform& sizing() {
  for (const NamedTransform& t : all_transforms())
    if (!t.sized) return t;
  internal_error("a pass that resolves extents");
}

bool has_extended(const Program& p) {
  for (const Array& a : p.arrays)
    if (a.extended) return true;
  return false;
}

// Inlining a reduction into a reduction multiplies work, and a sequence may do that again and
// again: a program that became this many times slower is not run.
constexpr std::uint64_t kSlower = 50;

// The end of a sequence: what it made, and the names of what made it.
struct Made {
  Program program;
  std::string path;
};

// Checked mode finds what luck may hide. But a pass may copy what nobody has written, under masks
// and through casts, as long as nobody looks at the copy: those runs are repeated without the
// check.
Outcome run_made(const Made& made, const interp::State& start, std::uint64_t cap) {
  const Outcome out = run(made.program, start, {.checked = true, .operation_cap = cap});
  if (out.error.find("nothing has written") == std::string::npos) return out;
  return run(made.program, start, {.operation_cap = cap});
}

// The program after `transforms`, compared with the one before; nothing to compare if it is the
// same.
std::string keeps_bits(const Case& c, const std::vector<const NamedTransform*>& transforms) {
  Rng rng(c.seed ^ 0x7ea);
  std::vector<Made> made = {{c.program, ""}};
  for (const NamedTransform* t : transforms) {
    Program p = made.back().program;
    const std::string path = made.back().path + (made.back().path.empty() ? "" : ", ") + t->name;
    if (t->sized && has_extended(p)) {
      auto sized = sizing().apply(p, rng);
      if (sized) p = std::move(*sized);
    }
    auto next = t->apply(p, rng);
    note_use(t->name, next.has_value());
    if (!next || same_program(p, *next)) {
      made.back().program = std::move(p);
      continue;
    }
    p = std::move(*next);
    if (const std::string why = refusal(p); !why.empty())
      return "refused: after " + path + ": " + why;
    if (const std::string why = survives_text(p); !why.empty()) return why + ", after " + path;
    made.push_back({std::move(p), path});
  }
  if (made.size() == 1 && same_program(made.back().program, c.program)) return "";
  const interp::State start = state_of(c);
  const Outcome before = run(c.program, start);
  if (!before.error.empty()) return "error: before: " + before.error;
  const std::uint64_t cap = 100'000 + kSlower * before.operations;
  Outcome after = run_made(made.back(), start, cap);
  while (after.operations > cap && made.size() > 1) {  // the longest part that is fast enough
    made.pop_back();
    after = run_made(made.back(), start, cap);
  }
  const std::string& path = made.back().path;
  if (!after.error.empty()) return "error: after " + path + ": " + after.error;
  const std::string d = difference(c.program, before.state, after.state);
  return d.empty() ? "" : "difference: after " + path + ": " + d;
}

// The value graph keeps its rules; where it has a denotation, it is what the interpreter computes.
std::string denotes(const Case& c) {
  if (has_extended(c.program)) return "";
  const schedule::ValueGraph graph = schedule::build_values(c.program);
  const auto broken = schedule::check_values(graph);
  if (!broken.empty()) return "refused: " + broken.front();
  schedule::print(graph);
  if (!schedule::why_not_evaluable(graph).empty()) return "";
  const interp::State start = state_of(c);
  const Outcome once = run(c.program, start);
  if (!once.error.empty()) return "error: " + once.error;
  interp::State state = start;
  const bool evaluated =
      once.operations <= kMostOperations && schedule::evaluate(graph, state, kMostElements);
  note_use("values", evaluated);
  if (!evaluated) return "";
  const std::string d = difference(c.program, once.state, state);
  return d.empty() ? "" : "difference: the value graph: " + d;
}

std::string random_sequence(const Case& c) {
  Rng rng(c.seed ^ 0x5e9);
  std::vector<const NamedTransform*> sequence;
  const auto& all = all_transforms();
  for (std::size_t n = 2 + rng.below(7); n > 0; --n) sequence.push_back(&rng.pick(all));
  return keeps_bits(c, sequence);
}

}  // namespace

std::vector<Usage> transform_usage() {
  const std::lock_guard lock(usage_mutex);
  return usage;
}

Check transform_check(const NamedTransform& transform) {
  return {transform.name, [&transform](const Case& c) { return keeps_bits(c, {&transform}); }};
}

const std::vector<Check>& all_checks() {
  static const std::vector<Check> checks = [] {
    std::vector<Check> list = {{"verify", verifies},
                               {"round-trip", round_trip},
                               {"format", formats},
                               {"interpret", interprets},
                               {"values", denotes}};
    for (const NamedTransform& t : all_transforms()) list.push_back(transform_check(t));
    list.push_back({"sequence", random_sequence});
    return list;
  }();
  return checks;
}

}  // namespace lathe::testing
