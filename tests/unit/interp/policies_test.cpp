// SPDX-License-Identifier: Apache-2.0
// Reads outside, laziness, and the whole text of every run-time error.

#include "unit/interp/run_text.h"

namespace lathe::interp {
namespace {

// v[i] = u[i - 7; policy] over i in 0..17, u = 10 20 30 with indices 0 1 2.
Values read_with(const std::string& policy) {
  TextRun t(
      "program p(n: size)\n  input u: f64[i: n]\n  output v: f64[i: 17]\n"
      "  for i in 0..17: v[i] = u[i - 7; " +
      policy + "]\n");
  t.set("n", 3).in("u", {10, 20, 30}).run();
  return t.out("v");
}

TEST(Policies, All) {
  //                              index -7  -6  -5  -4  -3  -2  -1   0   1   2   3   4 ...
  EXPECT_EQ(read_with("zero"), (Values{0, 0, 0, 0, 0, 0, 0, 10, 20, 30, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(read_with("value 5.0"), (Values{5, 5, 5, 5, 5, 5, 5, 10, 20, 30, 5, 5, 5, 5, 5, 5, 5}));
  EXPECT_EQ(read_with("clamp"),
            (Values{10, 10, 10, 10, 10, 10, 10, 10, 20, 30, 30, 30, 30, 30, 30, 30, 30}));
  EXPECT_EQ(read_with("wrap"),
            (Values{30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10}));
  EXPECT_EQ(read_with("mirror"),
            (Values{20, 30, 20, 10, 20, 30, 20, 10, 20, 30, 20, 10, 20, 30, 20, 10, 20}));
  EXPECT_EQ(read_with("trusted"), (Values{0, 0, 0, 0, 0, 0, 0, 10, 20, 30, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Policies, GathersAndStrides) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: n, j: n]
  input at: i32[i: n]
  output v: f64[i: n]
  output w: f64[i: n]
  output b: bool[i: n]
  for i in 0..n: v[i] = u[i, i] + u[n - 1 - i, 1]
  for i in 0..n: w[i] = u[at[i], i; zero]
  for i in 0..n: b[i] = inside u[at[i], 2 * i]
)");
  t.set("n", 3).in("u", {1, 2, 3, 4, 5, 6, 7, 8, 9}).in("at", {2, -1, 0}).run();
  EXPECT_EQ(t.out("v"), (Values{1 + 8, 5 + 5, 9 + 2}));
  EXPECT_EQ(t.out("w"), (Values{7, 0, 3}));
  EXPECT_EQ(t.out("b"), (Values{1, 0, 0}));
}

TEST(Laziness, WhatIsNotTakenIsNotRead) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: n]
  output v: f64[i: n]
  output w: bool[i: n]
  output x: f64[i: n]
  output y: f64[i: n]
  output z: f64[i: n]
  for i in 0..n: v[i] = select(i > 0, u[i-1], u[i])
  for i in 0..n: w[i] = i > 0 and u[i-1] > 1 or i == 0 or u[i-1] > 100
  for i in 0..n: x[i] = gate(i < n-1, u[i+1])
  for i in 0..n where i > 0: y[i] = u[i-1]
  for i in 0..n: z[i] = select(i > 0, sum k in 0..i: u[i - 1 - k], u[i])
)");
  t.set("n", 3).in("u", {1, 2, 3}).run_checked();
  EXPECT_EQ(t.out("v"), (Values{1, 1, 2}));
  EXPECT_EQ(t.out("w"), (Values{1, 0, 1}));
  EXPECT_EQ(t.out("x"), (Values{2, 3, 0}));
  EXPECT_EQ(t.out("y"), (Values{0, 1, 2}));
  EXPECT_EQ(t.out("z"), (Values{1, 1, 3}));
}

TEST(Laziness, SharedBetweenTakenAndUntaken) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: n]
  output v: f64[i: n]
  for i in 0..n: v[i] = select(i == 1, u[i-1] + 1, select(i == 2, u[i-1] * 2, 7.0))
)");
  t.set("n", 3).in("u", {1, 2, 3}).run();
  EXPECT_EQ(t.out("v"), (Values{7, 2, 4}));
}

TEST(Errors, ReadOutOfRange) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: n, j: n]
  output v: f64[i: n, j: n]
  lap: for i in 0..n, j in 0..n: v[i, j] = u[i, j+1]
)");
  t.set("n", 2).in("u", {1, 2, 3, 4});
  EXPECT_EQ(t.error(), R"(error: statement 'lap' reads 'u' at [0, 2], but u covers [0..2, 0..2]
  --> test.lathe:4:44
   |
 4 |   lap: for i in 0..n, j in 0..n: v[i, j] = u[i, j+1]
   |                                            ^^^^^^^^^
  note: at i = 0, j = 1
  help: shrink the domain of the statement, or say what lies outside: u[...; zero], clamp, wrap, mirror or value v
)");
}

TEST(Errors, InsideReductionsAndTrusted) {
  TextRun t(R"(program p(n: size)
  input u: f64[i: n]
  output v: f64[i: n]
  for i in 0..n: v[i] = sum k in 0..3: u[i + k; trusted]
)");
  t.set("n", 4).in("u", {1, 2, 3, 4});
  EXPECT_EQ(t.error(true), R"(error: statement 'v' reads 'u' at [4], but u covers [0..4]
  --> test.lathe:4:40
   |
 4 |   for i in 0..n: v[i] = sum k in 0..3: u[i + k; trusted]
   |                                        ^^^^^^^^^^^^^^^^^
  note: at i = 2, k = 2
  help: 'trusted' promises that the index is inside; correct the index or drop the promise
)");
  EXPECT_EQ(t.run().out("v"), (Values{6, 9, 7, 4}));
}

TEST(Errors, Writes) {
  TextRun t(R"(program p(n: size)
  input at: i64[i: n]
  output v: f64[i: n]
  for i in 0..n: v[at[i]] = 1.0
)");
  t.set("n", 2).in("at", {1, 5});
  EXPECT_EQ(t.error(), R"(error: statement 'v' writes 'v' at [5], but v covers [0..2]
  --> test.lathe:4:3
   |
 4 |   for i in 0..n: v[at[i]] = 1.0
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  note: at i = 1
  help: shrink the domain of the statement, or declare a larger range for v
)");
  t.in("at", {1, 1});
  EXPECT_EQ(t.error(), "no error");
  EXPECT_EQ(t.error(true), R"(error: statement 'v' writes 'v' at [1] twice
  --> test.lathe:4:3
   |
 4 |   for i in 0..n: v[at[i]] = 1.0
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: let each point write an element of its own, or accumulate: += max= ...
)");
}

TEST(Errors, Unwritten) {
  TextRun t(R"(program p(n: size)
  temp u: f64[i: n]
  output v: f64[i: n]
  for i in 1..n: u[i] = 1.0
  for i in 0..n: v[i] = u[i]
)");
  t.set("n", 3);
  EXPECT_EQ(t.error(), "no error");
  EXPECT_EQ(t.error(true), R"(error: statement 'v' reads 'u' at [0], which nothing has written
  --> test.lathe:5:25
   |
 5 |   for i in 0..n: v[i] = u[i]
   |                         ^^^^
  note: at i = 0
  help: write it in an earlier statement, or shrink the domain of this one
)");
}

TEST(Errors, IntegerDivision) {
  TextRun t(R"(program p(n: size)
  input u: i32[i: n]
  output v: i32[i: n]
  output w: i32[i: n]
  for i in 0..n: v[i] = 7 // u[i]
  for i in 0..n: w[i] = u[i] ** (u[i] - 1)
)");
  t.set("n", 3).in("u", {2, 0, 1});
  EXPECT_EQ(t.run().out("v"), (Values{3, 0, 7}));
  EXPECT_EQ(t.out("w"), (Values{2, 0, 1}));
  EXPECT_EQ(t.error(true), R"(error: statement 'v' divides by zero in '7 // u[i]'
  --> test.lathe:5:25
   |
 5 |   for i in 0..n: v[i] = 7 // u[i]
   |                         ^^^^^^^^^
  note: at i = 1
  help: guard it: select(b != 0, a // b, 0); without checking the result is 0
)");
}

TEST(Errors, WhileCap) {
  TextRun t(R"(program p(n: size)
  inout u: i64[i: n]
  spin: for i in 0..n while u[i] > 0:
    for i in 0..n: u[i] = u[i] - 1
)");
  t.set("n", 3).in("u", {2, 9, 3});
  Options options;
  options.while_cap = 4;
  EXPECT_EQ(t.error(options), R"(error: 'spin' is still on at i = 1 after 4 rounds
  --> test.lathe:3:9
   |
 3 |   spin: for i in 0..n while u[i] > 0:
   |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: make its condition false at some time, or allow more rounds: --while-cap N
)");
}

TEST(Errors, LocalsThatNothingHasWritten) {
  TextRun t(R"(program p(n: size)
  output v: f64[i: n]
  for i in 0..n:
    local s: f64
    where i != 2: s = 1
    v[i] = s + 1
)");
  EXPECT_EQ(t.set("n", 4).run().out("v"), (Values{2, 2, 1, 2}));
  EXPECT_EQ(t.error(true), R"(error: statement 'v' reads local 's', which nothing has written
  --> test.lathe:6:12
   |
 6 |     v[i] = s + 1
   |            ^
  note: at i = 2
  help: write it in an earlier statement, or shrink the domain of this one
)");
  TextRun sum(R"(program p(n: size)
  output v: f64[i: n]
  for i in 0..n:
    local s: f64
    s += 1
    v[i] = s
)");
  EXPECT_TRUE(sum.set("n", 4).error(true).starts_with(
      "error: statement 's' reads local 's', which nothing has written\n"));
}

// The loop of a while, as passes/lower_masks writes it.
TEST(Errors, CappedRepeat) {
  TextRun t(R"(program p(n: size)
  inout u: i64[i: n]
  temp on: bool[i: n]
  temp some: bool
  for i in 0..n: on[i] = true
  spin: repeat r in 0..6 capped on until not some:
    for i in 0..n where on[i]: u[i] = u[i] - 1
    for i in 0..n: on[i] = on[i] and u[i] > 0
    for i in 0..n: fresh some or= on[i]
)");
  t.set("n", 3).in("u", {2, 9, 3});
  Options options;
  options.while_cap = 4;
  EXPECT_EQ(t.error(options), R"(error: 'spin' is still on at i = 1 after 4 rounds
  --> test.lathe:6:9
   |
 6 |   spin: repeat r in 0..6 capped on until not some:
   |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: make its condition false at some time, or allow more rounds: --while-cap N
)");
  t.in("u", {2, 9, 3});
  EXPECT_TRUE(t.error().starts_with("error: 'spin' is still on at i = 1 after 6 rounds\n"));
  t.in("u", {2, 6, 3});
  EXPECT_EQ(t.run().out("u"), (Values{0, 0, 0}));
}

TEST(Errors, BothSidesOfABranch) {
  TextRun t(R"(program p(n: size)
  inout u: f64[i: n]
  b: for i in 0..n if i > 0:
    for i in 0..n: u[i - 1] = 1.0
  else:
    for i in 0..n: u[i] = 2.0
)");
  t.set("n", 2).in("u", {1, 2});
  EXPECT_EQ(t.error(true).substr(0, 52), "error: both sides of 'b' write 'u' at [0]\n  --> test");
}

TEST(Errors, ConditionsOfBranches) {
  for (const char* kind : {"if", "while"}) {
    TextRun t(std::string("program p(n: size)\n  inout u: f64[i: n]\n  b: for i in 0..n ") + kind +
              " u[i+1] > 0:\n    for i in 0..n: u[i] = 0.0\n");
    t.set("n", 2).in("u", {1, 2});
    EXPECT_EQ(t.error().substr(0, 64),
              "error: statement 'b' reads 'u' at [2], but u covers [0..2]\n  -->");
  }
}

TEST(Errors, Binding) {
  TextRun t(R"(program p(n: size, a: f64)
  input u: f64[i: n, j: -1..n]
  output v: f64[i: n]
  for i in 0..n: v[i] = a * u[i, -1]
)");
  EXPECT_EQ(t.error(), R"(error: size 'n' has no value
  --> test.lathe:1:11
   |
 1 | program p(n: size, a: f64)
   |           ^^^^^^^
  help: give it one: --set n=...
)");
  t.set("n", -1);
  EXPECT_EQ(t.error(), R"(error: size 'n' is -1, but a size is never negative
  --> test.lathe:1:11
   |
 1 | program p(n: size, a: f64)
   |           ^^^^^^^
  help: give it a value of 0 or more
)");
  t.set("n", 2).set("a", 2);
  EXPECT_EQ(t.error(), R"(error: parameter 'a' is f64, but its value is i64
  --> test.lathe:1:20
   |
 1 | program p(n: size, a: f64)
   |                    ^^^^^^
  help: convert the value
)");
  t.set("a", ir::Scalar::of_double(ir::DType::F64, 2));
  EXPECT_EQ(t.error(), R"(error: input 'u' is missing
  --> test.lathe:2:9
   |
 2 |   input u: f64[i: n, j: -1..n]
   |         ^
  help: give an array f64[0..n, -1..n] = f64[0..2, -1..2]
)");
  t.state.arrays["u"] = make_buffer(ir::DType::F32, {0, -1}, {2, 2});
  EXPECT_EQ(t.error(), R"(error: input 'u' is declared f64, but the array given is f32
  --> test.lathe:2:9
   |
 2 |   input u: f64[i: n, j: -1..n]
   |         ^
  help: convert the array, or change the declaration
)");
  t.state.arrays["u"] = make_buffer(ir::DType::F64, {0, 0}, {2, 2});
  EXPECT_EQ(
      t.error(),
      R"(error: input 'u' is declared over [0..n, -1..n] = [0..2, -1..2], but the array given covers [0..2, 0..2]
  --> test.lathe:2:9
   |
 2 |   input u: f64[i: n, j: -1..n]
   |         ^
  help: give an array of that range, or other sizes
)");
  EXPECT_FALSE(t.state.arrays.contains("v"));
  t.set("n", std::int64_t{1} << 40);
  EXPECT_EQ(
      t.error(),
      R"(error: input 'u' over [0..n, -1..n] = [0..1099511627776, -1..1099511627776] needs 8 bytes * 1099511627776 * (1099511627776 - -1), which does not fit in 64 bits
  --> test.lathe:2:9
   |
 2 |   input u: f64[i: n, j: -1..n]
   |         ^
  help: use smaller sizes
)");
}

}  // namespace
}  // namespace lathe::interp
