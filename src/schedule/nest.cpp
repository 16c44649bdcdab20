// SPDX-License-Identifier: Apache-2.0
#include "schedule/nest.h"

#include <algorithm>
#include <set>

#include "base/quoted.h"
#include "ir/rounds.h"
#include "ir/traverse.h"
#include "passes/passes.h"
#include "passes/rebuild.h"
#include "schedule/bound_variables.h"
#include "schedule/in_place.h"
#include "schedule/inline_nowhere.h"
#include "schedule/layouts.h"
#include "schedule/ranges.h"

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

// ---- Leaves.

// Where a statement stands in the program.
struct Site {
  const ir::Item* item = nullptr;
  std::vector<const ir::Sweep*> sweeps;
  std::vector<std::pair<Symbol, bool>> control;  // repeats and whens around it; true: then side
};

void collect_sites(const ir::Body& body, Site around, std::map<Symbol, Site>& sites) {
  for (const ir::Item& item : body) {
    Site site = around;
    site.item = &item;
    if (const auto* s = std::get_if<ir::Statement>(&item.node)) sites[s->label] = site;
    if (const auto* g = std::get_if<ir::Group>(&item.node)) sites[g->label] = site;
    if (const auto* w = std::get_if<ir::While>(&item.node)) sites[w->label] = site;
    if (const auto* c = std::get_if<ir::Call>(&item.node)) sites[c->label] = site;
    if (const auto* s = std::get_if<ir::Sweep>(&item.node)) {
      site.sweeps.push_back(s);
      collect_sites(s->body, site, sites);
    }
    if (const auto* r = std::get_if<ir::Repeat>(&item.node)) {
      sites[r->label] = site;
      site.control.push_back({r->label, true});
      collect_sites(r->body, site, sites);
    }
    if (const auto* w = std::get_if<ir::When>(&item.node)) {
      sites[w->label] = site;
      site.control.push_back({w->label, true});
      collect_sites(w->then_body, site, sites);
      site.control.back().second = false;
      collect_sites(w->else_body, site, sites);
    }
  }
}

class Resolver {
 public:
  explicit Resolver(Nest& nest) : nest_(nest) { collect_sites(nest.program.body, {}, sites_); }

  void run() {
    walk(nest_.body);
    for (const auto& [label, site] : sites_)
      if (!seen_.count(label))
        throw UserError("the schedule does not say where " + quoted(label) + " runs",
                        nest_.body.empty() ? Span{} : nest_.body.front().span);
  }

 private:
  void walk(const std::vector<Node>& body) {
    for (const Node& n : body) {
      switch (n.kind) {
        case NodeKind::Compute: add_leaf(n); break;
        case NodeKind::Call: control(n); break;
        case NodeKind::Copy: break;
        case NodeKind::Prefetch:
          if (n.next && std::none_of(path_.begin(), path_.end(), [&](const Node* loop) {
                return runs_in_order(*loop) && loop->name == n.next;
              }))
            throw UserError("no loop over " + quoted(n.next) +
                                " that runs its points one after the other is around this prefetch",
                            n.span, "a prefetch stands in the loop whose next iteration it means");
          break;
        case NodeKind::Repeat:
          control(n);
          around_.push_back({n.name, true});
          enter(n, n.body);
          around_.pop_back();
          break;
        case NodeKind::When:
          control(n);
          around_.push_back({n.name, true});
          enter(n, n.body);
          around_.back().second = false;
          enter(n, n.otherwise);
          around_.pop_back();
          break;
        default: enter(n, n.body);
      }
    }
  }
  void enter(const Node& n, const std::vector<Node>& body) {
    path_.push_back(&n);
    walk(body);
    path_.pop_back();
  }

  const Site& site_of(const Node& n) {
    const auto it = sites_.find(n.name);
    if (it == sites_.end())
      throw UserError("the program has no statement " + quoted(n.name), n.span);
    if (!seen_.insert(n.name).second)
      throw UserError("the schedule has " + quoted(n.name) + " twice", n.span);
    if (it->second.control != around_)
      throw UserError(quoted(n.name) + " must stay inside the repeats and whens that it is in",
                      n.span);
    return it->second;
  }

  void control(const Node& n) { nest_.items[n.name] = site_of(n).item; }

  void add_leaf(const Node& n) {
    const Site& site = site_of(n);
    Leaf leaf;
    leaf.node = &n;
    leaf.label = n.name;
    leaf.path = path_;
    leaf.sweeps = site.sweeps;
    for (const ir::Sweep* s : site.sweeps) leaf.ranges.push_back(s->range);
    const ir::Domain* domain = nullptr;
    if (const auto* s = std::get_if<ir::Statement>(&site.item->node)) {
      domain = &s->domain;
      leaf.lines = {s};
      leaf.span = s->span;
    } else if (const auto* g = std::get_if<ir::Group>(&site.item->node)) {
      domain = &g->domain;
      leaf.group = g;
      for (const ir::Statement& s : g->statements) leaf.lines.push_back(&s);
      leaf.span = g->span;
    } else if (const auto rounds = ir::as_rounds(*site.item)) {
      domain = &rounds->loop->domain;
      leaf.group = rounds->group;
      leaf.rounds = rounds->loop;
      leaf.lines = rounds->lines;
      leaf.span = rounds->loop->span;
    } else {
      throw UserError(quoted(n.name) + " is not a statement", n.span);
    }
    leaf.guard = domain->guard;
    if (leaf.rounds) {
      ir::RawMaker maker(*nest_.program.graph);
      leaf.guard = passes::both(maker, domain->guard, leaf.rounds->condition);
    }
    leaf.ranges.insert(leaf.ranges.end(), domain->ranges.begin(), domain->ranges.end());
    nest_.leaf_of[&n] = nest_.leaves.size();
    nest_.leaves.push_back(std::move(leaf));
  }

  Nest& nest_;
  std::map<Symbol, Site> sites_;
  std::set<Symbol> seen_;
  std::vector<const Node*> path_;
  std::vector<std::pair<Symbol, bool>> around_;
};

// ---- Storage of private temporaries.

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

// ---- Loops and their statements.

void check_loops(const Nest& nest) {
  for (const Leaf& leaf : nest.leaves) {
    for (const Bind& b : leaf.node->binds)
      if (std::none_of(leaf.path.begin(), leaf.path.end(),
                       [&](const Node* n) { return n->is_loop() && n->name == b.loop; }))
        throw UserError("there is no loop over " + quoted(b.loop) + " around " + quoted(leaf.label),
                        leaf.node->span);
    std::set<Symbol> points;
    bool parallel = false;
    for (std::size_t p = 0; p < leaf.path.size(); ++p) {
      const Node& n = *leaf.path[p];
      if (!n.is_loop()) continue;
      if (n.kind == NodeKind::Parallel) {
        if (parallel) throw UserError("a parallel loop inside of a parallel loop", n.span);
        parallel = true;
      }
      if ((n.kind == NodeKind::Vector || is_copied(n.kind)) && n.tile < 1)
        throw UserError("vector, unroll and jam need a width, as in vector i/8", n.span);
      const bool outside = leaf.on_demand && p < leaf.scope;
      if (!outside && !leaf.range(n.name))
        throw UserError(quoted(leaf.label) + " has no variable " + quoted(n.name) +
                            ", so it cannot run inside of that loop",
                        leaf.node->span,
                        "bind one of its variables: " + std::string(leaf.label.text()) +
                            "(x = " + std::string(n.name.text()) + ")");
      if (is_point_loop(n) && !points.insert(n.name).second)
        throw UserError("two loops run the points of " + quoted(n.name), n.span);
      if (is_tile_loop(n) && points.count(n.name))
        throw UserError(
            "a loop over tiles of " + quoted(n.name) + " inside of the loop over its points",
            n.span);
      const bool ordered = n.kind == NodeKind::Forward || n.kind == NodeKind::Backward;
      if (!outside && leaf.is_sweep(n.name) != ordered && is_point_loop(n))
        throw UserError(
            ordered
                ? quoted(n.name) + " is not the variable of a sweep around " + quoted(leaf.label)
                : quoted(n.name) +
                      " is the variable of a sweep: its loop is `forward` or `backward`",
            n.span);
    }
    for (const ir::Sweep* s : leaf.sweeps) {
      const auto loop = std::find_if(leaf.path.begin(), leaf.path.end(), [&](const Node* n) {
        return is_point_loop(*n) && n->name == s->range.variable;
      });
      const NodeKind kind = s->forward ? NodeKind::Forward : NodeKind::Backward;
      if (loop == leaf.path.end() || (*loop)->kind != kind)
        throw UserError(quoted(leaf.label) + " needs a loop `" +
                            (s->forward ? "forward " : "backward ") +
                            std::string(s->range.variable.text()) + "` around it",
                        leaf.node->span);
    }
  }
}

}  // namespace

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
  Resolver(*nest).run();
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
  Resolver(*nest).run();
  place_temporaries(*nest);
  find_layouts(*nest);
  name_loops(*nest, nest->body, around);
  return nest;
}

}  // namespace lathe::schedule
