// SPDX-License-Identifier: Apache-2.0
// Two statements that write one array at one index, one where c holds and one where it does not,
// are one statement:
//
//   for i in 0..n where m[i]: out[i] = a[i]
//   for i in 0..n where not m[i]: out[i] = b[i]    =>   for i in 0..n: out[i] = select(m[i], a[i],
//   b[i])
//
// Guards may share further conditions; those stay. The second statement must not read what the
// first wrote, except at its own index: there the first did not write. In between nobody touches
// the array or writes what the first statement reads: it moves down to the second.

#include <algorithm>
#include <map>
#include <optional>

#include "ir/group_rule.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

struct Reunion {
  Expr condition;  // of the first
  Expr common;     // what both guards share, or null
};

// The guards as (common and c) and (common and not c).
std::optional<Reunion> reunion(ir::Graph& graph, Expr first, Expr second) {
  std::vector<Expr> a = conjuncts(first), b = conjuncts(second), common;
  for (Expr e : a)
    if (std::find(b.begin(), b.end(), e) != b.end()) common.push_back(e);
  const auto shared = [&](Expr e) {
    return std::find(common.begin(), common.end(), e) != common.end();
  };
  std::erase_if(a, shared);
  std::erase_if(b, shared);
  if (a.empty() || b.empty()) return std::nullopt;
  ir::RawMaker raw(graph);
  const Expr left = conjunction(raw, a), right = conjunction(raw, b);
  if (!complementary(graph, left, right)) return std::nullopt;
  return Reunion{left, conjunction(raw, common)};
}

std::optional<ir::Statement> reunite(ir::Graph& graph, const ir::Statement& first,
                                     const ir::Statement& second) {
  if (first.accumulate || second.accumulate || first.targets != second.targets) return {};
  if (first.targets.size() != 1 || !same_ranges(first.domain.ranges, second.domain.ranges))
    return {};
  if (!first.domain.guard || !second.domain.guard) return {};
  const ir::Target& target = first.targets[0];
  // Otherwise a point of the second may overwrite what another point of the first wrote.
  if (!ir::determines_point(target, first.domain.ranges)) return {};
  // The second guard and index are evaluated after the first write; a value may look at its own
  // element, which the first did not touch at this point.
  if (reads_array(second.domain.guard, target.array)) return {};
  for (Expr e : target.indices)
    if (reads_array(e, target.array)) return {};
  if (reads_elsewhere(second.values[0], target)) return {};
  const auto parts = reunion(graph, first.domain.guard, second.domain.guard);
  if (!parts) return {};
  ir::RawMaker raw(graph);
  ir::Statement joined = first;
  joined.domain.guard = parts->common;
  joined.values = {ir::Build(raw).select(parts->condition, first.values[0], second.values[0])};
  return joined;
}

// For each array, who touched and who wrote it last: a statement's other half is the last toucher
// of its target, if nothing that it reads was written since.
Body reunite_body(ir::Graph& graph, Body body) {
  std::vector<bool> moved(body.size(), false);
  std::map<Symbol, std::size_t> last_touch, last_write;
  for (std::size_t j = 0; j < body.size(); ++j) {
    auto* second = std::get_if<ir::Statement>(&body[j].node);
    if (const auto at = second ? last_touch.find(second->targets[0].array) : last_touch.end();
        at != last_touch.end()) {
      const std::size_t i = at->second;
      const auto* first = std::get_if<ir::Statement>(&body[i].node);
      const auto written_since = [&](Symbol a) {
        const auto w = last_write.find(a);
        return w != last_write.end() && w->second > i;
      };
      if (first) {
        const Touched t = touched(*first);
        if (std::none_of(t.reads.begin(), t.reads.end(), written_since))
          if (auto joined = reunite(graph, *first, *second)) {
            body[j] = {std::move(*joined)};
            moved[i] = true;
          }
      }
    }
    const Touched t = touched(body[j]);
    for (Symbol a : t.reads) last_touch[a] = j;
    for (Symbol a : t.writes) last_touch[a] = last_write[a] = j;
  }
  Body kept;
  for (std::size_t i = 0; i < body.size(); ++i)
    if (!moved[i]) kept.push_back(std::move(body[i]));
  return kept;
}

}  // namespace

ir::Program reunite_conditionals(const ir::Program& program) {
  ir::Program out = program;
  out.body = map_all_bodies(std::move(out.body), [&](Body body) {
    return reunite_body(*program.graph, std::move(body));
  });
  return out;
}

}  // namespace lathe::passes
