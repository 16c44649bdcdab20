// SPDX-License-Identifier: Apache-2.0
#include "rewrite/pattern.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "ir/build.h"

namespace lathe::rewrite {
namespace {

using ir::DType;
using ir::Op;

// Every operation in prefix form, to see how a text was read.
std::string shape(const Term& term) {
  switch (term.kind) {
    case Term::Kind::Variable:
      return std::string(1, kVariableNames[static_cast<std::size_t>(term.slot)]);
    case Term::Kind::Constant:
      return std::string(1, kConstantNames[static_cast<std::size_t>(term.slot)]);
    case Term::Kind::Literal: return to_text(ir::Scalar::of_double(DType::F64, term.value));
    case Term::Kind::Fold: return "fold(" + shape(term.args[0]) + ")";
    case Term::Kind::Apply: break;
  }
  std::string text = std::string(info(term.op).name) + "(";
  for (std::size_t i = 0; i < term.args.size(); ++i)
    text += (i > 0 ? " " : "") + shape(term.args[i]);
  return text + ")";
}

TEST(Pattern, IsReadWithThePrecedenceOfTheLanguage) {
  EXPECT_EQ(shape(parse_term("x + y * z")), "Add(x Mul(y z))");
  EXPECT_EQ(shape(parse_term("x - y - z")), "Sub(Sub(x y) z)");
  EXPECT_EQ(shape(parse_term("-x ** 2")), "Neg(Pow(x 2.0))");
  EXPECT_EQ(shape(parse_term("x ** -y")), "Pow(x Neg(y))");
  EXPECT_EQ(shape(parse_term("-x * -y")), "Mul(Neg(x) Neg(y))");
  EXPECT_EQ(shape(parse_term("not b and c or d")), "Or(And(Not(b) c) d)");
  EXPECT_EQ(shape(parse_term("not (x < y)")), "Not(Lt(x y))");
  EXPECT_EQ(shape(parse_term("not x < y")), "Not(Lt(x y))");
  EXPECT_EQ(shape(parse_term("x & y | z ^ x")), "BitOr(BitAnd(x y) BitXor(z x))");
  EXPECT_EQ(shape(parse_term("x << 1 & y")), "BitAnd(Shl(x 1.0) y)");
  EXPECT_EQ(shape(parse_term("x // k % l")), "Mod(FloorDiv(x k) l)");
  EXPECT_EQ(shape(parse_term("select(b, x, -0.0)")), "Select(b x -0.0)");
  EXPECT_EQ(shape(parse_term("U(S(x))")), "Cast(Cast(x))");
  EXPECT_EQ(shape(parse_term("bitcast_T(x)")), "BitCast(x)");
  EXPECT_EQ(shape(parse_term("x * fold(1 / k)")), "Mul(x fold(Div(1.0 k)))");
}

TEST(Pattern, RefusesWhatIsNotOne) {
  for (const char* text : {"", "x +", "x y", "w", "(x", "nothing(x)", "select(b, x"})
    EXPECT_THROW(parse_term(text), InternalError) << text;
}

class Matching : public ::testing::Test {
 protected:
  ir::Graph graph;
  ir::RawMaker raw{graph};
  ir::Build build{raw};
  ir::Expr i = graph.param(graph.symbol("i"), DType::I32);
  ir::Expr j = graph.param(graph.symbol("j"), DType::I32);
  ir::Expr f = graph.param(graph.symbol("f"), DType::F32);

  bool matches(std::string_view pattern, ir::Expr e) {
    Binding binding;
    return match(parse_term(pattern), e, binding);
  }
};

TEST_F(Matching, OneVariableIsOneExpression) {
  EXPECT_TRUE(matches("x - x", build.sub(i, i)));
  EXPECT_FALSE(matches("x - x", build.sub(i, j)));
  EXPECT_TRUE(matches("x - y", build.sub(i, i)));
}

TEST_F(Matching, LiteralsAreBits) {
  const ir::Expr zero = build.constant(DType::F32, 0.0), minus = build.constant(DType::F32, -0.0);
  EXPECT_TRUE(matches("x + 0", build.add(f, zero)));
  EXPECT_FALSE(matches("x + 0", build.add(f, minus)));
  EXPECT_TRUE(matches("x + -0.0", build.add(f, minus)));
  EXPECT_TRUE(matches("x & -1", build.op(Op::BitAnd, {i, build.integer(-1, DType::I32)})));
}

TEST_F(Matching, DtypesAreVariablesToo) {
  const ir::Expr wide = build.cast(DType::I64, i);
  Binding binding;
  EXPECT_TRUE(match(parse_term("U(S(x))"), build.cast(DType::F64, wide), binding));
  const Given g = given(binding, DType::F64);
  EXPECT_EQ(g.t, DType::I32);
  EXPECT_EQ(g.s, DType::I64);
  EXPECT_EQ(g.u, DType::F64);
  EXPECT_TRUE(matches("T(S(x))", build.cast(DType::I32, wide)));
  EXPECT_FALSE(matches("T(S(x))", build.cast(DType::I16, wide)));
}

TEST(Pattern, HasEveryOrderOfCommutativeOperands) {
  EXPECT_EQ(all_orders(parse_term("x - y")).size(), 1u);
  EXPECT_EQ(all_orders(parse_term("x + y")).size(), 2u);
  const auto orders = all_orders(parse_term("b or (b and c)"));
  ASSERT_EQ(orders.size(), 4u);
  EXPECT_FALSE(orders[0].swaps_lazy);
  EXPECT_EQ(shape(orders[0].pattern), "Or(b And(b c))");
  EXPECT_EQ(shape(orders[3].pattern), "Or(And(c b) b)");
  for (std::size_t k = 1; k < 4; ++k) EXPECT_TRUE(orders[k].swaps_lazy);
}

TEST(Pattern, KnowsWhatIsAlwaysEvaluated) {
  const auto strict = strict_variables(parse_term("select(b, x, y) + gate(c, z)"));
  EXPECT_EQ(strict, (std::array{false, false, false, true, true, false}));
}

}  // namespace
}  // namespace lathe::rewrite
