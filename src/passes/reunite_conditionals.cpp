// SPDX-License-Identifier: Apache-2.0
// Two neighbours that write one array at one index, one where c holds and one where it does not,
// are one statement:
//
//   for i in 0..n where m[i]: out[i] = a[i]
//   for i in 0..n where not m[i]: out[i] = b[i]    =>   for i in 0..n: out[i] = select(m[i], a[i],
//   b[i])
//
// Guards may share further conditions; those stay. The second statement must not read what the
// first wrote, except at its own index: there the first did not write.

#include <algorithm>
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

}  // namespace

ir::Program reunite_conditionals(const ir::Program& program) {
  ir::Program out = program;
  out.body = map_items(program.body, [&](Item item, Body& to) {
    auto* second = std::get_if<ir::Statement>(&item.node);
    auto* first = to.empty() ? nullptr : std::get_if<ir::Statement>(&to.back().node);
    if (first && second)
      if (auto joined = reunite(*program.graph, *first, *second)) {
        to.back() = {std::move(*joined)};
        return;
      }
    to.push_back(std::move(item));
  });
  return out;
}

}  // namespace lathe::passes
