// SPDX-License-Identifier: Apache-2.0
// Reductions in tree order: up to 32 points left to right; otherwise blocks of 4,096 points in 64
// lanes that join pairwise, and blocks that join like the digits of a binary counter. Lanes run in
// vector registers where the points allow it, blocks on several threads where the schedule says so.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

namespace {
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
    if (length->scalar().as_int() <= kShortTree) return short_row(out);
    return tree_blocks(c, axis.variable, lo, hi, result, here, out);
  }
  loops::If s;
  s.condition = build_.le(length, i64(kShortTree));
  short_row(s.then_body);
  tree_blocks(c, axis.variable, lo, hi, result, here, s.else_body);
  out.push_back({std::move(s)});
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

// acc = acc and a tree of few points.
void Lowering::left_to_right(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc,
                             Point here, Body& out) {
  loops::For points;
  points.variable = v;
  points.lo = lo;
  points.hi = hi;
  const Cell small = new_cell(c, c.absent, out, false);
  here(points.body, [&](Body& body, const Value& value) { merge(c, small, value, body); });
  out.push_back({std::move(points)});
  Value value;
  value.values = load(c, small);
  value.point = false;
  merge(c, acc, value, out);
}

// The result of block number b, which its lanes leave in the first of them.
Lowering::Cell Lowering::block_result(const Combining& c, Symbol v, Expr lo, Expr hi, Expr b,
                                      Point here, Body& out) {
  const Symbol first_name = fresh("first");
  out.push_back({loops::Let{first_name, build_.add(lo, build_.mul(i64(kBlock), b))}});
  const Expr first = graph_.param(first_name, DType::I64);
  loops::Buffer lane_buffer;
  lane_buffer.name = fresh("lane");
  lane_buffer.dtype = c.dtypes[0];
  lane_buffer.space = loops::Space::Stack;
  lane_buffer.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(kLanes)}};
  out.push_back({loops::Alloc{lane_buffer}});
  Cell lanes;
  lanes.names = {lane_buffer.name};
  block_lanes(c, v, first, build_.op(Op::Min, {hi, build_.add(first, i64(kBlock))}), lanes, here,
              out);
  lanes.index = i64(0);
  return lanes;
}

// The same tree with its blocks spread over threads: each leaves its result in an array, where they
// join pairwise as the digits of a counter do.
void Lowering::parallel_tree(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc,
                             Point here, Symbol kept, Body& out) {
  const Expr length = ranges_.tidy(build_.sub(hi, lo));
  const Expr count = build_.op(Op::FloorDiv, {build_.add(length, i64(kBlock - 1)), i64(kBlock)});
  loops::Buffer results;
  results.name = fresh("blocks");
  results.dtype = c.dtypes[0];
  results.space = loops::Space::Thread;
  results.axes = {ir::Axis{graph_.symbol("b"), i64(0), build_.op(Op::Max, {i64(1), count})}};
  loops::If s;
  s.condition = build_.le(length, i64(kShortTree));
  left_to_right(c, v, lo, hi, acc, here, s.then_body);

  Body& large = s.else_body;
  out.push_back({loops::Alloc{results}});
  loops::For blocks;
  blocks.kind = loops::Kind::Parallel;
  blocks.variable = fresh("block");
  blocks.lo = i64(0);
  blocks.hi = count;
  blocks.grain = 4;
  const Expr b = graph_.index(blocks.variable);
  const Cell from = block_result(c, v, lo, hi, b, here, blocks.body);
  Cell to;
  to.names = {results.name};
  to.index = b;
  blocks.body.push_back({loops::Store{results.name, {b}, load(c, from)[0], false}});
  if (kept) blocks.body.push_back({loops::Store{kept, {b}, load(c, from)[0], false}});
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
  Value value;
  value.values = load(c, right);
  value.point = false;
  merge(c, left, value, pairs.body);
  levels.body.push_back({std::move(pairs)});
  large.push_back({std::move(levels)});
  left.index = i64(0);
  value.values = load(c, left);
  merge(c, acc, value, large);
  out.push_back({std::move(s)});
}

// Several variables: each row of the inner ones is a task, the tree over the rows comes after.
void Lowering::parallel_rows(const Combining& c, std::span<const Axis1> axes, std::int64_t grain,
                             const Cell& acc, Bound bound, Point point, Body& out) {
  const Axis1& axis = axes.front();
  const Expr lo = bound(axis.lo, out), hi = bound(axis.hi, out);
  const Expr count = build_.op(Op::Max, {i64(1), ranges_.tidy(build_.sub(hi, lo))});
  loops::Buffer results;
  results.name = fresh("rows");
  results.dtype = c.dtypes[0];
  results.space = loops::Space::Thread;
  results.axes = {ir::Axis{graph_.symbol("r"), i64(0), count}};
  out.push_back({loops::Alloc{results}});
  const auto at = [&](Symbol variable) { return build_.sub(graph_.index(variable), lo); };
  loops::For rows;
  rows.kind = loops::Kind::Parallel;
  rows.variable = axis.variable;
  rows.lo = lo;
  rows.hi = hi;
  rows.grain = grain;
  const Cell row = new_cell(c, c.absent, rows.body, false);
  reduce_tree(c, axes.subspan(1), row, bound, point, rows.body);
  rows.body.push_back({loops::Store{results.name, {at(axis.variable)}, load(c, row)[0], false}});
  out.push_back({std::move(rows)});

  // Of a contract the rows are sums already.
  Combining joining = c;
  if (c.op == Op::Fma) joining.op = Op::Add;
  const Symbol again = fresh(axis.variable.text());
  const Axis1 over[] = {{again, lo, hi}};
  const auto same = [](Expr e, Body&) { return e; };
  const auto row_result = [&](Body& body, Use use) {
    const Expr index = at(again);
    Value value;
    value.values = {
        graph_.read(results.name, c.dtypes[0], std::span(&index, 1), ir::Policy::Trusted)};
    use(body, value);
  };
  reduce(joining, ir::Order::Tree, over, acc, same, row_result, out);
}

}  // namespace lathe::lower
