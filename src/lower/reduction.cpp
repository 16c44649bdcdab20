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

}  // namespace lathe::lower
