// SPDX-License-Identifier: Apache-2.0
// Accumulations meet their points in the program's order.

#include <algorithm>

#include "base/quoted.h"
#include "ir/accumulation_order.h"
#include "ir/traverse.h"
#include "schedule/legal_parts.h"
#include "schedule/register_tile.h"

namespace lathe::schedule {
namespace {

// A tree's blocks may run on several threads, and so may the rows of one over several variables:
// `parallel r/T` around its own loops alone.
bool is_spread_tree(const Leaf& leaf, const ir::Statement& s, std::size_t p) {
  const Node& n = *leaf.path[p];
  const ir::Order order = s.accumulate->order;
  if (n.kind != NodeKind::Parallel || !is_tile_loop(n) || s.accumulate->combiner ||
      (order != ir::Order::Tree && order != ir::Order::Free) || p + 2 > leaf.path.size() ||
      n.body.size() != 1 || n.body[0].name != n.name)
    return false;
  if (p + 2 == leaf.path.size() && n.tile % 4096 != 0) return false;
  for (std::size_t q = p + 1; q < leaf.path.size(); ++q)
    if (leaf.path[q]->kind != NodeKind::For || leaf.path[q]->body.size() != 1 ||
        !is_point_loop(*leaf.path[q]))
      return false;
  const auto reduced = ir::reduced_variables(s.targets, leaf.own_ranges());
  if (!reduced || reduced->size() != leaf.path.size() - p - 1) return false;
  const auto is_reduced = [&](Symbol v) {
    return std::find(reduced->begin(), reduced->end(), v) != reduced->end();
  };
  // In the program's order, all points of each.
  std::size_t q = p + 1;
  for (const ir::Range& r : leaf.own_ranges())
    if (is_reduced(r.variable) && leaf.path[q++]->name != r.variable) return false;
  return std::none_of(
      leaf.path.begin(), leaf.path.begin() + static_cast<std::ptrdiff_t>(p),
      [&](const Node* outer) { return is_tile_loop(*outer) && is_reduced(outer->name); });
}

// Why a reduced variable cannot run in these tiles; empty: it can.
std::string refused_tiles(const Nest& nest, const Leaf& leaf, const ir::Statement& s,
                          const Node& n) {
  constexpr std::int64_t kBlock = 4096;
  const std::string tiles = "tiles of " + quoted(n.name);
  const ir::Order order = s.accumulate->order;
  if (order == ir::Order::Tree) return tiles + ": a tree has blocks of its own";
  const auto reduced = ir::reduced_variables(s.targets, leaf.own_ranges());
  // A scatter runs point by point: tiles of its only variable keep that order.
  if (!reduced && n.kind == NodeKind::For && leaf.own_ranges().size() == 1) return {};
  const auto tile = register_tile(leaf);
  if (n.kind != NodeKind::For || (order == ir::Order::Chain && (!tile || tile->piece != &n)))
    return tiles + " need its own loop inside, with unroll and vector loops in that";
  if (!reduced || reduced->size() != 1) return tiles + ": it is not the only reduced variable";
  if (order == ir::Order::Seq || n.tile % kBlock == 0) return {};
  if (kBlock % n.tile != 0)
    return tiles + " must divide the blocks of a chain, 4096 points, or be a multiple of them";
  if (nest.find_storage(s.targets.front().array)) return tiles + " need a target that lives whole";
  const ir::Range& r = *leaf.range(n.name);
  if (!ir::free_variables(r.lo).empty() || !ir::free_variables(r.hi).empty())
    return tiles + ": its range depends on other variables";
  return {};
}

}  // namespace

std::optional<Diagnostic> refused_accumulation(const Nest& nest, const Leaf& leaf,
                                               const ir::Statement& s) {
  const auto reduced = ir::reduced_variables(s.targets, leaf.own_ranges());
  const bool free = s.accumulate->order == ir::Order::Free;
  const auto refuse_loop = [&](const Node& n, const std::string& why) {
    Diagnostic d{
        Severity::Error,
        "the schedule changes the order in which " + quoted(s.label) + " accumulates: " + why,
        n.span,
        {},
        ""};
    d.note("the accumulation is here", s.span);
    return d;
  };
  const auto is_reduced = [&](Symbol v) {
    return !reduced || std::find(reduced->begin(), reduced->end(), v) != reduced->end();
  };
  std::vector<Symbol> loops;  // over reduced variables
  for (std::size_t p = leaf.on_demand ? leaf.scope : 0; p < leaf.path.size(); ++p) {
    const Node& n = *leaf.path[p];
    if (!n.is_loop() || !is_reduced(n.name) || leaf.is_sweep(n.name)) continue;
    if (is_spread_tree(leaf, s, p)) continue;
    if (n.kind == NodeKind::Parallel || n.kind == NodeKind::Vector) {
      if (!free) return refuse_loop(n, quoted(n.name) + " is reduced, so its points have an order");
      Diagnostic d = refuse_loop(n, "");
      d.message = "points of " + quoted(n.name) + " would meet in one element of " +
                  quoted(s.targets.front().array) + ": " + quoted(s.label) +
                  " accumulates over them, and they run at the same time";
      d.help = "write 'for'";
      if (reduced)
        d.help +=
            "; over threads: 'parallel " + std::string(n.name.text()) +
            "/4096', and in it 'for' loops over all reduced variables, in the program's order";
      return d;
    }
    if (is_tile_loop(n) && !free)
      if (const std::string why = refused_tiles(nest, leaf, s, n); !why.empty())
        return refuse_loop(n, why);
    if (is_point_loop(n)) loops.push_back(n.name);
  }
  if (free) return std::nullopt;
  std::vector<Symbol> wanted;
  for (const ir::Range& r : leaf.ranges)
    if (is_reduced(r.variable) && !leaf.is_sweep(r.variable)) wanted.push_back(r.variable);
  if (loops != wanted)
    return refuse_loop(*leaf.path.front(), "its loops are in another order than its variables");
  if (s.accumulate->order == ir::Order::Seq || !reduced) return std::nullopt;
  if (s.accumulate->order == ir::Order::Chain && register_tile(leaf)) return std::nullopt;
  // Blocks and lanes: the reduced loops are innermost and hold nothing else.
  std::size_t innermost = 0;
  for (std::size_t p = leaf.path.size(); p-- > 0 && is_reduced(leaf.path[p]->name) &&
                                         leaf.path[p]->is_loop() && leaf.path[p]->body.size() == 1;)
    ++innermost;
  if (innermost < wanted.size() && !wanted.empty())
    return refuse_loop(*leaf.path.back(), "a " + std::string(name(s.accumulate->order)) +
                                              " runs in loops of its own, innermost");
  return std::nullopt;
}

}  // namespace lathe::schedule
