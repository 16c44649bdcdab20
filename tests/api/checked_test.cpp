// SPDX-License-Identifier: Apache-2.0
// What a checked build finds, in full, and that the interpreter, the loops and the code of both C
// compilers say it in the same words.

#include <gtest/gtest.h>

#include <cstring>

#include "api/compiled.h"
#include "api/examples.h"
#include "device/host/temporary_folder.h"
#include "interp/loops_interpreter.h"
#include "unit/interp/run_text.h"

namespace lathe::testing {
namespace {

using interp::TextRun;

class Checked : public ::testing::Test {
 protected:
  // What the interpreter says; all others must agree.
  std::string said(TextRun& run) {
    const interp::State start = run.state;
    const auto text_of = [&](auto&& f) -> std::string {
      run.state = start;
      try {
        f();
      } catch (const UserError& e) {
        return render_text(e.diagnostic(), *run.program().sources);
      }
      return "no error";
    };
    const std::string wanted = text_of([&] { run.run_checked(); });
    for (const char* compiler : {"gcc", "clang"}) {
      host::CacheSettings settings;
      settings.folder = folder_.path();
      settings.compiler.program = compiler;
      host::Cache cache(settings);
      api::CompileOptions options;
      options.checked = true;
      options.cache = &cache;
      api::Compiled compiled(run.program(), options);
      if (compiled.is_interpreted()) continue;
      EXPECT_EQ(text_of([&] { compiled.run(run.state); }), wanted) << compiler;
      const loops::Kernel& kernel = compiled.variant(compiled.plain_key()).kernel;
      EXPECT_EQ(text_of([&] { interp::run(kernel, run.state, {}); }), wanted) << "loops";
    }
    run.state = start;
    return wanted;
  }

  host::TemporaryFolder folder_{"checked"};
};

TEST_F(Checked, ATemporaryThatNobodyWrote) {
  TextRun run(R"(program holes(n: size)
  input  u: f64[i: n]
  temp   t: f64[i: n]
  output v: f64[i: n]

  for i in 0..n where u[i] > 2: t[i] = u[i]
  for i in 0..n: v[i] = select(u[i] > 1, t[i], 0)
)");
  run.set("n", 4).in("u", {0, 2, 3, 4});
  EXPECT_EQ(said(run),
            "error: statement 'v' reads 't' at [1], which nothing has written\n"
            "  --> test.lathe:7:42\n"
            "   |\n"
            " 7 |   for i in 0..n: v[i] = select(u[i] > 1, t[i], 0)\n"
            "   |                                          ^^^^\n"
            "  note: at i = 1\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
  run.in("u", {0, 1, 3, 4});
  EXPECT_EQ(said(run), "no error");
}

TEST_F(Checked, AnOutputThatNobodyWrote) {
  TextRun run(R"(program shifted(n: size)
  input  u: f64[i: n]
  output v: f64[i: n]
  output w: f64[i: n]

  for i in 1..n: v[i] = u[i]
  for i in 0..n: w[i] = 2 * v[n-1 - i]
)");
  run.set("n", 3).in("u", {1, 2, 3});
  EXPECT_EQ(said(run),
            "error: statement 'w' reads 'v' at [0], which nothing has written\n"
            "  --> test.lathe:7:29\n"
            "   |\n"
            " 7 |   for i in 0..n: w[i] = 2 * v[n-1 - i]\n"
            "   |                             ^^^^^^^^^^\n"
            "  note: at i = 2\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
}

TEST_F(Checked, AScalarThatWasSkipped) {
  TextRun run(R"(program skipped(n: size)
  temp   s: f64
  output v: f64[i: n]

  when n > 3: s = 1
  for i in 0..n: v[i] = s
)");
  run.set("n", 3);
  EXPECT_EQ(said(run),
            "error: statement 'v' reads 's', which nothing has written\n"
            "  --> test.lathe:6:25\n"
            "   |\n"
            " 6 |   for i in 0..n: v[i] = s\n"
            "   |                         ^\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
  run.set("n", 4);
  EXPECT_EQ(said(run), "no error");
}

TEST_F(Checked, AnAccumulationIntoNothing) {
  TextRun run(R"(program sums(n: size)
  input  u: f64[i: n, j: n]
  output v: f64[i: n]

  for i in 1..n: v[i] = 0
  for i in 0..n, j in 0..n: v[i] += u[i, j]
)");
  run.set("n", 2).in("u", {1, 2, 3, 4});
  EXPECT_EQ(said(run),
            "error: statement 'v.1' reads 'v' at [0], which nothing has written\n"
            "  --> test.lathe:6:3\n"
            "   |\n"
            " 6 |   for i in 0..n, j in 0..n: v[i] += u[i, j]\n"
            "   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
}

TEST_F(Checked, PointsThatMeet) {
  const char* const text = R"(program scatter(n: size)
  input  p: i64[i: n]
  inout  w: f64[i: n]

  forward k in 0..2:
    for i in 0..n where i % 3 != 2 or k == 1: w[p[i]] = i + k
)";
  TextRun run(text);
  // The two runs of the statement may meet, the points of one may not.
  run.set("n", 3).in("p", {0, 2, 0}).in("w", {0, 0, 0});
  EXPECT_EQ(said(run),
            "error: statement 'w' writes 'w' at [0] twice\n"
            "  --> test.lathe:6:5\n"
            "   |\n"
            " 6 |     for i in 0..n where i % 3 != 2 or k == 1: w[p[i]] = i + k\n"
            "   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "  help: let each point write an element of its own, or accumulate: += max= ...\n");
  run.in("p", {0, 2, 1});
  EXPECT_EQ(said(run), "no error");
}

// Indices of any integer dtype; the point is told, also of accumulations and in rounds of a sweep.
TEST_F(Checked, ATargetThatIsNotThere) {
  for (const char* op : {"=", "+="}) {
    TextRun run(std::string(R"(program scatter(n: size)
  input  p: i32[i: n]
  inout  w: f64[i: n]

  forward k in 0..2:
    for i in 0..n: w[p[i] + k] )") +
                op + " 1\n");
    run.set("n", 3).in("p", {0, 2, 1}).in("w", {0, 0, 0});
    EXPECT_EQ(said(run),
              "error: statement 'w' writes 'w' at [3], but w covers [0..3]\n"
              "  --> test.lathe:6:5\n"
              "   |\n"
              " 6 |     for i in 0..n: w[p[i] + k] " +
                  std::string(op) + " 1\n   |     " + std::string(29 + std::strlen(op), '^') +
                  "\n"
                  "  note: at i = 1, k = 1\n"
                  "  help: shrink the domain of the statement, or declare a larger range for w\n");
  }
}

TEST_F(Checked, APromiseThatIsBroken) {
  TextRun run(R"(program promised(n: size)
  input  p: i64[i: n]
  input  u: f64[i: n]
  output v: f64[i: n]

  for i in 0..n: v[i] = u[p[i]; trusted]
)");
  run.set("n", 2).in("p", {1, 2}).in("u", {1, 2});
  EXPECT_EQ(said(run),
            "error: statement 'v' reads 'u' at [2], but u covers [0..2]\n"
            "  --> test.lathe:6:25\n"
            "   |\n"
            " 6 |   for i in 0..n: v[i] = u[p[i]; trusted]\n"
            "   |                         ^^^^^^^^^^^^^^^^\n"
            "  note: at i = 1\n"
            "  help: 'trusted' promises that the index is inside; correct the index or drop the "
            "promise\n");
}

TEST_F(Checked, InsideOfASum) {
  TextRun run(R"(program inner(n: size)
  input  p: i64[i: n]
  temp   t: f64[i: n]
  output v: f64[i: 2]

  for i in 1..n: t[i] = i
  for i in 0..2: v[i] = sum j in 0..n where j > i: t[p[j]] + t[j]
)");
  run.set("n", 3).in("p", {2, 1, 0});
  EXPECT_EQ(said(run),
            "error: statement 'v' reads 't' at [0], which nothing has written\n"
            "  --> test.lathe:7:52\n"
            "   |\n"
            " 7 |   for i in 0..2: v[i] = sum j in 0..n where j > i: t[p[j]] + t[j]\n"
            "   |                                                    ^^^^^^^\n"
            "  note: at i = 0, j = 2\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
}

TEST_F(Checked, MapsRotateWithTheirArrays) {
  TextRun run(R"(program rotated(n: size, steps: size)
  temp   a: f64[i: n]
  temp   b: f64[i: n]
  output v: f64[i: n]

  for i in 0..n: a[i] = i
  repeat t in 0..steps rotate a, b:
    for i in 0..n where t > 0 or i > 0: b[i] = 2 * a[i]
  for i in 0..n: v[i] = a[i]
)");
  run.set("n", 2).set("steps", 1);
  EXPECT_EQ(said(run),
            "error: statement 'v' reads 'a' at [0], which nothing has written\n"
            "  --> test.lathe:9:25\n"
            "   |\n"
            " 9 |   for i in 0..n: v[i] = a[i]\n"
            "   |                         ^^^^\n"
            "  note: at i = 0\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
  run.set("steps", 0);
  EXPECT_EQ(said(run), "no error");
}

TEST_F(Checked, CallsNeedAllOfTheirInputs) {
  TextRun run(R"(program sorted(n: size)
  temp   t: f64[i: n]
  temp   s: f64[i: n]
  output v: f64[i: n]

  for i in 1..n: t[i] = 0 - i
  call sort(t) -> s
  for i in 0..n: v[i] = s[i]
)");
  run.set("n", 2);
  EXPECT_EQ(said(run),
            "error: statement 'call.0' reads 't' at [0], which nothing has written\n"
            "  --> test.lathe:7:3\n"
            "   |\n"
            " 7 |   call sort(t) -> s\n"
            "   |   ^^^^^^^^^^^^^^^^^\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
}

TEST_F(Checked, ExtentsThatAreComputed) {
  TextRun run(R"(program picked(n: size)
  input  m: bool[i: n]
  temp   c: i64
  temp   p: i64[i: c]
  temp   q: i64[i: c]
  output v: i64[i: n]

  call nonzero_count(m) -> c
  call nonzero(m) -> p
  for i in 1..c: q[i] = p[i]
  for i in 0..n where m[i]: v[i] = 0
  for i in 0..c: v[p[i]] = q[i] + 1
)");
  run.set("n", 4).in("m", {0, 1, 0, 1});
  EXPECT_EQ(said(run),
            "error: statement 'v.1' reads 'q' at [0], which nothing has written\n"
            "  --> test.lathe:12:28\n"
            "   |\n"
            "12 |   for i in 0..c: v[p[i]] = q[i] + 1\n"
            "   |                            ^^^^\n"
            "  note: at i = 0\n"
            "  help: write it in an earlier statement, or shrink the domain of this one\n");
  run.in("m", {0, 0, 0, 0});
  EXPECT_EQ(said(run), "no error");
}

TEST_F(Checked, FromThePublicHeader) {
  const Program p = program(R"(program scatter(n: size)
  input  p: i64[i: n]
  output w: f64[i: n]

  for i in 0..n: w[p[i]] = 1
)");
  CompileOptions options;
  options.checked = true;
  const Kernel k = p.compile(options);
  std::vector<std::int64_t> at = {1, 1};
  std::vector<double> w(2);
  const auto run = [&] {
    k.run({{"n", 2}}, {{"p", View(at.data(), {2})}, {"w", View(w.data(), {2})}});
  };
  EXPECT_EQ(refusal(run),
            "4 error: statement 'w' writes 'w' at [1] twice\n"
            "  --> test.lathe:5:3\n"
            "   |\n"
            " 5 |   for i in 0..n: w[p[i]] = 1\n"
            "   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "  help: let each point write an element of its own, or accumulate: += max= ...\n");
  at[0] = 0;
  run();
  EXPECT_EQ(w, (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace lathe::testing
