// SPDX-License-Identifier: Apache-2.0
#include "lower/lowering.h"

#include "analysis/access.h"
#include "analysis/sets.h"
#include "ir/domain.h"
#include "ir/index_form.h"
#include "ir/traverse.h"
#include "lower/drop_unread.h"
#include "passes/rebuild.h"
#include "schedule/register_tile.h"

namespace lathe::lower {

using schedule::NodeKind;
using schedule::PlaceKind;
using schedule::Storage;

Lowering::Lowering(const schedule::Nest& nest, const LowerOptions& options)
    : nest_(nest),
      options_(options),
      graph_(*nest.program.graph),
      maker_(graph_),
      build_(maker_),
      ranges_(nest, maker_),
      conditions_(nest.leaves.size()),
      deferred_(nest.leaves.size()) {}

loops::Kernel Lowering::run() {
  kernel_.graph = nest_.program.graph;
  kernel_.sources = nest_.program.sources;
  kernel_.name = nest_.program.name;
  kernel_.parameters = nest_.program.parameters;
  add_buffers();
  find_proven_reads();
  if (options_.watch) find_watched();
  nodes(nest_.body, 0, kernel_.body);
  if (!options_.watch) drop_unread(kernel_);
  return std::move(kernel_);
}

Expr Lowering::all_of(const std::vector<Expr>& conditions) {
  Expr all = nullptr;
  for (Expr c : conditions) all = both(all, c);
  return all ? all : build_.boolean(true);
}

namespace {

bool in_parameters(const ir::Array& a) {
  for (const ir::Axis& x : a.axes)
    for (Expr e : {x.lo, x.hi})
      if (!ir::arrays_read(e).empty()) return false;
  return true;
}

loops::Space space_of(ir::Role role) {
  if (role == ir::Role::Const) return loops::Space::Table;
  return role == ir::Role::Temp ? loops::Space::Scratch : loops::Space::Argument;
}

}  // namespace

void Lowering::add_buffers() {
  for (const ir::Array& a : nest_.program.arrays) {
    if (nest_.find_storage(a.name)) continue;
    loops::Buffer b;
    b.name = a.name;
    b.dtype = a.dtype;
    b.space = space_of(a.role);
    b.axes = a.axes;
    b.role = a.role;
    b.values = a.values;
    b.layout = layout_of(a.name);
    b.unit = !a.axes.empty() &&
             std::find(options_.unit.begin(), options_.unit.end(), a.name) != options_.unit.end();
    if (in_parameters(a))
      kernel_.buffers.push_back(std::move(b));
    else
      late_.push_back(std::move(b));
  }
}

// A read is proven when the index is in range wherever the program evaluates it, and safe when it
// is in range at every point of the statement, whatever the conditions around it.
void Lowering::find_proven_reads() {
  analysis::SetQuery query;
  const ir::SetExpr context = analysis::size_context(nest_.program);
  std::map<Symbol, const Leaf*> leaf_of;
  for (const Leaf& leaf : nest_.leaves) {
    if (leaf.rounds) leaf_of[leaf.label] = &leaf;
    for (const ir::Statement* s : leaf.lines) leaf_of[s->label] = &leaf;
  }
  std::set<std::pair<Symbol, Expr>> refuted, unsafe;
  for (const analysis::StatementAccess& s : analysis::collect_accesses(nest_.program)) {
    ir::SetExpr points = ir::SetExpr::universe();
    const auto it = leaf_of.find(s.label);
    if (it != leaf_of.end()) {
      std::vector<ir::SetExpr> parts;
      for (const ir::Range& r : it->second->ranges) parts.push_back(ir::to_set(r));
      points = ir::SetExpr::intersection(parts);
    }
    const auto shown = [&](const analysis::Access& a, const ir::SetExpr& where) {
      if (a.indices.empty()) return true;  // a scalar
      if (!a.is_affine()) return false;
      const ir::Array* array = nest_.program.find_array(a.array);
      std::vector<ir::SetExpr> inside;
      for (std::size_t x = 0; x < a.indices.size(); ++x)
        for (const auto& [e, op] : {std::pair(array->axes[x].lo, ir::Comparison::Ge),
                                    std::pair(array->axes[x].hi, ir::Comparison::Lt)})
          inside.push_back(ir::SetExpr::compare(*a.affine[x], op, ir::to_bound(e)));
      return query.is_subset(where, ir::SetExpr::intersection(inside), context) ==
             analysis::Proof::Yes;
    };
    bool writes = true, safe_writes = true;
    for (const analysis::Access& a : s.writes) {
      if (a.whole || !nest_.program.find_array(a.array)) continue;
      const bool safe = shown(a, points);
      safe_writes &= safe;
      writes &= safe || shown(a, a.domain);
    }
    if (writes) proven_writes_.insert(s.label);
    if (safe_writes) safe_writes_.insert(s.label);
    for (const analysis::Access& a : s.reads) {
      if (!a.node || !nest_.program.find_array(a.array)) continue;
      const std::pair key(s.label, a.node);
      if (refuted.count(key)) continue;
      const bool safe = shown(a, points);
      if (!safe) unsafe.insert(key);
      if (safe || shown(a, a.domain)) {
        proven_.insert(key);
      } else {
        refuted.insert(key);
        proven_.erase(key);
      }
      if (safe && !unsafe.count(key))
        safe_.insert(key);
      else
        safe_.erase(key);
    }
  }
}

std::size_t Lowering::site(loops::Site s) {
  if (const ir::Array* a = nest_.program.find_array(s.array)) s.users_order = a->users_order;
  kernel_.sites.push_back(std::move(s));
  return kernel_.sites.size() - 1;
}

// ---- Storage that belongs to one iteration of the loop that was just entered.

void Lowering::open_storage(const std::vector<const Node*>& path, Body& out) {
  for (const auto& [array, storage] : nest_.storage) {
    if (storage.path != path) continue;
    const ir::Array& a = *nest_.program.find_array(array);
    if (storage.place.kind == PlaceKind::Register) {
      if (!schedule::register_group(nest_, array)) declare_register(array, a.dtype, out);
      continue;
    }
    loops::Buffer b;
    b.name = path.empty() ? array : fresh(array.text());
    b.dtype = a.dtype;
    b.space = path.empty() ? loops::Space::Scratch : loops::Space::Thread;
    for (std::size_t x = 0; x < a.axes.size(); ++x) {
      ir::Axis axis = a.axes[x];
      // Outside of all loops there is nothing to gain.
      const schedule::Interval r = path.empty() ? schedule::Interval{axis.lo, axis.hi, false}
                                                : ranges_.region(array, x, storage.scope);
      axis.lo = r.lo;
      axis.hi = r.point ? ranges_.add(r.lo, 1) : ranges_.maximum(r.lo, r.hi);
      if (windowed(array, x)) {
        axis.lo = i64(0);
        axis.hi = i64(window_extent(storage.place.depth));
      }
      b.axes.push_back(axis);
    }
    b.layout = layout_of(array);
    buffers_[array] = b.name;
    buffer_axes_[b.name] = b.axes;
    if (path.empty())
      (in_parameters(a) ? kernel_.buffers : late_).push_back(std::move(b));
    else
      out.push_back({loops::Alloc{std::move(b)}});
  }
}

std::vector<std::size_t> Lowering::layout_of(Symbol array) const {
  const auto it = nest_.layouts.find(array);
  return it == nest_.layouts.end() ? std::vector<std::size_t>{} : it->second;
}

std::int64_t Lowering::window_extent(std::int64_t depth) {
  std::int64_t extent = 1;
  while (extent < depth) extent *= 2;
  return extent;
}

// The axis that the window's loop runs along: the one that the writers index with its variable.
bool Lowering::windowed(Symbol array, std::size_t axis) const {
  const Storage* s = nest_.find_storage(array);
  if (!s || s->place.kind != PlaceKind::Window) return false;
  for (const Leaf& leaf : nest_.leaves)
    for (const ir::Statement* line : leaf.lines)
      for (const ir::Target& t : line->targets)
        if (t.array == array) return ir::shifted_variable(t.indices[axis]) == s->place.window;
  return false;
}

// ---- Siblings, and what is no loop.

void Lowering::nodes(const std::vector<Node>& body, std::size_t depth, Body& out) {
  if (depth == 0) open_storage({}, out);
  const std::size_t prefetches = prefetches_.size();
  const auto packed = packed_;
  for (const Node& n : body)
    if (n.kind == NodeKind::Prefetch) prefetches_.push_back(&n);
  for (std::size_t i = 0; i < body.size();) {
    const Node& n = body[i];
    if (!late_.empty()) open_late(n, out);
    if (n.kind == NodeKind::Compute) {
      std::size_t end = i + 1;
      while (end < body.size() && body[end].kind == NodeKind::Compute) ++end;
      batch(std::span(body).subspan(i, end - i), out);
      i = end;
      continue;
    }
    if (const std::size_t used = n.is_loop() ? register_group(body, i, out) : 0; used > 0) {
      i += used;
      continue;
    }
    if (n.is_loop())
      loop(n, depth, out);
    else if (n.kind == NodeKind::Copy)
      pack(n, std::span(body).subspan(i + 1), depth, out);
    else
      control(n, depth, out);
    ++i;
  }
  prefetches_.resize(prefetches);
  packed_ = packed;
}

namespace {

void touched_below(const schedule::Nest& nest, const Node& n, passes::Touched& all) {
  const auto add = [&](const passes::Touched& t) {
    all.reads.insert(t.reads.begin(), t.reads.end());
    all.writes.insert(t.writes.begin(), t.writes.end());
  };
  if (n.kind == NodeKind::Compute)
    for (const ir::Statement* s : nest.leaves[nest.leaf_of.at(&n)].lines) add(passes::touched(*s));
  if (const auto it = nest.items.find(n.name); it != nest.items.end() && !n.is_loop())
    add(passes::touched(*it->second));
  for (const Node& inner : n.body) touched_below(nest, inner, all);
  for (const Node& inner : n.otherwise) touched_below(nest, inner, all);
}

}  // namespace

// Arrays whose extents the program computes are made right before the first node that touches them
// and does not compute those extents itself.
void Lowering::open_late(const Node& n, Body& out) {
  passes::Touched touched;
  touched_below(nest_, n, touched);
  std::erase_if(late_, [&](loops::Buffer& b) {
    if (!touched.reads.count(b.name) && !touched.writes.count(b.name)) return false;
    for (const ir::Axis& x : b.axes)
      for (Expr e : {x.lo, x.hi})
        for (Symbol scalar : ir::arrays_read(e))
          if (touched.writes.count(scalar)) return false;
    const ir::Array& array = *nest_.program.find_array(b.name);
    out.push_back({loops::Alloc{std::move(b)}});
    if (options_.watch) open_maps(array, true, out);
    return true;
  });
}

void Lowering::control(const Node& n, std::size_t depth, Body& out) {
  if (n.kind == NodeKind::Prefetch) return;
  const ir::Item& item = *nest_.items.at(n.name);
  // Conditions and bounds of control nodes have no variables but counters around them.
  Leaf around;
  around.label = n.name;
  around.node = &n;
  current_label_ = n.name;
  // Copies hold what statements read.
  const auto own = [&](Expr e, Body& body) {
    const auto packed = std::exchange(packed_, {});
    const Expr value = settle(resolve(around, e, body), body);
    packed_ = packed;
    return value;
  };
  if (const auto* w = std::get_if<ir::When>(&item.node)) {
    loops::If s;
    s.condition = own(w->condition, out);
    path_.push_back(&n);
    const auto buffers = buffers_;
    open_storage(path_, s.then_body);
    nodes(n.body, depth + 1, s.then_body);
    buffers_ = buffers;
    open_storage(path_, s.else_body);
    nodes(n.otherwise, depth + 1, s.else_body);
    buffers_ = buffers;
    path_.pop_back();
    out.push_back({std::move(s)});
  } else if (const auto* r = std::get_if<ir::Repeat>(&item.node)) {
    loops::For f;
    f.variable = r->range.variable;
    f.lo = own(r->range.lo, out);
    f.hi = own(r->range.hi, out);
    path_.push_back(&n);
    open_storage(path_, f.body);
    nodes(n.body, depth + 1, f.body);
    path_.pop_back();
    if (!r->rotate.empty()) {
      loops::Rotate rotate;
      rotate.buffers = r->rotate;
      loops::Rotate maps;
      for (Symbol array : r->rotate)
        if (const auto map = written_.find(array); map != written_.end())
          maps.buffers.push_back(map->second);
      f.body.push_back({std::move(rotate)});
      if (!maps.buffers.empty()) f.body.push_back({std::move(maps)});
    }
    if (r->until) {
      loops::Break b;
      current_label_ = n.name;
      b.condition = own(r->until, f.body);
      f.body.push_back({b});
    }
    if (r->capped) f.hi = build_.op(Op::Min, {f.hi, i64(options_.while_cap)});
    out.push_back({std::move(f)});
    if (r->capped) report_cap(*r, around, out);
  } else if (const auto* c = std::get_if<ir::Call>(&item.node)) {
    loops::Call call;
    call.function = c->function;
    call.inputs = c->inputs;
    call.outputs = c->outputs;
    if (options_.watch) watch_call(*c, out, false);
    out.push_back({std::move(call)});
    if (options_.watch) watch_call(*c, out, true);
  }
}

// A while that ran out of rounds: the first point that is still on is the error.
void Lowering::report_cap(const ir::Repeat& r, const Leaf& around, Body& out) {
  loops::If still_on;
  current_label_ = r.label;
  still_on.condition = settle(build_.logical_not(resolve(around, r.until, out)), out);
  const ir::Array& mask = *nest_.program.find_array(r.capped);
  loops::Site where;
  where.kind = loops::Site::Kind::WhileCap;
  where.label = r.label;
  where.span = r.span;
  loops::Fault fault;
  std::vector<Symbol> variables;
  for (const ir::Axis& x : mask.axes) {
    variables.push_back(fresh(x.name.text()));
    where.variables.push_back(x.name);
    fault.values.push_back(graph_.index(variables.back()));
  }
  fault.site = site(where);
  loops::If on;
  on.condition = graph_.read(buffer_of(r.capped), DType::Bool, fault.values, ir::Policy::Trusted);
  fault.values.insert(fault.values.begin(), i64(options_.while_cap));
  on.then_body.push_back({fault});
  Body body;
  body.push_back({std::move(on)});
  for (std::size_t x = mask.axes.size(); x-- > 0;) {
    loops::For f;
    f.variable = variables[x];
    f.lo = mask.axes[x].lo;
    f.hi = mask.axes[x].hi;
    f.body = std::move(body);
    body.clear();
    body.push_back({std::move(f)});
  }
  still_on.then_body = std::move(body);
  out.push_back({std::move(still_on)});
}

loops::Kernel lower(const schedule::Nest& nest, const LowerOptions& options) {
  return Lowering(nest, options).run();
}

}  // namespace lathe::lower
