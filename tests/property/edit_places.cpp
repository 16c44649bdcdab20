// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/program_walk.h"
#include "ir/traverse.h"
#include "schedule_edits.h"

namespace lathe::testing {

using namespace schedule;

EditFacts::EditFacts(const ir::Program& prepared) : program(prepared) {
  ir::for_each_statement(prepared.body, [&](const ir::Statement& s) { statements[s.label] = &s; });
}

std::vector<Symbol> EditFacts::arrays_read(const Node& n) const {
  std::vector<Symbol> all;
  if (const auto s = statements.find(n.name); n.kind == NodeKind::Compute && s != statements.end())
    for (ir::Expr e : s->second->values)
      for (Symbol a : ir::arrays_read(e)) all.push_back(a);
  for (const auto* body : {&n.body, &n.otherwise})
    for (const Node& inner : *body)
      for (Symbol a : arrays_read(inner)) all.push_back(a);
  return all;
}

const ir::Array* EditFacts::temporary_of(const Node& n) const {
  const auto s = statements.find(n.name);
  if (n.kind != NodeKind::Compute || s == statements.end()) return nullptr;
  const ir::Array* array = program.find_array(s->second->targets[0].array);
  return array && array->role == ir::Role::Temp ? array : nullptr;
}

namespace {

std::vector<Spot> statements(Schedule& s) {
  std::vector<Spot> spots = all_spots(s);
  std::erase_if(spots, [](const Spot& p) { return p.node().kind != NodeKind::Compute; });
  return spots;
}

}  // namespace

void change_place(const EditFacts&, Schedule& s, Rng& rng) {
  const std::vector<Spot> spots = statements(s);
  if (spots.empty()) return;
  constexpr PlaceKind kKinds[] = {PlaceKind::Whole, PlaceKind::Nowhere,  PlaceKind::Tile,
                                  PlaceKind::Tile,  PlaceKind::Register, PlaceKind::Stream};
  rng.pick(spots).node().place = {rng.pick(kKinds), {}, 0};
}

// A window along one of the loops around, and the statement ahead of its readers as a window wants.
void make_window(const EditFacts&, Schedule& s, Rng& rng) {
  const std::vector<Spot> spots = statements(s);
  if (spots.empty()) return;
  const Spot spot = rng.pick(spots);
  if (spot.around.empty()) return;
  const Node& loop = *rng.pick(spot.around);
  if (!loop.is_loop()) return;
  Node& n = spot.node();
  n.place = {PlaceKind::Window, loop.name, rng.between(1, 4)};
  if (rng.percent(50)) n.binds = {{loop.name, loop.name, rng.between(-2, 2)}};
}

// t -> whole [j, i], or its tile, at every statement that writes t.
void lay_out(const EditFacts& facts, Schedule& s, Rng& rng) {
  std::vector<Spot> spots = statements(s);
  std::erase_if(spots, [&](const Spot& p) { return !facts.temporary_of(p.node()); });
  if (spots.empty()) return;
  const Node& picked = rng.pick(spots).node();
  const ir::Array& array = *facts.temporary_of(picked);
  std::vector<Symbol> axes;
  for (const ir::Axis& x : array.axes) axes.push_back(x.name);
  rng.shuffle(axes);
  const PlaceKind kind = has_layout(picked.place.kind) ? picked.place.kind : PlaceKind::Whole;
  for (const Spot& p : spots)
    if (facts.temporary_of(p.node()) == &array) p.node().place = {kind, {}, 0, axes};
}

// Into the storage of a temporary that it reads, which lives whole for that.
void work_in_place(const EditFacts& facts, Schedule& s, Rng& rng) {
  std::vector<Spot> spots = statements(s);
  const std::vector<Spot> all = spots;
  const auto candidates = [&](const Node& n) {
    std::vector<Symbol> found = facts.arrays_read(n);
    std::erase_if(found, [&](Symbol a) {
      const ir::Array* array = facts.program.find_array(a);
      return !array || array->role != ir::Role::Temp;
    });
    return found;
  };
  std::erase_if(spots, [&](const Spot& p) { return candidates(p.node()).empty(); });
  if (spots.empty()) return;
  Node& n = rng.pick(spots).node();
  const Symbol over = rng.pick(candidates(n));
  n.place = {PlaceKind::InPlace, {}, 0, {}, over};
  for (const Spot& p : all)
    if (const ir::Array* array = facts.temporary_of(p.node()))
      if (array->name == over && p.node().place.kind != PlaceKind::InPlace) p.node().place = {};
}

// copy A -> tile [j/8, k, j%8] before whoever reads A.
void add_copy(const EditFacts& facts, Schedule& s, Rng& rng) {
  std::vector<Spot> spots = all_spots(s);
  std::erase_if(spots, [&](const Spot& p) { return facts.arrays_read(p.node()).empty(); });
  if (spots.empty()) return;
  const Spot spot = rng.pick(spots);
  const Symbol name = rng.pick(facts.arrays_read(spot.node()));
  const ir::Array* array = facts.program.find_array(name);
  if (!array) return;
  Node n;
  n.kind = NodeKind::Copy;
  n.name = name;
  if (rng.percent(75)) {
    std::vector<std::size_t> axes;
    for (std::size_t x = 0; x < array->axes.size(); ++x) axes.push_back(x);
    if (rng.percent(50)) rng.shuffle(axes);
    const auto part = [&](std::size_t x, PackAxis::Part p, std::int64_t tile) {
      n.layout.push_back({x, p, tile, array->axes[x].name});
    };
    const std::size_t cut = rng.percent(70) && !axes.empty() ? rng.pick(axes) : axes.size();
    constexpr std::int64_t kTiles[] = {1, 2, 3, 4, 6, 8, 8, 16};
    const std::int64_t tile = rng.pick(kTiles);
    for (std::size_t x : axes)
      x == cut ? part(x, PackAxis::Part::Quotient, tile) : part(x, PackAxis::Part::All, 1);
    if (cut < axes.size()) part(cut, PackAxis::Part::Remainder, tile);
  }
  spot.body->insert(spot.body->begin() + static_cast<std::ptrdiff_t>(spot.at), std::move(n));
}

void add_prefetch(const EditFacts& facts, Schedule& s, Rng& rng) {
  std::vector<Spot> spots = all_spots(s);
  std::erase_if(spots, [&](const Spot& p) { return facts.arrays_read(p.node()).empty(); });
  if (spots.empty()) return;
  const Spot spot = rng.pick(spots);
  Node n;
  n.kind = NodeKind::Prefetch;
  n.name = rng.pick(facts.arrays_read(spot.node()));
  n.bytes = 64 * rng.between(1, 32);
  spot.body->insert(spot.body->begin() + static_cast<std::ptrdiff_t>(spot.at) + 1, std::move(n));
}

}  // namespace lathe::testing
