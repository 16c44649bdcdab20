// SPDX-License-Identifier: Apache-2.0
#include "random_schedule.h"

#include <algorithm>

#include "schedule/default_schedule.h"
#include "schedule/legal.h"

namespace lathe::testing {
namespace {

using namespace schedule;

void collect(std::vector<Node>& body, std::vector<std::vector<Node>*>& bodies) {
  bodies.push_back(&body);
  for (Node& n : body) {
    if (!n.body.empty()) collect(n.body, bodies);
    if (!n.otherwise.empty()) collect(n.otherwise, bodies);
  }
}

// One edit somewhere; most are not legal.
void edit(Schedule& s, Rng& rng) {
  std::vector<std::vector<Node>*> bodies;
  collect(s.body, bodies);
  std::vector<Node>& body = *bodies[rng.below(bodies.size())];
  if (body.empty()) return;
  const std::size_t at = rng.below(body.size());
  Node& n = body[at];
  switch (rng.below(9)) {
    case 0:  // the kind of a loop
    case 1:
      if (n.kind == NodeKind::For || n.kind == NodeKind::Parallel || n.kind == NodeKind::Vector ||
          n.kind == NodeKind::Unroll) {
        const NodeKind kinds[] = {NodeKind::For, NodeKind::Parallel, NodeKind::Vector,
                                  NodeKind::Unroll};
        n.kind = rng.pick(kinds);
        n.tile = 0;
        if (n.kind == NodeKind::Vector) n.tile = std::int64_t{1} << rng.below(7);
        if (n.kind == NodeKind::Unroll) n.tile = rng.between(1, 5);
      }
      break;
    case 2:  // tiles
      if (n.kind == NodeKind::For || n.kind == NodeKind::Parallel || n.kind == NodeKind::Vector) {
        Node tiles = n;
        tiles.kind = n.kind == NodeKind::Parallel ? NodeKind::Parallel : NodeKind::For;
        tiles.tile = rng.between(1, 9);
        Node inner = n;
        if (inner.kind == NodeKind::Parallel) inner.kind = NodeKind::For;
        tiles.body.clear();
        tiles.body.push_back(std::move(inner));
        body[at] = std::move(tiles);
      }
      break;
    case 3:  // interchange
      if (n.is_loop() && n.body.size() == 1 && n.body[0].is_loop()) {
        std::swap(n.kind, n.body[0].kind);
        std::swap(n.name, n.body[0].name);
        std::swap(n.tile, n.body[0].tile);
      }
      break;
    case 4:  // fusion
      if (at + 1 < body.size() && n.is_loop() && body[at + 1].is_loop() &&
          n.name == body[at + 1].name) {
        for (Node& inner : body[at + 1].body) n.body.push_back(std::move(inner));
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      }
      break;
    case 5:  // another order of siblings
      if (at + 1 < body.size()) std::swap(body[at], body[at + 1]);
      break;
    case 6:  // places
    case 7:
      if (n.kind == NodeKind::Compute) {
        const PlaceKind kinds[] = {PlaceKind::Whole,    PlaceKind::Nowhere, PlaceKind::Tile,
                                   PlaceKind::Register, PlaceKind::Window,  PlaceKind::Stream};
        n.place = {rng.pick(kinds), {}, 0};
        if (n.place.kind == PlaceKind::Window && !bodies.empty()) {
          // Some loop of the tree.
          for (std::vector<Node>* b : bodies)
            for (Node& l : *b)
              if (l.is_loop() && (n.place.depth == 0 || rng.percent(30))) {
                n.place.window = l.name;
                n.place.depth = rng.between(1, 4);
              }
          if (n.place.depth == 0) n.place = {};
        }
      }
      break;
    case 8:  // shifts
      if (n.kind == NodeKind::Compute && !n.place.depth) {
        std::vector<Symbol> loops;
        for (std::vector<Node>* b : bodies)
          for (Node& l : *b)
            if (l.is_loop()) loops.push_back(l.name);
        if (!loops.empty()) {
          const Symbol v = loops[rng.below(loops.size())];
          n.binds = {{v, v, rng.between(-2, 2)}};
        }
      }
      break;
  }
}

}  // namespace

Schedule random_schedule(const ir::Program& prepared, Rng& rng) {
  Schedule best = rng.percent(50) ? plain_schedule(prepared) : default_schedule(prepared);
  const int edits = static_cast<int>(rng.between(1, 12));
  for (int i = 0; i < edits; ++i) {
    Schedule trial = best;
    edit(trial, rng);
    if (same_tree(trial.body, best.body)) continue;
    try {
      resolve_legal(prepared, trial);
      best = std::move(trial);
    } catch (const UserError&) {
    }
  }
  return best;
}

}  // namespace lathe::testing
