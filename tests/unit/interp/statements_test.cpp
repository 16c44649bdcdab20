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

}  // namespace
}  // namespace lathe::interp
