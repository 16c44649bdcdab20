// SPDX-License-Identifier: Apache-2.0
// Document 004, transformation 2: a write whose elements a later statement overwrites - all of
// them, or those where the later guard holds - and that nobody reads in between, moves into the
// later one, as the other side of a select:
//
//   for i in 0..n: t[i] = 0
//   for i in 0..n where m[i]: t[i] = u[i]       =>   for i in 0..n: t[i] = select(m[i], u[i], 0)
//
// Both statements stand in one body, over the same ranges, at the same index; in between nobody
// touches the array or writes what the first statement reads.

#include <map>
#include <optional>

#include "ir/group_rule.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

// The later statement with the earlier one taken in; nothing if that is not the same.
std::optional<ir::Statement> shadow(ir::Graph& graph, const ir::Statement& first,
                                    const ir::Statement& second) {
  if (first.accumulate || second.accumulate || first.targets != second.targets) return {};
  if (first.targets.size() != 1 || !same_ranges(first.domain.ranges, second.domain.ranges))
    return {};
  const ir::Target& target = first.targets[0];
  for (Expr e : expressions(second))
    if (reads_array(e, target.array)) return {};
  // Overwritten everywhere: the first write is gone.
  if (!second.domain.guard) return second;
  // The first value is now computed by the second statement, and only where its guard held.
  if (first.domain.guard && first.domain.guard != second.domain.guard) return {};
  if (first.domain.guard) return second;
  if (!ir::determines_point(target, first.domain.ranges)) return {};
  ir::RawMaker raw(graph);
  ir::Statement joined = second;
  joined.values = {ir::Build(raw).select(second.domain.guard, second.values[0], first.values[0])};
  joined.domain.guard = nullptr;
  return joined;
}

// One pass over a body. For each array, who touched and who wrote it last: the candidate for a
// statement is the last toucher of its target, if nothing it reads was written since.
Body shadow_body(ir::Graph& graph, Body body) {
  std::vector<bool> removed(body.size(), false);
  std::map<Symbol, std::size_t> last_touch, last_write;
  const auto unchanged_since = [&](const ir::Statement& first, std::size_t i) {
    for (Symbol r : touched(first).reads)
      if (auto w = last_write.find(r); w != last_write.end() && w->second > i) return false;
    return true;
  };
  for (std::size_t j = 0; j < body.size(); ++j) {
    if (auto* second = std::get_if<ir::Statement>(&body[j].node)) {
      const auto candidate = last_touch.find(second->targets[0].array);
      if (candidate != last_touch.end()) {
        const std::size_t i = candidate->second;
        auto* first = std::get_if<ir::Statement>(&body[i].node);
        if (first && !removed[i] && unchanged_since(*first, i))
          if (auto joined = shadow(graph, *first, *second)) {
            body[j] = {std::move(*joined)};
            removed[i] = true;
          }
      }
    }
    const Touched t = touched(body[j]);
    for (Symbol a : t.reads) last_touch[a] = j;
    for (Symbol a : t.writes) last_touch[a] = last_write[a] = j;
  }
  Body kept;
  for (std::size_t i = 0; i < body.size(); ++i)
    if (!removed[i]) kept.push_back(std::move(body[i]));
  return kept;
}

}  // namespace

ir::Program remove_shadowed_writes(const ir::Program& program) {
  ir::Program out = program;
  out.body = map_all_bodies(
      std::move(out.body), [&](Body body) { return shadow_body(*program.graph, std::move(body)); });
  return out;
}

}  // namespace lathe::passes
