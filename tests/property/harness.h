// SPDX-License-Identifier: Apache-2.0
#pragma once
// Properties that every program must have, as named checks: text round trip, verification, the
// interpreter's own consistency, and that each pass and mechanism keeps every bit.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interp/interpreter.h"
#include "ir/program.h"
#include "random_program.h"
#include "rng.h"

namespace lathe::testing {

// A program and what it is run on.
struct Case {
  ir::Program program;
  std::uint64_t seed = 0;  // of random_state, and of what a check draws
  Sizes sizes;             // fixed by the reducer
};
Case random_case(std::uint64_t seed, const RandomOptions& options = {});
// With smaller sizes where it would take more than a second: each check runs it several times.
Case affordable(Case c);
interp::State state_of(const Case& c);

// Program -> Program with drawn arguments; nothing when no legal argument was found.
using Transform = std::function<std::optional<ir::Program>(const ir::Program&, Rng&)>;
struct NamedTransform {
  std::string name;
  bool sized;  // needs a program without extended temporaries
  Transform apply;
};
// The passes of pipeline.h under their names, and the mechanisms of passes/passes.h.
const std::vector<NamedTransform>& all_transforms();

// Empty when the property holds; else what is wrong, beginning with its kind: "refused: ...",
// "difference: ...", "error: ...".
struct Check {
  std::string name;
  std::function<std::string(const Case&)> run;
};
// Round trip, verification, interpreter, then one per transform, then sequences of transforms.
const std::vector<Check>& all_checks();
Check transform_check(const NamedTransform& transform);

// What a trip through text changes, or nothing.
std::string survives_text(const ir::Program& program);
// Why verify() refuses the program, or nothing.
std::string refusal(const ir::Program& program);
// Runs on a copy of the state; nothing but `error` and `operations` when the run fails.
struct Outcome {
  interp::State state;
  std::string error;
  std::uint64_t operations = 0;
};
struct RunOptions {
  bool checked = false;
  std::uint64_t operation_cap = 1'000'000'000;  // under a minute
};
Outcome run(const ir::Program& program, const interp::State& state, RunOptions options = {});
// Outputs, inouts and states of `program`, bit for bit (all NaNs are one value): the first
// difference, or nothing.
std::string difference(const ir::Program& program, const interp::State& a, const interp::State& b);
// Fraction of the elements of float outputs, inouts and states that are NaN; -1 when there are
// none.
double nan_fraction(const ir::Program& program, const interp::State& state);

// Runs the check; exceptions become "error: ...".
std::string run_check(const Check& check, const Case& c);
// How often each transform was asked and how often it did something, so far.
struct Usage {
  std::string name;
  std::uint64_t asked = 0, applied = 0;
};
std::vector<Usage> transform_usage();

}  // namespace lathe::testing
