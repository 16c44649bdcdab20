// SPDX-License-Identifier: Apache-2.0
// The table of derivatives. Each operation says how its value moves with each operand:
//
//   x * y      d/dx: times y          d/dy: times x
//   sqrt(x)    d/dx: over 2 * sqrt(x)
//   select     yes: when cond         no: unless cond
//
// The value itself (`e`) is reused where it helps: expressions are shared.

#include "rewrite/derivative_rules.h"

#include <unordered_map>

#include "base/diagnostics.h"

namespace lathe::rewrite {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kLn10 = 0x1.26bb1bbb55516p+1;
constexpr double kTwoOverSqrtPi = 0x1.20dd750429b6dp+0;

class Table {
 public:
  Table(const ir::Build& build, Expr e, const std::vector<bool>& active)
      : b_(build), e_(e), active_(active), of_(e->args().size()) {}

  std::variant<std::vector<Partial>, NoDerivative> make() {
    fill();
    if (!refusal_.empty()) return NoDerivative{e_, refusal_};
    return of_;
  }

 private:
  Expr number(double v) const { return b_.constant(e_->dtype, v); }
  Expr square(Expr x) const { return b_.mul(x, x); }
  Expr one_plus(Expr x) const { return b_.add(number(1), x); }
  Expr one_minus(Expr x) const { return b_.sub(number(1), x); }
  Expr call(Op op, Expr x) const { return b_.op(op, {x}); }
  void refuse(std::string why) { refusal_ = std::move(why); }

  void fill();
  void power(Expr x, Expr y);
  void choose_left_when(Expr cond);

  const ir::Build& b_;
  Expr e_;
  const std::vector<bool>& active_;
  std::vector<Partial> of_;
  std::string refusal_;
};

// Whole exponents and zeros need care: 0 * 0**(0 - 1) and 0**2 * log(0) are NaN where the
// derivative is 0.
void Table::power(Expr x, Expr y) {
  if (active_[0]) {
    if (ir::is_const(y)) {
      const double c = y->scalar().as_double();
      if (c == 0)
        of_[0] = Partial{};
      else if (c == 1)
        of_[0] = Partial::one();
      else if (c == 2)
        of_[0] = Partial::times(b_.mul(number(2), x));
      else
        of_[0] = Partial::times(b_.mul(y, b_.op(Op::Pow, {x, number(c - 1)})));
    } else {
      const Expr less = b_.sub(y, number(1));
      const Expr slope = b_.mul(y, b_.op(Op::Pow, {x, less}));
      of_[0] = Partial::times(b_.select(b_.eq(y, number(0)), number(0), slope));
    }
  }
  if (active_[1]) {
    const Expr flat = b_.logical_and(b_.eq(x, number(0)), b_.lt(number(0), y));
    of_[1] = Partial::times(b_.select(flat, number(0), b_.mul(e_, call(Op::Log, x))));
  }
}

void Table::choose_left_when(Expr cond) {
  of_[0] = Partial::when(cond);
  of_[1] = Partial::unless(cond);
}

void Table::fill() {
  const Expr x = e_->args().empty() ? nullptr : e_->arg(0);
  const Expr y = e_->args().size() > 1 ? e_->arg(1) : nullptr;
  switch (e_->op) {
    // No operands that move: leaves, and everything that gives a bool or an integer.
    case Op::Const:
    case Op::Index:
    case Op::Param:
    case Op::Inside:
    case Op::Lookup:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Eq:
    case Op::Ne:
    case Op::And:
    case Op::Or:
    case Op::Not:
    case Op::IsNan:
    case Op::IsInf:
    case Op::IsFinite:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::BitNot:
    case Op::Shl:
    case Op::Shr: return;
    // Steps: flat wherever they are continuous.
    case Op::FloorDiv:
    case Op::TruncDiv:
    case Op::Sign:
    case Op::Floor:
    case Op::Ceil:
    case Op::Trunc:
    case Op::Round:
    case Op::RoundAway: return;
    case Op::Read: {  // the value given outside the array; the array itself does not move
      const ir::view::Read read(e_);
      if (read.fill == nullptr) return;
      of_.back() = Partial::unless(b_.graph().inside(read.array, read.indices));
      return;
    }
    case Op::Reduce: internal_error("a reduction among the operations with partial derivatives");

    case Op::Add: of_ = {Partial::one(), Partial::one()}; return;
    case Op::Sub: of_ = {Partial::one(), Partial::minus_one()}; return;
    case Op::Mul: of_ = {Partial::times(y), Partial::times(x)}; return;
    case Op::Div:
      of_[0] = Partial::over(y);
      if (active_[1]) of_[1] = Partial::times(b_.neg(b_.div(e_, y)));
      return;
    case Op::Mod:  // x - y * (x // y)
      of_[0] = Partial::one();
      if (active_[1]) of_[1] = Partial::times(b_.neg(b_.op(Op::FloorDiv, {x, y})));
      return;
    case Op::TruncMod:
      of_[0] = Partial::one();
      if (active_[1]) of_[1] = Partial::times(b_.neg(b_.op(Op::TruncDiv, {x, y})));
      return;
    case Op::Pow: return power(x, y);
    case Op::Neg: of_[0] = Partial::minus_one(); return;
    case Op::Abs:
      of_[0] = Partial::times(b_.select(b_.lt(x, number(0)), number(-1), number(1)));
      return;
    case Op::Fma: of_ = {Partial::times(y), Partial::times(x), Partial::one()}; return;
    case Op::Min: return choose_left_when(b_.le(x, y));
    case Op::Max: return choose_left_when(b_.le(y, x));
    case Op::FMin: return choose_left_when(b_.logical_or(b_.le(x, y), call(Op::IsNan, y)));
    case Op::FMax: return choose_left_when(b_.logical_or(b_.le(y, x), call(Op::IsNan, y)));
    case Op::Select:
      of_[1] = Partial::when(x);
      of_[2] = Partial::unless(x);
      return;
    case Op::Gate: of_[1] = Partial::when(x); return;
    case Op::Copysign: {  // +x or -x
      const Expr sign_x = b_.op(Op::Copysign, {number(1), x});
      const Expr sign_y = b_.op(Op::Copysign, {number(1), y});
      of_[0] = Partial::times(b_.mul(sign_x, sign_y));
      return;
    }

    case Op::Sqrt: of_[0] = Partial::over(b_.mul(number(2), e_)); return;
    case Op::Rsqrt: of_[0] = Partial::times(b_.div(b_.mul(number(-0.5), e_), x)); return;
    case Op::Cbrt: of_[0] = Partial::over(b_.mul(number(3), square(e_))); return;
    case Op::Exp: of_[0] = Partial::times(e_); return;
    case Op::Exp2: of_[0] = Partial::times(b_.mul(number(kLn2), e_)); return;
    case Op::Expm1: of_[0] = Partial::times(call(Op::Exp, x)); return;
    case Op::Log: of_[0] = Partial::over(x); return;
    case Op::Log2: of_[0] = Partial::over(b_.mul(number(kLn2), x)); return;
    case Op::Log10: of_[0] = Partial::over(b_.mul(number(kLn10), x)); return;
    case Op::Log1p: of_[0] = Partial::over(one_plus(x)); return;
    case Op::Sin: of_[0] = Partial::times(call(Op::Cos, x)); return;
    case Op::Cos: of_[0] = Partial::times(b_.neg(call(Op::Sin, x))); return;
    case Op::Tan: of_[0] = Partial::times(one_plus(square(e_))); return;
    // (1 - x) * (1 + x) keeps what 1 - x * x cancels near +-1.
    case Op::Asin:
      of_[0] = Partial::over(call(Op::Sqrt, b_.mul(one_minus(x), one_plus(x))));
      return;
    case Op::Acos:
      of_[0] = Partial::over(b_.neg(call(Op::Sqrt, b_.mul(one_minus(x), one_plus(x)))));
      return;
    case Op::Atan: of_[0] = Partial::over(one_plus(square(x))); return;
    case Op::Atan2: {  // of (x, y): the angle of the point (y, x)
      const Expr radius = b_.add(square(x), square(y));
      of_[0] = Partial::times(b_.div(y, radius));
      of_[1] = Partial::times(b_.neg(b_.div(x, radius)));
      return;
    }
    case Op::Sinh: of_[0] = Partial::times(call(Op::Cosh, x)); return;
    case Op::Cosh: of_[0] = Partial::times(call(Op::Sinh, x)); return;
    case Op::Tanh: of_[0] = Partial::times(b_.mul(one_minus(e_), one_plus(e_))); return;
    case Op::Asinh: of_[0] = Partial::over(call(Op::Sqrt, one_plus(square(x)))); return;
    case Op::Acosh:
      of_[0] = Partial::over(call(Op::Sqrt, b_.mul(b_.sub(x, number(1)), one_plus(x))));
      return;
    case Op::Atanh: of_[0] = Partial::over(b_.mul(one_minus(x), one_plus(x))); return;
    case Op::Erf:
      of_[0] = Partial::times(b_.mul(number(kTwoOverSqrtPi), call(Op::Exp, b_.neg(square(x)))));
      return;
    case Op::Erfc:
      of_[0] = Partial::times(b_.mul(number(-kTwoOverSqrtPi), call(Op::Exp, b_.neg(square(x)))));
      return;
    case Op::Gamma:
    case Op::Lgamma:
      return refuse("'" + std::string(info(e_->op).spelling) +
                    "' has no derivative in this language: it would need the digamma function");

    case Op::Cast:  // between floats; apply() converts
      of_[0] = Partial::one();
      return;
    case Op::BitCast: return refuse("the bits of a number have no derivative");
  }
}

}  // namespace

std::variant<std::vector<Partial>, NoDerivative> partials(const ir::Build& build, Expr e,
                                                          const std::vector<bool>& active) {
  return Table(build, e, active).make();
}

Expr apply(const ir::Build& build, const Partial& partial, Expr t, DType to) {
  switch (partial.kind) {
    case Partial::Kind::Zero: return nullptr;
    case Partial::Kind::One: return build.cast(to, t);
    case Partial::Kind::MinusOne: return build.neg(t);
    case Partial::Kind::Times: return build.mul(t, partial.by);
    case Partial::Kind::Over: return build.div(t, partial.by);
    case Partial::Kind::When: return build.op(Op::Gate, {partial.by, t});
    case Partial::Kind::Unless: return build.op(Op::Gate, {build.logical_not(partial.by), t});
  }
  internal_error("a kind of partial derivative");
}

std::vector<bool> active_nodes(std::span<const Expr> nodes, const std::vector<bool>& independent) {
  std::unordered_map<Expr, std::size_t> position;
  std::vector<bool> active(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    position.emplace(nodes[i], i);
    active[i] = independent[i];
    if (active[i] || !ir::is_float(nodes[i]->dtype)) continue;
    for (Expr arg : nodes[i]->args())
      if (active[position.at(arg)]) active[i] = true;
  }
  return active;
}

}  // namespace lathe::rewrite
