// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "schedule_edits.h"

namespace lathe::testing {

using namespace schedule;

namespace {

void collect(std::vector<Node>& body, std::vector<const Node*>& around, std::vector<Spot>& out) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    out.push_back({&body, i, around});
    around.push_back(&body[i]);
    collect(body[i].body, around, out);
    collect(body[i].otherwise, around, out);
    around.pop_back();
  }
}

// Loops that may become others: those of sweeps are meaning.
bool is_free_loop(const Node& n) { return n.kind <= NodeKind::Jam; }

std::vector<Spot> free_loops(Schedule& s) {
  std::vector<Spot> spots = all_spots(s);
  std::erase_if(spots, [](const Spot& p) { return !is_free_loop(p.node()); });
  return spots;
}

std::int64_t some_width(Rng& rng) {
  constexpr std::int64_t kWidths[] = {1, 2, 4, 8, 8, 16, 16, 32, 64};
  return rng.pick(kWidths);
}

// The statements below get their variable from another loop.
void rename_below(Node& n, Symbol from, Symbol to) {
  if (n.kind == NodeKind::Compute) {
    for (Bind& b : n.binds)
      if (b.loop == from) {
        b.loop = to;
        return;
      }
    n.binds.push_back({from, to, 0});
  }
  if (n.is_loop() && n.name == from) n.name = to;
  if (n.place.window == from) n.place.window = to;
  for (Node& inner : n.body) rename_below(inner, from, to);
  for (Node& inner : n.otherwise) rename_below(inner, from, to);
}

}  // namespace

std::vector<Spot> all_spots(Schedule& s) {
  std::vector<Spot> spots;
  std::vector<const Node*> around;
  collect(s.body, around, spots);
  return spots;
}

void change_kind(const EditFacts&, Schedule& s, Rng& rng) {
  const std::vector<Spot> loops = free_loops(s);
  if (loops.empty()) return;
  Node& n = rng.pick(loops).node();
  constexpr NodeKind kKinds[] = {NodeKind::For,    NodeKind::Parallel, NodeKind::Parallel,
                                 NodeKind::Vector, NodeKind::Vector,   NodeKind::Unroll};
  n.kind = rng.pick(kKinds);
  n.tile = 0;
  if (n.kind == NodeKind::Vector) n.tile = some_width(rng);
  if (n.kind == NodeKind::Unroll) n.tile = rng.between(1, 5);
}

// A loop around one that holds statements alone, which becomes a vector loop.
void jam_loop(const EditFacts&, Schedule& s, Rng& rng) {
  std::vector<Spot> loops = free_loops(s);
  std::erase_if(loops, [](const Spot& p) {
    const Node& n = p.node();
    return n.tile > 0 || n.body.size() != 1 || !is_free_loop(n.body[0]) ||
           std::any_of(n.body[0].body.begin(), n.body[0].body.end(),
                       [](const Node& x) { return x.kind != NodeKind::Compute; });
  });
  if (loops.empty()) return;
  Node& n = rng.pick(loops).node();
  n.kind = NodeKind::Jam;
  n.tile = rng.between(1, 4);
  if (n.body[0].kind == NodeKind::Vector) return;
  n.body[0].kind = NodeKind::Vector;
  n.body[0].tile = some_width(rng);
}

void tile_loop(const EditFacts&, Schedule& s, Rng& rng) {
  const std::vector<Spot> loops = free_loops(s);
  if (loops.empty()) return;
  const Spot spot = rng.pick(loops);
  Node inner = spot.node();
  Node tiles = inner;
  constexpr std::int64_t kTiles[] = {1, 2, 3, 4, 5, 7, 8, 8, 9, 16, 32};
  tiles.kind =
      rng.percent(30) || inner.kind == NodeKind::Parallel ? NodeKind::Parallel : NodeKind::For;
  tiles.tile = rng.pick(kTiles);
  if (inner.kind == NodeKind::Parallel) inner.kind = NodeKind::For;
  tiles.body.clear();
  // Further out, the loops between run once for each tile.
  tiles.body.push_back(std::move(inner));
  spot.node() = std::move(tiles);
}

void interchange(const EditFacts&, Schedule& s, Rng& rng) {
  std::vector<Spot> loops = all_spots(s);
  std::erase_if(loops, [](const Spot& p) {
    const Node& n = p.node();
    return !n.is_loop() || n.body.size() != 1 || !n.body[0].is_loop();
  });
  if (loops.empty()) return;
  Node& n = rng.pick(loops).node();
  std::swap(n.kind, n.body[0].kind);
  std::swap(n.name, n.body[0].name);
  std::swap(n.tile, n.body[0].tile);
}

// Of neighbours with loops of one range under other names, the second takes the first one's name.
void fuse_loops(const EditFacts&, Schedule& s, Rng& rng) {
  std::vector<Spot> loops = all_spots(s);
  std::erase_if(loops, [](const Spot& p) {
    return p.at + 1 >= p.body->size() || !p.node().is_loop() || !(*p.body)[p.at + 1].is_loop();
  });
  if (loops.empty()) return;
  const Spot spot = rng.pick(loops);
  Node second = std::move((*spot.body)[spot.at + 1]);
  spot.body->erase(spot.body->begin() + static_cast<std::ptrdiff_t>(spot.at) + 1);
  const Symbol from = second.name, to = spot.node().name;
  if (from != to)
    for (Node& inner : second.body) rename_below(inner, from, to);
  for (Node& inner : second.body) spot.node().body.push_back(std::move(inner));
}

void split_loop(const EditFacts&, Schedule& s, Rng& rng) {
  std::vector<Spot> loops = all_spots(s);
  std::erase_if(loops,
                [](const Spot& p) { return !p.node().is_loop() || p.node().body.size() < 2; });
  if (loops.empty()) return;
  const Spot spot = rng.pick(loops);
  Node& n = spot.node();
  const auto cut = static_cast<std::ptrdiff_t>(1 + rng.below(n.body.size() - 1));
  Node rest = n;
  rest.body.erase(rest.body.begin(), rest.body.begin() + cut);
  n.body.erase(n.body.begin() + cut, n.body.end());
  spot.body->insert(spot.body->begin() + static_cast<std::ptrdiff_t>(spot.at) + 1, std::move(rest));
}

void swap_siblings(const EditFacts&, Schedule& s, Rng& rng) {
  std::vector<Spot> spots = all_spots(s);
  std::erase_if(spots, [](const Spot& p) { return p.at + 1 >= p.body->size(); });
  if (spots.empty()) return;
  const Spot spot = rng.pick(spots);
  std::swap((*spot.body)[spot.at], (*spot.body)[spot.at + 1]);
}

void shift_statement(const EditFacts&, Schedule& s, Rng& rng) {
  std::vector<Spot> spots = all_spots(s);
  std::erase_if(
      spots, [](const Spot& p) { return p.node().kind != NodeKind::Compute || p.around.empty(); });
  if (spots.empty()) return;
  const Spot spot = rng.pick(spots);
  const Node& loop = *rng.pick(spot.around);
  if (!loop.is_loop()) return;
  const std::int64_t by = rng.between(-2, 2);
  for (Bind& b : spot.node().binds)
    if (b.loop == loop.name) {
      b.shift += by;
      return;
    }
  spot.node().binds.push_back({loop.name, loop.name, by});
}

}  // namespace lathe::testing
