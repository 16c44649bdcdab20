// SPDX-License-Identifier: Apache-2.0
// Comparisons of integers that no common dtype holds: u64 against signed ones, and numbers of the
// host language that do not fit. No rounding takes part: u < s is s >= 0 and u < u64(s).

#include <array>

#include "frontend/array/make.h"

namespace lathe::array {
namespace {

using ir::DType;
using ir::Op;

Op flipped(Op op) {
  switch (op) {
    case Op::Lt: return Op::Gt;
    case Op::Le: return Op::Ge;
    case Op::Gt: return Op::Lt;
    case Op::Ge: return Op::Le;
    default: return op;
  }
}

// u against s, which is signed.
NodeRef unsigned_with_signed(const Maker& m, Op op, const NodeRef& u, const NodeRef& s) {
  const NodeRef zero = constant(ir::Scalar::of_int(s->dtype, 0));
  const NodeRef same_sign = map(m, op, DType::Bool, {u, cast(s, DType::U64, m.place)});
  if (op == Op::Gt || op == Op::Ge || op == Op::Ne)
    return map(m, Op::Or, DType::Bool, {map(m, Op::Lt, DType::Bool, {s, zero}), same_sign});
  return map(m, Op::And, DType::Bool, {map(m, Op::Ge, DType::Bool, {s, zero}), same_sign});
}

bool is_below_zero(const ir::Scalar& v) {
  return !ir::is_unsigned_int(v.dtype) && !ir::is_bool(v.dtype) && v.as_int() < 0;
}

}  // namespace

bool fits(const ir::Scalar& v, DType t) {
  if (!ir::is_int(t)) return true;
  if (is_below_zero(v) && ir::is_unsigned_int(t)) return false;
  const bool top_bit = ir::is_unsigned_int(v.dtype) && v.as_int() < 0;
  if (top_bit && !ir::is_unsigned_int(t)) return false;
  return v.cast(t).cast(v.dtype) == v;
}

NodeRef exact_comparison(const Maker& m, Op op, const Nodes& operands) {
  const NodeRef &a = operands[0], &b = operands[1];
  if (!ir::is_int(a->dtype) || !ir::is_int(b->dtype) || (a->is_weak() && b->is_weak())) return {};
  if (a->is_weak()) return exact_comparison(m, flipped(op), {b, a});
  if (b->is_weak()) {
    if (fits(b->value, a->dtype)) return {};
    const bool more = !is_below_zero(b->value);
    const bool holds =
        op == Op::Ne || (more ? op == Op::Lt || op == Op::Le : op == Op::Gt || op == Op::Ge);
    return map(m, holds ? Op::Eq : Op::Ne, DType::Bool, {a, a});
  }
  if (ir::is_unsigned_int(a->dtype) == ir::is_unsigned_int(b->dtype)) return {};
  if (a->dtype == DType::U64) return unsigned_with_signed(m, op, a, b);
  if (b->dtype == DType::U64) return unsigned_with_signed(m, flipped(op), b, a);
  return {};
}

}  // namespace lathe::array
