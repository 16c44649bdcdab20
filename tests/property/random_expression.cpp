// SPDX-License-Identifier: Apache-2.0
// Expressions of a wanted dtype. Which operations can give it follows from ops.def, so a new
// operation is generated from the day it is listed.

#include <algorithm>

#include "ir/typing.h"
#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

namespace {

bool can_give(Typing typing, DType t) {
  switch (typing) {
    case Typing::Arith: return !is_bool(t);
    case Typing::Float: return is_float(t);
    case Typing::Integer: return is_int(t);
    case Typing::Bits: return !is_float(t);
    case Typing::Order:
    case Typing::Same:
    case Typing::Logic:
    case Typing::Test: return is_bool(t);
    case Typing::Select:
    case Typing::Gate: return true;
    case Typing::Special: return false;
  }
  return false;
}

bool divides(Op op) {
  return op == Op::FloorDiv || op == Op::Mod || op == Op::TruncDiv || op == Op::TruncMod;
}

}  // namespace

Expr Generator::apply(Op op, std::vector<Expr> args) { return b_.op(op, args); }

Expr Generator::constant(DType t) { return p_.graph->constant(some_scalar(t, rng_.percent(10))); }

Expr Generator::clamp(Expr e, double lo, double hi) {
  const Expr high = apply(Op::Min, {e, b_.constant(e->dtype, hi)});
  return apply(Op::Max, {high, b_.constant(e->dtype, lo)});
}

Expr Generator::condition(int depth) { return value(DType::Bool, depth); }

Expr Generator::value(DType t, int depth) {
  if (depth <= 0 || rng_.percent(10)) return leaf(t);
  const std::size_t kind = rng_.below(100);
  if (kind < 27)
    if (const Expr e = read(t, depth - 1)) return e;
  if (kind < 32)
    if (const Expr e = reduction(t, depth - 1)) return e;
  if (kind < 40) return conversion(t, depth - 1);
  if (kind < 42 && is_bool(t)) return inside(depth - 1);
  return operation(t, depth);
}

Expr Generator::leaf(DType t) {
  if (rng_.percent(60))
    if (const Expr e = read(t, 0)) return e;
  std::vector<Expr> leaves;
  for (const Parameter& p : p_.parameters)
    if (p.dtype == t) leaves.push_back(p_.graph->param(p.name, t));
  if (t == DType::I64)
    for (const Variable& v : scope_) leaves.push_back(p_.graph->index(v.name));
  if (!leaves.empty() && rng_.percent(60)) return rng_.pick(leaves);
  if (!scope_.empty() && rng_.percent(25) && !is_bool(t)) {
    const Symbol v = rng_.pick(scope_).name;
    return b_.cast(t, p_.graph->index(v));
  }
  return constant(t);
}

Expr Generator::operation(DType t, int depth) {
  constexpr Op kPlain[] = {Op::Add, Op::Sub, Op::Mul};
  std::vector<Op> candidates, liked;
  for (int i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    if (!can_give(info(op).typing, t)) continue;
    candidates.push_back(op);
    if (std::find(focus_.begin(), focus_.end(), op) != focus_.end()) liked.push_back(op);
  }
  Op op = rng_.pick(candidates);
  if (!is_bool(t) && rng_.percent(40)) op = rng_.pick(kPlain);
  if (!liked.empty() && rng_.percent(50)) op = rng_.pick(liked);
  DType operand = t;
  switch (info(op).typing) {
    case Typing::Order: operand = some_number(); break;
    case Typing::Same: operand = some_dtype(); break;
    case Typing::Test: operand = some_float(); break;
    default: break;
  }
  return make(op, operand, depth - 1);
}

Expr Generator::make(Op op, DType operand, int depth) {
  std::vector<Expr> args;
  const Typing typing = info(op).typing;
  const bool guarded = typing == Typing::Select || typing == Typing::Gate;
  for (int i = 0; i < info(op).arity; ++i) {
    // The second operand is smaller, so that trees lean and stay small.
    const int d = i == 0 ? depth : depth - static_cast<int>(rng_.below(3));
    const DType t = guarded && i == 0 ? DType::Bool : operand;
    args.push_back(tame(op, static_cast<std::size_t>(i), value(t, d)));
  }
  return apply(op, args);
}

// Brings an operand to where the operation is defined and moderate - most of the time, except that
// an integer divisor is never zero.
Expr Generator::tame(Op op, std::size_t operand, Expr x) {
  const DType t = x->dtype;
  if (is_int(t) && operand == 1) {
    if (divides(op)) return apply(Op::BitOr, {x, b_.integer(1, t)});
    if (op == Op::Pow) return apply(Op::BitAnd, {x, b_.integer(3, t)});
    if ((op == Op::Shl || op == Op::Shr) && rng_.percent(70))
      return apply(Op::BitAnd, {x, b_.integer(7, t)});
  }
  if (!is_float(t) || rng_.percent(8)) return x;
  const auto num = [&](double v) { return b_.constant(t, v); };
  const Expr positive = apply(Op::Abs, {x});
  switch (op) {
    case Op::Sqrt:
    case Op::Log1p: return positive;
    case Op::Rsqrt:
    case Op::Log:
    case Op::Log2:
    case Op::Log10: return apply(Op::Add, {positive, num(0.125)});
    case Op::Acosh: return apply(Op::Add, {positive, num(1)});
    case Op::Asin:
    case Op::Acos:
    case Op::Atanh:
      return rng_.percent(50) ? clamp(x, -0.875, 0.875)
                              : apply(Op::Div, {x, apply(Op::Add, {positive, num(1)})});
    case Op::Exp:
    case Op::Exp2:
    case Op::Expm1:
    case Op::Sinh:
    case Op::Cosh: return clamp(x, -5, 5);
    case Op::Gamma:
    case Op::Lgamma: return clamp(positive, 0.5, 6);
    case Op::Sin:
    case Op::Cos:
    case Op::Tan:  // of an infinity: NaN
      return rng_.percent(60) ? clamp(x, -100, 100) : x;
    case Op::Pow: return operand == 0 ? apply(Op::Add, {positive, num(0.125)}) : clamp(x, -3, 3);
    case Op::Div:
    case Op::FloorDiv:
    case Op::Mod:
    case Op::TruncDiv:
    case Op::TruncMod: return operand == 0 ? x : apply(Op::Add, {positive, num(0.5)});
    default: return x;
  }
}

Expr Generator::conversion(DType t, int depth) {
  DType from = some_dtype();
  if (rng_.percent(25)) from = static_cast<DType>(rng_.below(kDTypeCount));
  if (rng_.percent(20) && !is_bool(t)) {
    std::vector<DType> same_width;
    for (int i = 1; i < kDTypeCount; ++i)
      if (width_bits(static_cast<DType>(i)) == width_bits(t) && static_cast<DType>(i) != t)
        same_width.push_back(static_cast<DType>(i));
    if (!same_width.empty() && (is_int(t) || rng_.percent(20)))
      return b_.bit_cast(t, value(rng_.pick(same_width), depth));
  }
  if (from == t) from = is_float(t) ? DType::I32 : DType::F32;
  return b_.cast(t, value(from, depth));
}

// Keeps what is stored moderate: always inside loops, where values could grow for ever.
Expr Generator::settle(Expr e) {
  if (!is_float(e->dtype)) return e;
  const bool growing = loops_ > 0;
  if (!growing && rng_.percent(45)) return e;
  switch (rng_.below(4)) {
    case 0: return clamp(e, -8, 8);
    case 1:
      if (growing) break;
      return apply(Op::Mul, {e, b_.constant(e->dtype, 0.25)});
    case 2: {
      const Expr bounded = apply(Op::FMin, {e, b_.constant(e->dtype, 64)});
      return apply(Op::FMax, {bounded, b_.constant(e->dtype, -64)});
    }
    default: break;
  }
  const Expr finite = apply(Op::IsFinite, {e});
  return apply(Op::Select, {finite, clamp(e, -32, 32), b_.constant(e->dtype, 1)});
}

}  // namespace lathe::testing
