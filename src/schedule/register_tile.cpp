// SPDX-License-Identifier: Apache-2.0
#include "schedule/register_tile.h"

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"

namespace lathe::schedule {

std::optional<RegisterTile> register_tile(const Leaf& leaf) {
  if (leaf.group || leaf.lines.size() != 1) return std::nullopt;
  const ir::Statement& s = *leaf.lines.front();
  if (!s.accumulate || s.accumulate->combiner || s.targets.size() != 1) return std::nullopt;
  const auto reduced = ir::reduced_variables(s.targets, leaf.own_ranges());
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

namespace {

// The one leaf below, through loops that hold nothing else.
const Leaf* only_leaf(const Nest& nest, const Node& n) {
  const Node* at = &n;
  while (at->is_loop() && at->body.size() == 1) at = &at->body.front();
  if (at->kind != NodeKind::Compute) return nullptr;
  return &nest.leaves[nest.leaf_of.at(at)];
}

// Is it a plain statement in exactly the rows and lanes of the tile?
bool in_tile(const Leaf& leaf, const RegisterTile& tile, std::size_t depth) {
  if (leaf.group || leaf.guard || leaf.lines.size() != 1 || leaf.lines.front()->accumulate ||
      leaf.lines.front()->targets.size() != 1 || leaf.lines.front()->domain.guard)
    return false;
  std::vector<const Node*> loops = tile.rows;
  if (tile.lanes) loops.push_back(tile.lanes);
  if (leaf.path.size() != depth + loops.size()) return false;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const Node& n = *leaf.path[depth + i];
    if (n.kind != loops[i]->kind || n.name != loops[i]->name || n.tile != loops[i]->tile ||
        leaf.shift(n.name) != 0)
      return false;
  }
  for (Expr e : ir::post_order(leaf.lines.front()->values))
    if (e->op == ir::Op::Reduce) return false;
  return true;
}

}  // namespace

std::optional<RegisterGroup> register_group(const Nest& nest, Symbol array) {
  const Storage* storage = nest.find_storage(array);
  if (!storage || storage->place.kind != PlaceKind::Register || storage->path.empty())
    return std::nullopt;
  // Only accumulations have such tiles; that is quick to see.
  const bool accumulated = std::any_of(nest.leaves.begin(), nest.leaves.end(), [&](const Leaf& l) {
    return l.lines.size() == 1 && l.lines.front()->accumulate &&
           l.lines.front()->targets.front().array == array;
  });
  if (!accumulated) return std::nullopt;
  const std::vector<Node>& body = storage->path.back()->body;
  const std::size_t depth = storage->path.size();
  RegisterGroup group;
  group.array = array;
  const ir::Target* target = nullptr;
  enum class Part { Init, Main, Users } part = Part::Init;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Leaf* leaf = only_leaf(nest, body[i]);
    const bool writes = leaf && leaf->lines.size() == 1 &&
                        leaf->lines.front()->targets.size() == 1 &&
                        leaf->lines.front()->targets.front().array == array;
    bool reads = false;
    if (leaf)
      for (const ir::Statement* s : leaf->lines)
        for (Expr e : ir::post_order(s->values)) reads |= e->op == ir::Op::Read && e->name == array;
    if (!writes && !reads) {
      if (group.count > 0 && part != Part::Users) return std::nullopt;
      if (part == Part::Users) break;
      continue;
    }
    const std::size_t number = static_cast<std::size_t>(leaf - nest.leaves.data());
    const ir::Statement& s = *leaf->lines.front();
    if (part == Part::Init && writes && !s.accumulate) {
      group.first = i;
      group.init = number;
      target = &s.targets.front();
      part = Part::Main;
    } else if (part == Part::Main && writes && s.accumulate) {
      const auto tile = register_tile(*leaf);
      if (!tile || tile->first != depth || tile->piece || leaf->guard || s.domain.guard ||
          s.targets.front().indices != target->indices)
        return std::nullopt;
      for (std::size_t p = depth; p < leaf->path.size(); ++p)
        if (leaf->shift(leaf->path[p]->name) != 0) return std::nullopt;
      group.tile = *tile;
      group.main = number;
      part = Part::Users;
    } else if (part == Part::Users && reads && !writes) {
      group.users.push_back(number);
    } else {
      return std::nullopt;
    }
    ++group.count;
  }
  if (group.users.empty()) return std::nullopt;
  // Everybody else stays away, and all touch an element at its own point.
  for (const Leaf& leaf : nest.leaves) {
    const std::size_t number = static_cast<std::size_t>(&leaf - nest.leaves.data());
    const bool member = number == group.init || number == group.main ||
                        std::count(group.users.begin(), group.users.end(), number) > 0;
    if (member && number != group.main && !in_tile(leaf, group.tile, depth)) return std::nullopt;
    for (const ir::Statement* s : leaf.lines) {
      if (!member && passes::touched(*s).reads.count(array) > 0) return std::nullopt;
      for (Expr e : ir::post_order(s->values)) {
        if (e->op != ir::Op::Read || e->name != array) continue;
        const ir::view::Read r(e);
        if (!member || !std::equal(r.indices.begin(), r.indices.end(), target->indices.begin()))
          return std::nullopt;
      }
      for (const ir::Target& t : s->targets) {
        if (t.array == array && !member) return std::nullopt;
        if (member && t.array != array && nest.find_storage(t.array)) return std::nullopt;
      }
    }
  }
  // The element is the point: each variable once.
  std::vector<Symbol> seen;
  for (Expr e : target->indices) {
    if (e->op != ir::Op::Index || std::count(seen.begin(), seen.end(), e->name) > 0)
      return std::nullopt;
    seen.push_back(e->name);
  }
  return group;
}

}  // namespace lathe::schedule
