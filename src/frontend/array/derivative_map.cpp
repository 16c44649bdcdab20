// SPDX-License-Identifier: Apache-2.0
// Derivatives of elementwise operations. At kinks: sign(0) is 0, the first of two equal values is
// the minimum and the maximum; rounding has derivative 0.

#include <cmath>

#include "frontend/array/derivative.h"
#include "frontend/array/derivative_formula.h"

namespace lathe::array {

using ir::Op;

namespace {

// 1 where the length is 1, else 0. As choices between sizes, so that a program knows it.
Dim is_one(const Dim& length) { return max(Dim(0), min(Dim(1), min(length, Dim(2) - length))); }

// An axis of g that is `whole` long, where the operand's `mine` was spread to that, if it is 1 when
// sizes are known. As two axes: how often it was read, and what was read.
//
//   (whole,) -> (whole, 1) or (1, whole)
NodeRef sum_if_spread(const Maker& m, const NodeRef& g, std::size_t axis, const Dim& mine) {
  const Dim one = is_one(mine);
  const Dim times = one * (g->shape[axis] - Dim(1)) + Dim(1);
  Shape split = g->shape;
  split[axis] = mine;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(axis), times);
  return reduce(m, Op::Add, reshape(m, g, split), {static_cast<int>(axis)}, false);
}

// Are lengths equal, or known and under a condition that they are?
bool is_never_spread(const Dim& mine, const Dim& whole) {
  if (compare(mine, whole) == Answer::Yes || compare(mine, Dim(1)) == Answer::No) return true;
  const auto v = known_value(mine), w = known_value(whole);
  return v && w && *v == *w;
}

}  // namespace

NodeRef unspread(const Maker& m, const NodeRef& g, const Shape& shape) {
  if (g->shape == shape) return g;
  Axes added, summed;
  const std::size_t shift = g->rank() - shape.size();
  for (std::size_t a = 0; a < shift; ++a) added.push_back(static_cast<int>(a));
  NodeRef out = reduce(m, Op::Add, g, added, false);
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (shape[a].is(1) && !out->shape[a].is(1))
      summed.push_back(static_cast<int>(a));
    else if (!is_never_spread(shape[a], out->shape[a]))
      out = sum_if_spread(m, out, a, shape[a]);
  }
  out = reduce(m, Op::Add, out, summed, true);
  return out->shape == shape ? out : broadcast_to(m, out, shape);
}

Nodes map_adjoints(const Maker& m, const NodeRef& node, const NodeRef& adjoint) {
  const F g{&m, adjoint}, y{&m, node};
  const F x{&m, node->operands[0]};
  const F b{&m, node->operands.size() > 1 ? node->operands[1] : node->operands[0]};
  auto num = [&](double v) { return F{&m, real(v)}; };
  const F zero = num(0), one = num(1);
  std::vector<F> out;
  switch (node->op) {
    case Op::Add: out = {g, g}; break;
    case Op::Sub: out = {g, -g}; break;
    case Op::Mul: out = {g * b, g * x}; break;
    case Op::Div: out = {g / b, -(g * y / b)}; break;
    case Op::Pow: {
      // x**0 is 1 also at 0, where x**-1 is infinite.
      const F none{&m, binary_of(m, "equal", b.x, zero.x)},
          at_zero{&m, binary_of(m, "equal", x.x, zero.x)};
      const F flat{&m, binary_of(m, "logical_and", none.x, at_zero.x)};
      const F less = choose(flat, one, b - one);
      const F lower{&m, binary_of(m, "power", x.x, less.x)};
      const F positive{&m, binary_of(m, "greater", x.x, zero.x)};
      const F safe = choose(positive, x, one);
      out = {g * b * lower, choose(positive, g * y * of("log", safe), zero)};
      break;
    }
    case Op::Neg: out = {-g}; break;
    case Op::Abs: out = {g * of("sign", x)}; break;
    case Op::Mod: out = {g, -(g * F{&m, binary_of(m, "floor_divide", x.x, b.x)})}; break;
    case Op::TruncMod: out = {g, -(g * of("trunc", x / b))}; break;
    case Op::Min:
    case Op::FMin: {
      const F first{&m, binary_of(m, "less_equal", x.x, b.x)};
      out = {choose(first, g, zero), choose(first, zero, g)};
      break;
    }
    case Op::Max:
    case Op::FMax: {
      const F first{&m, binary_of(m, "greater_equal", x.x, b.x)};
      out = {choose(first, g, zero), choose(first, zero, g)};
      break;
    }
    case Op::Select: {
      const F c = x;
      out = {zero, choose(c, g, zero), choose(c, zero, g)};
      break;
    }
    case Op::Sqrt: out = {g * num(0.5) / y}; break;
    case Op::Rsqrt: out = {g * num(-0.5) * y / x}; break;
    case Op::Cbrt: out = {g / (num(3) * y * y)}; break;
    case Op::Exp: out = {g * y}; break;
    case Op::Exp2: out = {g * y * num(M_LN2)}; break;
    case Op::Expm1: out = {g * (y + one)}; break;
    case Op::Log: out = {g / x}; break;
    case Op::Log2: out = {g / (x * num(M_LN2))}; break;
    case Op::Log10: out = {g / (x * num(M_LN10))}; break;
    case Op::Log1p: out = {g / (x + one)}; break;
    case Op::Sin: out = {g * of("cos", x)}; break;
    case Op::Cos: out = {-(g * of("sin", x))}; break;
    case Op::Tan: out = {g * (one + y * y)}; break;
    case Op::Asin: out = {g / of("sqrt", one - x * x)}; break;
    case Op::Acos: out = {-(g / of("sqrt", one - x * x))}; break;
    case Op::Atan: out = {g / (one + x * x)}; break;
    case Op::Atan2: {
      const F square = x * x + b * b;
      out = {g * b / square, -(g * x / square)};
      break;
    }
    case Op::Sinh: out = {g * of("cosh", x)}; break;
    case Op::Cosh: out = {g * of("sinh", x)}; break;
    case Op::Tanh: out = {g * (one - y * y)}; break;
    case Op::Asinh: out = {g / of("sqrt", x * x + one)}; break;
    case Op::Acosh: out = {g / of("sqrt", x * x - one)}; break;
    case Op::Atanh: out = {g / (one - x * x)}; break;
    case Op::Erf: out = {g * num(2 / std::sqrt(M_PI)) * of("exp", -(x * x))}; break;
    case Op::Erfc: out = {g * num(-2 / std::sqrt(M_PI)) * of("exp", -(x * x))}; break;
    case Op::Gamma: out = {g * y * F{&m, digamma(m, x.x)}}; break;
    case Op::Lgamma: out = {g * F{&m, digamma(m, x.x)}}; break;
    case Op::Copysign: {
      const F sign{&m, binary_of(m, "copysign", one.x, b.x)};
      out = {g * sign * of("sign", x), zero};
      break;
    }
    case Op::Floor:
    case Op::Ceil:
    case Op::Trunc:
    case Op::Round:
    case Op::RoundAway:
    case Op::FloorDiv:
    case Op::Sign: return {};
    default: refuse(m, "the derivative of this function is not there");
  }
  Nodes made;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const NodeRef& operand = node->operands[i];
    if (!ir::is_float(operand->dtype)) {
      made.emplace_back();
      continue;
    }
    const NodeRef whole = cast(out[i].x, operand->dtype, m.place);
    made.push_back(
        unspread(m, whole->rank() < node->rank() ? broadcast_to(m, whole, node->shape) : whole,
                 operand->shape));
  }
  return made;
}

}  // namespace lathe::array
