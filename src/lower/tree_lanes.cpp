// SPDX-License-Identifier: Apache-2.0
// A block of a tree: lane l joins the points l, l + 64, l + 128 ..., then the lanes join pairwise.
//
//   for base in first..full by 64:            rows of 64 points, in vector registers where the
//     vector l in 0..64 by 64:                points allow it
//       lanes[l] = lanes[l] + u[base + l]
//   for part in full..most by 16:             the rest, 16 points at a time
//     vector l in 0..16 by 16:
//       lane[(part - first & 63) + l] = lane[...] + u[part + l]
//   for j in most..end: ...                   what is left, one by one
//   vector l in 0..32 by 32: lane[l] = lane[l] + lane[l + 32]       ... 16, 8, 4, 2, 1
//
// Where nothing stands for an absent point - tuples - the first row is taken as it is. Points that
// take long, with exponentials and the like, run 16 at a time from the first one on.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

namespace {

constexpr std::int64_t kShortRow = 16;
constexpr std::size_t kLongPoint = 24;  // operations

}  // namespace

// A row of 64 lanes is up to 16 vectors, each with code of its own, to keep sums in registers.
// Where the points themselves take long that gains nothing, and the C compiler works on it for
// long.
bool Lowering::takes_long(std::span<const Expr> values) {
  const std::vector<Expr> all = ir::post_order(values);
  std::size_t operations = 0;
  for (Expr e : all) {
    if (has(e->op, ir::kElementary)) return true;
    operations += e->args().empty() || e->op == Op::Read ? 0 : 1;
  }
  return operations > kLongPoint;
}

std::vector<Expr> Lowering::lane_values(Symbol v, Expr at, Point here) {
  // A point that is one expression, whatever its conditions; nothing else can run in lanes.
  Body around;
  std::vector<Expr> values;
  bool simple = true;
  here(around, [&](Body& body, const Value& p) {
    simple = &body == &around && body.empty() && p.point && !p.present;
    if (simple) values = p.values;
  });
  if (!simple || !around.empty()) return {};
  for (Expr& e : values) e = ir::rename(maker_, e, {{v, at}});
  return values;
}

loops::For Lowering::lane_loop(Symbol lane, std::int64_t count, bool vector) {
  loops::For f;
  f.variable = lane;
  f.lo = i64(0);
  f.hi = i64(count);
  if (vector) {
    f.kind = loops::Kind::Vector;
    f.width = count;
  }
  return f;
}

void Lowering::clear_lanes(const Combining& c, const Cell& lanes, Body& out) {
  const Symbol lane = fresh("l");
  const Expr l = graph_.index(lane);
  loops::For clear = lane_loop(lane, kLanes, false);
  for (std::size_t i = 0; i < c.dtypes.size(); ++i)
    clear.body.push_back({loops::Store{lanes.names[i], {l}, constant(c.absent[i]), false}});
  if (lanes.flag)
    clear.body.push_back({loops::Store{lanes.flag, {l}, build_.boolean(false), false}});
  out.push_back({std::move(clear)});
}

// In a vector loop: all components are computed before any is written.
void Lowering::store_row(const Combining& c, const Cell& to, const std::vector<Expr>& values,
                         Body& body) {
  std::vector<Task> compute, stores;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Task t;
    t.target = to.names[i];
    t.indices = {to.index};
    t.value = trusted(values[i]);
    t.label = current_label_;
    if (values.size() > 1) {
      const Symbol name = fresh("t");
      body.push_back({loops::Var{name, constant(c.neutral[i])}});
      Task early = t;
      early.target = name;
      early.assign = true;
      early.indices.clear();
      compute.push_back(std::move(early));
      t.value = graph_.param(name, c.dtypes[i]);
    }
    stores.push_back(std::move(t));
  }
  if (!compute.empty()) emit(compute, true, body);
  emit(stores, true, body);
}

// lanes[l] = the points of the full rows from `first` on, where they can run in vector registers.
// Gives where the rows end (there may be none), or null: nothing was written.
// `short_end`: where rows of 16 points end; null: there are none.
Expr Lowering::full_rows(const Combining& c, Symbol v, Expr first, Expr end, const Cell& lanes,
                         Point here, Expr& short_end, Body& out) {
  if (std::any_of(c.dtypes.begin(), c.dtypes.end(),
                  [](DType t) { return ir::is_bool(t) || ir::is_half(t); }))
    return nullptr;
  const Symbol lane = fresh("l"), base = fresh(v.text());
  const Expr l = graph_.index(lane);
  const auto row_of = [&](Expr from) { return lane_values(v, build_.add(from, l), here); };
  const std::vector<Expr> values = row_of(graph_.index(base));
  if (values.empty()) return nullptr;
  std::vector<Task> probes;
  for (Expr e : lane_values(v, graph_.index(v), here)) {
    Task probe;
    probe.value = e;
    probe.label = current_label_;
    probes.push_back(std::move(probe));
  }
  const Expr safe = vector_safety(v, first, end, probes);
  if (!safe || (ir::is_const(safe) && !safe->scalar().as_bool())) return nullptr;

  const auto end_of = [&](std::string_view name, std::int64_t lanes_of_row) {
    Expr full =
        build_.sub(end, build_.op(Op::BitAnd, {build_.sub(end, first), i64(lanes_of_row - 1)}));
    if (!ir::is_const(safe)) full = build_.select(safe, full, first);
    const Symbol symbol = fresh(name);
    out.push_back({loops::Let{symbol, full}});
    return graph_.param(symbol, DType::I64);
  };
  const Expr holds = condition_of_place(c, values[0], build_.add(graph_.index(base), l));
  if (!holds && c.exact_absent && takes_long(values)) {
    short_end = end_of("most", kShortRow);
    loops::For clear = lane_loop(lane, kLanes, true);
    clear.body.push_back({loops::Store{lanes.names[0], {l}, constant(c.absent[0]), false}});
    out.push_back({std::move(clear)});
    return first;
  }
  const Expr rest = end_of("full", kLanes);
  if (c.exact_absent) short_end = end_of("most", kShortRow);

  if (holds) {
    first_place_rows(c, holds, base, lane, first, rest, lanes, out);
    return rest;
  }

  Body* body = &out;
  loops::If some;
  if (!c.exact_absent) {
    some.condition = build_.lt(first, rest);
    clear_lanes(c, lanes, some.else_body);
    body = &some.then_body;
  }
  Cell acc;
  acc.index = l;
  for (DType t : c.dtypes) {
    loops::Buffer registers;
    registers.name = fresh("lanes");
    registers.dtype = t;
    registers.space = loops::Space::Lanes;
    registers.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(kLanes)}};
    acc.names.push_back(registers.name);
    body->push_back({loops::Alloc{registers}});
  }
  loops::For start = lane_loop(lane, kLanes, true), row = start, spill = start;
  Expr second = first;
  if (c.exact_absent) {
    start.body.push_back({loops::Store{acc.names[0], {l}, constant(c.absent[0]), false}});
  } else {
    store_row(c, acc, row_of(first), start.body);
    second = build_.add(first, i64(kLanes));
  }
  body->push_back({std::move(start)});
  loops::For rows;
  rows.variable = base;
  rows.lo = second;
  rows.hi = rest;
  rows.step = kLanes;
  store_row(c, acc, absorb(c, load(c, acc), values), row.body);
  rows.body.push_back({std::move(row)});
  body->push_back({std::move(rows)});
  const std::vector<Expr> last = load(c, acc);
  for (std::size_t i = 0; i < last.size(); ++i)
    spill.body.push_back({loops::Store{lanes.names[i], {l}, last[i], false}});
  body->push_back({std::move(spill)});
  if (c.exact_absent) return rest;
  loops::For present = lane_loop(lane, kLanes, false);
  present.body.push_back({loops::Store{lanes.flag, {l}, build_.boolean(true), false}});
  body->push_back({std::move(present)});
  out.push_back({std::move(some)});
  return rest;
}

// What is left of a block after its full rows, 16 points at a time: each point in the lane that it
// has anyway.
void Lowering::short_rows(const Combining& c, Symbol v, Expr first, Expr from, Expr to,
                          const Cell& lanes, Point here, Body& out) {
  const Symbol lane = fresh("l"), part = fresh("part"), offset = fresh("at");
  const Expr l = graph_.index(lane), base = graph_.index(part);
  loops::For parts;
  parts.variable = part;
  parts.lo = from;
  parts.hi = to;
  parts.step = kShortRow;
  parts.body.push_back(
      {loops::Let{offset, build_.op(Op::BitAnd, {build_.sub(base, first), i64(kLanes - 1)})}});
  Cell cell = lanes;
  cell.index = build_.add(graph_.param(offset, DType::I64), l);
  loops::For row = lane_loop(lane, kShortRow, true);
  store_row(c, cell, absorb(c, load(c, cell), lane_values(v, build_.add(base, l), here)), row.body);
  parts.body.push_back({std::move(row)});
  out.push_back({std::move(parts)});
}

// lanes[0] = all points from first to end.
void Lowering::block_lanes(const Combining& c, Symbol v, Expr first, Expr end, const Cell& lanes,
                           Point here, Body& out) {
  const auto at = [&](Cell cell, Expr index) {
    cell.index = index;
    return cell;
  };
  Expr short_end = nullptr, rest = full_rows(c, v, first, end, lanes, here, short_end, out);
  if (!rest) {
    clear_lanes(c, lanes, out);
    rest = first;
  } else if (short_end) {
    short_rows(c, v, first, rest, short_end, lanes, here, out);
    rest = short_end;
  }
  loops::For points;
  points.variable = v;
  points.lo = rest;
  points.hi = end;
  const Expr lane = build_.op(Op::BitAnd, {build_.sub(graph_.index(v), first), i64(kLanes - 1)});
  here(points.body, [&](Body& body, const Value& p) { merge(c, at(lanes, lane), p, body); });
  out.push_back({std::move(points)});
  // After a full row there is a value in every lane.
  if (c.exact_absent || rest == first) return join_lanes(c, lanes, c.exact_absent, out);
  loops::If some;
  some.condition = build_.lt(first, rest);
  join_lanes(c, lanes, true, some.then_body);
  join_lanes(c, lanes, false, some.else_body);
  out.push_back({std::move(some)});
}

// lanes[0] = all lanes. The last two floats of a minimum or maximum join in a vector, too: which
// one is taken cannot be foreseen, and the functions for single values branch.
void Lowering::join_lanes(const Combining& c, const Cell& lanes, bool all_present, Body& out,
                          std::int64_t count) {
  const bool ordinary = all_present && std::none_of(c.dtypes.begin(), c.dtypes.end(), [](DType t) {
                          return ir::is_bool(t) || ir::is_half(t);
                        });
  const bool branches =
      ordinary && ir::is_float(c.dtypes[0]) && !c.combiner && (c.op == Op::Min || c.op == Op::Max);
  const Symbol lane = fresh("l");
  for (std::int64_t w = count / 2; w >= 1; w /= 2) {
    const bool vector = ordinary && (w > 1 || branches);
    loops::For pairs = lane_loop(lane, vector ? std::max<std::int64_t>(w, 2) : w, vector);
    Cell left = lanes, right = lanes;
    left.index = graph_.index(lane);
    right.index = w > 1 || !vector ? build_.add(left.index, i64(w)) : i64(1);
    if (vector) {
      store_row(c, left, join(c, load(c, left), load(c, right)), pairs.body);
    } else {
      Value value;
      value.values = load(c, right);
      value.point = false;
      value.present = is_present(c, right);
      merge(c, left, value, pairs.body);
    }
    out.push_back({std::move(pairs)});
  }
}

}  // namespace lathe::lower
