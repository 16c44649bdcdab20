// SPDX-License-Identifier: Apache-2.0
#include "schedule/register_tile.h"

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/traverse.h"

namespace lathe::schedule {

std::optional<RegisterTile> register_tile(const Leaf& leaf) {
  if (leaf.group || leaf.lines.size() != 1) return std::nullopt;
  const ir::Statement& s = *leaf.lines.front();
  if (!s.accumulate || s.accumulate->combiner || s.targets.size() != 1) return std::nullopt;
  const auto reduced = ir::reduced_variables(s.targets, leaf.ranges);
  if (!reduced || reduced->empty()) return std::nullopt;
  const auto is_reduced = [&](Symbol v) {
    return std::find(reduced->begin(), reduced->end(), v) != reduced->end();
  };

  // From the inside: lanes, rows, reduced loops; one statement and nothing beside it.
  RegisterTile tile;
  std::size_t at = leaf.path.size();
  const auto alone = [&] { return at > 0 && leaf.path[at - 1]->body.size() == 1; };
  const auto next = [&]() -> const Node* { return leaf.path[--at]; };
  if (alone() && leaf.path[at - 1]->kind == NodeKind::Vector &&
      !is_reduced(leaf.path[at - 1]->name))
    tile.lanes = next();
  while (alone() && leaf.path[at - 1]->kind == NodeKind::Unroll &&
         !is_reduced(leaf.path[at - 1]->name))
    tile.rows.insert(tile.rows.begin(), next());
  if (!tile.lanes && tile.rows.empty()) return std::nullopt;
  while (alone() && leaf.path[at - 1]->kind == NodeKind::For && is_point_loop(*leaf.path[at - 1]) &&
         is_reduced(leaf.path[at - 1]->name))
    tile.reduced.insert(tile.reduced.begin(), next());
  if (tile.reduced.size() != reduced->size()) return std::nullopt;
  tile.first = at;

  std::vector<Symbol> inside, kept;
  for (const Node* n : tile.rows) kept.push_back(n->name);
  if (tile.lanes) kept.push_back(tile.lanes->name);
  inside = kept;
  for (const Node* n : tile.reduced) inside.push_back(n->name);
  const auto mentions_any = [](Expr e, const std::vector<Symbol>& names) {
    return std::any_of(names.begin(), names.end(), [&](Symbol v) { return ir::mentions(e, v); });
  };
  for (const ir::Range& r : leaf.ranges)
    for (Expr e : {r.lo, r.hi})
      if (mentions_any(e, inside) || !ir::arrays_read(e).empty()) return std::nullopt;
  for (Expr g : {leaf.guard, s.domain.guard})
    if (g && mentions_any(g, kept)) return std::nullopt;
  for (Expr e : ir::post_order(s.values))
    if (e->op == ir::Op::Reduce) return std::nullopt;

  for (std::size_t p = leaf.on_demand ? leaf.scope : 0; p < tile.first; ++p) {
    const Node& n = *leaf.path[p];
    if (!n.is_loop() || !is_reduced(n.name)) continue;
    // Tiles of one variable, once.
    if (tile.piece || reduced->size() != 1 || n.kind != NodeKind::For) return std::nullopt;
    tile.piece = &n;
    tile.piece_at = p;
  }
  return tile;
}

}  // namespace lathe::schedule
