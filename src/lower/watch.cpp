// SPDX-License-Identifier: Apache-2.0
// Reads of what nothing has written, and elements that one statement sets twice. Every array that
// starts without contents gets a map of its elements, every statement whose points may meet a
// number per element that says when it was last set there:
//
//   for i in 0..n: w[p[i]] = t[i]
// ->
//   if w.set[p[i]] == 1: fault            the same run of the statement was here before
//   w.set[p[i]] = 1
//   if not t.written[i]: fault
//   w[p[i]] = t[i]
//   w.written[p[i]] = true

#include <algorithm>

#include "ir/group_rule.h"
#include "ir/labels.h"
#include "ir/traverse.h"
#include "lower/lowering.h"
#include "lower/range_tests.h"

namespace lathe::lower {
namespace {

bool starts_empty(const ir::Array& a) {
  return a.role == ir::Role::Temp || a.role == ir::Role::Output;
}

}  // namespace

void Lowering::find_watched() {
  std::set<Symbol> watched;
  for (const ir::Array& a : nest_.program.arrays)
    if (starts_empty(a)) watched.insert(a.name);
  // What rotates with a map has one, too.
  bool more = true;
  while (std::exchange(more, false))
    for (const auto& [label, item] : nest_.items) {
      const auto* r = std::get_if<ir::Repeat>(&item->node);
      if (!r || std::none_of(r->rotate.begin(), r->rotate.end(),
                             [&](Symbol a) { return watched.count(a) > 0; }))
        continue;
      for (Symbol a : r->rotate) more |= watched.insert(a).second;
    }
  for (const ir::Array& a : nest_.program.arrays) {
    if (watched.count(a.name)) written_[a.name] = fresh(std::string(a.name.text()) + ".written");
    const bool late = std::any_of(late_.begin(), late_.end(),
                                  [&](const loops::Buffer& b) { return b.name == a.name; });
    if (!late) open_maps(a, false, kernel_.body);
  }
}

// Beside the array, from now on: nothing written, nothing set. `late`: its extents are computed.
void Lowering::open_maps(const ir::Array& array, bool late, Body& out) {
  const auto open = [&](Symbol name, DType dtype, Expr initial) {
    loops::Buffer map;
    map.name = name;
    map.dtype = dtype;
    map.axes = buffer_axes_[name] = array.axes;
    if (late)
      out.push_back({loops::Alloc{std::move(map)}});
    else
      kernel_.buffers.push_back(std::move(map));
    over_elements(array.axes, out, [&](const std::vector<Expr>& at, Body& body) {
      body.push_back({loops::Store{name, at, initial, false}});
    });
  };
  if (const auto map = written_.find(array.name); map != written_.end())
    open(map->second, DType::Bool, build_.boolean(!starts_empty(array)));
  for (const Leaf& leaf : nest_.leaves)
    for (const ir::Statement* line : leaf.lines)
      for (const ir::Target& t : line->targets) {
        if (t.array != array.name || !may_meet(leaf, *line, t)) continue;
        Symbol& name = set_by_[{line->label, t.array}];
        if (name) continue;
        name = fresh(std::string(t.array.text()) + ".set");
        open(name, DType::I64, i64(0));
      }
}

void Lowering::over_elements(const std::vector<ir::Axis>& axes, Body& out,
                             FunctionRef<void(const std::vector<Expr>& at, Body&)> each) {
  Body* body = &out;
  std::vector<Expr> at;
  const Leaf nowhere;
  for (const ir::Axis& axis : axes) {
    loops::For f;
    f.variable = fresh("x");
    f.lo = settle(resolve(nowhere, axis.lo, *body), *body);
    f.hi = settle(resolve(nowhere, axis.hi, *body), *body);
    at.push_back(graph_.index(f.variable));
    body->push_back({std::move(f)});
    body = &std::get<loops::For>(body->back().node).body;
  }
  each(at, *body);
}

bool Lowering::may_meet(const Leaf& leaf, const ir::Statement& line,
                        const ir::Target& target) const {
  const auto own = leaf.own_ranges();
  return !line.accumulate && nest_.program.find_array(target.array) &&
         !ir::determines_point(target, {own.begin(), own.end()});
}

void Lowering::fault_unless(Expr fine, loops::Site where, std::vector<Expr> values, Body& out) {
  if (ir::is_const(fine) && fine->scalar().as_bool()) return;
  const std::size_t index = values.size() - where.variables.size();
  const std::size_t most = std::max(index, loops::kFaultValues);
  values.resize(std::min(values.size(), most));
  where.variables.resize(values.size() - index);
  loops::If s;
  s.condition = build_.logical_not(fine);
  s.then_body.push_back({loops::Fault{site(std::move(where)), std::move(values)}});
  out.push_back({std::move(s)});
}

// ---- Reads.

Expr Lowering::old_content(const Leaf& leaf, Symbol array, DType dtype,
                           const std::vector<Expr>& at) {
  if (const auto reg = registers_.find(array); reg != registers_.end()) return reg->second.front();
  if (options_.watch && written_.count(array)) return watched_read(leaf, nullptr, array, dtype, at);
  return graph_.read(buffer_of(array), dtype, element(array, at), ir::Policy::Trusted);
}

// What the read speaks of, after what the reductions around it speak of.
std::vector<Symbol> Lowering::variables_of(Expr read) const {
  const std::vector<Symbol> own = ir::free_variables(read);
  std::vector<Symbol> all;
  if (own.empty()) return all;
  const auto add = [&](const std::vector<Symbol>& names) {
    for (Symbol v : names)
      if (std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
  };
  for (Expr r : reductions_) add(ir::free_variables(r));
  add(own);
  return all;
}

Expr Lowering::watched_read(const Leaf& leaf, Expr node, Symbol array, DType dtype,
                            const std::vector<Expr>& indices) {
  const Expr r = graph_.read(buffer_of(array), dtype, indices, ir::Policy::Error);
  Watched w;
  w.site.label = current_label_;
  w.site.array = array;
  w.site.span = leaf.span;
  if (node) {
    w.site.trusted = node->policy == ir::Policy::Trusted;
    w.site.variables = variables_of(node);
    for (Symbol v : w.site.variables) {
      const Expr value = ranges_.fixed(leaf, v, leaf.path.size());
      w.point.push_back(value ? value : graph_.index(v));
    }
    const Span use = nest_.program.spans ? nest_.program.spans->find(current_label_, node) : Span{};
    if (use.known()) w.site.span = use;
  }
  w.proven = !node || proven_.count({current_label_, node}) > 0;
  const auto map = written_.find(array);
  if (map != written_.end() && (!node || node != copied_)) w.written = map->second;
  watched_.insert_or_assign(r, std::move(w));
  risky_.insert(r);
  return r;
}

void Lowering::test_read(Expr read, const std::vector<Expr>& indices, Body& out) {
  const Watched& w = watched_.at(read);
  std::vector<Expr> values;
  for (Expr index : indices) values.push_back(build_.cast(DType::I64, index));
  values.insert(values.end(), w.point.begin(), w.point.end());
  if (!w.proven) {
    const std::vector<ir::Axis>& axes = nest_.program.find_array(w.site.array)->axes;
    fault_unless(conjunction(maker_, range_tests(maker_, axes, indices)), w.site, values, out);
  }
  if (!w.written) return;
  loops::Site unwritten = w.site;
  unwritten.kind = loops::Site::Kind::Unwritten;
  unwritten.trusted = false;
  fault_unless(graph_.read(w.written, DType::Bool, indices, ir::Policy::Trusted), unwritten, values,
               out);
}

// ---- Writes.

// Each run of a statement has a number of its own: the counters around it, mixed. Never 0.
void Lowering::test_target(const Leaf& leaf, const ir::Statement& line, std::size_t target,
                           const std::vector<Expr>& element, Body& out) {
  const auto map = set_by_.find({line.label, line.targets[target].array});
  if (map == set_by_.end()) return;
  constexpr std::int64_t kApart = std::int64_t{1} << 32;
  Expr run = i64(0);
  const auto mix = [&](Expr counter) {
    run = build_.add(build_.mul(run, i64(kApart)), resolve(leaf, counter, out));
  };
  for (const Node* n : leaf.path)
    if (n->kind == schedule::NodeKind::Repeat)
      mix(graph_.index(std::get<ir::Repeat>(nest_.items.at(n->name)->node).range.variable));
  for (const ir::Sweep* s : leaf.sweeps) mix(graph_.index(s->range.variable));
  run = build_.add(build_.mul(run, i64(2)), i64(1));
  std::vector<Expr> at;
  for (Expr e : element) at.push_back(settle(build_.cast(DType::I64, e), out));
  loops::Site where;
  where.kind = loops::Site::Kind::Twice;
  where.label = line.label;
  where.array = line.targets[target].array;
  where.span = line.span;
  const Expr last = graph_.read(map->second, DType::I64, at, ir::Policy::Trusted);
  fault_unless(build_.op(Op::Ne, {last, run}), where, at, out);
  out.push_back({loops::Store{map->second, at, run, false}});
}

Expr Lowering::mark_of(const ir::Statement& line, std::size_t target, Expr value) {
  if (line.accumulate || !written_.count(line.targets[target].array)) return nullptr;
  const Expr copied = ir::version_copied(line);
  return copied ? copied_mark(copied->name, value) : build_.boolean(true);
}

// As the value, but read from the map: what the copy takes from outside is there.
Expr Lowering::copied_mark(Symbol array, Expr value) {
  const auto map = written_.find(array);
  if (map == written_.end()) return build_.boolean(true);
  if (value->op == Op::Cast) return copied_mark(array, value->arg(0));
  if (value->op == Op::Select)
    return build_.select(value->arg(0), copied_mark(array, value->arg(1)), build_.boolean(true));
  if (value->op != Op::Read || value->name != array) return build_.boolean(true);
  const Expr mark = graph_.read(map->second, DType::Bool, value->args(), ir::Policy::Trusted);
  risky_.insert(mark);
  return build_.select(in_range(array, value->args()), mark, build_.boolean(false));
}

// Operations on whole arrays need all of their inputs, and write all of their outputs.
void Lowering::watch_call(const ir::Call& call, Body& out, bool after) {
  for (Symbol array : after ? call.outputs : call.inputs) {
    const auto map = written_.find(array);
    if (map == written_.end()) continue;
    const std::vector<ir::Axis>& axes = nest_.program.find_array(array)->axes;
    over_elements(axes, out, [&](const std::vector<Expr>& at, Body& body) {
      if (after)
        return body.push_back({loops::Store{map->second, at, build_.boolean(true), false}});
      loops::Site where;
      where.kind = loops::Site::Kind::Unwritten;
      where.label = call.label;
      where.array = array;
      where.span = call.span;
      fault_unless(graph_.read(map->second, DType::Bool, at, ir::Policy::Trusted), where, at, body);
    });
  }
}

}  // namespace lathe::lower
