// SPDX-License-Identifier: Apache-2.0
#include "unit/interp/run_text.h"

namespace lathe::interp {
namespace {

TEST(Statements, Diffuse) {
  TextRun t(R"(program diffuse(n: size, m: size, a: f64)
  input  u: f64[i: n, j: m]
  temp   lap: f64[i: n, j: m]
  output v: f64[i: n, j: m]
  output row: f64[i: n]

  for i in 1..n-1, j in 1..m-1:
    lap[i, j] = u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 * u[i, j]
  for i in 0..n, j in 0..m:
    v[i, j] = select(1 <= i and i < n-1 and 1 <= j and j < m-1, u[i, j] + a * lap[i, j], u[i, j])
  for i in 0..n: row[i] = sum j in 0..m: v[i, j]
)");
  t.set("n", 3).set("m", 4).set("a", ir::Scalar::of_double(ir::DType::F64, 0.5));
  t.in("u", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13}).run();
  EXPECT_EQ(t.out("lap"), (Values{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(t.out("v"), (Values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13}));
  EXPECT_EQ(t.out("row"), (Values{10, 26, 43}));
}

// The guard sees the state before the statement, also where several points guard one element.
TEST(Statements, GuardsSeeTheStateBefore) {
  TextRun t(R"(program p(n: size)
  inout c: i64[i: n]
  for k in 0..3, i in 0..n where c[i] == k: c[i] = k + 1
)");
  t.set("n", 2).in("c", {0, 1}).run();
  EXPECT_EQ(t.out("c"), (Values{1, 2}));
  t.in("c", {0, 1});
  EXPECT_EQ(t.error(true), "no error");
}

// The right side of `or` is skipped where the left holds everywhere; what lies in its row then is
// the leftover of another step, and no bool. (Found by a random program, as a guard of a sum.)
TEST(Statements, WhatOrSkipsDoesNotCount) {
  TextRun r(R"(program p(n: size)
  input  u: f64[x: 7, y: n]
  input  m: bool[x: n]
  output v: f32
  output w: bool[x: 7]

  for j in 0..7: w[j] = u[j, 1] < 9 or m[j]
  for j in 1..6 where u[j, 1] < 9 or m[j]: fresh v += 1
)");
  r.set("n", 2).in("u", {1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6}).in("m", {0, 0}).run();
  EXPECT_EQ(r.out("v"), (std::vector<double>{5}));
  EXPECT_EQ(r.out("w"), (std::vector<double>{1, 1, 1, 1, 1, 1, 1}));
  for (const std::byte b : r.state.arrays.at("w").data) EXPECT_EQ(b, std::byte{1});
}

}  // namespace
}  // namespace lathe::interp
