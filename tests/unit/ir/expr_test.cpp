// SPDX-License-Identifier: Apache-2.0
#include "ir/expr.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ir/build.h"
#include "ir/text.h"
#include "ir/traverse.h"
#include "ir/typing.h"

namespace lathe::ir {
namespace {

struct Fixture : ::testing::Test {
  Graph graph;
  RawMaker raw{graph};
  Build build{raw};
  Expr i = build.index("i"), j = build.index("j");
  Symbol u = graph.symbol("u");
};
using ExprTest = Fixture;

TEST_F(ExprTest, EqualExpressionsAreOneNode) {
  const Expr a = build.add(build.read(u, DType::F64, {i}), build.constant(DType::F64, 1));
  const Expr b =
      build.add(build.read(u, DType::F64, {build.index("i")}), build.constant(DType::F64, 1));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, build.add(build.read(u, DType::F64, {j}), build.constant(DType::F64, 1)));
  EXPECT_NE(build.read(u, DType::F64, {i}), build.read(u, DType::F64, {i}, Policy::Clamp));
  EXPECT_NE(build.constant(DType::F64, 0.0), build.constant(DType::F64, -0.0));
  EXPECT_EQ(graph.constant(Scalar::of_bits(DType::F64, 0xfff0000000000123)),
            graph.constant(Scalar::of_double(DType::F64, NAN)));
}

TEST_F(ExprTest, HashesAreTheSameInEveryGraph) {
  Graph other;
  other.symbol("something else first");
  RawMaker raw_other(other);
  Build there(raw_other);
  EXPECT_EQ(build.add(i, build.integer(3))->hash,
            there.add(there.index("i"), there.integer(3))->hash);
}

TEST_F(ExprTest, FreshSymbolsDoNotCollide) {
  EXPECT_EQ(graph.fresh_symbol("t").text(), "t");
  EXPECT_EQ(graph.fresh_symbol("t").text(), "t.1");
  graph.symbol("t.2");
  EXPECT_EQ(graph.fresh_symbol("t").text(), "t.3");
}

TEST_F(ExprTest, RenameShiftsAComputation) {
  const Expr e = build.add(build.read(u, DType::F64, {i}), build.read(u, DType::F64, {j}));
  const Expr shifted = rename(raw, e, {{i->name, build.sub(i, build.integer(1))}});
  EXPECT_EQ(print(shifted), "u[i-1] + u[j]");
}

TEST_F(ExprTest, RenameDoesNotCapture) {
  // sum j in 0..9: u[i] renamed i -> j must not sum over the outer j.
  ReduceInfo info{Op::Add, Order::Tree, DType::F64, {j->name}};
  const Expr args[] = {build.integer(0), build.integer(9), build.boolean(true),
                       build.read(u, DType::F64, {i})};
  const Expr sum = graph.reduce(info, args, DType::F64);
  const Expr renamed = rename(raw, sum, {{i->name, j}});
  ASSERT_EQ(renamed->op, Op::Reduce);
  EXPECT_NE(renamed->reduce().variables[0], j->name);
  EXPECT_EQ(free_variables(renamed), std::vector<Symbol>{j->name});
  // A bound variable is not renamed.
  EXPECT_EQ(free_variables(rename(raw, sum, {{j->name, build.integer(5)}})),
            std::vector<Symbol>{i->name});
}

TEST_F(ExprTest, ALongChainIsNoProblem) {
  Expr e = build.read(u, DType::F64, {i});
  for (int k = 0; k < 100'000; ++k) e = build.add(build.mul(e, e), build.constant(DType::F64, k));
  EXPECT_EQ(post_order(e).size(), 300'002u);
  const Expr shifted = rename(raw, e, {{i->name, build.add(i, build.integer(1))}});
  EXPECT_EQ(post_order(shifted).size(), 300'004u);
  EXPECT_LT(graph.bytes(), 200u << 20);
}

TEST_F(ExprTest, PromotionInsertsCasts) {
  const Expr x = build.read(u, DType::F32, {i});
  EXPECT_EQ(build.add(x, i)->dtype, DType::F64);
  EXPECT_EQ(build.op(Op::Sqrt, {i})->arg(0)->op, Op::Cast);
  EXPECT_EQ(build.add(build.boolean(true), build.boolean(false))->op, Op::Or);
  EXPECT_EQ(build.op(Op::BitAnd, {x, x}), nullptr);
  EXPECT_EQ(build.refusal(), "'&' needs integers or bools, not f32");
  EXPECT_EQ(build.op(Op::Sub, {build.boolean(true), build.boolean(true)}), nullptr);
  EXPECT_EQ(build.refusal(), "'-' needs numbers, not bool");
  EXPECT_EQ(build.bit_cast(DType::I64, x), nullptr);
  EXPECT_EQ(build.refusal(), "'bitcast_i64' needs a number of 64 bits, not f32");
}

// The whole table, as numpy.result_type prints it (bfloat16: ml_dtypes where it follows the
// widths).
TEST(DTypeTest, PromotionIsNumPys) {
  const char* const expected[kDTypeCount] = {
      // bool i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64
      "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
      "i8 i8 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64",
      "i16 i16 i16 i32 i64 i16 i32 i64 f64 f32 f32 f32 f64",
      "i32 i32 i32 i32 i64 i32 i32 i64 f64 f64 f64 f64 f64",
      "i64 i64 i64 i64 i64 i64 i64 i64 f64 f64 f64 f64 f64",
      "u8 i16 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64",
      "u16 i32 i32 i32 i64 u16 u16 u32 u64 f32 f32 f32 f64",
      "u32 i64 i64 i64 i64 u32 u32 u32 u64 f64 f64 f64 f64",
      "u64 f64 f64 f64 f64 u64 u64 u64 u64 f64 f64 f64 f64",
      "f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 f32 f32 f64",
      "bf16 bf16 f32 f64 f64 bf16 f32 f64 f64 f32 bf16 f32 f64",
      "f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f32 f32 f64",
      "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64"};
  for (int a = 0; a < kDTypeCount; ++a) {
    std::string row;
    for (int b = 0; b < kDTypeCount; ++b)
      row +=
          (b ? " " : "") + std::string(name(promote(static_cast<DType>(a), static_cast<DType>(b))));
    EXPECT_EQ(row, expected[a]) << name(static_cast<DType>(a));
  }
}

TEST(ScalarTest, CastsFollowTheLanguage) {
  EXPECT_EQ(Scalar::of_double(DType::I8, 300.7).as_int(), 127);
  EXPECT_EQ(Scalar::of_double(DType::U8, -3).as_int(), 0);
  EXPECT_EQ(Scalar::of_double(DType::I32, NAN).as_int(), 0);
  EXPECT_EQ(Scalar::of_int(DType::I64, 300).cast(DType::I8).as_int(), 44);
  EXPECT_EQ(Scalar::of_double(DType::F64, 0.5).cast(DType::Bool).as_bool(), true);
  // int -> float16 rounds once: 2^53 + 1 style values must not round twice.
  EXPECT_EQ(Scalar::of_int(DType::F16, 2049).as_double(), 2048);
  EXPECT_EQ(Scalar::of_int(DType::F16, 2051).as_double(), 2052);
  EXPECT_EQ(Scalar::of_uint(DType::BF16, (1ull << 63) + (1ull << 55) + 1).as_double(), 0x1.02p63);
  EXPECT_EQ(Scalar::of_uint(DType::F32, (1ull << 40) + (1ull << 16) + 1).as_double(),
            static_cast<double>((1ull << 40) + (1ull << 17)));
}

TEST(TypingTest, NeutralElements) {
  EXPECT_EQ(neutral(Op::Min, DType::I8)->as_int(), 127);
  EXPECT_EQ(neutral(Op::Max, DType::U16)->as_int(), 0);
  EXPECT_TRUE(neutral(Op::FMax, DType::F32)->is_nan());
  EXPECT_EQ(neutral(Op::And, DType::Bool)->as_bool(), true);
  EXPECT_FALSE(neutral(Op::Mod, DType::I32));
}

}  // namespace
}  // namespace lathe::ir
