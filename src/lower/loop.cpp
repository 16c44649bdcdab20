// SPDX-License-Identifier: Apache-2.0
// Loops that hold loops or statements: bounds, shifts, and the conditions under which each
// statement below takes part in an iteration.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

using schedule::Interval;
using schedule::NodeKind;

const std::vector<std::size_t>& Lowering::leaves_below(const Node& n) {
  const auto [it, fresh] = below_.insert({&n, {}});
  if (!fresh) return it->second;
  std::vector<std::size_t> all;
  for (const std::vector<Node>* body : {&n.body, &n.otherwise})
    for (const Node& inner : *body) {
      if (inner.kind == NodeKind::Compute) {
        all.push_back(nest_.leaf_of.at(&inner));
      } else {
        const std::vector<std::size_t>& more = leaves_below(inner);
        all.insert(all.end(), more.begin(), more.end());
      }
    }
  return below_[&n] = std::move(all);
}

bool Lowering::is_innermost(const Node& n) const {
  return std::all_of(n.body.begin(), n.body.end(), [](const Node& inner) {
    return inner.kind == NodeKind::Compute || inner.kind == NodeKind::Prefetch;
  });
}

// The statements that this loop drives: not those on demand whose storage lies further inside.
std::vector<Lowering::Member> Lowering::members(const Node& n, std::size_t depth) {
  std::vector<Member> out;
  for (std::size_t i : leaves_below(n)) {
    const Leaf& leaf = nest_.leaves[i];
    if (leaf.on_demand && leaf.scope > depth) continue;
    Interval r = ranges_.range(leaf, n.name, depth);
    const std::int64_t shift = leaf.shift(n.name);
    r = {ranges_.add(r.lo, -shift), ranges_.add(r.hi, -shift), r.point};
    out.push_back({i, r});
  }
  return out;
}

// Where the end of a range over the loop's variable may be read: where the statement takes part in
// this iteration of the loops around, and ranges before that one, if their loops are inside, have
// points.
std::vector<Expr> Lowering::conditions_of_ends(const Node& n, std::size_t number, Body& out) {
  const Leaf& leaf = nest_.leaves[number];
  std::vector<Expr> all = conditions_[number];
  for (Expr e : demanded_conditions(leaf, out)) all.push_back(e);
  const auto is_open = [&](Symbol v) {
    return ranges_.fixed(leaf, v, path_.size()) != nullptr || !leaf.range(v);
  };
  const auto are_known = [&](const ir::Range& r) {
    for (Expr end : {r.lo, r.hi})
      for (Symbol v : ir::free_variables(end))
        if (!is_open(v)) return false;
    return true;
  };
  for (Symbol v : deferred_[number]) {
    const ir::Range& r = *leaf.range(v);
    if (!are_known(r) || !is_open(v)) continue;
    const Expr at = resolve(leaf, graph_.index(v), out);
    all.push_back(build_.le(resolve(leaf, r.lo, out), at));
    all.push_back(build_.lt(at, resolve(leaf, r.hi, out)));
  }
  for (const ir::Range& r : leaf.own_ranges()) {
    if (r.variable == n.name) break;
    if (!is_open(r.variable) && are_known(r))
      all.push_back(build_.lt(resolve(leaf, r.lo, out), resolve(leaf, r.hi, out)));
  }
  return all;
}

// Bounds of ranges may read arrays. Those reads are the program's own: they happen where they may;
// elsewhere nobody heeds them.
void Lowering::read_bounds(const Node& n, std::vector<Member>& all, Body& out) {
  const auto reads = [](Expr e) { return !ir::reads(e).empty(); };
  Expr nowhere = i64(0);
  for (const Member& m : all)
    if (!reads(m.range.lo)) nowhere = m.range.lo;
  std::map<std::pair<Expr, Expr>, Expr> known;
  for (Member& m : all)
    for (Expr* end : {&m.range.lo, &m.range.hi}) {
      if (!reads(*end)) continue;
      current_label_ = nest_.leaves[m.leaf].label;
      Task t;
      t.conditions = conditions_of_ends(n, m.leaf, out);
      t.domain = t.conditions.size();
      t.value = bound(m.leaf, *end, out);
      if (t.conditions.empty()) {
        *end = settle(t.value, out);
        continue;
      }
      Expr& value = known[{all_of(t.conditions), t.value}];
      if (!value) {
        t.target = fresh("end");
        t.assign = true;
        t.label = current_label_;
        out.push_back({loops::Var{t.target, nowhere}});
        emit({t}, false, out);
        value = graph_.param(t.target, DType::I64);
      }
      *end = value;
    }
}

namespace {

Interval hull_of(schedule::Ranges& ranges, const std::vector<Interval>& all) {
  Interval hull = all.front();
  for (const Interval& r : all) {
    hull.point = hull.point && r.point && hull.lo == r.lo;
    hull.lo = ranges.minimum(hull.lo, r.lo);
    hull.hi = ranges.maximum(hull.hi, r.hi);
  }
  return hull;
}

// A loop over tiles that runs once: constant bounds, all in the first tile.
bool is_one_tile(const Interval& range, std::int64_t tile) {
  if (!ir::is_const(range.lo) || !ir::is_const(range.hi)) return false;
  const std::int64_t lo = range.lo->scalar().as_int(), hi = range.hi->scalar().as_int();
  return tile > 0 && lo < hi && hi - lo <= tile;
}

}  // namespace

// Which iterations of the loop belong to each of its statements.
void Lowering::add_conditions(const Node& n, std::size_t depth, const std::vector<Member>& all,
                              const Interval& given, Body& out) {
  const Expr v = ranges_.value(n);
  for (const Member& m : all) {
    const Leaf& leaf = nest_.leaves[m.leaf];
    const auto require = [&](Expr condition) {
      conditions_[m.leaf].push_back(bound(m.leaf, condition, out));
      return conditions_[m.leaf].back();
    };
    // What ends read has been looked up (read_bounds). In the interior of a vector loop nothing is
    // read for them.
    const auto require_end = [&](Expr condition, const Edge& edge) {
      conditions_[m.leaf].push_back(condition);
      if (ir::reads(edge.bound).empty()) edges_[condition] = edge;
    };
    // The points inside of a tile find their own bounds.
    if (!schedule::is_tile_loop(n)) {
      if (m.range.lo != given.lo) require_end(build_.le(m.range.lo, v), {&n, m.range.lo, true});
      if (m.range.hi != given.hi) require_end(build_.lt(v, m.range.hi), {&n, m.range.hi, false});
    }
    if (ranges_.depends_on_inner(leaf, n.name, depth)) {
      deferred_[m.leaf].push_back(n.name);
    } else if (leaf.on_demand && m.range.point) {
      const ir::Range& r = *leaf.range(n.name);
      // A tile's variable is where it begins.
      const Expr at = ranges_.add(schedule::is_tile_loop(n) ? m.range.lo : v, leaf.shift(n.name));
      require(build_.le(ranges_.place(leaf, r.lo, depth), at));
      require(build_.lt(at, ranges_.place(leaf, r.hi, depth)));
    }
  }
}

void Lowering::run_body(const Node& n, std::size_t depth, Body& out) {
  path_.push_back(&n);
  const auto registers = registers_;
  const auto buffers = buffers_;
  open_storage(path_, out);
  nodes(n.body, depth + 1, out);
  registers_ = registers;
  buffers_ = buffers;
  path_.pop_back();
}

void Lowering::loop(const Node& n, std::size_t depth, Body& out) {
  std::vector<Member> all = members(n, depth);
  if (all.empty()) return;
  if (accumulation_nest(n, depth, out) || register_tile(n, depth, out)) return;
  read_bounds(n, all, out);
  std::vector<Interval> intervals;
  for (const Member& m : all) intervals.push_back(m.range);
  Interval hull = hull_of(ranges_, intervals);
  if (n.kind == NodeKind::For && schedule::is_tile_loop(n) && is_one_tile(hull, n.tile))
    hull.point = true;

  // Conditions end with the loop; another one may have a variable of the same name.
  const auto edges = edges_;
  const auto conditions = conditions_;
  const auto deferred = deferred_;
  if (hull.point) {
    ranges_.set_value(n, hull.lo);
    add_conditions(n, depth, all, hull, out);
    run_body(n, depth, out);
  } else {
    add_conditions(n, depth, all, hull, out);
    current_label_ = nest_.leaves[all.front().leaf].label;
    hull.lo = settle(hull.lo, out);
    hull.hi = settle(hull.hi, out);
    starts_[&n] = hull.lo;
    const Expr start = ranges_.set_start(n, hull.lo);
    loops::For f;
    f.variable = nest_.variables.at(&n);
    f.lo = hull.lo;
    f.hi = hull.hi;
    f.step = schedule::is_tile_loop(n) ? n.tile : 1;
    f.down = n.kind == NodeKind::Backward;
    if (n.kind == NodeKind::Parallel) f.kind = loops::Kind::Parallel;
    if (n.kind == NodeKind::Vector && is_innermost(n)) {
      innermost(n, depth, hull, out);
    } else if (n.kind == NodeKind::Jam && n.tile > 1) {
      jam(n, depth, hull, out);
    } else if (n.kind == NodeKind::Unroll && n.tile > 1) {
      unrolled(n, depth, hull, out);
    } else {
      run_body(n, depth, f.body);
      if (!f.body.empty()) out.push_back({std::move(f)});
    }
    ranges_.set_start(n, start);
  }
  edges_ = edges;
  conditions_ = conditions;
  deferred_ = deferred;
}

// Conditions of a loop name its variable.
void Lowering::put_into_conditions(Symbol v, Expr at) {
  for (std::vector<Expr>& all : conditions_)
    for (Expr& e : all) {
      const Expr here = ir::rename(maker_, e, {{v, at}});
      if (const auto found = edges_.find(e); here != e && found != edges_.end()) {
        Edge edge = found->second;
        edge.bound = ir::rename(maker_, edge.bound, {{v, at}});
        edges_[here] = edge;
      }
      e = here;
    }
}

// U iterations as U copies of the body, and a loop over those that are left.
void Lowering::unrolled(const Node& n, std::size_t depth, const Interval& hull, Body& out) {
  const Symbol v = nest_.variables.at(&n);
  const Symbol name = fresh("rest");
  const Expr length = build_.op(Op::Max, {i64(0), ranges_.tidy(build_.sub(hull.hi, hull.lo))});
  const Expr count = build_.op(Op::FloorDiv, {length, i64(n.tile)});
  out.push_back({loops::Let{name, build_.add(hull.lo, build_.mul(i64(n.tile), count))}});
  const Expr rest = graph_.param(name, DType::I64);
  loops::For copies;
  copies.variable = fresh(v.text());
  copies.lo = hull.lo;
  copies.hi = rest;
  copies.step = n.tile;
  const auto conditions = conditions_;
  for (std::int64_t u = 0; u < n.tile; ++u) {
    const Expr at = ranges_.add(graph_.index(copies.variable), u);
    ranges_.set_value(n, at);
    put_into_conditions(v, at);
    run_body(n, depth, copies.body);
    conditions_ = conditions;
  }
  ranges_.set_value(n, graph_.index(v));
  loops::For left;
  left.variable = v;
  left.lo = rest;
  left.hi = hull.hi;
  run_body(n, depth, left.body);
  if (!copies.body.empty()) out.push_back({std::move(copies)});
  if (!left.body.empty()) out.push_back({std::move(left)});
}

// Reads in bounds go through their storage like any other.
Expr Lowering::bound(std::size_t leaf, Expr e, Body& out) {
  if (ir::reads(e).empty()) return e;
  Leaf around;  // variables are placed already
  around.label = nest_.leaves[leaf].label;
  around.node = nest_.leaves[leaf].node;
  return resolve(around, e, out);
}

}  // namespace lathe::lower
