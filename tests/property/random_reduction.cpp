// SPDX-License-Identifier: Apache-2.0
// Reductions inside expressions, and what they share with accumulating statements: the operation,
// the order, the accumulator dtype.

#include "ir/typing.h"
#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

Op Generator::accumulating_op(DType t, bool needs_neutral) {
  std::vector<Op> candidates;
  for (int i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (op == Op::Fma || !can_accumulate(op, t)) continue;
    if (needs_neutral && !neutral(op, t)) continue;
    candidates.push_back(op);
  }
  constexpr Op kUsual[] = {Op::Add, Op::Add, Op::Mul, Op::Min, Op::Max};
  const Op usual = rng_.pick(kUsual);
  if (!is_bool(t) && rng_.percent(60)) return usual;
  return rng_.pick(candidates);
}

Order Generator::some_order(Op op, DType accumulator) {
  if (!order_matters(op, accumulator)) return Order::Free;
  if (op != Op::Add && op != Op::Mul && op != Op::Fma) return Order::Seq;
  constexpr Order kOrders[] = {Order::Tree, Order::Chain, Order::Seq};
  return rng_.pick(kOrders);
}

DType Generator::some_accumulator(DType t) {
  if (is_half(t)) return rng_.percent(45) ? t : rng_.percent(75) ? DType::F32 : DType::F64;
  if (t == DType::F32 && rng_.percent(30)) return DType::F64;
  return t;
}

// A summand: products stay near 1, divisors away from 0, powers and shifts small.
Expr Generator::accumulated_value(Op op, DType t, int depth) {
  const Expr x = value(t, depth);
  if (is_float(t)) {
    switch (op) {
      case Op::Mul:
      case Op::Div:
      case Op::FloorDiv:
      case Op::TruncDiv: return clamp(x, 0.5, 1.5);
      case Op::Mod:
      case Op::TruncMod:
      case Op::Pow: return clamp(x, 0.75, 2);
      default: return settle(x);
    }
  }
  return tame(op, 1, x);
}

// A sum whose bits show its order: over 32 points, of tenths, kept in its own dtype.
Expr Generator::long_sum(DType t) {
  const std::size_t in_scope = scope_.size();
  const std::int64_t size = rng_.between(33, 140);
  Variable v;
  const Range range =
      box_range(add_extent({b_.integer(size), size, size, -1, -1, true}), {0, 0}, v);
  scope_.push_back(v);
  Expr x = b_.mul(b_.cast(t, plus(p_.graph->index(v.name), 1)), b_.constant(t, 0.1));
  if (rng_.percent(50)) {
    const Expr more = value(t, 1);
    x = b_.add(x, clamp(more, -2, 2));
  }
  ReduceInfo info;
  info.variables = {v.name};
  info.op = Op::Add;
  info.accumulator = t;
  info.order = rng_.percent(60) ? Order::Tree : some_order(info.op, t);
  scope_.resize(in_scope);
  const Expr args[] = {range.lo, range.hi, b_.boolean(true), x};
  return p_.graph->reduce(info, args, t);
}

Expr Generator::reduction(DType t, int depth) {
  if (depth <= 0 || scope_.size() > 4) return nullptr;
  const std::size_t in_scope = scope_.size();
  ReduceInfo info;
  std::vector<Expr> args;
  for (std::size_t n = rng_.percent(75) ? 1 : 2; n > 0; --n) {
    Range range;
    Variable v;
    if (!reduction_range(depth - 1, range, v)) break;
    info.variables.push_back(v.name);
    args.push_back(range.lo);
    args.push_back(range.hi);
    scope_.push_back(v);
  }
  Expr result = nullptr;
  if (!info.variables.empty()) {
    args.push_back(rng_.percent(20) ? condition(depth - 1) : b_.boolean(true));
    const bool contract = is_float(t) && rng_.percent(15);
    info.op = contract ? Op::Fma : accumulating_op(t, true);
    info.accumulator = is_float(t) ? some_accumulator(t) : t;
    info.order = some_order(info.op, info.accumulator);
    if (contract) {
      for (std::size_t n = 2 + rng_.below(2); n > 0; --n)
        args.push_back(clamp(value(t, depth - 1), -2, 2));
    } else {
      args.push_back(accumulated_value(info.op, t, depth - 1));
    }
    result = p_.graph->reduce(info, args, t);
  }
  scope_.resize(in_scope);
  return result;
}

}  // namespace lathe::testing
