// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "base/quoted.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"
#include "schedule/nest_parts.h"

namespace lathe::schedule {
namespace {

// How a call, repeat or when touches an array by itself, not through its statements; empty: it does
// not.
std::string touched_by_item(const ir::Item& item, Symbol array) {
  const auto reads = [&](Expr e) { return e && passes::reads_array(e, array); };
  if (std::holds_alternative<ir::Call>(item.node)) {
    const passes::Touched t = passes::touched(item);
    return t.reads.count(array) || t.writes.count(array) ? "touched by call" : "";
  }
  if (const auto* r = std::get_if<ir::Repeat>(&item.node)) {
    if (std::find(r->rotate.begin(), r->rotate.end(), array) != r->rotate.end())
      return "rotated by repeat";
    if (reads(r->range.lo) || reads(r->range.hi) || reads(r->until)) return "read by repeat";
  }
  if (const auto* w = std::get_if<ir::When>(&item.node))
    if (reads(w->condition)) return "read by when";
  return "";
}

std::set<Symbol> arrays_of(const Leaf& leaf) {
  std::set<Symbol> out;
  for (const ir::Statement* s : leaf.lines) {
    const passes::Touched t = passes::touched(*s);
    out.insert(t.reads.begin(), t.reads.end());
    out.insert(t.writes.begin(), t.writes.end());
  }
  std::vector<Expr> more;
  if (leaf.guard) more.push_back(leaf.guard);
  for (const ir::Range& r : leaf.ranges) {
    more.push_back(r.lo);
    more.push_back(r.hi);
  }
  for (Expr e : more)
    for (Symbol a : ir::arrays_read(e)) out.insert(a);
  return out;
}

bool is_private(const Place& p) {
  return p.kind == PlaceKind::Register || p.kind == PlaceKind::Window || p.kind == PlaceKind::Tile;
}

// What the end of a range reads is there before the loop over that range begins.
void refuse_inside_of_range(const Leaf& leaf, Symbol array, const std::vector<const Node*>& path,
                            const Span& span) {
  for (const ir::Range& r : leaf.ranges) {
    if (!passes::reads_array(r.lo, array) && !passes::reads_array(r.hi, array)) continue;
    if (std::any_of(path.begin(), path.end(),
                    [&](const Node* n) { return n->is_loop() && n->name == r.variable; }))
      throw UserError(quoted(leaf.label) + " reads " + quoted(array) + " for the range of " +
                          quoted(r.variable) + ", so it cannot live inside of that loop",
                      span);
  }
}

}  // namespace

void place_temporaries(Nest& nest) {
  std::map<Symbol, const Node*> places;
  for (const Leaf& leaf : nest.leaves) {
    if (!is_private(leaf.node->place)) continue;
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets) {
        const ir::Array* a = nest.program.find_array(t.array);
        if (!a) continue;  // a local of the group
        if (a->role != ir::Role::Temp)
          throw UserError(quoted(t.array) + " is no temporary, so it lives whole", leaf.node->span);
        const auto it = places.insert({t.array, leaf.node}).first;
        const Place &one = it->second->place, &other = leaf.node->place;
        if (one.kind != other.kind || one.window != other.window || one.depth != other.depth)
          throw UserError(
              "the statements that write " + quoted(t.array) + " give it different places",
              leaf.node->span);
      }
  }
  for (const Leaf& leaf : nest.leaves)
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets)
        if (leaf.node->place.kind == PlaceKind::Stream && places.count(t.array))
          throw UserError(
              "the statements that write " + quoted(t.array) + " give it different places",
              leaf.node->span);
  // Points that somebody asks for, or all of them: a statement cannot do both.
  for (const Leaf& leaf : nest.leaves) {
    Symbol whole, own;
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets)
        if (nest.program.find_array(t.array)) (places.count(t.array) ? own : whole) = t.array;
    if (whole && own)
      throw UserError(quoted(leaf.label) + " writes " + quoted(own) +
                          ", which has a place of its own, and " + quoted(whole) +
                          ", which lives whole",
                      leaf.node->span, "let both live whole");
  }
  std::map<Symbol, std::vector<const Leaf*>> touching;
  for (const Leaf& leaf : nest.leaves)
    if (!places.empty())
      for (Symbol array : arrays_of(leaf)) touching[array].push_back(&leaf);
  for (const auto& [array, node] : places) {
    Storage s;
    s.place = node->place;
    s.path = touching[array].front()->path;  // somebody writes it
    for (const Leaf* leaf : touching[array]) {
      std::size_t common = 0;
      while (common < s.path.size() && common < leaf->path.size() &&
             s.path[common] == leaf->path[common])
        ++common;
      s.path.resize(common);
    }
    for (const Leaf* leaf : touching[array])
      refuse_inside_of_range(*leaf, array, s.path, node->span);
    for (const auto& [label, item] : nest.items)
      if (const std::string what = touched_by_item(*item, array); !what.empty())
        throw UserError(quoted(array) + " is " + what + " " + quoted(label) + ", so it lives whole",
                        node->span);
    if (s.place.kind == PlaceKind::Window) {
      const auto loop = std::find_if(s.path.rbegin(), s.path.rend(), [&](const Node* n) {
        return is_point_loop(*n) && n->name == s.place.window;
      });
      if (loop == s.path.rend())
        throw UserError("no loop over " + quoted(s.place.window) + " holds all that touches " +
                            quoted(array) + ", so it cannot be a window along it",
                        node->span);
      if ((*loop)->kind == NodeKind::Parallel || (*loop)->kind == NodeKind::Vector)
        throw UserError(
            "a window rolls along iterations that run one after the other: not along "
            "the " +
                std::string((*loop)->kind == NodeKind::Vector ? "vector" : "parallel") +
                " loop over " + quoted(s.place.window),
            node->span, "use a register or a tile, or a window along another loop");
      s.window_loop = *loop;
      s.path.resize(static_cast<std::size_t>(s.path.rend() - loop) - 1);
    } else if (s.place.kind == PlaceKind::Tile) {
      // Storage does not sit inside of vector loops and of copies.
      while (!s.path.empty() &&
             (s.path.back()->kind == NodeKind::Vector || is_copied(s.path.back()->kind)))
        s.path.pop_back();
    }
    s.scope = s.path.size();
    nest.storage[array] = s;
  }
  for (Leaf& leaf : nest.leaves) {
    Symbol inner, outer;  // what the leaf writes, by scope
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets) {
        const Storage* storage = nest.find_storage(t.array);
        if (!storage) continue;
        if (!leaf.on_demand) inner = outer = t.array;
        if (nest.storage.at(inner).scope < storage->scope) inner = t.array;
        if (nest.storage.at(outer).scope > storage->scope) outer = t.array;
        leaf.on_demand = true;
        leaf.scope = storage->scope;
      }
    if (inner != outer)
      throw UserError(quoted(leaf.label) + " writes " + quoted(inner) + " and " + quoted(outer) +
                          " in places of their own, but not all that touches " + quoted(outer) +
                          " is inside of the loops around " + quoted(inner),
                      leaf.node->span, "let both live whole");
  }
}

}  // namespace lathe::schedule
