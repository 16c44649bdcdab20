// SPDX-License-Identifier: Apache-2.0
// The orders of accumulation against a second, naive reading of semantics.md: whole lists of
// present values, cut, folded and joined with plain loops over doubles.

#include <cmath>
#include <optional>
#include <random>

#include "unit/interp/run_text.h"

namespace lathe::interp {
namespace {

using Points = std::vector<std::optional<double>>;  // by number e; empty: absent
using Maybe = std::optional<double>;

Maybe add(Maybe a, Maybe b) { return a && b ? Maybe(*a + *b) : a ? a : b; }

Maybe left_to_right(const Points& points, std::size_t begin, std::size_t end, std::size_t step) {
  Maybe sum;
  for (std::size_t e = begin; e < end; e += step) sum = add(sum, points[e]);
  return sum;
}

Maybe naive_tree(const Points& points) {
  if (points.size() <= 32) return left_to_right(points, 0, points.size(), 1);
  std::vector<Maybe> blocks;
  for (std::size_t b = 0; b < points.size(); b += 4096) {
    const std::size_t end = std::min(points.size(), b + 4096);
    std::vector<Maybe> lanes;
    for (std::size_t l = 0; l < 64; ++l) lanes.push_back(left_to_right(points, b + l, end, 64));
    while (lanes.size() > 1) {
      const std::size_t half = lanes.size() / 2;
      for (std::size_t l = 0; l < half; ++l) lanes[l] = add(lanes[l], lanes[l + half]);
      lanes.resize(half);
    }
    blocks.push_back(lanes[0]);
  }
  while (blocks.size() > 1) {  // pairs of neighbours; a last one without partner stays
    std::vector<Maybe> next;
    for (std::size_t b = 0; b < blocks.size(); b += 2)
      next.push_back(b + 1 < blocks.size() ? add(blocks[b], blocks[b + 1]) : blocks[b]);
    blocks = next;
  }
  return blocks[0];
}

double naive_chain(double old, const std::vector<Points>& rows) {
  double total = old;
  for (const Points& row : rows)
    for (std::size_t b = 0; b < row.size(); b += 4096) {
      double part = b == 0 ? total : 0.0;
      for (std::size_t e = b; e < std::min(row.size(), b + 4096); ++e)
        if (row[e]) part += *row[e];
      total = b == 0 ? part : total + part;
    }
  return total;
}

std::vector<double> random_values(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(
        std::ldexp(static_cast<double>(random()) - 2147483648.0, static_cast<int>(random() % 40)));
  return values;
}

const std::size_t kLengths[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 4095, 4096, 4097, 10000, 16385};

TEST(Orders, OneVariable) {
  TextRun t(R"(program p(n: size)
  input u: f64[j: n]
  inout a: f64
  inout b: f64
  inout c: f64
  output d: f64
  for j in 0..n: a +=[tree, f64] u[j]
  for j in 0..n: b +=[chain, f64] u[j]
  for j in 0..n: c +=[seq, f64] u[j]
  d = sum[tree, f64] j in 0..n where j % 3 != 1 and (j < 100 or j > 4300): u[j]
)");
  for (std::size_t n : kLengths) {
    const std::vector<double> u = random_values(n, static_cast<unsigned>(n));
    t.set("n", static_cast<std::int64_t>(n)).in("u", u);
    t.in("a", {1.25}).in("b", {1.25}).in("c", {1.25}).run();
    Points all(u.begin(), u.end()), some = all;
    for (std::size_t j = 0; j < n; ++j)
      if (!(j % 3 != 1 && (j < 100 || j > 4300))) some[j].reset();
    double sum = 1.25;
    for (double x : u) sum += x;
    EXPECT_EQ(t.out("a")[0], *add(1.25, naive_tree(all))) << n;
    EXPECT_EQ(t.out("b")[0], naive_chain(1.25, {all})) << n;
    EXPECT_EQ(t.out("c")[0], sum) << n;
    EXPECT_EQ(t.out("d")[0], *add(0.0, naive_tree(some))) << n;
  }
}

TEST(Orders, SeveralVariablesAndTriangles) {
  TextRun t(R"(program p(n: size, m: size)
  input u: f64[i: n, j: m]
  output a: f64
  output b: f64
  output c: f64
  a = sum[tree, f64] i in 0..n, j in i..m where (i + j) % 5 != 0: u[i, j]
  b = sum[chain, f64] i in 0..n, j in i..m where (i + j) % 5 != 0: u[i, j]
  for i in 0..n, j in i..m where (i + j) % 5 != 0: c +=[tree, f64] u[i, j]
)");
  const std::pair<std::size_t, std::size_t> sizes[] = {{3, 5}, {40, 70}, {3, 9000}, {70, 33}};
  for (const auto& [n, m] : sizes) {
    const std::vector<double> u = random_values(n * m, 7);
    t.set("n", static_cast<std::int64_t>(n)).set("m", static_cast<std::int64_t>(m)).in("u", u);
    t.state.arrays.erase("c");
    t.run();
    Points row_sums;
    std::vector<Points> rows;
    for (std::size_t i = 0; i < n; ++i) {
      Points row;
      for (std::size_t j = i; j < m; ++j)
        row.push_back((i + j) % 5 != 0 ? Maybe(u[i * m + j]) : Maybe());
      row_sums.push_back(row.empty() ? Maybe() : naive_tree(row));
      rows.push_back(row);
    }
    EXPECT_EQ(t.out("a")[0], *add(0.0, naive_tree(row_sums))) << n << " " << m;
    EXPECT_EQ(t.out("c")[0], *add(0.0, naive_tree(row_sums))) << n << " " << m;
    EXPECT_EQ(t.out("b")[0], naive_chain(0.0, rows)) << n << " " << m;
  }
}

// Neighbouring outputs may be reduced together; nobody can tell.
TEST(Orders, ManyOutputsTogether) {
  TextRun t(R"(program p(n: size, w: size)
  input u: f64[j: n, i: w]
  inout a: f64[i: w]
  inout b: f64[i: w]
  output c: f64[i: w]
  for i in 0..w, j in 0..n: a[i] +=[tree, f64] u[j, i]
  for i in 0..w, j in 0..n: b[i] +=[chain, f64] u[j, i]
  for i in 0..w: c[i] = sum[tree, f64] k in 0..2, j in 0..n // 2: u[2 * j + k, i]
)");
  const std::size_t w = 9;
  for (std::size_t n : kLengths) {
    const std::vector<double> u = random_values(n * w, static_cast<unsigned>(n) + 11);
    t.set("n", static_cast<std::int64_t>(n)).set("w", 9).in("u", u);
    t.in("a", Values(w, 1.25)).in("b", Values(w, 1.25)).run();
    for (std::size_t i = 0; i < w; ++i) {
      Points all, rows;
      for (std::size_t j = 0; j < n; ++j) all.push_back(u[j * w + i]);
      for (std::size_t k = 0; k < 2; ++k) {
        Points row;
        for (std::size_t j = 0; j < n / 2; ++j) row.push_back(u[(2 * j + k) * w + i]);
        rows.push_back(naive_tree(row));
      }
      EXPECT_EQ(t.out("a")[i], *add(1.25, naive_tree(all))) << n;
      EXPECT_EQ(t.out("b")[i], naive_chain(1.25, {all})) << n;
      EXPECT_EQ(t.out("c")[i], *add(0.0, naive_tree(rows))) << n;
    }
  }
}

TEST(Orders, ContractUsesFma) {
  TextRun t(R"(program p(n: size)
  input u: f64[j: n]
  input v: f64[j: n]
  output a: f64
  output b: f64
  output c: f64
  a = contract[chain, f64] j in 0..n: (u[j], v[j])
  b = sum[chain, f64] j in 0..n: u[j] * v[j]
  c = contract[chain, f64] j in 0..n: (u[j], v[j], u[j])
)");
  const std::size_t n = 5000;
  const std::vector<double> u = random_values(n, 1), v = random_values(n, 2);
  t.set("n", 5000).in("u", u).in("v", v).run();
  double a[2] = {0, 0}, b[2] = {0, 0}, c[2] = {0, 0};
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t block = j / 4096;
    a[block] = std::fma(u[j], v[j], a[block]);
    b[block] += u[j] * v[j];
    const double product = u[j] * v[j];
    c[block] = std::fma(product, u[j], c[block]);
  }
  EXPECT_EQ(t.out("a")[0], a[0] + a[1]);
  EXPECT_EQ(t.out("b")[0], b[0] + b[1]);
  EXPECT_EQ(t.out("c")[0], c[0] + c[1]);
}

TEST(Orders, AccumulatorDtypeRoundsOnce) {
  TextRun t(R"(program p(n: size)
  input u: f16[j: n]
  input at: i64[j: n]
  output a: f16
  output y: f16[j: 2]
  a = f16(sum[seq, f32] j in 0..n: f32(u[j]))
  for j in 0..n: y[at[j]] +=[seq, f32] f32(u[j])
)");
  // 2048 + 1 is not a float16; 2048 + 1 + 1 is.
  t.set("n", 3).in("u", {2048, 1, 1}).in("at", {1, 1, 1}).run();
  EXPECT_EQ(t.out("a"), (Values{2050}));
  EXPECT_EQ(t.out("y"), (Values{0, 2050}));
}

TEST(Orders, TupleCombinersInEveryOrder) {
  TextRun t(R"(program p(n: size)
  combiner argmax(a: f64, i: i64; b: f64, j: i64) = (max(a, b), select(b > a, j, i)) neutral (-inf, -1)
  input u: f64[j: n]
  output t0: f64
  output t1: i64
  output c0: f64
  output c1: i64
  output s0: f64
  output s1: i64
  for j in 0..n where j != 17: fresh (t0, t1) argmax=[tree] (u[j], j)
  for j in 0..n where j != 17: fresh (c0, c1) argmax=[chain] (u[j], j)
  for j in 0..n where j != 17: fresh (s0, s1) argmax=[seq] (u[j], j)
)");
  for (std::size_t n : kLengths) {
    const std::vector<double> u = random_values(n, static_cast<unsigned>(n) + 5);
    t.set("n", static_cast<std::int64_t>(n)).in("u", u).run();
    double best = -std::numeric_limits<double>::infinity();
    double where = -1;
    for (std::size_t j = 0; j < n; ++j)
      if (j != 17 && u[j] > best) best = u[j], where = static_cast<double>(j);
    for (const char* name : {"t", "c", "s"}) {
      EXPECT_EQ(t.out(name + std::string("0"))[0], best) << n << name;
      EXPECT_EQ(t.out(name + std::string("1"))[0], where) << n << name;
    }
  }
}

TEST(Orders, BlockedScan) {
  TextRun t(R"(program p(n: size)
  input u: f64[j: n]
  output a: f64[j: n]
  for i in 0..1 scan j in 0..n: a[j] +=[blocked] u[j]
)");
  const std::size_t n = 10000;
  const std::vector<double> u = random_values(n, 3);
  t.set("n", 10000).in("u", u).run();
  const Values a = t.out("a");
  double before = 0, inside = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (j == 4096) before = inside, inside = 0;
    if (j == 8192) before = before + inside, inside = 0;
    inside += u[j];
    ASSERT_EQ(a[j], j < 4096 ? inside : before + inside) << j;
  }
}

}  // namespace
}  // namespace lathe::interp
