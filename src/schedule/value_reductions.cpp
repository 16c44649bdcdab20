// SPDX-License-Identifier: Apache-2.0
// Reductions. `sum k in 0..m where g: e`, and `t += e` over k, become
//
//   t.of   = inst e                              what is combined (of a contract: two factors)
//   t.acc  = fby(init, t.next) along k           what was gathered before this point
//   t.next = inst select(g, t.acc + t.of, t.acc)
//   t      = last(t.next) along k else init

#include "ir/typing.h"
#include "schedule/value_builder.h"

namespace lathe::schedule {

using ir::Op;

// A read of a name that no array can have.
ir::Expr ValueBuilder::leaf(ValueId id) {
  const Value& v = out_.values[id];
  std::string name = v.name.empty() ? "value " + std::to_string(id) : v.name;
  while (program_.find_array(program_.graph->symbol(name)) != nullptr) name += "'";
  return program_.graph->read(program_.graph->symbol(name), v.dtype, {});
}

ValueId ValueBuilder::constant(std::string name, ir::Scalar s, std::vector<Dim> dims,
                               std::size_t loops, Symbol array) {
  Value v;
  v.name = std::move(name);
  v.dtype = s.dtype;
  v.dims = std::move(dims);
  v.loops = loops;
  v.array = array;
  Inst inst;
  inst.value = program_.graph->constant(s);
  v.def = std::move(inst);
  return add(std::move(v));
}

// As the interpreter does: cast to the accumulator, factors multiplied until two are left.
std::vector<ir::Expr> ValueBuilder::point_values(const Fold& f) {
  std::vector<Expr> out;
  for (Expr v : f.values) out.push_back(build_.cast(f.dtype, v));
  if (f.op != Op::Fma) return out;
  if (out.size() == 1) out.push_back(build_.constant(f.dtype, 1));
  while (out.size() > 2) {
    const Expr product = build_.mul(out[0], out[1]);
    out.erase(out.begin());
    out[0] = product;
  }
  return out;
}

ir::Expr ValueBuilder::combine(Op op, Expr acc, const std::vector<Expr>& points) {
  const Expr fma[] = {points[0], points.back(), acc};
  const Expr pair[] = {acc, points[0]};
  return op == Op::Fma ? program_.graph->apply(op, acc->dtype, fma)
                       : program_.graph->apply(op, acc->dtype, pair);
}

ValueId ValueBuilder::fold(const Fold& f) {
  const std::vector<Dim> along = dims_of(f.along), inner = joined(f.dims, along);
  auto bounds = std::make_shared<ReadTable>();
  for (const ir::Range& r : f.along) {
    prepare(r.lo, inner, f.loops, f.name, f.span, *bounds);
    prepare(r.hi, inner, f.loops, f.name, f.span, *bounds);
  }
  const auto inst = [&](const std::string& part, Expr e, Symbol label) {
    Value v;
    v.name = f.name + part;
    v.dtype = e->dtype;
    v.dims = inner;
    v.loops = f.loops;
    v.span = f.span;
    auto table = std::make_shared<ReadTable>(*bounds);
    prepare(e, inner, f.loops, f.name + part, f.span, *table);
    Inst def;
    def.label = label;
    def.value = e;
    v.def = std::move(def);
    v.reads = std::move(table);
    return add(std::move(v));
  };
  ReduceOrder order{f.op, f.order, {}, kNoValue};
  const std::vector<Expr> values = point_values(f);
  for (std::size_t p = 0; p < values.size(); ++p)
    order.points.push_back(inst(values.size() == 1 ? ".of"
                                : p == 0           ? ".left"
                                                   : ".right",
                                values[p], f.label));
  if (f.guard) order.where = inst(".where", f.guard, f.label);

  Value acc;
  acc.name = f.name + ".acc";
  acc.dtype = f.dtype;
  acc.dims = inner;
  acc.loops = f.loops;
  acc.def = Fby{consumed(f.init), kNoValue, along};
  acc.reads = bounds;
  acc.span = f.span;
  const ValueId acc_id = add(std::move(acc));

  auto table = std::make_shared<ReadTable>(*bounds);
  const auto use = [&](ValueId id) {
    const Expr e = leaf(id);
    (*table)[e] = id;
    return e;
  };
  const Expr old = use(acc_id);
  std::vector<Expr> points;
  for (const ValueId p : order.points) points.push_back(use(p));
  Expr step = combine(f.op, old, points);
  if (f.guard) step = build_.select(use(order.where), step, old);
  Value next;
  next.name = f.name + ".next";
  next.dtype = f.dtype;
  next.dims = inner;
  next.loops = f.loops;
  Inst def;
  def.value = step;
  next.def = std::move(def);
  next.reads = std::move(table);
  next.span = f.span;
  const ValueId next_id = add(std::move(next));
  std::get<Fby>(out_.values[acc_id].def).next = consumed(next_id);

  Value last;
  last.name = f.name;
  last.dtype = f.dtype;
  last.dims = f.dims;
  last.loops = f.loops;
  last.def = Last{next_id, along, f.init, kNoValue, std::move(order)};
  last.reads = bounds;
  last.span = f.span;
  return add(std::move(last));
}

ValueId ValueBuilder::reduce_expression(Expr reduce, const std::vector<Dim>& dims,
                                        std::size_t loops, const std::string& name, Span span) {
  const ir::view::Reduce r(reduce);
  Fold f;
  f.name = name + ".reduce";
  for (int n = 2; names_.contains(f.name); ++n) f.name = name + ".reduce" + std::to_string(n);
  f.dims = dims;
  f.loops = loops;
  for (std::size_t v = 0; v < r.info.variables.size(); ++v)
    f.along.push_back({r.info.variables[v], r.lo(v), r.hi(v)});
  if (r.guard && !(ir::is_const(r.guard) && r.guard->scalar().as_bool())) f.guard = r.guard;
  f.values.assign(r.values.begin(), r.values.end());
  f.op = r.info.op;
  f.order = r.info.order;
  f.dtype = r.info.accumulator;
  f.span = span;
  const Op joining = f.op == Op::Fma ? Op::Add : f.op;
  f.init = constant(f.name + ".init",
                    ir::neutral(joining, f.dtype).value_or(ir::Scalar{f.dtype, 0}), dims, loops);
  const ValueId result = fold(f);
  if (f.dtype == reduce->dtype) return result;
  Value v;
  v.name = f.name + ".cast";
  v.dtype = reduce->dtype;
  v.dims = dims;
  v.loops = loops;
  v.span = span;
  auto table = std::make_shared<ReadTable>();
  const Expr e = leaf(result);
  (*table)[e] = result;
  Inst def;
  def.value = build_.cast(reduce->dtype, e);
  v.def = std::move(def);
  v.reads = std::move(table);
  return add(std::move(v));
}

}  // namespace lathe::schedule
