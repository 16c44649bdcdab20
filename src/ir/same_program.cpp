// SPDX-License-Identifier: Apache-2.0
// Are two programs the same, up to spans?

#include "ir/same_parts.h"
#include "ir/text.h"

namespace lathe::ir {
namespace {

// Everything but the operands.
bool same_head(Expr a, Expr b) {
  if (a->op != b->op || a->dtype != b->dtype || a->arg_count != b->arg_count) return false;
  if (a->hash != b->hash || a->bits != b->bits || a->policy != b->policy) return false;
  if (!same(a->name, b->name)) return false;
  if (a->op == Op::Lookup) return a->table().name == b->table().name;
  if (a->op != Op::Reduce) return true;
  const ReduceInfo& x = a->reduce();
  const ReduceInfo& y = b->reduce();
  return x.op == y.op && x.order == y.order && x.accumulator == y.accumulator &&
         same_symbols(x.variables, y.variables);
}

}  // namespace

bool SameExprs::same_expr(Expr a, Expr b) {
  if (!a || !b) return a == b;
  std::vector<std::pair<Expr, Expr>> stack = {{a, b}};
  while (!stack.empty()) {
    const auto [x, y] = stack.back();
    stack.pop_back();
    if (x == y) continue;
    const auto [known, fresh] = partner_.try_emplace(x, y);
    if (!fresh && known->second == y) continue;
    if (!fresh || !same_head(x, y)) return false;
    for (std::size_t i = 0; i < x->arg_count; ++i) stack.push_back({x->arg(i), y->arg(i)});
  }
  return true;
}

namespace {

class ProgramComparison : public SameExprs {
 public:
  bool operator()(const Range& a, const Range& b) {
    return same(a.variable, b.variable) && same_expr(a.lo, b.lo) && same_expr(a.hi, b.hi);
  }
  bool operator()(const Domain& a, const Domain& b) {
    return same_list(a.ranges, b.ranges, *this) && same_expr(a.guard, b.guard);
  }
  bool operator()(const Target& a, const Target& b) {
    return same(a.array, b.array) && same_exprs(a.indices, b.indices);
  }
  bool operator()(const Accumulation& a, const Accumulation& b) {
    return a.op == b.op && same(a.combiner, b.combiner) && a.order == b.order &&
           a.dtype == b.dtype && a.fresh == b.fresh;
  }
  bool operator()(const Local& a, const Local& b) {
    return same(a.name, b.name) && a.dtype == b.dtype;
  }
  bool operator()(const Axis& a, const Axis& b) {
    return same(a.name, b.name) && same_expr(a.lo, b.lo) && same_expr(a.hi, b.hi);
  }
  bool operator()(const Array& a, const Array& b) {
    return same(a.name, b.name) && a.dtype == b.dtype && a.role == b.role &&
           same_list(a.axes, b.axes, *this) && a.extended == b.extended &&
           same_list(a.extended_axes, b.extended_axes,
                     [&](Symbol x, Symbol y) { return same(x, y); }) &&
           a.values == b.values;
  }
  bool operator()(const Combiner& a, const Combiner& b) {
    return same(a.name, b.name) && same_list(a.left, b.left, same_parameter) &&
           same_list(a.right, b.right, same_parameter) && same_exprs(a.result, b.result) &&
           a.neutral == b.neutral;
  }

  bool operator()(const Statement& a, const Statement& b) {
    if (a.accumulate.has_value() != b.accumulate.has_value()) return false;
    if (a.accumulate && !(*this)(*a.accumulate, *b.accumulate)) return false;
    return same(a.label, b.label) && (*this)(a.domain, b.domain) &&
           same_list(a.targets, b.targets, *this) && same_exprs(a.values, b.values);
  }
  bool operator()(const Group& a, const Group& b) {
    return same(a.label, b.label) && (*this)(a.domain, b.domain) &&
           same_list(a.locals, b.locals, *this) && same_list(a.statements, b.statements, *this);
  }
  bool operator()(const Branch& a, const Branch& b) {
    return same(a.label, b.label) && (*this)(a.domain, b.domain) &&
           same_expr(a.condition, b.condition) && same_list(a.then_body, b.then_body, *this) &&
           same_list(a.else_body, b.else_body, *this);
  }
  bool operator()(const While& a, const While& b) {
    return same(a.label, b.label) && (*this)(a.domain, b.domain) &&
           same_expr(a.condition, b.condition) && same_list(a.body, b.body, *this);
  }
  bool operator()(const Sweep& a, const Sweep& b) {
    return same(a.label, b.label) && (*this)(a.range, b.range) && a.forward == b.forward &&
           same_list(a.body, b.body, *this);
  }
  bool operator()(const Scan& a, const Scan& b) {
    return (*this)(a.range, b.range) && a.exclusive == b.exclusive && a.blocked == b.blocked &&
           (*this)(a.statement, b.statement);
  }
  bool operator()(const When& a, const When& b) {
    return same(a.label, b.label) && same_expr(a.condition, b.condition) &&
           same_list(a.then_body, b.then_body, *this) && same_list(a.else_body, b.else_body, *this);
  }
  bool operator()(const Repeat& a, const Repeat& b) {
    return same(a.label, b.label) && (*this)(a.range, b.range) &&
           same_symbols(a.rotate, b.rotate) && same(a.capped, b.capped) &&
           same_expr(a.until, b.until) && same_list(a.body, b.body, *this);
  }
  bool operator()(const Call& a, const Call& b) {
    return same(a.label, b.label) && same(a.function, b.function) &&
           same_symbols(a.inputs, b.inputs) && same_symbols(a.outputs, b.outputs);
  }
  bool operator()(const Item& a, const Item& b) {
    if (a.node.index() != b.node.index()) return false;
    return std::visit(
        [&](const auto& n) { return (*this)(n, std::get<std::decay_t<decltype(n)>>(b.node)); },
        a.node);
  }
};

}  // namespace

bool same_program(const Program& a, const Program& b) {
  ProgramComparison same_parts;
  return same(a.name, b.name) && same_list(a.parameters, b.parameters, same_parameter) &&
         same_list(a.arrays, b.arrays, same_parts) &&
         same_list(a.combiners, b.combiners, same_parts) && same_list(a.body, b.body, same_parts);
}

}  // namespace lathe::ir
