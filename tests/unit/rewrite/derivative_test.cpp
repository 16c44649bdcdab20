// SPDX-License-Identifier: Apache-2.0
#include "rewrite/derivative.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ir/traverse.h"
#include "property/expr_rows.h"
#include "rewrite/rules.h"

namespace lathe::rewrite {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;

class Derivative : public ::testing::Test {
 protected:
  ir::Graph graph;
  Simplifier maker{graph};
  ir::Build b{maker};
  Expr x = graph.param(graph.symbol("x"), DType::F64),
       y = graph.param(graph.symbol("y"), DType::F64);
  Expr dx = graph.param(graph.symbol("dx"), DType::F64);
  Expr i = b.index("i"), j = b.index("j"), n = graph.param(graph.symbol("n"), DType::I64);
  Expr number(double v) { return b.constant(DType::F64, v); }
  Expr read(const char* array, std::initializer_list<Expr> indices) {
    return b.read(graph.symbol(array), DType::F64, indices);
  }

  Expr forward(Expr e, Expr by, Expr tangent) {
    const std::pair<Expr, Expr> given{by, tangent};
    const auto result = forward_derivative(maker, e, std::span(&given, 1));
    return std::holds_alternative<Expr>(result) ? std::get<Expr>(result) : nullptr;
  }
  Expr reverse(Expr e, Expr by) {
    const auto result = reverse_derivative(maker, e, std::span(&by, 1));
    return result.index() == 0 ? std::get<0>(result)[0] : nullptr;
  }
  double at(Expr e, double vx, double vy = 0) {
    const testing::Environment lanes = {
        {"x", testing::constant_row(ir::Scalar::of_double(DType::F64, vx), 1)},
        {"y", testing::constant_row(ir::Scalar::of_double(DType::F64, vy), 1)}};
    return testing::evaluate(e, lanes, 1).at(0).as_double();
  }
};

TEST_F(Derivative, IsWhatOneWouldWrite) {
  EXPECT_EQ(forward(b.add(x, y), x, dx), dx);
  EXPECT_EQ(forward(b.op(Op::Sin, {x}), x, dx), b.mul(dx, b.op(Op::Cos, {x})));
  EXPECT_EQ(forward(b.div(x, y), x, dx), b.div(dx, y));
  EXPECT_EQ(reverse(b.mul(x, y), x), y);
  EXPECT_EQ(reverse(b.op(Op::Exp, {x}), x), b.op(Op::Exp, {x}));
  EXPECT_EQ(reverse(b.op(Op::Pow, {x, number(2)}), x), b.mul(number(2), x));
  EXPECT_EQ(reverse(b.op(Op::Pow, {x, number(0)}), x), number(0));
}

TEST_F(Derivative, OfWhatDoesNotMoveIsZero) {
  EXPECT_EQ(forward(y, x, dx), number(0));
  EXPECT_EQ(reverse(b.op(Op::Floor, {x}), x), number(0));
  EXPECT_EQ(reverse(b.cast(DType::F64, b.cast(DType::I32, x)), x), number(0));
  EXPECT_EQ(reverse(b.select(b.lt(x, y), y, number(1)), x), number(0));
}

TEST_F(Derivative, OfPowersAtZero) {
  EXPECT_EQ(at(reverse(b.op(Op::Pow, {x, number(2)}), x), 0), 0);
  EXPECT_EQ(at(reverse(b.op(Op::Pow, {x, number(1)}), x), 0), 1);
  const Expr power = b.op(Op::Pow, {x, y});
  EXPECT_EQ(at(reverse(power, x), 0, 2), 0);
  EXPECT_EQ(at(reverse(power, x), 0, 1), 1);
  EXPECT_EQ(at(reverse(power, x), 0, 0), 0);
  EXPECT_EQ(at(reverse(power, y), 0, 2), 0);
  EXPECT_DOUBLE_EQ(at(reverse(power, y), 2, 3), 8 * std::log(2.0));
}

TEST_F(Derivative, AtCornersTakesTheSideThatIsTaken) {
  const Expr slope = reverse(b.op(Op::Abs, {x}), x);
  EXPECT_EQ(at(slope, 0.0), 1);
  EXPECT_EQ(at(slope, -0.0), 1);
  EXPECT_EQ(at(slope, -2), -1);
  const Expr least = b.op(Op::Min, {x, y});
  EXPECT_EQ(at(reverse(least, x), 1, 1) + at(reverse(least, y), 1, 1), 1);
  const Expr known = b.op(Op::FMin, {x, y});
  EXPECT_EQ(at(reverse(known, x), 5, NAN), 1);
  EXPECT_EQ(at(reverse(known, y), NAN, 5), 1);
}

// sqrt(u[i]) is not looked at, nor is its infinite slope, where the condition does not hold.
TEST_F(Derivative, OfASelectIsLazy) {
  const Expr e = b.select(b.lt(number(0), x), b.op(Op::Sqrt, {x}), number(0));
  EXPECT_EQ(at(reverse(e, x), 0), 0);
  EXPECT_EQ(at(forward(e, x, number(1)), 0), 0);
}

TEST_F(Derivative, ConvertsBetweenFloats) {
  const Expr f = graph.param(graph.symbol("f"), DType::F32);
  const Expr e = b.op(Op::Sin, {b.cast(DType::F64, f)});
  const Expr adjoint = reverse(e, f);
  ASSERT_NE(adjoint, nullptr);
  EXPECT_EQ(adjoint->dtype, DType::F32);
}

Expr sum_over_j(ir::Graph& graph, const ir::Build& b, Op op, Expr n, std::vector<Expr> values) {
  ir::ReduceInfo info;
  info.op = op;
  info.order = op == Op::Max ? ir::Order::Free : ir::Order::Seq;
  info.accumulator = DType::F64;
  info.variables = {graph.symbol("j")};
  std::vector<Expr> args = {b.integer(0), n, b.boolean(true)};
  args.insert(args.end(), values.begin(), values.end());
  return graph.reduce(info, args, DType::F64);
}

TEST_F(Derivative, OfASumIsTheSumOfDerivatives) {
  const Expr u = read("u", {i, j}), du = read("du", {i, j});
  const Expr sum = sum_over_j(graph, b, Op::Add, n, {b.mul(u, u)});
  const Expr inside = b.add(b.mul(du, u), b.mul(du, u));
  EXPECT_EQ(forward(sum, u, du), sum_over_j(graph, b, Op::Add, n, {inside}));
  const Expr v = read("v", {j});
  const Expr contraction = sum_over_j(graph, b, Op::Fma, n, {u, v});
  EXPECT_EQ(forward(contraction, u, du), sum_over_j(graph, b, Op::Fma, n, {du, v}));
}

TEST_F(Derivative, SaysWhyThereIsNone) {
  const auto reason = [&](const auto& result) {
    return std::holds_alternative<NoDerivative>(result) ? std::get<NoDerivative>(result).reason
                                                        : "";
  };
  const std::pair<Expr, Expr> moves{x, dx};
  EXPECT_EQ(reason(forward_derivative(maker, b.op(Op::Gamma, {x}), std::span(&moves, 1))),
            "'gamma' has no derivative in this language: it would need the digamma function");
  EXPECT_EQ(reason(forward_derivative(maker, n, std::span(&moves, 1))),
            "an expression of dtype i64 has no derivative; only floats have");
  const Expr u = read("u", {j}), sum = sum_over_j(graph, b, Op::Add, n, {u});
  EXPECT_EQ(reason(reverse_derivative(maker, sum, std::span(&u, 1))),
            "the adjoint of a reduction is a statement of its own: the adjoint pass over programs "
            "makes it");
  const Expr most = sum_over_j(graph, b, Op::Max, n, {u});
  const std::pair<Expr, Expr> u_moves{u, read("du", {j})};
  EXPECT_EQ(reason(forward_derivative(maker, most, std::span(&u_moves, 1))),
            "a reduction by 'max' has no derivative here; sums and contractions have");
  // Nobody asks for the slope of gamma here.
  EXPECT_EQ(forward(b.op(Op::Floor, {b.op(Op::Gamma, {x})}), x, dx), number(0));
}

TEST_F(Derivative, OfAFillMovesOutsideTheArray) {
  const Expr index[] = {i};
  const Expr outside = graph.read(graph.symbol("u"), DType::F64, index, ir::Policy::Value, x);
  const Expr inside = graph.inside(graph.symbol("u"), index);
  EXPECT_EQ(forward(outside, x, dx), b.op(Op::Gate, {b.logical_not(inside), dx}));
}

TEST_F(Derivative, TakesChainsOfAHundredThousandOperations) {
  Expr e = x;
  for (int k = 0; k < 50000; ++k) e = b.op(Op::Sin, {b.mul(e, y)});
  // 0.2 s; were it quadratic, this suite's time budget would not do.
  const Expr adjoint = reverse(e, x), tangent = forward(e, x, dx);
  ASSERT_NE(adjoint, nullptr);
  ASSERT_NE(tangent, nullptr);
  EXPECT_LT(ir::dag_size(std::span(&adjoint, 1)), 400000u);
}

}  // namespace
}  // namespace lathe::rewrite
