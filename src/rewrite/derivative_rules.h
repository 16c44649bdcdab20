// SPDX-License-Identifier: Apache-2.0
#pragma once
// How each operation moves with each of its operands; what forward.cpp and reverse.cpp share.

#include "rewrite/derivative.h"

namespace lathe::rewrite {

// The derivative by one operand as a linear map, not as a number: `gate(c, t)` is lazy and exact
// where `t * (c ? 1 : 0)` would read what is not taken and turn infinities into NaN.
struct Partial {
  enum class Kind { Zero, One, MinusOne, Times, Over, When, Unless };
  Kind kind = Kind::Zero;
  ir::Expr by = nullptr;  // Times, Over: a number; When, Unless: a bool

  static Partial one() { return {Kind::One, nullptr}; }
  static Partial minus_one() { return {Kind::MinusOne, nullptr}; }
  static Partial times(ir::Expr f) { return {Kind::Times, f}; }
  static Partial over(ir::Expr f) { return {Kind::Over, f}; }
  static Partial when(ir::Expr c) { return {Kind::When, c}; }
  static Partial unless(ir::Expr c) { return {Kind::Unless, c}; }
};

// Of every operand for which `active` holds (others Zero). Reduce is not an operation here.
std::variant<std::vector<Partial>, NoDerivative> partials(const ir::Build& build, ir::Expr e,
                                                          const std::vector<bool>& active);

// The map applied: to a tangent of the operand it gives the operation's, to an adjoint of the
// operation the operand's. `to` is the dtype wanted (conversions between floats); null for Zero.
ir::Expr apply(const ir::Build& build, const Partial& partial, ir::Expr t, ir::DType to);

// Which of the nodes depend on an independent one through floats alone; `nodes` is a post order,
// and nothing is asked below independents. Indexed like `nodes`.
std::vector<bool> active_nodes(std::span<const ir::Expr> nodes,
                               const std::vector<bool>& independent);

}  // namespace lathe::rewrite
