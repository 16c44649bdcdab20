// SPDX-License-Identifier: Apache-2.0
// The default order of accumulations, for reductions and for accumulating statements alike.

#include <gtest/gtest.h>

#include "ir/accumulation_order.h"
#include "unit/ir/parse.h"

namespace lathe::ir {
namespace {

constexpr std::string_view kProgramHeader = R"(program p(n: size, m: size)
  input  u: f64[i: n]
  input  v: f64[i: n]
  input  a: f64[i: n, j: n]
  input  b: f64[i: n, j: n]
  input  t: f64[i: n, j: n, k: n]
  input  idx: i64[i: n]
  input  z: i64[i: n]
  inout  s: f64
  inout  r: f64[i: n]
  inout  o: f64[i: n, j: n]
  inout  c: i64

)";

std::string in_program(const std::string& line) {
  return std::string(kProgramHeader) + "  " + line + "\n";
}

// Of `target = reduction`.
Order of_reduction(const std::string& line) {
  const auto p = parse(in_program(line));
  return p ? std::get<Statement>(p->body[0].node).values[0]->reduce().order : Order::Free;
}

// Of `target op= value`.
Order of_statement(const std::string& line) {
  const auto p = parse(in_program(line));
  return p ? std::get<Statement>(p->body[0].node).accumulate->order : Order::Free;
}

TEST(Order, Trees) {
  // Sum over the last axis, over all axes, and with a shift.
  EXPECT_EQ(of_reduction("for i in 0..n: r[i] = sum j in 0..n: a[i, j]"), Order::Tree);
  EXPECT_EQ(of_statement("for i in 0..n, j in 0..n: fresh r[i] += a[i, j]"), Order::Tree);
  EXPECT_EQ(of_reduction("s = sum i in 0..n, j in 0..n: a[i, j]"), Order::Tree);
  EXPECT_EQ(of_reduction("s = sum i in 1..n: (u[i] - u[i-1]) ** 2"), Order::Tree);
  // Dot product, norm, row-wise dot.
  EXPECT_EQ(of_reduction("s = sum i in 0..n: u[i] * v[i]"), Order::Tree);
  EXPECT_EQ(of_statement("for i in 0..n: fresh s += u[i] * v[i]"), Order::Tree);
  EXPECT_EQ(of_reduction("s = sum i in 0..n: u[i] * u[i]"), Order::Tree);
  EXPECT_EQ(of_reduction("for i in 0..n: r[i] = sum j in 0..n: a[i, j] * b[i, j]"), Order::Tree);
  // Matrix times vector, once and in a batch.
  EXPECT_EQ(of_reduction("for i in 0..n: r[i] = sum j in 0..n: a[i, j] * u[j]"), Order::Tree);
  EXPECT_EQ(of_statement("for i in 0..n, j in 0..n: fresh r[i] contract= a[i, j], u[j]"),
            Order::Tree);
  EXPECT_EQ(of_reduction("for l in 0..n, i in 0..n: o[l, i] = sum k in 0..n: t[l, i, k] * a[l, k]"),
            Order::Tree);
}

TEST(Order, Chains) {
  // Sum over a leading axis.
  EXPECT_EQ(of_reduction("for j in 0..n: r[j] = sum i in 0..n: a[i, j]"), Order::Chain);
  EXPECT_EQ(of_statement("for i in 0..n, j in 0..n: fresh r[j] += a[i, j]"), Order::Chain);
  // The axes are all reduced, but not in their order.
  EXPECT_EQ(of_reduction("s = sum j in 0..n, i in 0..n: a[i, j]"), Order::Chain);
  // Matrix products, one of them with the second matrix transposed.
  EXPECT_EQ(of_reduction("for i in 0..n, j in 0..n: o[i, j] = sum k in 0..n: a[i, k] * b[k, j]"),
            Order::Chain);
  EXPECT_EQ(of_reduction("for i in 0..n, j in 0..n: o[i, j] = sum k in 0..n: a[i, k] * b[j, k]"),
            Order::Chain);
  EXPECT_EQ(
      of_statement("for i in 0..n, j in 0..n, k in 0..n: fresh o[i, j] contract= a[i, k], b[k, j]"),
      Order::Chain);
  // Pairwise distances, convolution, a gather.
  EXPECT_EQ(
      of_reduction("for i in 0..n, j in 0..n: o[i, j] = sum k in 0..n: (a[i, k] - a[j, k]) ** 2"),
      Order::Chain);
  EXPECT_EQ(of_reduction("for i in 0..n: r[i] = sum k in 0..m: u[i + k] * v[k]"), Order::Chain);
  EXPECT_EQ(of_reduction("for i in 0..n: r[i] = sum e in idx[i]..idx[i+1]: v[e] * u[idx[e]]"),
            Order::Chain);
}

TEST(Order, ScattersRunInDomainOrder) {
  EXPECT_EQ(of_statement("for i in 0..n: r[idx[i]] += u[i]"), Order::Seq);
  EXPECT_EQ(of_statement("for i in 0..n, j in 0..n: r[i + j] += u[i] * v[j]"), Order::Seq);
  EXPECT_EQ(of_statement("for i in 0..n: r[i // 2] += u[i]"), Order::Seq);
}

TEST(Order, OperationsDecideFirst) {
  EXPECT_EQ(of_reduction("c = sum i in 0..n: z[i]"), Order::Free);
  EXPECT_EQ(of_statement("for i in 0..n: c += z[i]"), Order::Free);
  EXPECT_EQ(of_reduction("s = minimum i in 0..n: u[i]"), Order::Free);
  EXPECT_EQ(of_statement("for i in 0..n: r[idx[i]] max= u[i]"), Order::Free);
  EXPECT_EQ(of_reduction("s = product i in 0..n: u[i]"), Order::Tree);
  EXPECT_EQ(of_statement("for i in 0..n: s -= u[i]"), Order::Seq);
  EXPECT_EQ(of_reduction("s = reduce / i in 0..n: u[i]"), Order::Seq);
}

TEST(Order, AccumulatorsAreAtLeastFloat32) {
  EXPECT_EQ(default_accumulator(DType::F16), DType::F32);
  EXPECT_EQ(default_accumulator(DType::BF16), DType::F32);
  EXPECT_EQ(default_accumulator(DType::F64), DType::F64);
  EXPECT_EQ(default_accumulator(DType::I8), DType::I8);
}

}  // namespace
}  // namespace lathe::ir
