// SPDX-License-Identifier: Apache-2.0
// A reduction inside an expression is pulled out into an accumulation, in its own order:
//
//   for i in 0..n: r[i] = 1 + (sum j in 0..m: u[i, j])
// =>
//   for i in 0..n: r.sum[i] = 0
//   for i in 0..n, j in 0..m: r.sum[i] += u[i, j]
//   for i in 0..n: r[i] = 1 + r.sum[i]
//
// The temporary has the accumulator's dtype, so nothing is rounded on the way; it disappears when
// the reduction is the whole value and the target has that dtype. What stays as it is: reductions
// that a lazy operand may skip, that sit inside another reduction, or whose statement has bounds
// that a temporary cannot be declared with.

#include <algorithm>
#include <optional>

#include "ir/accumulation_order.h"
#include "ir/typing.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

// Reductions that every point of the statement evaluates: reached without passing a lazy operand or
// another reduction.
std::vector<Expr> unconditional_reductions(Expr root) {
  std::vector<Expr> found, stack = {root};
  std::set<Expr> seen;
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!seen.insert(e).second) continue;
    if (e->op == ir::Op::Reduce) {
      found.push_back(e);
    } else if (ir::has(e->op, ir::kLazy)) {
      stack.push_back(e->arg(0));  // the first operand of a lazy operation is always evaluated
    } else {
      for (Expr a : e->args()) stack.push_back(a);
    }
  }
  return found;
}

bool reads_nothing(Expr e) { return ir::reads(e).empty(); }

// The accumulation runs over guarded-out points' bounds too, so those must be safe to evaluate.
bool bounds_are_safe(Expr reduction, const ir::Domain& domain) {
  if (!domain.guard) return true;
  const ir::view::Reduce r(reduction);
  return std::all_of(r.bounds.begin(), r.bounds.end(), reads_nothing);
}

std::string suffix(ir::Op op) {
  switch (op) {
    case ir::Op::Add:
    case ir::Op::Fma: return ".sum";
    case ir::Op::Mul: return ".product";
    case ir::Op::Min: return ".min";
    case ir::Op::Max: return ".max";
    case ir::Op::And: return ".all";
    case ir::Op::Or: return ".any";
    default: return ".reduced";
  }
}

bool is_true(Expr e) { return ir::is_const(e) && e->scalar().as_bool(); }

class ReductionLowering {
 public:
  ReductionLowering(ir::Program& program, Body& out) : program_(program), out_(out) {}

  void statement(ir::Statement s) {
    if (s.accumulate || s.values.size() != 1) return keep(std::move(s));
    if (lower_in_place(s)) return;
    std::vector<Expr> found;
    if (declarable(s.domain.ranges)) found = unconditional_reductions(s.values[0]);
    for (Expr e : found)
      if (bounds_are_safe(e, s.domain)) s.values[0] = replace(s, e, pull_out(s, e));
    keep(std::move(s));
  }

 private:
  void keep(ir::Statement s) { out_.push_back({std::move(s)}); }

  // The reduction is the whole value: accumulate into the target itself.
  bool lower_in_place(const ir::Statement& s) {
    const Expr e = s.values[0];
    if (e->op != ir::Op::Reduce || !bounds_are_safe(e, s.domain)) return false;
    const ir::Array* target = program_.find_array(s.targets[0].array);
    if (!target || target->dtype != e->reduce().accumulator || e->dtype != target->dtype)
      return false;
    // The accumulation must reduce exactly these variables; through an index like n-1-i it would be
    // a scatter, which has another order.
    std::vector<ir::Range> ranges = s.domain.ranges;
    for (Symbol v : e->reduce().variables) ranges.push_back({v, nullptr, nullptr});
    if (ir::reduced_variables(s.targets, ranges) != e->reduce().variables) return false;
    // Clearing the target first must not change what the reduction, its bounds or the guard see.
    for (Expr x : expressions(s)) {
      const auto arrays = ir::arrays_read(x);
      if (std::find(arrays.begin(), arrays.end(), target->name) != arrays.end()) return false;
    }
    emit(s.label, s.domain, s.targets[0], apart_from(e, s.domain.guard), s.span);
    return true;
  }

  // The read of a new temporary that holds the reduction.
  Expr pull_out(const ir::Statement& s, Expr e) {
    ir::Array temp;
    temp.name = program_.graph->fresh_symbol(std::string(s.label.text()) + suffix(e->reduce().op));
    temp.dtype = e->reduce().accumulator;
    temp.span = s.span;
    ir::Target target{temp.name, {}};
    for (const ir::Range& r : s.domain.ranges) {
      temp.axes.push_back({r.variable, r.lo, r.hi});
      target.indices.push_back(program_.graph->index(r.variable));
    }
    program_.arrays.push_back(temp);
    emit(temp.name, s.domain, target, apart_from(e, s.domain.guard), s.span);
    ir::RawMaker raw(*program_.graph);
    return ir::Build(raw).cast(e->dtype,
                               program_.graph->read(temp.name, temp.dtype, target.indices));
  }

  // Its variables become those of a statement with this guard, so no reduction in the guard may
  // have one of them.
  Expr apart_from(Expr e, Expr guard) {
    if (!guard) return e;
    ir::RawMaker raw(*program_.graph);
    const ir::view::Reduce r(e);
    ir::ReduceInfo info = r.info;
    std::vector<Expr> args(e->args().begin(), e->args().end());
    for (Symbol& v : info.variables) {
      const auto nodes = ir::post_order(guard);
      if (std::none_of(nodes.begin(), nodes.end(), [&](Expr n) {
            return n->op == ir::Op::Reduce &&
                   std::find(n->reduce().variables.begin(), n->reduce().variables.end(), v) !=
                       n->reduce().variables.end();
          }))
        continue;
      const Symbol other = program_.graph->fresh_symbol(v.text());
      for (Expr& a : args) a = ir::rename(raw, a, {{v, program_.graph->index(other)}});
      v = other;
    }
    return program_.graph->reduce(info, args, e->dtype);
  }

  // target = neutral; target op= values.
  void emit(Symbol label, const ir::Domain& domain, const ir::Target& target, Expr e, Span span) {
    const ir::view::Reduce r(e);
    ir::Graph& graph = *program_.graph;
    ir::Statement clear;
    clear.label = graph.fresh_symbol(std::string(label.text()) + ".init");
    clear.domain = domain;
    clear.targets = {target};
    clear.values = {graph.constant(*ir::neutral(r.info.op, r.info.accumulator))};
    clear.span = span;

    ir::Statement add;
    add.label = label;
    add.domain = domain;
    for (std::size_t v = 0; v < r.info.variables.size(); ++v)
      add.domain.ranges.push_back({r.info.variables[v], r.lo(v), r.hi(v)});
    ir::RawMaker raw(graph);
    add.domain.guard = both(raw, domain.guard, is_true(r.guard) ? nullptr : r.guard);
    add.targets = {target};
    add.accumulate = ir::Accumulation{.op = r.info.op,
                                      .combiner = {},
                                      .order = r.info.order,
                                      .dtype = r.info.accumulator,
                                      .fresh = false};
    for (Expr x : r.values) add.values.push_back(ir::Build(raw).cast(r.info.accumulator, x));
    add.span = span;
    keep(std::move(clear));
    keep(std::move(add));
  }

  Expr replace(const ir::Statement& s, Expr what, Expr by) {
    ir::RawMaker raw(*program_.graph);
    return ir::rewrite(raw, s.values[0], [&](Expr e) { return e == what ? by : nullptr; });
  }

  ir::Program& program_;
  Body& out_;
};

}  // namespace

ir::Program lower_reductions(const ir::Program& program) {
  ir::Program out = program;
  out.body = map_items(program.body, [&](Item item, Body& to) {
    if (auto* s = std::get_if<ir::Statement>(&item.node))
      ReductionLowering(out, to).statement(std::move(*s));
    else
      to.push_back(std::move(item));
  });
  return out;
}

}  // namespace lathe::passes
