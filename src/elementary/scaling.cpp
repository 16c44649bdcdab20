// SPDX-License-Identifier: Apache-2.0
#include "elementary/scaling.h"

#include <optional>
#include <unordered_set>

#include "ir/traverse.h"

namespace lathe::elementary {
namespace {

using ir::Expr;
using ir::Op;

bool is_integer(Expr e, std::int64_t value) {
  return ir::is_const(e) && ir::is_int(e->dtype) && e->scalar().as_int() == value;
}

// k of power_of_two(k); null: something else.
Expr exponent_of(Expr e) {
  const bool wide = e->dtype == ir::DType::F64;
  if (e->op != Op::BitCast || e->arg(0)->op != Op::Shl) return nullptr;
  const Expr shift = e->arg(0), sum = shift->arg(0);
  if (!is_integer(shift->arg(1), wide ? 52 : 23) || sum->op != Op::Add) return nullptr;
  return is_integer(sum->arg(1), wide ? 1023 : 127) ? sum->arg(0) : nullptr;
}

// Is e a NaN wherever `part` is one? All operations from there to here hand it on.
bool passes_on(Expr e, Expr part, std::unordered_set<Expr>& seen) {
  if (e == part) return true;
  if (!seen.insert(e).second) return false;
  const bool strict = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul ||
                      e->op == Op::Fma || e->op == Op::Neg;
  if (!strict) return false;
  for (Expr arg : e->args())
    if (passes_on(arg, part, seen)) return true;
  return false;
}

// Rounded to an integer: by the operation, or by adding and taking away 1.5 * 2^23 (2^52), which
// elementary functions do to small numbers.
bool is_rounded(Expr e) {
  if (e->op == Op::Round) return true;
  if (e->op != Op::Sub || !ir::is_const(e->arg(1))) return false;
  const double shift = e->dtype == ir::DType::F64 ? 0x1.8p52 : 0x1.8p23;
  const Expr sum = e->arg(0);
  return e->arg(1)->scalar().as_double() == shift && (sum->op == Op::Add || sum->op == Op::Fma) &&
         sum->args().back() == e->arg(1);
}

std::optional<Scaling> scaling(Expr e) {
  if (e->op != Op::Mul || !ir::is_float(e->dtype) || e->arg(0)->op != Op::Mul) return std::nullopt;
  const Expr half = exponent_of(e->arg(0)->arg(1)), rest = exponent_of(e->arg(1));
  if (!half || !rest || half->op != Op::Shr || !is_integer(half->arg(1), 1)) return std::nullopt;
  const Expr k = half->arg(0), value = e->arg(0)->arg(0);
  if (rest->op != Op::Sub || rest->arg(0) != k || rest->arg(1) != half) return std::nullopt;
  if (k->op != Op::Cast || !is_rounded(k->arg(0)) || k->arg(0)->dtype != e->dtype)
    return std::nullopt;
  std::unordered_set<Expr> seen;
  if (!passes_on(value, k->arg(0), seen)) return std::nullopt;
  return Scaling{value, k->arg(0)};
}

}  // namespace

std::unordered_map<Expr, Scaling> find_scalings(Expr root) {
  std::unordered_map<Expr, Scaling> out;
  for (Expr e : ir::post_order(root))
    if (const auto s = scaling(e)) out.emplace(e, *s);
  return out;
}

}  // namespace lathe::elementary
