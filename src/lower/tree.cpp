// SPDX-License-Identifier: Apache-2.0
// Reductions in tree order: up to 32 points left to right; otherwise blocks of 4,096 points in 64
// lanes that join pairwise, and blocks that join like the digits of a binary counter. Lanes run in
// vector registers where the points allow it, blocks on several threads where the schedule says so.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

namespace {
constexpr std::int64_t kShort = 32, kLanes = 64;
constexpr std::int64_t kMaxLevels = 56;  // blocks of 2^63 points
}  // namespace

void Lowering::reduce_tree(const Combining& c, std::span<const Axis1> axes, const Cell& result,
                           Bound bound, Point point, Body& out) {
  const Axis1& axis = axes.front();
  const Expr lo = bound(axis.lo, out), hi = bound(axis.hi, out);
  // A point of this variable: one of the program's, or the result of a row of the next variable.
  const auto here = [&](Body& body, Use use) {
    if (axes.size() == 1) return point(body, use);
    const Cell row = new_cell(c, c.absent, body, true);
    reduce_tree(c, axes.subspan(1), row, bound, point, body);
    Value value;
    value.values = load(c, row);
    value.point = false;
    value.present = is_present(c, row);
    use(body, value);
  };
  const Expr length = ranges_.tidy(build_.sub(hi, lo));
  loops::For left_to_right;
  left_to_right.variable = axis.variable;
  left_to_right.lo = lo;
  left_to_right.hi = hi;
  const auto short_row = [&](Body& body) {
    here(left_to_right.body,
         [&](Body& inside, const Value& value) { merge(c, result, value, inside); });
    body.push_back({std::move(left_to_right)});
  };
  if (ir::is_const(length)) {
    if (length->scalar().as_int() <= kShort) return short_row(out);
    return tree_blocks(c, axis.variable, lo, hi, result, here, out);
  }
  loops::If s;
  s.condition = build_.le(length, i64(kShort));
  short_row(s.then_body);
  tree_blocks(c, axis.variable, lo, hi, result, here, s.else_body);
  out.push_back({std::move(s)});
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

// lanes[l] = the points first + l, first + l + 64 ... before `end`, joined; then lanes[0] = all.
void Lowering::block_lanes(const Combining& c, Symbol v, Expr first, Expr end, const Cell& lanes,
                           Point here, Body& out) {
  const auto at = [&](Cell cell, Expr index) {
    cell.index = index;
    return cell;
  };
  const Symbol lane_name = fresh("l");
  const Expr l = graph_.index(lane_name);
  const auto lane_loop = [&](std::int64_t n, bool vector) {
    loops::For f;
    f.variable = lane_name;
    f.lo = i64(0);
    f.hi = i64(n);
    if (vector) {
      f.kind = loops::Kind::Vector;
      f.width = n;
    }
    return f;
  };
  Expr rest = first;  // points that do not run in lanes
  const bool ordinary = c.exact_absent && c.dtypes.size() == 1 && !ir::is_bool(c.dtypes[0]) &&
                        !ir::is_half(c.dtypes[0]);
  const Symbol base = fresh(v.text());
  std::vector<Expr> values;
  if (ordinary) values = lane_values(v, build_.add(graph_.index(base), l), here);
  Expr safe = nullptr;
  if (!values.empty()) {
    std::vector<Task> probes;
    for (Expr e : lane_values(v, graph_.index(v), here)) {
      Task probe;
      probe.value = e;
      probe.label = current_label_;
      probes.push_back(std::move(probe));
    }
    safe = vector_safety(v, first, end, probes);
  }
  if (safe) {
    const Symbol acc = fresh("lanes");
    loops::Buffer registers;
    registers.name = acc;
    registers.dtype = c.dtypes[0];
    registers.space = loops::Space::Lanes;
    registers.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(kLanes)}};
    out.push_back({loops::Alloc{registers}});
    const Symbol full_name = fresh("full");
    Expr full = build_.sub(end, build_.op(Op::BitAnd, {build_.sub(end, first), i64(kLanes - 1)}));
    if (!ir::is_const(safe)) full = build_.select(safe, full, first);
    out.push_back({loops::Let{full_name, full}});
    rest = graph_.param(full_name, DType::I64);
    loops::For clear = lane_loop(kLanes, true);
    clear.body.push_back({loops::Store{acc, {l}, constant(c.absent[0]), false}});
    out.push_back({std::move(clear)});
    loops::For rows;
    rows.variable = base;
    rows.lo = first;
    rows.hi = rest;
    rows.step = kLanes;
    loops::For row = lane_loop(kLanes, true);
    Task t;
    t.target = acc;
    t.indices = {l};
    const Expr old = graph_.read(acc, c.dtypes[0], std::span(&l, 1), ir::Policy::Trusted);
    t.value = trusted(absorb(c, {old}, values)[0]);
    t.label = current_label_;
    emit({t}, true, row.body);
    rows.body.push_back({std::move(row)});
    out.push_back({std::move(rows)});
    loops::For spill = lane_loop(kLanes, true);
    spill.body.push_back({loops::Store{lanes.names[0], {l}, old, false}});
    out.push_back({std::move(spill)});
  } else {
    loops::For clear = lane_loop(kLanes, false);
    for (std::size_t i = 0; i < c.dtypes.size(); ++i)
      clear.body.push_back({loops::Store{lanes.names[i], {l}, constant(c.absent[i]), false}});
    if (lanes.flag)
      clear.body.push_back({loops::Store{lanes.flag, {l}, build_.boolean(false), false}});
    out.push_back({std::move(clear)});
  }
  loops::For points;
  points.variable = v;
  points.lo = rest;
  points.hi = end;
  const Expr lane = build_.op(Op::BitAnd, {build_.sub(graph_.index(v), first), i64(kLanes - 1)});
  here(points.body, [&](Body& body, const Value& p) { merge(c, at(lanes, lane), p, body); });
  out.push_back({std::move(points)});
  for (std::int64_t w = kLanes / 2; w >= 1; w /= 2) {
    loops::For pairs = lane_loop(w, ordinary && w > 1);
    const Cell other = at(lanes, build_.add(l, i64(w)));
    Value value_of;
    value_of.values = load(c, other);
    value_of.point = false;
    value_of.present = is_present(c, other);
    merge(c, at(lanes, l), value_of, pairs.body);
    out.push_back({std::move(pairs)});
  }
}

void Lowering::tree_blocks(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& result,
                           Point here, Body& out) {
  const auto small = [&](std::string_view stem, DType t, std::int64_t extent) {
    loops::Buffer b;
    b.name = fresh(stem);
    b.dtype = t;
    b.space = loops::Space::Stack;
    b.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(extent)}};
    out.push_back({loops::Alloc{b}});
    return b.name;
  };
  Cell lanes, blocks;
  for (DType t : c.dtypes) {
    lanes.names.push_back(small("lane", t, kLanes));
    blocks.names.push_back(small("block", t, kMaxLevels));
  }
  if (!c.exact_absent) {
    lanes.flag = small("lane_any", DType::Bool, kLanes);
    blocks.flag = small("block_any", DType::Bool, kMaxLevels);
  }
  const auto at = [&](Cell cell, Expr index) {
    cell.index = index;
    return cell;
  };
  const auto moved = [&](const Cell& from) {  // a partial result
    Value value;
    value.values = load(c, from);
    value.point = false;
    value.present = is_present(c, from);
    return value;
  };
  // blocks[to] = from, present or not.
  const auto copy = [&](const Cell& to, const Cell& from, Body& body) {
    const std::vector<Expr> values = load(c, from);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (to.index)
        body.push_back({loops::Store{to.names[i], {to.index}, values[i], false}});
      else
        body.push_back({loops::Assign{to.names[i], values[i]}});
    }
    if (const Expr present = is_present(c, from)) {
      if (to.index)
        body.push_back({loops::Store{to.flag, {to.index}, present, false}});
      else
        body.push_back({loops::Assign{to.flag, present}});
    }
  };

  const Symbol top = fresh("top"), count = fresh("count");
  const Expr top_value = graph_.param(top, DType::I64),
             count_value = graph_.param(count, DType::I64);
  out.push_back({loops::Var{top, i64(0)}});
  out.push_back({loops::Var{count, i64(0)}});

  loops::For all;
  all.variable = fresh("block");
  all.lo = lo;
  all.hi = hi;
  all.step = kBlock;
  const Expr first = graph_.index(all.variable);
  const Expr end = build_.op(Op::Min, {hi, build_.add(first, i64(kBlock))});
  block_lanes(c, v, first, end, lanes, here, all.body);

  // Like adding one to a binary number: a block joins every complete neighbour to its left.
  const Cell carry = new_cell(c, c.absent, all.body, true);
  copy(carry, at(lanes, i64(0)), all.body);
  const Symbol bits = fresh("bits");
  const Expr bits_value = graph_.param(bits, DType::I64);
  all.body.push_back({loops::Var{bits, count_value}});
  loops::For carries;
  carries.variable = fresh("level");
  carries.lo = i64(0);
  carries.hi = i64(kMaxLevels);
  carries.body.push_back(
      {loops::Break{build_.eq(build_.op(Op::BitAnd, {bits_value, i64(1)}), i64(0))}});
  carries.body.push_back({loops::Assign{top, build_.sub(top_value, i64(1))}});
  const Cell under = at(blocks, top_value);
  merge(c, under, moved(carry), carries.body);
  copy(carry, under, carries.body);
  carries.body.push_back({loops::Assign{bits, build_.op(Op::Shr, {bits_value, i64(1)})}});
  all.body.push_back({std::move(carries)});
  copy(under, carry, all.body);
  all.body.push_back({loops::Assign{top, build_.add(top_value, i64(1))}});
  all.body.push_back({loops::Assign{count, build_.add(count_value, i64(1))}});
  out.push_back({std::move(all)});

  loops::For rest;
  rest.variable = fresh("level");
  rest.lo = i64(0);
  rest.hi = i64(kMaxLevels);
  rest.body.push_back({loops::Break{build_.le(top_value, i64(1))}});
  rest.body.push_back({loops::Assign{top, build_.sub(top_value, i64(1))}});
  merge(c, at(blocks, build_.sub(top_value, i64(1))), moved(under), rest.body);
  out.push_back({std::move(rest)});
  merge(c, result, moved(at(blocks, i64(0))), out);
}

// The same tree with its blocks spread over threads: each leaves its result in an array, where they
// join pairwise as the digits of a counter do.
void Lowering::parallel_tree(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc,
                             Point here, Body& out) {
  const Expr length = ranges_.tidy(build_.sub(hi, lo));
  const Expr count = build_.op(Op::FloorDiv, {build_.add(length, i64(kBlock - 1)), i64(kBlock)});
  loops::Buffer results;
  results.name = fresh("blocks");
  results.dtype = c.dtypes[0];
  results.space = loops::Space::Thread;
  results.axes = {ir::Axis{graph_.symbol("b"), i64(0), build_.op(Op::Max, {i64(1), count})}};
  loops::If s;
  s.condition = build_.le(length, i64(kShort));
  loops::For left_to_right;
  left_to_right.variable = v;
  left_to_right.lo = lo;
  left_to_right.hi = hi;
  const Cell small = new_cell(c, c.absent, s.then_body, false);
  here(left_to_right.body, [&](Body& body, const Value& value) { merge(c, small, value, body); });
  s.then_body.push_back({std::move(left_to_right)});
  Value value;
  value.values = load(c, small);
  value.point = false;
  merge(c, acc, value, s.then_body);

  Body& large = s.else_body;
  out.push_back({loops::Alloc{results}});
  loops::For blocks;
  blocks.kind = loops::Kind::Parallel;
  blocks.variable = fresh("block");
  blocks.lo = i64(0);
  blocks.hi = count;
  blocks.grain = 4;
  const Expr b = graph_.index(blocks.variable);
  const Symbol first_name = fresh("first");
  blocks.body.push_back({loops::Let{first_name, build_.add(lo, build_.mul(i64(kBlock), b))}});
  const Expr first = graph_.param(first_name, DType::I64);
  loops::Buffer lane_buffer;
  lane_buffer.name = fresh("lane");
  lane_buffer.dtype = c.dtypes[0];
  lane_buffer.space = loops::Space::Stack;
  lane_buffer.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(kLanes)}};
  blocks.body.push_back({loops::Alloc{lane_buffer}});
  Cell lanes;
  lanes.names = {lane_buffer.name};
  block_lanes(c, v, first, build_.op(Op::Min, {hi, build_.add(first, i64(kBlock))}), lanes, here,
              blocks.body);
  Cell from = lanes, to;
  from.index = i64(0);
  to.names = {results.name};
  to.index = b;
  blocks.body.push_back({loops::Store{results.name, {b}, load(c, from)[0], false}});
  large.push_back({std::move(blocks)});

  loops::For levels;
  levels.variable = fresh("level");
  levels.lo = i64(0);
  levels.hi = i64(kMaxLevels);
  const Expr stride = build_.op(Op::Shl, {i64(1), graph_.index(levels.variable)});
  levels.body.push_back({loops::Break{build_.le(count, stride)}});
  loops::For pairs;
  pairs.variable = fresh("pair");
  pairs.lo = i64(0);
  const Expr twice = build_.mul(i64(2), stride);
  pairs.hi = build_.op(Op::FloorDiv, {build_.sub(build_.add(count, stride), i64(1)), twice});
  Cell left, right;
  left.names = right.names = {results.name};
  left.index = build_.mul(graph_.index(pairs.variable), twice);
  right.index = build_.add(left.index, stride);
  value.values = load(c, right);
  merge(c, left, value, pairs.body);
  levels.body.push_back({std::move(pairs)});
  large.push_back({std::move(levels)});
  left.index = i64(0);
  value.values = load(c, left);
  merge(c, acc, value, large);
  out.push_back({std::move(s)});
}

}  // namespace lathe::lower
