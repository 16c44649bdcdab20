// SPDX-License-Identifier: Apache-2.0
// Every kind of item, on results worked out by hand.

#include <cmath>
#include <limits>

#include "unit/interp/run_text.h"

namespace lathe::interp {
namespace {

TEST(Items, StatementReadsTheStateBeforeIt) {
  TextRun t(R"(program p(n: size)
  inout u: f64[i: n]
  for i in 1..n: u[i] = u[i-1]
)");
  t.set("n", 4).in("u", {1, 2, 3, 4}).run();
  EXPECT_EQ(t.out("u"), (Values{1, 1, 2, 3}));
}

TEST(Items, LongRowsReadTheStateBeforeThem) {  // longer than one piece
  TextRun t(R"(program p(n: size)
  inout u: i64[i: n]
  for i in 1..n: u[i] = u[i-1] + 1
)");
  t.set("n", 1500);
  Values v(1500), expected(1500);
  for (std::size_t i = 0; i < 1500; ++i) {
    v[i] = 3.0 * static_cast<double>(i);
    expected[i] = i == 0 ? 0 : v[i - 1] + 1;
  }
  t.in("u", v).run();
  EXPECT_EQ(t.out("u"), expected);
}

TEST(Items, GuardsAndTriangles) {
  TextRun t(R"(program p(n: size)
  output u: i64[i: n, j: n]
  for i in 0..n, j in 0..i where (i + j) % 2 == 1: u[i, j] = 10 * i + j
)");
  t.set("n", 4).run();
  EXPECT_EQ(t.out("u"), (Values{0, 0, 0, 0, 10, 0, 0, 0, 0, 21, 0, 0, 30, 0, 32, 0}));
}

TEST(Items, Halo) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: -1..n+1]
  output v: f64[i: n]
  for i in 0..n: v[i] = u[i-1] + u[i+1]
)");
  t.set("n", 2).in("u", {1, 2, 3, 4}).run();
  EXPECT_EQ(t.out("v"), (Values{4, 6}));
}

TEST(Items, ZeroDimensionsAndZeroSizes) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: n]
  output s: f64
  output m: f64
  s = sum i in 0..n: u[i]
  m = maximum i in 0..n: u[i]
  for i in 0..n: s = u[i]
)");
  t.set("n", 0).in("u", {}).run();
  EXPECT_EQ(t.out("s"), (Values{0}));
  EXPECT_EQ(t.out("m"), (Values{-std::numeric_limits<double>::infinity()}));
}

TEST(Items, Group) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: n]
  output v: f64[i: n]
  output w: f64[i: n]
  for i in 0..n where i > 0:
    local a: f64
    a = u[i] + u[i-1]
    v[i] = 2 * a
    where i > 1: w[i] = v[i] + a
)");
  t.set("n", 3).in("u", {1, 2, 4}).run();
  EXPECT_EQ(t.out("v"), (Values{0, 6, 12}));
  EXPECT_EQ(t.out("w"), (Values{0, 0, 18}));
}

TEST(Items, EddiesExample) {  // document 004
  TextRun t(R"(program p(n: size)
  input f: f64[i: n]
  inout x: f64[i: n]
  temp tmp: f64[i: n]
  for i in 0..n: tmp[i] = 0
  for i in 1..n if f[i] > 0:
    for i in 1..n: tmp[i] = x[i]
    for i in 1..n: x[i] = tmp[i-1]
)");
  t.set("n", 6).in("f", {1, 1, -1, 1, 1, -1}).in("x", {10, 11, 12, 13, 14, 15}).run();
  // Where f > 0: the left neighbour's x if it took the branch too, else 0.
  EXPECT_EQ(t.out("x"), (Values{10, 0, 12, 0, 13, 15}));
  EXPECT_EQ(t.out("tmp"), (Values{0, 11, 0, 13, 14, 0}));
}

TEST(Items, BranchSidesDoNotSeeEachOther) {
  TextRun t(R"(program p(n: size)
  inout a: f64[i: n]
  for i in 1..n if a[i] > 0:
    for i in 1..n: a[i] = a[i] + 100
    for i in 1..n: a[i] = a[i] + a[i-1]
  else:
    for i in 1..n: a[i] = a[i-1] * 10
)");
  // i: 0  1  2   3  4
  t.set("n", 5).in("a", {7, 1, 2, -3, 4}).run();
  // then: 1 -> 101, 2 -> 102, 4 -> 104; then 101+7, 102+101, 104+(-3). else: 3 -> 2*10 (before).
  EXPECT_EQ(t.out("a"), (Values{7, 108, 203, 20, 101}));
}

TEST(Items, NestedBranchWithWrite) {  // document 004, nested with a write
  TextRun t(R"(program p(n: size)
  input f: f64[i: n]
  input x: f64[i: n]
  inout g: f64[i: n]
  output out: f64[i: n]
  for i in 0..n if f[i] > 0:
    for i in 0..n: g[i] = g[i] * -1
    for i in 0..n if g[i] < 0:
      for i in 0..n: out[i] = f[i]
    else:
      for i in 0..n: out[i] = g[i]
  else:
    for i in 0..n: out[i] = x[i]
)");
  t.set("n", 4).in("f", {1, 2, -1, 3}).in("x", {70, 71, 72, 73}).in("g", {5, -6, 7, 0}).run();
  EXPECT_EQ(t.out("g"), (Values{-5, 6, 7, 0}));
  EXPECT_EQ(t.out("out"), (Values{1, 6, 72, 0}));
}

TEST(Items, While) {  // collatz steps
  TextRun t(R"(program p(n: size)
  inout x: i64[i: n]
  output steps: i64[i: n]
  for i in 0..n while x[i] != 1:
    for i in 0..n: x[i] = select(x[i] % 2 == 0, x[i] // 2, 3 * x[i] + 1)
    for i in 0..n: steps[i] = steps[i] + 1
)");
  t.set("n", 5).in("x", {1, 2, 3, 6, 7}).run();
  EXPECT_EQ(t.out("x"), (Values{1, 1, 1, 1, 1}));
  EXPECT_EQ(t.out("steps"), (Values{0, 1, 7, 8, 16}));
}

TEST(Items, SweepForwardAndBackward) {
  TextRun t(R"(program p(n: size, m: size)
  inout u: f64[i: n, k: m]
  forward k in 1..m:
    for i in 0..n: u[i, k] = u[i, k] + u[i, k-1]
  backward k in 0..m-1:
    for i in 0..n: u[i, k] = u[i, k] * 10 + u[i, k+1]
)");
  t.set("n", 2).set("m", 3).in("u", {1, 2, 3, 4, 5, 6}).run();
  // forward: 1 3 6 | 4 9 15; backward from the end: 6, 36, 46 | 15, 105, 145
  EXPECT_EQ(t.out("u"), (Values{46, 36, 6, 145, 105, 15}));
}

TEST(Items, Scan) {
  TextRun t(R"(program p(n: size, m: size)
  input u: f64[i: n, j: m]
  output a: f64[i: n, j: m]
  output b: f64[i: n, j: m]
  for i in 0..n scan j in 0..m: a[i, j] += u[i, j]
  for i in 0..n scan j in 0..m exclusive: b[i, j] max= u[i, j]
)");
  t.set("n", 2).set("m", 3).in("u", {1, 5, 3, 4, 2, 6}).run();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(t.out("a"), (Values{1, 6, 9, 4, 6, 12}));
  EXPECT_EQ(t.out("b"), (Values{-inf, 1, 5, -inf, 4, 4}));
}

TEST(Items, WhenRepeatRotate) {
  TextRun t(R"(program p(n: size, steps: i64, big: bool)
  inout u: f64[i: n]
  temp v: f64[i: n]
  output done: i64
  repeat t in 0..steps rotate u, v until done >= 3:
    for i in 0..n: v[i] = u[i] + 1
    done = t + 1
  when big:
    for i in 0..n: u[i] = u[i] * 100
  else:
    for i in 0..n: u[i] = -u[i]
)");
  t.set("n", 2).set("steps", 9).set("big", ir::Scalar::of_bool(true)).in("u", {1, 2}).run();
  EXPECT_EQ(t.out("u"), (Values{400, 500}));
  EXPECT_EQ(t.out("done"), (Values{3}));
}

TEST(Items, ScatterAddAndDataDependentRanges) {
  TextRun t(R"(program p(v: size, e: size)
  input ptr: i64[i: v+1]
  input to: i64[k: e]
  input w: f64[k: e]
  inout y: f64[i: v]
  output d: f64[i: v]
  for i in 0..v, k in ptr[i]..ptr[i+1]: y[to[k]] += w[k]
  for i in 0..v: d[i] = sum k in ptr[i]..ptr[i+1]: w[k]
)");
  t.set("v", 3).set("e", 4).in("ptr", {0, 2, 2, 4}).in("to", {1, 2, 1, 0});
  t.in("w", {1, 2, 4, 8}).in("y", {100, 100, 100}).run();
  EXPECT_EQ(t.out("y"), (Values{108, 105, 102}));
  EXPECT_EQ(t.out("d"), (Values{3, 0, 12}));
}

TEST(Items, ComputedExtents) {
  TextRun t(R"(program p(n: size)
  input m: bool[i: n]
  temp c: i64
  output at: i64[k: c]
  call nonzero_count(m) -> c
  call nonzero(m) -> at
)");
  t.set("n", 5).in("m", {0, 1, 0, 1, 1}).run();
  EXPECT_EQ(t.out("at"), (Values{1, 3, 4}));
}

TEST(Items, Calls) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TextRun t(R"(program p(n: size, q: size)
  input x: f64[i: n]
  input v: f64[i: q]
  output s: f64[i: n]
  output p: i64[i: n]
  output f: i64[i: q]
  output g: i64[i: q]
  output b: bool[i: q]
  call sort(x) -> s
  call argsort(x) -> p
  call searchsorted(s, v) -> f
  call searchsorted_right(s, v) -> g
  call contains(x, v) -> b
)");
  t.set("n", 5).set("q", 4).in("x", {3, 0.0, nan, -0.0, -2}).in("v", {-5, 0, 9, nan}).run();
  const Values s = t.out("s");
  EXPECT_EQ(s[0], -2);
  EXPECT_TRUE(s[1] == 0 && std::signbit(s[1]));
  EXPECT_TRUE(s[2] == 0 && !std::signbit(s[2]));
  EXPECT_EQ(s[3], 3);
  EXPECT_TRUE(std::isnan(s[4]));
  EXPECT_EQ(t.out("p"), (Values{4, 3, 1, 0, 2}));
  EXPECT_EQ(t.out("f"), (Values{0, 1, 4, 4}));
  EXPECT_EQ(t.out("g"), (Values{0, 3, 4, 5}));
  EXPECT_EQ(t.out("b"), (Values{0, 1, 0, 0}));
}

TEST(Items, Cholesky) {
  TextRun t(R"(program p(n: size)
  input a: f64[i: n, j: n]
  output l: f64[i: n, j: n]
  call cholesky(a) -> l
)");
  t.set("n", 3).in("a", {4, 12, -16, 12, 37, -43, -16, -43, 98}).run();
  EXPECT_EQ(t.out("l"), (Values{2, 0, 0, 6, 1, 0, -8, 5, 3}));
}

TEST(Items, LinearAlgebra) {
  const char* const text = R"(program p(n: size, m: size, k: size)
  input a: f64[i: n, j: m]
  input b: f64[i: k, j: 1]
  output x: f64[i: k, j: 1]
  call solve(a, b) -> x
)";
  TextRun t(text);
  t.set("n", 2).set("m", 2).set("k", 2).in("a", {0, 2, 4, 1}).in("b", {6, 11}).run();
  EXPECT_EQ(t.out("x"), (Values{2, 3}));
  TextRun singular(text);
  singular.set("n", 2).set("m", 2).set("k", 2).in("a", {1, 2, 2, 4}).in("b", {6, 11});
  EXPECT_EQ(singular.error(), "error: 'solve' of 'a': the matrix is singular\n");
  TextRun oblong(text);
  oblong.set("n", 1).set("m", 2).set("k", 2).in("a", {1, 2}).in("b", {6, 11});
  EXPECT_EQ(oblong.error(),
            "error: 'solve' needs square matrices, but 'a' has 1 rows and 2 columns\n");
  TextRun other(text);
  other.set("n", 2).set("m", 2).set("k", 3).in("a", {1, 2, 3, 4}).in("b", {6, 11, 1});
  EXPECT_EQ(other.error(),
            "error: 'solve' needs as many right sides as matrices, of the same number of rows, but "
            "'a' and "
            "'b' differ\n");
}

TEST(Items, AccumulationKinds) {
  TextRun t(R"(program p(n: size, m: size)
  input a: f64[i: n, k: m]
  input b: f64[k: m, j: n]
  inout c: f64[i: n, j: n]
  output f: f64[i: n]
  output g: f64[i: n, j: n]
  output tri: f64[i: m]
  combiner argmin(a: f64, i: i64; b: f64, j: i64) = (min(a, b), select(b < a, j, i)) neutral (inf, -1)
  output lowest: f64[i: n]
  output where_: i64[i: n]
  for i in 0..n, j in 0..n, k in 0..m: c[i, j] += a[i, k] * b[k, j]
  for i in 0..n, k in 0..m: f[i] max= a[i, k]
  for i in 0..n, j in 0..n, k in 0..m: fresh g[i, j] contract= a[i, k], b[k, j]
  for k in 0..m, i in 0..k: fresh tri[i] += a[0, k]
  for i in 0..n, k in 0..m: fresh (lowest[i], where_[i]) argmin= (a[i, k], k)
)");
  t.set("n", 2).set("m", 3).in("a", {1, 2, 3, 6, 5, 4}).in("b", {1, 0, 0, 1, 1, 1});
  t.in("c", {100, 0, 0, 100}).run();
  EXPECT_EQ(t.out("c"), (Values{104, 5, 10, 109}));
  EXPECT_EQ(t.out("f"), (Values{3, 6}));
  EXPECT_EQ(t.out("g"), (Values{4, 5, 10, 9}));
  EXPECT_EQ(t.out("tri"), (Values{5, 3, 0}));
  EXPECT_EQ(t.out("lowest"), (Values{1, 4}));
  EXPECT_EQ(t.out("where_"), (Values{0, 2}));
}

TEST(Items, AccumulationsReadTheStateBeforeThem) {
  TextRun t(R"(program p(n: size)
  inout a: f64[i: n]
  inout b: f64[i: n]
  inout c: f64[i: n]
  input at: i64[i: n]
  for i in 0..n: fresh a[i] += 2 * a[i] + a[n - 1 - i]
  for i in 0..n: b[at[i]] += b[at[i]] + 1
  for i in 0..n, k in 0..n: c[i] += c[k]
)");
  t.set("n", 3).in("a", {1, 2, 4}).in("b", {1, 2, 4}).in("c", {1, 2, 4}).in("at", {0, 0, 2}).run();
  EXPECT_EQ(t.out("a"), (Values{6, 6, 9}));
  EXPECT_EQ(t.out("b"), (Values{5, 2, 9}));
  EXPECT_EQ(t.out("c"), (Values{8, 9, 11}));
}

TEST(Items, StepAndWatch) {
  TextRun t(R"(program p(n: size)
  output u: i64[i: n]
  for i in 0..n: u[i] = i
  twice: for i in 0..n: u[i] = 2 * u[i]
)");
  t.set("n", 3);
  std::vector<Event> events;
  Options options;
  options.watch.push_back({"u", {2}});
  options.events = &events;
  Interpreter machine(t.program(), t.state, options);
  EXPECT_EQ(machine.next(), &t.program().body[0]);
  EXPECT_TRUE(machine.step());
  EXPECT_EQ(t.out("u"), (Values{0, 1, 2}));
  EXPECT_EQ(machine.next(), &t.program().body[1]);
  EXPECT_TRUE(machine.step());
  EXPECT_EQ(machine.next(), nullptr);
  EXPECT_FALSE(machine.step());
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].label.text(), "twice");
  EXPECT_EQ(events[1].before.as_int(), 2);
  EXPECT_EQ(events[1].after.as_int(), 4);
  EXPECT_GT(machine.operations(), 0u);
}

TEST(Items, ChainOfManyOperations) {
  std::string text =
      "program p(n: size)\n  input u: f64[i: n]\n  output v: f64[i: n]\n  for i in 0..n:\n    v[i] "
      "= u[i]";
  for (int k = 0; k < 100000; ++k) text += " + 1.0";
  text += "\n";
  TextRun t(text);
  t.set("n", 3).in("u", {0, 1, 2}).run();
  EXPECT_EQ(t.out("v"), (Values{100000, 100001, 100002}));
}

}  // namespace
}  // namespace lathe::interp
