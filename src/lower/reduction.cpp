// SPDX-License-Identifier: Apache-2.0
// Reductions in their order (docs/language.md, "Order of sums"), as plain loops:
//
//   seq, free   one accumulator
//   chain       the same; from point 4,096 of the last variable on, blocks of their own
//   tree        up to 32 points left to right; otherwise blocks of 4,096 points in 64 lanes that
//               join pairwise, and blocks that join like the digits of a binary counter
//
// Where a sum has no points, -0.0 stands for nothing: adding it changes no bit.

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/traverse.h"
#include "ir/typing.h"
#include "lower/lowering.h"
#include "passes/rebuild.h"

namespace lathe::lower {

namespace {
constexpr std::int64_t kShort = 32, kLanes = 64, kBlock = 4096;
constexpr std::int64_t kMaxLevels = 56;  // blocks of 2^63 points
}  // namespace

Combining Lowering::combining(Op op, DType dtype) const {
  Combining c;
  c.op = op;
  c.dtypes = {dtype};
  const Op joining = op == Op::Fma ? Op::Add : op;
  c.neutral = {ir::neutral(joining, dtype).value_or(ir::Scalar{dtype, 0})};
  c.absent = c.neutral;
  if (joining == Op::Add && ir::is_float(dtype)) c.absent = {ir::Scalar::of_double(dtype, -0.0)};
  c.exact_absent = ir::has(joining, ir::kAssociates) || joining == Op::Add || joining == Op::Mul;
  return c;
}

Combining Lowering::combining(const ir::Accumulation& how) const {
  if (!how.combiner) return combining(how.op, how.dtype);
  Combining c;
  c.combiner = nest_.program.find_combiner(how.combiner);
  for (const ir::Parameter& p : c.combiner->left) c.dtypes.push_back(p.dtype);
  c.neutral = c.absent = c.combiner->neutral;
  c.exact_absent = false;
  return c;
}

std::vector<Expr> Lowering::join(const Combining& c, const std::vector<Expr>& left,
                                 const std::vector<Expr>& right) {
  if (!c.combiner) return {build_.op(c.op == Op::Fma ? Op::Add : c.op, {left[0], right[0]})};
  std::unordered_map<Expr, Expr> done;
  for (std::size_t i = 0; i < c.dtypes.size(); ++i) {
    done[graph_.param(c.combiner->left[i].name, c.dtypes[i])] = left[i];
    done[graph_.param(c.combiner->right[i].name, c.dtypes[i])] = right[i];
  }
  std::vector<Expr> out;
  for (Expr e : c.combiner->result)
    out.push_back(ir::rewrite(maker_, e, [&](Expr x) {
      const auto it = done.find(x);
      return it == done.end() ? nullptr : it->second;
    }));
  return out;
}

std::vector<Expr> Lowering::absorb(const Combining& c, const std::vector<Expr>& acc,
                                   const std::vector<Expr>& values) {
  if (c.combiner || c.op != Op::Fma || values.size() == 1) return join(c, acc, values);
  Expr product = values[0];
  for (std::size_t i = 1; i + 1 < values.size(); ++i) product = build_.mul(product, values[i]);
  return {build_.op(Op::Fma, {product, values.back(), acc[0]})};
}

// ---- Cells.

Lowering::Cell Lowering::new_cell(const Combining& c, const std::vector<ir::Scalar>& initial,
                                  Body& out, bool skips) {
  Cell cell;
  for (const ir::Scalar& s : initial) {
    cell.names.push_back(fresh("acc"));
    out.push_back({loops::Var{cell.names.back(), constant(s)}});
  }
  if (skips && !c.exact_absent) {
    cell.flag = fresh("some");
    out.push_back({loops::Var{cell.flag, build_.boolean(false)}});
  }
  return cell;
}

std::vector<Expr> Lowering::load(const Combining& c, const Cell& cell) {
  std::vector<Expr> out;
  for (std::size_t i = 0; i < cell.names.size(); ++i)
    out.push_back(cell.index ? graph_.read(cell.names[i], c.dtypes[i], std::span(&cell.index, 1),
                                           ir::Policy::Trusted)
                             : graph_.param(cell.names[i], c.dtypes[i]));
  return out;
}

Expr Lowering::is_present(const Combining& c, const Cell& cell) {
  if (c.exact_absent || !cell.flag) return nullptr;
  return cell.index
             ? graph_.read(cell.flag, DType::Bool, std::span(&cell.index, 1), ir::Policy::Trusted)
             : graph_.param(cell.flag, DType::Bool);
}

void Lowering::store(const Combining& c, const Cell& cell, const std::vector<Expr>& values,
                     Body& out) {
  // All components are computed before any is written.
  std::vector<Expr> ready = values;
  if (values.size() > 1) {
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Symbol name = fresh("t");
      out.push_back({loops::Var{name, constant(c.neutral[i])}});
      Task t;
      t.target = name;
      t.assign = true;
      t.value = values[i];
      t.label = current_label_;
      tasks.push_back(t);
      ready[i] = graph_.param(name, c.dtypes[i]);
    }
    emit(tasks, false, out);
  }
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    Task t;
    t.target = cell.names[i];
    t.assign = cell.index == nullptr;
    if (cell.index) t.indices = {cell.index};
    t.value = ready[i];
    t.label = current_label_;
    tasks.push_back(t);
  }
  emit(tasks, false, out);
  if (!c.exact_absent && cell.flag) {
    if (cell.index)
      out.push_back({loops::Store{cell.flag, {cell.index}, build_.boolean(true), false}});
    else
      out.push_back({loops::Assign{cell.flag, build_.boolean(true)}});
  }
}

void Lowering::merge(const Combining& c, const Cell& into, const Value& value, Body& out) {
  const std::vector<Expr> old = load(c, into);
  const std::vector<Expr> joined =
      value.point ? absorb(c, old, value.values) : join(c, old, value.values);
  if (c.exact_absent || !into.flag) {
    if (!value.present) return store(c, into, joined, out);
    loops::If s;
    s.condition = value.present;
    store(c, into, joined, s.then_body);
    out.push_back({std::move(s)});
    return;
  }
  // The first value is taken as it is; of a contract, joined with nothing, it is the product.
  loops::If first;
  first.condition = is_present(c, into);
  store(c, into, joined, first.then_body);
  store(c, into, value.values, first.else_body);
  if (!value.present) {
    out.push_back({std::move(first)});
    return;
  }
  loops::If s;
  s.condition = value.present;
  s.then_body.push_back({std::move(first)});
  out.push_back({std::move(s)});
}

// ---- Orders.

void Lowering::reduce(const Combining& c, ir::Order order, std::span<const Axis1> axes,
                      const Cell& acc, Bound bound, Point point, Body& out) {
  if (order != ir::Order::Tree || axes.empty())
    return reduce_serial(c, axes, order == ir::Order::Chain, acc, bound, point, out);
  const Cell tree = new_cell(c, c.absent, out, true);
  reduce_tree(c, axes, tree, bound, point, out);
  Value value;
  value.values = load(c, tree);
  value.point = false;
  value.present = is_present(c, tree);
  merge(c, acc, value, out);
}

void Lowering::reduce_serial(const Combining& c, std::span<const Axis1> axes, bool chain,
                             const Cell& acc, Bound bound, Point point, Body& out) {
  if (axes.empty()) {
    point(out, [&](Body& body, const Value& value) { merge(c, acc, value, body); });
    return;
  }
  const Axis1& axis = axes.front();
  loops::For f;
  f.variable = axis.variable;
  f.lo = bound(axis.lo, out);
  f.hi = bound(axis.hi, out);
  const Expr length = ranges_.tidy(build_.sub(f.hi, f.lo));
  if (!chain || axes.size() > 1 || (ir::is_const(length) && length->scalar().as_int() <= kBlock)) {
    reduce_serial(c, axes.subspan(1), chain, acc, bound, point, f.body);
    out.push_back({std::move(f)});
    return;
  }
  const Expr lo = f.lo, hi = f.hi, later = ranges_.add(lo, kBlock);
  f.hi = ranges_.minimum(hi, later);
  reduce_serial(c, {}, false, acc, bound, point, f.body);
  out.push_back({f});

  loops::For blocks;
  blocks.variable = fresh("block");
  blocks.lo = later;
  blocks.hi = hi;
  blocks.step = kBlock;
  const Expr b = graph_.index(blocks.variable);
  const Cell part = new_cell(c, c.neutral, blocks.body, false);
  f.lo = b;
  f.hi = build_.op(Op::Min, {hi, build_.add(b, i64(kBlock))});
  f.body.clear();
  reduce_serial(c, {}, false, part, bound, point, f.body);
  blocks.body.push_back({std::move(f)});
  Value value;
  value.values = load(c, part);
  value.point = false;
  merge(c, acc, value, blocks.body);
  out.push_back({std::move(blocks)});
}

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

// ---- Accumulating statements.

bool Lowering::accumulation_nest(const Node& n, std::size_t depth, Body& out) {
  const std::vector<std::size_t>& below = leaves_below(n);
  if (below.size() != 1) return false;
  const std::size_t number = below.front();
  const Leaf& leaf = nest_.leaves[number];
  if (leaf.group || !leaf.lines.front()->accumulate) return false;
  const ir::Statement& s = *leaf.lines.front();
  const auto reduced = ir::reduced_variables(s.targets, leaf.ranges);
  if (!reduced || reduced->empty()) return false;
  // From here on, exactly the loops over its reduced variables, in the program's order.
  std::vector<Symbol> order;
  for (const ir::Range& r : leaf.ranges)
    if (std::find(reduced->begin(), reduced->end(), r.variable) != reduced->end())
      order.push_back(r.variable);
  // Perhaps with the blocks of a tree on several threads.
  const bool spread = n.kind == schedule::NodeKind::Parallel && schedule::is_tile_loop(n);
  const std::size_t from = depth + (spread ? 1 : 0);
  if (leaf.path.size() - from != order.size() || (spread && order.size() != 1)) return false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& l = *leaf.path[from + i];
    if (!schedule::is_point_loop(l) || l.name != order[i]) return false;
  }

  current_label_ = s.label;
  const Combining c = combining(*s.accumulate);
  // Conditions that say nothing about the reduced points decide about all of them.
  std::vector<Expr> outer = conditions_[number], inner;
  for (Expr e : demanded_conditions(leaf, out)) outer.push_back(e);
  std::vector<Expr> guards = passes::conjuncts(leaf.guard);
  if (s.domain.guard != leaf.guard)
    for (Expr g : passes::conjuncts(s.domain.guard)) guards.push_back(g);
  for (Expr g : guards) {
    const bool kept = inner.empty() && std::none_of(order.begin(), order.end(),
                                                    [&](Symbol v) { return ir::mentions(g, v); });
    if (kept)
      outer.push_back(resolve(leaf, g, out));
    else
      inner.push_back(g);
  }
  Body* body = &out;
  loops::If active;
  if (!outer.empty()) {
    active.condition = settle(all_of(outer), out);
    body = &active.then_body;
  }
  std::vector<std::vector<Expr>> elements;
  for (const ir::Target& t : s.targets) elements.push_back(resolve(leaf, t.indices, *body));
  check_writes(s, elements, {}, *body);
  Cell acc;
  for (std::size_t i = 0; i < s.targets.size(); ++i) {
    acc.names.push_back(fresh("acc"));
    const Symbol array = s.targets[i].array;
    const auto reg = registers_.find(array);
    body->push_back({loops::Var{
        acc.names.back(), reg != registers_.end()
                              ? reg->second.front()
                              : graph_.read(buffer_of(array), c.dtypes[i],
                                            element(array, elements[i]), ir::Policy::Trusted)}});
  }
  std::vector<Axis1> axes;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // These loops count the program's own points.
    const Node& loop = *leaf.path[from + i];
    const Symbol v = nest_.variables.at(&loop);
    axes.push_back({v, leaf.range(order[i])->lo, leaf.range(order[i])->hi});
    ranges_.set_value(loop, ranges_.add(graph_.index(v), -leaf.shift(order[i])));
  }
  const auto bound = [&](Expr e, Body& b) {
    current_label_ = s.label;
    return settle(resolve(leaf, e, b), b);
  };
  const auto point = [&](Body& b, Use use) {
    current_label_ = s.label;
    std::vector<Expr> here = deferred_conditions(number, b);
    for (Expr g : inner) here.push_back(resolve(leaf, g, b));
    Body* inside = &b;
    loops::If guarded;
    if (!here.empty()) {
      guarded.condition = settle(all_of(here), b);
      inside = &guarded.then_body;
    }
    Value value;
    for (std::size_t i = 0; i < s.values.size(); ++i)
      value.values.push_back(build_.cast(c.dtypes[std::min(i, c.dtypes.size() - 1)], s.values[i]));
    value.values = resolve(leaf, value.values, *inside);
    use(*inside, value);
    if (!here.empty()) b.push_back({std::move(guarded)});
  };
  // Where the result does not depend on the order, lanes are as good as any.
  ir::Order how = s.accumulate->order;
  if (how == ir::Order::Free && c.exact_absent && axes.size() == 1) how = ir::Order::Tree;
  if (spread && how == ir::Order::Tree && c.exact_absent)
    parallel_tree(c, axes[0].variable, bound(axes[0].lo, *body), bound(axes[0].hi, *body), acc,
                  point, *body);
  else
    reduce(c, how, axes, acc, bound, point, *body);
  for (std::size_t i = 0; i < s.targets.size(); ++i) {
    const Symbol array = s.targets[i].array;
    const Expr value = graph_.param(acc.names[i], c.dtypes[i]);
    if (const auto reg = registers_.find(array); reg != registers_.end())
      body->push_back({loops::Assign{reg->second.front()->name, value}});
    else
      body->push_back({loops::Store{buffer_of(array), element(array, elements[i]), value, false}});
  }
  if (body != &out) out.push_back({std::move(active)});
  return true;
}

}  // namespace lathe::lower
