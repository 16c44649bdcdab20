// SPDX-License-Identifier: Apache-2.0
#include "lower/blocks.h"

namespace lathe::lower {

Blocks::Blocks(const BodyGraph& body, const Places& places, const UnitGraph& graph,
               const std::vector<std::uint32_t>& order)
    : body_(body), places_(places), graph_(graph) {
  build(order);
  place_declarations();
  place_conditions(order);
}

void Blocks::build(const std::vector<std::uint32_t>& order) {
  const Contexts& contexts = body_.contexts();
  blocks_.emplace_back();
  block_of_unit_.assign(graph_.units().size(), kNone);
  std::uint32_t block = 0;
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    const Context context = graph_.units()[order[position]].context;
    while (!contexts.within(context, blocks_[block].context)) block = blocks_[block].parent;
    while (blocks_[block].context != context) {
      const Context side = contexts.ancestor(context, contexts.depth(blocks_[block].context) + 1);
      block = open(block, side, position);
    }
    blocks_[block].last_branching = kNone;
    block_of_unit_[order[position]] = block;
  }
}

// A side of the `if` that stands last in the block, if it tests the same: also when both sides are
// there already, since what comes now has nothing between. Otherwise of a new one.
std::uint32_t Blocks::open(std::uint32_t block, Context side, std::uint32_t position) {
  const Literal literal = body_.contexts().literal(side);
  std::uint32_t branching = blocks_[block].last_branching;
  if (branching == kNone ||
      body_.contexts().literal(branchings_[branching].context).test != literal.test) {
    branching = static_cast<std::uint32_t>(branchings_.size());
    branchings_.push_back({block, side, kNone, kNone, position, {}});
    blocks_[block].last_branching = branching;
  }
  std::uint32_t& body = literal.holds ? branchings_[branching].holds : branchings_[branching].fails;
  if (body == kNone) {
    body = static_cast<std::uint32_t>(blocks_.size());
    blocks_.push_back({block, blocks_[block].depth + 1, side, branching, kNone});
  }
  return body;
}

std::uint32_t Blocks::common(std::uint32_t a, std::uint32_t b) const {
  while (a != b) {
    std::uint32_t& deeper = blocks_[a].depth >= blocks_[b].depth ? a : b;
    deeper = blocks_[deeper].parent;
  }
  return a;
}

void Blocks::place_declarations() {
  outside_.assign(graph_.register_count(), false);
  std::vector<std::uint32_t> defined(graph_.register_count(), kNone);
  std::vector<std::uint32_t> around(graph_.register_count(), kNone);
  const auto add = [&](std::uint32_t reg, std::uint32_t block) {
    around[reg] = around[reg] == kNone ? block : common(around[reg], block);
  };
  for (std::uint32_t u = 0; u < graph_.units().size(); ++u) {
    const Unit& unit = graph_.units()[u];
    if (block_of_unit_[u] == kNone) continue;
    for (std::uint32_t reg : graph_.uses(u)) add(reg, block_of_unit_[u]);
    if (unit.kind == Unit::Kind::Yes || unit.kind == Unit::Kind::No)
      add(graph_.register_of(unit.what), block_of_unit_[u]);
    if (unit.defines == kNone) continue;
    defined[unit.defines] = block_of_unit_[u];
    add(unit.defines, block_of_unit_[u]);
  }
  for (const Branching& branching : branchings_) {
    const std::uint32_t test = graph_.register_of(body_.test(branching.context));
    if (test != kNone) add(test, branching.block);
  }
  for (std::uint32_t reg = 0; reg < graph_.register_count(); ++reg) {
    if (defined[reg] == kNone || defined[reg] == around[reg]) continue;
    outside_[reg] = true;
    std::uint32_t block = defined[reg];
    while (blocks_[block].parent != around[reg]) block = blocks_[block].parent;
    branchings_[blocks_[block].branching].declared.push_back(reg);
  }
}

void Blocks::place_conditions(const std::vector<std::uint32_t>& order) {
  in_condition_.assign(body_.nodes().size(), false);
  std::vector<std::uint32_t> position(graph_.units().size(), 0);
  for (std::uint32_t p = 0; p < order.size(); ++p) position[order[p]] = p;
  std::vector<std::uint32_t> branchings(body_.nodes().size(), 0);  // by test
  for (const Branching& b : branchings_) ++branchings[body_.test(b.context)];
  for (const Branching& b : branchings_) {
    const std::uint32_t test = body_.test(b.context);
    if (branchings[test] != 1 || places_[test] != Place::Let || places_.is_tested(test)) continue;
    const std::uint32_t reg = graph_.register_of(test);
    bool only = !outside_[reg];
    for (std::uint32_t user : graph_.users(reg))
      only = only && graph_.units()[user].kind == Unit::Kind::Enter;
    const std::uint32_t before = places_.before(test);
    if (before != kNone) only = only && position[graph_.unit_of_task(before)] >= b.first_unit;
    in_condition_[test] = only;
  }
}

}  // namespace lathe::lower
