// SPDX-License-Identifier: Apache-2.0
#include "pipeline.h"

#include <chrono>

#include "base/diagnostics.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "passes/passes.h"

namespace lathe {
namespace {

// clang-format off
constexpr Pass kPipeline[] = {
    // name                    needs          gives          run
    {"compute-extents",        Stage::Parsed, Stage::Sized, passes::compute_extents},
    {"simplify",               Stage::Sized,  Stage::Sized, passes::simplify},
    // Masks and versions first: what follows sees guards as values.
    {"split-conditionals",     Stage::Sized,  Stage::Sized, passes::split_conditionals},
    {"reunite-conditionals",   Stage::Sized,  Stage::Sized, passes::reunite_conditionals},
    {"remove-shadowed-writes", Stage::Sized,  Stage::Sized, passes::remove_shadowed_writes},
    // After the writes have settled, so that no reduction is lowered that nobody needs.
    {"remove-dead-code",       Stage::Sized,  Stage::Sized, passes::remove_dead_code},
    {"lower-reductions",       Stage::Sized,  Stage::Sized, passes::lower_reductions},
};
// clang-format on

constexpr bool chained(std::span<const Pass> passes) {
  Stage at = Stage::Parsed;
  for (const Pass& p : passes) {
    if (p.needs > at) return false;
    at = p.gives > at ? p.gives : at;
  }
  return at == Stage::Sized;
}
static_assert(chained(kPipeline));

// In debug builds every result is printed, parsed and compared.
void check_round_trip([[maybe_unused]] const ir::Program& program) {
#ifndef NDEBUG
  Diagnostics diagnostics;
  const auto again = ir::parse_program("round-trip", ir::print(program), diagnostics);
  if (!again || !ir::same_program(program, *again))
    throw InternalError("the result does not survive a trip through text:\n" + ir::print(program));
#endif
}

}  // namespace

std::span<const Pass> pipeline() { return kPipeline; }

const Pass* find_pass(std::string_view name) {
  for (const Pass& p : kPipeline)
    if (p.name == name) return &p;
  return nullptr;
}

ir::Program run_pass(const Pass& pass, const ir::Program& program) {
  try {
    ir::Program result = pass.run(program);
    ir::verify_or_die(result, pass.name);
    check_round_trip(result);
    return result;
  } catch (const InternalError& e) {
    throw e.in("passes", std::string(pass.name));
  }
}

ir::Program run_pipeline(const ir::Program& program, Observer seen) {
  ir::Program result = program;
  for (const Pass& pass : kPipeline) {
    const auto start = std::chrono::steady_clock::now();
    result = run_pass(pass, result);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seen(pass, result, took.count());
  }
  return result;
}

ir::Program run_pipeline(const ir::Program& program) {
  return run_pipeline(program, [](const Pass&, const ir::Program&, double) {});
}

}  // namespace lathe
