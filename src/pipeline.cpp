// SPDX-License-Identifier: Apache-2.0
#include "pipeline.h"

#include <chrono>

#include "base/diagnostics.h"
#include "base/stop.h"
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
    {"split-groups",           Stage::Sized,  Stage::Sized, passes::split_groups},
    // Masks and versions first: what follows sees guards as values.
    {"split-conditionals",     Stage::Sized,  Stage::Sized, passes::split_conditionals},
    {"reunite-conditionals",   Stage::Sized,  Stage::Sized, passes::reunite_conditionals},
    {"remove-shadowed-writes", Stage::Sized,  Stage::Sized, passes::remove_shadowed_writes},
    {"separate-versions",      Stage::Sized,  Stage::Sized, passes::separate_versions},
    {"share-shifted",          Stage::Sized,  Stage::Sized, passes::share_shifted},
    // After the writes have settled, so that no reduction is lowered that nobody needs.
    {"remove-dead-code",       Stage::Sized,  Stage::Sized, passes::remove_dead_code},
    {"lower-reductions",       Stage::Sized,  Stage::Sized, passes::lower_reductions},
};

constexpr Pass kPreparation[] = {
    // First: statements over whole arrays may stand anywhere but inside branches and whiles.
    {"lower-masks",            Stage::Sized,  Stage::Sized, passes::lower_masks},
    {"lower-scans",            Stage::Sized,  Stage::Sized, passes::lower_scans},
    // Scans and whiles make fresh accumulations.
    {"lower-accumulations",    Stage::Sized,  Stage::Sized, passes::lower_accumulations},
    {"separate-overlaps",      Stage::Sized,  Stage::Prepared, passes::separate_overlaps},
};
// clang-format on

constexpr bool chained(std::span<const Pass> passes, Stage from, Stage to) {
  Stage at = from;
  for (const Pass& p : passes) {
    if (p.needs > at) return false;
    at = p.gives > at ? p.gives : at;
  }
  return at == to;
}
static_assert(chained(kPipeline, Stage::Parsed, Stage::Sized));
static_assert(chained(kPreparation, Stage::Sized, Stage::Prepared));

// In debug builds everything new is printed, parsed and compared.
void check_round_trip([[maybe_unused]] const ir::Program& before,
                      [[maybe_unused]] const ir::Program& program) {
#ifndef NDEBUG
  if (ir::same_program(before, program)) return;
  Diagnostics diagnostics;
  const auto again = ir::parse_program("round-trip", ir::print(program), diagnostics);
  if (!again || !ir::same_program(program, *again))
    throw InternalError("the result does not survive a trip through text:\n" + ir::print(program));
#endif
}

}  // namespace

std::span<const Pass> pipeline() { return kPipeline; }
std::span<const Pass> preparation() { return kPreparation; }

const Pass* find_pass(std::string_view name) {
  for (const std::span<const Pass> table : {pipeline(), preparation()})
    for (const Pass& p : table)
      if (p.name == name) return &p;
  return nullptr;
}

ir::Program run_pass(const Pass& pass, const ir::Program& program) {
  try {
    ir::Program result = pass.run(program);
    ir::verify_or_die(result, pass.name);
    check_round_trip(program, result);
    return result;
  } catch (const InternalError& e) {
    throw e.in("passes", std::string(pass.name));
  }
}

namespace {

ir::Program run_table(std::span<const Pass> table, const ir::Program& program, Observer seen) {
  ir::Program result = program;
  for (const Pass& pass : table) {
    stop_if_asked();
    const auto start = std::chrono::steady_clock::now();
    result = run_pass(pass, result);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seen(pass, result, took.count());
  }
  return result;
}

void see_nothing(const Pass&, const ir::Program&, double) {}

}  // namespace

ir::Program run_pipeline(const ir::Program& program, Observer seen) {
  return run_table(kPipeline, program, seen);
}
ir::Program run_pipeline(const ir::Program& program) { return run_pipeline(program, see_nothing); }

ir::Program run_preparation(const ir::Program& program, Observer seen) {
  return run_table(kPreparation, program, seen);
}
ir::Program run_preparation(const ir::Program& program) {
  return run_preparation(program, see_nothing);
}

}  // namespace lathe
