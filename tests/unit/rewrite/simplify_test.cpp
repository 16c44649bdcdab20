// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ir/traverse.h"
#include "rewrite/rules.h"

namespace lathe::rewrite {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;

class Simplify : public ::testing::Test {
 protected:
  ir::Graph graph;
  Simplifier maker{graph};
  Simplifier fast_maker{graph, true};
  ir::Build b{maker}, fast{fast_maker};
  Expr i = b.index("i"), j = b.index("j"), n = graph.param(graph.symbol("n"), DType::I64);
  Expr x = graph.param(graph.symbol("x"), DType::F64),
       y = graph.param(graph.symbol("y"), DType::F64);
  Expr p = graph.param(graph.symbol("p"), DType::Bool),
       q = graph.param(graph.symbol("q"), DType::Bool);
  Expr one = b.integer(1), two = b.integer(2), yes = b.boolean(true), no = b.boolean(false);
  Expr u(Expr index) { return b.read(graph.symbol("u"), DType::F64, {index}); }
  Expr mask(Expr index) { return b.read(graph.symbol("mask"), DType::Bool, {index}); }
  Expr number(double v) { return b.constant(DType::F64, v); }
};

TEST_F(Simplify, BringsShiftedIndicesTogether) {
  const ir::Renaming shift = {{graph.symbol("i"), b.add(i, one)}};
  EXPECT_EQ(ir::rename(maker, u(b.sub(i, one)), shift), u(i));
  EXPECT_EQ(b.sub(b.add(i, one), one), i);
  EXPECT_EQ(b.add(b.add(i, one), one), b.add(i, two));
  EXPECT_EQ(b.add(i, b.integer(-1)), b.sub(i, one));
  EXPECT_EQ(b.sub(b.add(b.add(i, j), one), j), b.add(i, one));
  EXPECT_EQ(b.sub(b.add(i, n), n), i);
  EXPECT_EQ(b.add(b.mul(two, i), i), b.mul(b.integer(3), i));
  EXPECT_EQ(b.sub(b.add(i, two), b.add(i, one)), one);
}

TEST_F(Simplify, KeepsFloatsAsWritten) {
  EXPECT_NE(b.add(x, number(0)), x);
  EXPECT_NE(b.sub(x, x), number(0));
  EXPECT_NE(b.mul(x, number(0)), number(0));
  EXPECT_NE(b.logical_not(b.lt(x, y)), b.le(y, x));
  EXPECT_EQ(b.add(x, number(-0.0)), x);
  EXPECT_EQ(b.sub(x, number(0)), x);
  EXPECT_EQ(b.mul(x, number(1)), x);
  EXPECT_EQ(b.div(x, number(4)), b.mul(number(0.25), x));
  EXPECT_NE(b.div(x, number(3)), b.mul(number(1.0 / 3), x));
  EXPECT_EQ(b.neg(b.neg(x)), x);
}

TEST_F(Simplify, HasRealArithmeticWhereAskedFor) {
  const auto at = [&](double v) { return fast.constant(DType::F64, v); };
  EXPECT_EQ(fast.add(x, at(0)), x);
  EXPECT_EQ(fast.sub(x, x), at(0));
  EXPECT_EQ(fast.add(fast.mul(at(3), x), fast.mul(at(4), x)), fast.mul(at(7), x));
  EXPECT_EQ(fast.mul(fast.op(Op::Pow, {x, at(3)}), x), fast.op(Op::Pow, {x, at(4)}));
  // (x^2)^0.5 is |x|, not x: the outer exponent must be whole.
  const Expr square = fast.op(Op::Pow, {x, at(4)});
  EXPECT_EQ(fast.op(Op::Pow, {square, at(3)}), fast.op(Op::Pow, {x, at(12)}));
  EXPECT_NE(fast.op(Op::Pow, {square, at(0.25)}), x);
}

TEST_F(Simplify, FoldsConstantsAsTheInterpreterDoes) {
  EXPECT_EQ(b.add(number(0.1), number(0.2)), number(0.1 + 0.2));
  EXPECT_EQ(b.op(Op::FloorDiv, {b.integer(-7), two}), b.integer(-4));
  EXPECT_EQ(b.lt(one, two), yes);
  const Expr by_zero = b.op(Op::FloorDiv, {one, b.integer(0)});  // an error in checked mode
  EXPECT_EQ(by_zero->op, Op::FloorDiv);
}

TEST_F(Simplify, PutsConstantsAndComparisonsInOrder) {
  EXPECT_EQ(b.mul(x, number(3)), b.mul(number(3), x));
  EXPECT_EQ(b.add(number(3), x), b.add(x, number(3)));
  EXPECT_EQ(b.op(Op::Gt, {x, y}), b.lt(y, x));
  EXPECT_EQ(b.lt(number(3), x), b.op(Op::Gt, {x, number(3)}));
  EXPECT_EQ(b.le(one, i), b.op(Op::Ge, {i, one}));
  EXPECT_EQ(b.le(i, one), b.lt(i, two));
  EXPECT_EQ(b.logical_not(b.lt(i, n)), b.le(n, i));
}

TEST_F(Simplify, DoesNotHideWhatMayFail) {
  const Expr read = u(i), zero = b.integer(0);
  const Expr index_read = b.read(graph.symbol("ptr"), DType::I64, {i});
  EXPECT_EQ(b.mul(zero, i), zero);
  EXPECT_NE(b.mul(zero, index_read), zero);  // ptr[i] may be out of range
  EXPECT_EQ(b.select(no, read, x), x);       // never read
  EXPECT_EQ(b.select(mask(i), x, y)->op, Op::Select);
  EXPECT_NE(b.select(mask(i), x, x), x);
  EXPECT_EQ(b.select(p, x, x), x);
  EXPECT_EQ(b.logical_and(no, mask(i)), no);
  EXPECT_NE(b.logical_and(mask(i), no), no);
  EXPECT_EQ(b.logical_and(p, no), no);
  EXPECT_EQ(b.logical_and(mask(i), yes), mask(i));
  const Expr quotient = b.op(Op::FloorDiv, {i, n});
  EXPECT_NE(b.sub(quotient, quotient), zero);  // n may be 0
  const Expr half = b.op(Op::FloorDiv, {i, two});
  EXPECT_EQ(b.sub(half, half), zero);
  // Turned round, p would guard the read; as written, the read guards p.
  EXPECT_NE(b.logical_and(b.logical_or(mask(i), p), p), p);
  EXPECT_EQ(b.logical_and(p, b.logical_or(p, mask(i))), p);
}

TEST_F(Simplify, KeepsLazyChoicesOverReads) {
  const Expr read = u(i), other = u(j);
  EXPECT_EQ(b.select(b.logical_not(p), read, other), b.select(p, other, read));
  EXPECT_EQ(b.select(p, read, number(0)), b.op(Op::Gate, {p, read}));
  EXPECT_EQ(b.select(p, b.select(p, read, other), x), b.select(p, read, x));
  EXPECT_EQ(b.select(p, yes, mask(i)), b.logical_or(p, mask(i)));
}

TEST_F(Simplify, LeavesRangesThatEmbrace) {
  const Expr in = b.logical_and(b.le(one, i), b.lt(i, b.sub(n, one)));
  EXPECT_EQ(in->op, Op::And);
  EXPECT_EQ(b.logical_and(in, in), in);
  EXPECT_EQ(b.logical_and(b.lt(i, two), b.lt(i, b.integer(5))), b.lt(i, two));
  EXPECT_EQ(b.logical_and(b.le(two, i), b.lt(i, one)), no);
}

TEST_F(Simplify, DropsConversionsThatKeepTheValue) {
  const Expr s = graph.param(graph.symbol("s"), DType::I16);
  const Expr f = graph.param(graph.symbol("f"), DType::F32);
  EXPECT_EQ(b.cast(DType::I64, b.cast(DType::I32, s)), b.cast(DType::I64, s));
  EXPECT_EQ(b.cast(DType::I16, b.cast(DType::F32, s)), s);
  EXPECT_NE(b.cast(DType::I8, b.cast(DType::F32, s)), b.cast(DType::I8, s));  // saturates
  EXPECT_EQ(b.cast(DType::F32, b.add(b.cast(DType::F64, f), b.cast(DType::F64, f))), b.add(f, f));
}

TEST_F(Simplify, TakesChainsOfAHundredThousandOperations) {
  ir::RawMaker raw(graph);
  const ir::Build r(raw);
  Expr e = x;
  for (int k = 0; k < 50000; ++k) e = r.add(r.mul(e, number(1)), r.op(Op::Sin, {y}));
  // 0.1 s; were it quadratic, this suite's time budget would not do.
  const Expr simple = maker.simplify(e);
  EXPECT_EQ(ir::dag_size(std::span(&simple, 1)), 50003u);
  Expr guard = p;
  for (int k = 0; k < 25000; ++k) guard = r.logical_and(guard, r.lt(u(r.add(i, r.integer(k))), x));
  EXPECT_NE(maker.simplify(guard), nullptr);
}

}  // namespace
}  // namespace lathe::rewrite
