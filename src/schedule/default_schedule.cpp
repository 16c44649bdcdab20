// SPDX-License-Identifier: Apache-2.0
#include "schedule/default_schedule.h"

#include <algorithm>
#include <set>

#include "analysis/dependences.h"
#include "ir/index_form.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"
#include "schedule/default_parts.h"
#include "schedule/legal.h"
#include "schedule/nest.h"

namespace lathe::schedule {
namespace {

template <class F>
void for_each_leaf(std::vector<Node>& body, F&& f) {
  for (Node& n : body) {
    if (n.kind == NodeKind::Compute) f(n);
    for_each_leaf(n.body, f);
    for_each_leaf(n.otherwise, f);
  }
}

// ---- 4. Places. Proposals: legal() decides.

std::size_t loop_count(const std::vector<Node>& body) {
  std::size_t n = 0;
  for (const Node& node : body)
    n += (node.is_loop() ? 1 : 0) + loop_count(node.body) + loop_count(node.otherwise);
  return n;
}

void place_windows(const ir::Program& program, const LoopTree& tree, Schedule& s) {
  std::map<Symbol, const Window*> by_label;
  ir::for_each_statement(program.body, [&](const ir::Statement& st) {
    for (const ir::Target& t : st.targets)
      if (const auto w = tree.windows.find(t.array); w != tree.windows.end())
        by_label[st.label] = &w->second;
  });
  for_each_leaf(s.body, [&](Node& n) {
    if (const auto it = tree.ahead.find(n.name); it != tree.ahead.end()) n.binds = it->second;
    const auto it = by_label.find(n.name);
    if (it == by_label.end()) return;
    const Window& w = *it->second;
    n.place = {PlaceKind::Window, w.loop, w.depth};
    n.reason = "read up to " + std::to_string(w.depth - 1) + " rows away";
  });
}

// The axis along the vector loop lies densely. Empty: it does so already.
std::vector<Symbol> dense_layout(const ir::Array& a, const std::vector<const Leaf*>& touching) {
  for (const Leaf* leaf : touching) {
    Symbol along;
    for (const Node* n : leaf->path)
      if (n->kind == NodeKind::Vector) along = n->name;
    if (!along) continue;
    for (const ir::Statement* line : leaf->lines)
      for (const ir::Target& t : line->targets) {
        if (t.array != a.name) continue;
        std::vector<Symbol> layout;
        Symbol last;
        for (std::size_t d = 0; d < t.indices.size(); ++d)
          if (!last && ir::shifted_variable(t.indices[d]) == along)
            last = a.axes[d].name;
          else
            layout.push_back(a.axes[d].name);
        if (!last || last == a.axes.back().name) return {};
        layout.push_back(last);
        return layout;
      }
  }
  return {};
}

// A scalar that a sweep carries from round to round: the processor keeps it, though no loop stands
// around all that touch it. One that says how large an array is must be in memory.
bool is_carried(const ir::Program& program, const ir::Array& a,
                const std::vector<const Leaf*>& touching, std::size_t common) {
  if (!a.axes.empty()) return false;
  for (const ir::Array& other : program.arrays)
    for (const ir::Axis& x : other.axes)
      if (passes::reads_array(x.lo, a.name) || passes::reads_array(x.hi, a.name)) return false;
  bool swept = false;
  for (const Leaf* leaf : touching)
    for (std::size_t k = common; k < leaf->path.size(); ++k) {
      const NodeKind kind = leaf->path[k]->kind;
      const bool order = kind == NodeKind::Forward || kind == NodeKind::Backward;
      if (!order && kind != NodeKind::For) return false;
      swept |= order;
    }
  return swept;
}

// Who touches each array.
std::map<Symbol, std::vector<const Leaf*>> leaves_by_array(const Nest& nest) {
  std::map<Symbol, std::vector<const Leaf*>> users;
  for (const Leaf& leaf : nest.leaves) {
    std::set<Symbol> arrays;
    for (const ir::Statement* line : leaf.lines) {
      const passes::Touched t = passes::touched(*line);
      arrays.insert(t.reads.begin(), t.reads.end());
      arrays.insert(t.writes.begin(), t.writes.end());
    }
    if (leaf.guard)
      for (Symbol a : ir::arrays_read(leaf.guard)) arrays.insert(a);
    for (Symbol a : arrays) users[a].push_back(&leaf);
  }
  return users;
}

void place_temporaries(const ir::Program& program, const KnownProgram& known,
                       analysis::SetQuery& query, Schedule& s) {
  const std::unique_ptr<Nest> nest = resolve(program, s);
  std::map<Symbol, std::vector<const Leaf*>> users = leaves_by_array(*nest);
  for (const ir::Array& a : program.arrays) {
    if (a.role != ir::Role::Temp) continue;
    const std::vector<const Leaf*>& touching = users[a.name];
    bool elsewhere = false;
    for (const auto& [label, item] : nest->items)
      for (Expr e : passes::own_expressions(*item)) elsewhere |= passes::reads_array(e, a.name);
    if (touching.empty() || elsewhere || nest->find_storage(a.name)) continue;
    std::vector<const Node*> common = touching.front()->path;
    for (const Leaf* leaf : touching) {
      std::size_t k = 0;
      while (k < common.size() && k < leaf->path.size() && common[k] == leaf->path[k]) ++k;
      common.resize(k);
    }
    const bool in_loop =
        std::any_of(common.begin(), common.end(), [](const Node* n) { return n->is_loop(); });
    if (!in_loop && !is_carried(program, a, touching, common.size())) continue;
    std::set<Symbol> writers;
    for (const Leaf* leaf : touching)
      for (const ir::Statement* line : leaf->lines)
        for (const ir::Target& t : line->targets)
          if (t.array == a.name) writers.insert(leaf->label);
    for (const auto& choice : {std::pair(PlaceKind::Register, "touched at one point only"),
                               std::pair(PlaceKind::Tile, "touched in one nest only")}) {
      if (!in_loop && choice.first != PlaceKind::Register) continue;
      Schedule trial = s;
      for_each_leaf(trial.body, [&](Node& n) {
        if (!writers.count(n.name)) return;
        n.place = {choice.first, {}, 0};
        if (choice.first == PlaceKind::Tile) n.place.layout = dense_layout(a, touching);
        n.reason = choice.second;
      });
      if (!is_legal(program, trial, known, query)) continue;
      // Values that need each other in turn would be computed at all points for each one.
      if (loop_count(resolve(program, trial)->body) > loop_count(trial.body)) continue;
      s = std::move(trial);
      break;
    }
  }
}

// ---- 5. Streams.

void stream_outputs(const ir::Program& program, Schedule& s) {
  std::set<Symbol> read;
  ir::for_each_statement(program.body, [&](const ir::Statement& st) {
    const passes::Touched t = passes::touched(st);
    read.insert(t.reads.begin(), t.reads.end());
  });
  ir::for_each_statement(program.body, [&](const ir::Statement& st) {
    if (st.accumulate || st.targets.size() != 1) return;
    const ir::Array* a = program.find_array(st.targets.front().array);
    if (!a || a->role != ir::Role::Output || a->axes.empty() || read.count(a->name)) return;
    for_each_leaf(s.body, [&](Node& n) {
      if (n.name != st.label || n.place.kind != PlaceKind::Whole) return;
      n.place = {PlaceKind::Stream, {}, 0};
      n.reason = "an output that nobody reads here";
    });
  });
}

Node* find_control(std::vector<Node>& body, Symbol label) {
  for (Node& n : body)
    if ((n.kind == NodeKind::Repeat || n.kind == NodeKind::When) && n.name == label) return &n;
  for (Node& n : body)
    if (n.is_loop())
      if (Node* found = find_control(n.body, label)) return found;
  return nullptr;
}

// The list of the tree that stands for the block of the program which holds the statement.
bool find_block(const ir::Body& items, Symbol label, std::vector<Node>& tree,
                std::vector<Node>*& block) {
  for (const ir::Item& item : items) {
    if (passes::label_of(item) == label) {
      block = &tree;
      return true;
    }
    if (const auto* s = std::get_if<ir::Sweep>(&item.node))
      if (find_block(s->body, label, tree, block)) return true;
    if (const auto* r = std::get_if<ir::Repeat>(&item.node))
      if (Node* n = find_control(tree, r->label))
        if (find_block(r->body, label, n->body, block)) return true;
    if (const auto* w = std::get_if<ir::When>(&item.node))
      if (Node* n = find_control(tree, w->label))
        if (find_block(w->then_body, label, n->body, block) ||
            find_block(w->else_body, label, n->otherwise, block))
          return true;
  }
  return false;
}

}  // namespace

bool is_legal(const ir::Program& program, const Schedule& s, const KnownProgram& known,
              analysis::SetQuery& query) {
  try {
    resolve_legal(program, s, known, query);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

Schedule default_schedule(const ir::Program& program, const Machine& machine) {
  ir::Program work = program;
  const auto gone = inline_cheap(work);
  analysis::SetQuery query;
  const KnownProgram known(work, query);
  Schedule s = plain_schedule(program);
  s.machine = machine.name;
  using enum WindowChoice;
  const LoopChoices attempts[] = {{Chains, true},  {Single, true},  {None, true},
                                  {Chains, false}, {Single, false}, {None, false}};
  bool legal = false;
  for (const LoopChoices& choices : attempts) {
    LoopTree tree = build_loops(work, machine, known.dependences, choices);
    s.body = std::move(tree.body);
    place_windows(work, tree, s);
    legal = is_legal(work, s, known, query);
    if (legal) break;
  }
  if (!legal) s.body = plain_schedule(work).body;
  place_temporaries(work, known, query, s);
  stream_outputs(work, s);
  jam_rows(work, machine, known, query, s);
  prefetch_rows(work, s);
  for (std::size_t i = gone.size(); i-- > 0;) {
    Node n;
    n.kind = NodeKind::Compute;
    n.name = gone[i].first;
    n.place = {PlaceKind::Nowhere, {}, 0};
    n.reason = gone[i].second;
    std::vector<Node>* block = &s.body;
    find_block(program.body, n.name, s.body, block);
    block->insert(block->begin(), std::move(n));
  }
  return s;
}

}  // namespace lathe::schedule
