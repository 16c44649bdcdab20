// SPDX-License-Identifier: Apache-2.0
#include "schedule/nest.h"

#include <algorithm>

#include "passes/passes.h"
#include "schedule/bound_variables.h"
#include "schedule/in_place.h"
#include "schedule/inline_nowhere.h"
#include "schedule/layouts.h"
#include "schedule/nest_parts.h"
#include "schedule/ranges.h"

namespace lathe::schedule {

std::span<const ir::Range> Leaf::own_ranges() const {
  return std::span(ranges).subspan(sweeps.size());
}

std::int64_t Leaf::shift(Symbol variable) const {
  for (const Bind& b : node->binds)
    if (b.loop == variable) return b.shift;
  return 0;
}

const ir::Range* Leaf::range(Symbol variable) const {
  for (const ir::Range& r : ranges)
    if (r.variable == variable) return &r;
  return nullptr;
}

bool Leaf::is_sweep(Symbol variable) const {
  return std::any_of(sweeps.begin(), sweeps.end(),
                     [&](const ir::Sweep* s) { return s->range.variable == variable; });
}

const Storage* Nest::find_storage(Symbol array) const {
  const auto it = storage.find(array);
  return it == storage.end() ? nullptr : &it->second;
}

Span Nest::span_of(Symbol label) const {
  for (const Leaf& leaf : leaves) {
    if (leaf.rounds && leaf.label == label) return leaf.span;
    for (const ir::Statement* line : leaf.lines)
      if (line->label == label) return line->span;
  }
  return {};
}

Symbol Nest::called(Symbol label, Expr read, Symbol array) const {
  const auto it = former.find({label, read});
  return it == former.end() ? array : it->second;
}

bool is_tile_loop(const Node& n) {
  return (n.kind == NodeKind::For || n.kind == NodeKind::Parallel) && n.tile > 0;
}
bool is_point_loop(const Node& n) { return n.is_loop() && !is_tile_loop(n); }

namespace {

// The variables of a leaf that no loop of the tree runs point by point.
std::vector<Symbol> missing_loops(const Leaf& leaf, Ranges& ranges) {
  std::vector<Symbol> missing;
  for (const ir::Range& r : leaf.ranges) {
    if (leaf.on_demand && ranges.fixed(leaf, r.variable, leaf.path.size())) continue;
    const auto from =
        leaf.path.begin() + static_cast<std::ptrdiff_t>(leaf.on_demand ? leaf.scope : 0);
    if (std::none_of(from, leaf.path.end(),
                     [&](const Node* n) { return is_point_loop(*n) && n->name == r.variable; }))
      missing.push_back(r.variable);
  }
  return missing;
}

void complete(const Nest& nest, Ranges& ranges, const std::vector<Node>& body,
              std::vector<Node>& out) {
  for (const Node& n : body) {
    Node copy = n;
    copy.body.clear();
    copy.otherwise.clear();
    complete(nest, ranges, n.body, copy.body);
    complete(nest, ranges, n.otherwise, copy.otherwise);
    if (n.kind == NodeKind::Compute) {
      std::vector<Symbol> missing = missing_loops(nest.leaves[nest.leaf_of.at(&n)], ranges);
      for (std::size_t i = missing.size(); i-- > 0;) {
        Node loop;
        loop.kind = NodeKind::For;
        loop.name = missing[i];
        loop.span = n.span;
        loop.body.push_back(std::move(copy));
        copy = std::move(loop);
      }
    }
    out.push_back(std::move(copy));
  }
}

void name_loops(Nest& nest, const std::vector<Node>& body, std::vector<Symbol>& around) {
  for (const Node& n : body) {
    const std::size_t depth = around.size();
    if (n.is_loop()) {
      Symbol v = n.name;
      if (is_tile_loop(n))
        v = nest.program.graph->fresh_symbol(std::string(n.name.text()) + ".tile");
      else if (std::count(around.begin(), around.end(), v) > 0)
        v = nest.program.graph->fresh_symbol(n.name.text());
      nest.variables[&n] = v;
      around.push_back(v);
    } else if (n.kind == NodeKind::Repeat) {
      around.push_back(std::get<ir::Repeat>(nest.items.at(n.name)->node).range.variable);
    }
    name_loops(nest, n.body, around);
    name_loops(nest, n.otherwise, around);
    around.resize(depth);
  }
}

}  // namespace

std::unique_ptr<Nest> resolve(const ir::Program& program, const Schedule& schedule) {
  auto nest = std::make_unique<Nest>();
  nest->body = schedule.body;
  std::size_t inlined = 0;
  for_each_node(nest->body, [&](Node& n) {
    if (n.kind == NodeKind::Compute && n.place.kind == PlaceKind::Nowhere) ++inlined;
  });
  nest->program = inline_nowhere(program, nest->body);
  std::map<Symbol, const Node*> bound;
  for_each_node(nest->body, [&](Node& n) {
    if (n.kind == NodeKind::Compute && !n.binds.empty()) bound[n.name] = &n;
  });
  nest->unchanged = bound.empty() && inlined == 0;
  if (!bound.empty()) rename_bound(nest->program, bound);
  if (take_over_storage(*nest)) nest->unchanged = false;
  find_leaves(*nest);
  place_temporaries(*nest);
  check_loops(*nest);

  std::vector<Symbol> around;
  name_loops(*nest, nest->body, around);
  ir::RawMaker maker(*nest->program.graph);
  std::vector<Node> completed;
  {
    Ranges ranges(*nest, maker);
    complete(*nest, ranges, nest->body, completed);
  }
  nest->variables.clear();
  nest->body = std::move(completed);
  nest->leaves.clear();
  nest->leaf_of.clear();
  nest->items.clear();
  nest->storage.clear();
  find_leaves(*nest);
  place_temporaries(*nest);
  find_layouts(*nest);
  name_loops(*nest, nest->body, around);
  return nest;
}

}  // namespace lathe::schedule
