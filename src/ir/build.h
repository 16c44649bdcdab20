// SPDX-License-Identifier: Apache-2.0
#pragma once
// Making expressions with promotion. Front ends, passes and tests use Build; whether what they make
// is simplified on the way is the Maker's choice: ir::RawMaker keeps exactly what is asked for,
// rewrite::Simplifier applies the rule tables. The parser is raw, so that text round-trips.

#include <initializer_list>
#include <span>
#include <string_view>

#include "ir/expr.h"

namespace lathe::ir {

class Maker {
 public:
  explicit Maker(Graph& graph) : graph_(graph) {}
  virtual ~Maker() = default;
  Graph& graph() const { return graph_; }
  // An operation whose operands already have the right dtypes.
  virtual Expr make(Op op, DType t, std::span<const Expr> args) = 0;
  // Like Graph::with_args, through make() where the operation has no attribute.
  virtual Expr remake(Expr e, std::span<const Expr> args) = 0;

 private:
  Graph& graph_;
};

class RawMaker final : public Maker {
 public:
  using Maker::Maker;
  Expr make(Op op, DType t, std::span<const Expr> args) override;
  Expr remake(Expr e, std::span<const Expr> args) override;
};

class Build {
 public:
  explicit Build(Maker& maker) : maker_(maker) {}
  Graph& graph() const { return maker_.graph(); }
  Maker& maker() const { return maker_; }

  Expr constant(DType t, double v) const;
  Expr integer(std::int64_t v, DType t = DType::I64) const;
  Expr boolean(bool v) const;
  Expr index(std::string_view name) const;
  Expr read(Symbol array, DType t, std::initializer_list<Expr> indices,
            Policy p = Policy::Error) const;

  // Promotes the operands (ir::promote), inserts casts, makes the node. Integer operands of `/` and
  // of Float functions become f64; bool + and * become `or` and `and`, as in NumPy.
  // When the typing rule refuses: null, and refusal() says why (parsers report it with a span).
  Expr op(Op op, std::initializer_list<Expr> args) const;
  Expr op(Op op, std::span<const Expr> args) const;
  const std::string& refusal() const { return refusal_; }

  Expr cast(DType t, Expr x) const;  // nothing when x has that dtype
  Expr bound(Expr x) const;          // of a range or an axis: integers become i64
  Expr bit_cast(DType t, Expr x) const;

  Expr add(Expr a, Expr b) const { return op(Op::Add, {a, b}); }
  Expr sub(Expr a, Expr b) const { return op(Op::Sub, {a, b}); }
  Expr mul(Expr a, Expr b) const { return op(Op::Mul, {a, b}); }
  Expr div(Expr a, Expr b) const { return op(Op::Div, {a, b}); }
  Expr neg(Expr a) const { return op(Op::Neg, {a}); }
  Expr lt(Expr a, Expr b) const { return op(Op::Lt, {a, b}); }
  Expr le(Expr a, Expr b) const { return op(Op::Le, {a, b}); }
  Expr eq(Expr a, Expr b) const { return op(Op::Eq, {a, b}); }
  Expr logical_and(Expr a, Expr b) const { return op(Op::And, {a, b}); }
  Expr logical_or(Expr a, Expr b) const { return op(Op::Or, {a, b}); }
  Expr logical_not(Expr a) const { return op(Op::Not, {a}); }
  Expr select(Expr c, Expr a, Expr b) const { return op(Op::Select, {c, a, b}); }

 private:
  Maker& maker_;
  mutable std::string refusal_;
};

}  // namespace lathe::ir
