// SPDX-License-Identifier: Apache-2.0
#include "random_schedule.h"

#include "schedule/legal.h"
#include "schedule_edits.h"

namespace lathe::testing {

using namespace schedule;

namespace {

struct WeightedEdit {
  Edit edit;
  int weight;
};
const WeightedEdit kEdits[] = {
    {change_kind, 8},     {tile_loop, 6},     {interchange, 5},   {fuse_loops, 9},
    {split_loop, 2},      {swap_siblings, 3}, {change_place, 8},  {make_window, 6},
    {shift_statement, 3}, {add_copy, 5},      {add_prefetch, 2},  {make_register_tile, 5},
    {spread_tree, 2},     {lay_out, 5},       {work_in_place, 5}, {jam_loop, 6},
    {run_together, 4},
};

}  // namespace

Machine random_machine(Rng& rng) {
  Machine m;
  constexpr std::int64_t kVectors[] = {64, 64, 32, 16};
  m.vector_bytes = rng.pick(kVectors);
  if (rng.percent(50)) m.l1 = 1 << rng.between(8, 12);
  if (rng.percent(50)) m.l2 = 1 << rng.between(10, 14);
  return m;
}

Schedule random_schedule(const ir::Program& prepared, Rng& rng) {
  const EditFacts facts(prepared);
  analysis::SetQuery query;
  const KnownProgram known(prepared, query);
  std::vector<int> weights;
  for (const WeightedEdit& e : kEdits) weights.push_back(rng.percent(20) ? 3 * e.weight : e.weight);
  Schedule best =
      rng.percent(60) ? plain_schedule(prepared) : default_schedule(prepared, random_machine(rng));
  const std::int64_t wanted = rng.between(1, 9);
  for (std::int64_t made = 0, tries = 0; made < wanted && tries < 4 * wanted; ++tries) {
    Schedule trial = best;
    kEdits[rng.weighted(weights)].edit(facts, trial, rng);
    if (same_tree(trial.body, best.body)) continue;
    try {
      resolve_legal(prepared, trial, known, query);
      // Only what can be written down: the names in a lockfile are checked, too.
      Diagnostics diagnostics;
      if (!parse_schedule("schedule", print(trial), prepared, diagnostics)) continue;
      best = std::move(trial);
      ++made;
    } catch (const UserError&) {
    }
  }
  return best;
}

}  // namespace lathe::testing
