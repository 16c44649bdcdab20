// SPDX-License-Identifier: Apache-2.0
// Full messages of provable mistakes, and silence about what may run well.

#include "analysis/check_access.h"

#include "unit/analysis/parse.h"

namespace lathe::analysis {
namespace {

std::string errors(std::string_view text) {
  const ir::Program program = parse(text);
  Diagnostics diagnostics;
  const bool good = check_access(program, diagnostics);
  EXPECT_EQ(good, !diagnostics.has_errors());
  return render_text(diagnostics, *program.sources);
}

TEST(CheckAccess, ReadPastTheEnd) {
  EXPECT_EQ(errors("program p(n: size)\n"
                   "  input u: f64[i: n]\n"
                   "  output lap: f64[i: n]\n"
                   "  for i in 0..n: lap[i] = u[i] - u[i+1]\n"),
            "error: statement 'lap' reads 'u' at i+1 up to n, but axis 'i' is 0..n\n"
            "  --> test.lathe:4:34\n"
            "   |\n"
            " 4 |   for i in 0..n: lap[i] = u[i] - u[i+1]\n"
            "   |                                  ^^^^^^\n"
            "  note: 'u' is declared here\n"
            "  --> test.lathe:2:9\n"
            "   |\n"
            " 2 |   input u: f64[i: n]\n"
            "   |         ^\n"
            "  help: shrink the range of i to 0..n-1, or read with a policy: u[i+1; clamp]\n");
}

TEST(CheckAccess, ReadBeforeTheBeginning) {
  const std::string text = errors(
      "program p(n: size, m: size)\n"
      "  input u: f64[i: n, j: m]\n"
      "  output v: f64[i: n, j: m]\n"
      "  for i in 1..n, j in 0..m: v[i, j] = u[i-1, j-2]\n");
  EXPECT_NE(text.find("reads 'u' at j-2 from -2, but axis 'j' is 0..m\n"), std::string::npos)
      << text;
  EXPECT_NE(
      text.find("help: shrink the range of j to 2..m, or read with a policy: u[i-1, j-2; clamp]"),
      std::string::npos)
      << text;
}

TEST(CheckAccess, WriteOutside) {
  const std::string text = errors(
      "program p(n: size)\n"
      "  output v: f64[i: n]\n"
      "  for i in 0..n: v[i+1] = 1\n");
  EXPECT_NE(text.find("statement 'v' writes 'v' at i+1 up to n, but axis 'i' is 0..n\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("help: shrink the range of i to 0..n-1, or declare axis 'i' as 0..n+1"),
            std::string::npos)
      << text;
}

TEST(CheckAccess, ReadsInBoundsGuardsAndReductions) {
  const std::string text = errors(
      "program p(n: size)\n"
      "  input ptr: i64[v: n]\n"
      "  input w: f64[e: 10]\n"
      "  output r: f64[v: n]\n"
      "  for v in 0..n: r[v] = sum e in ptr[v]..ptr[v+1]: w[e]\n");
  EXPECT_NE(text.find("reads 'ptr' at v+1 up to n, but axis 'v' is 0..n\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("'w'"), std::string::npos) << text;
}

TEST(CheckAccess, QuietWhereItMayRunWell) {
  EXPECT_EQ(
      errors("program p(n: size, m: size, k: i64)\n"
             "  input u: f64[i: n]\n"
             "  input idx: i64[i: n]\n"
             "  input halo: f64[i: -1..n+1]\n"
             "  input four: f64[i: 4]\n"
             "  output v: f64[i: n]\n"
             "  output w: f64[i: m]\n"
             "  for i in 0..n: v[i] = select(i > 0, u[i-1], 0) + gate(i + 1 < n, u[i+1])\n"
             "  a: for i in 0..n: v[i] = u[i-1; zero] + u[i+1; wrap] + halo[i-1] + halo[i+1]\n"
             "  b: for i in 1..n where i < n-1: v[i] = u[i+1] + u[i-1]\n"
             "  c: for i in 0..n: v[i] = select(inside u[i+1], u[i+1], 0)\n"
             "  d: for i in 0..m: w[i] = u[i]\n"
             "  e: for i in 0..n: v[i] = u[idx[i]] + u[i + k]\n"
             "  f: for i in 0..n: v[i] = four[i]\n"
             "  g: for i in 0..n where idx[i] > 0: v[i] = u[i+1]\n"
             "  h: for i in 0..n: v[i] = u[n - 1 - i]\n"
             "  when k > 3:\n"
             "    l: for i in 0..n: v[i] = select(k < 0, u[i+7], 1)\n"),
      "");
}

TEST(CheckAccess, DoubleWrites) {
  EXPECT_EQ(errors("program p(n: size, m: size)\n"
                   "  input u: f64[i: n, j: m]\n"
                   "  output a: f64[i: n]\n"
                   "  for i in 0..n, j in 0..m: a[i] = u[i, j]\n"),
            "error: statement 'a' writes 'a[i]' more than once: every j writes the same element\n"
            "  --> test.lathe:4:3\n"
            "   |\n"
            " 4 |   for i in 0..n, j in 0..m: a[i] = u[i, j]\n"
            "   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "  help: accumulate: fresh a[i] += ..., or add an axis for j\n");
  const std::string halves = errors(
      "program p(n: size)\n"
      "  output a: f64[i: n]\n"
      "  for i in 0..n: a[i // 2] = 1\n");
  EXPECT_NE(halves.find("writes 'a[i // 2]' more than once: several points have the same index"),
            std::string::npos)
      << halves;
}

TEST(CheckAccess, NoDoubleWrites) {
  EXPECT_EQ(errors("program p(n: size, m: size)\n"
                   "  input p: i64[i: n]\n"
                   "  output a: f64[i: n]\n"
                   "  output b: f64[i: 2*n]\n"
                   "  output c: f64[i: n, j: m]\n"
                   "  for i in 0..n, j in 3..4: a[i] = 1\n"
                   "  r: for i in 0..n: a[n - 1 - i] = 1\n"
                   "  for i in 0..n: b[2*i + 1] = 1\n"
                   "  s: for i in 0..n: a[p[i]] = 1\n"
                   "  t: for i in 0..n, j in 0..m: a[i] += 1\n"
                   "  for i in 0..n, j in 0..m where j == i: c[i, j] = 1\n"
                   "  u: for i in 0..n, j in 0..m where j == 0: a[i] = 1\n"
                   "  forward k in 0..m:\n"
                   "    x: for i in 0..n: a[i] = 2\n"),
            "");
}

TEST(CheckAccess, TemporariesReadWhereNothingWrote) {
  EXPECT_EQ(errors("program p(n: size)\n"
                   "  input u: f64[i: n]\n"
                   "  temp t: f64[i: -1..n]\n"
                   "  output v: f64[i: n]\n"
                   "  for i in 0..n: t[i] = u[i]\n"
                   "  for i in 0..n: v[i] = t[i-1]\n"),
            "error: statement 'v' reads temporary 't[i-1]' where nothing wrote it before\n"
            "  --> test.lathe:6:25\n"
            "   |\n"
            " 6 |   for i in 0..n: v[i] = t[i-1]\n"
            "   |                         ^^^^^^\n"
            "  help: write 't' on the whole range that is read, or guard the read\n");
  const std::string text = errors(
      "program p(n: size, m: size)\n"
      "  input u: f64[i: n, j: m]\n"
      "  temp t: f64[i: n]\n"
      "  output v: f64[i: n]\n"
      "  for i in 0..n, j in 0..m: t[i] += u[i, j]\n"
      "  for i in 0..n: v[i] = t[i]\n");
  EXPECT_NE(text.find("accumulates into temporary 't[i]' where nothing wrote it before"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("help: start it with 'fresh', or set it first"), std::string::npos) << text;
}

TEST(CheckAccess, TemporariesWrittenInPiecesOrLoops) {
  EXPECT_EQ(errors("program p(n: size, m: size)\n"
                   "  input u: f64[i: n, k: m]\n"
                   "  temp t: f64[i: n]\n"
                   "  temp s: f64[i: n, k: m]\n"
                   "  temp r: f64[i: n]\n"
                   "  output v: f64[i: n]\n"
                   "  for i in 0..1: t[i] = 0\n"
                   "  for i in 1..n: t[i] = 1\n"
                   "  for i in 0..n: v[i] = t[i]\n"
                   "  for i in 0..n: s[i, 0] = 0\n"
                   "  forward k in 1..m:\n"
                   "    for i in 0..n: s[i, k] = s[i, k-1] + u[i, k]\n"
                   "  for i in 0..n, k in 0..m: fresh r[i] += s[i, k]\n"
                   "  for i in 0..n: v[i] = r[i]\n"),
            "");
}

TEST(CheckAccess, ManyStatementsNeedNoIsl) {
  std::string text =
      "program p(n: size)\n  input u: f64[i: n]\n  output v: f64[i: n]\n  temp t: f64[i: n]\n"
      "  for i in 0..n: t[i] = u[i]\n";
  for (int k = 0; k < 500; ++k) text += "  for i in 1..n-1: v[i] = u[i-1] + t[i+1] + t[i-1]\n";
  const ir::Program program = parse(text);
  Diagnostics diagnostics;
  SetQuery query;
  EXPECT_TRUE(check_access(program, diagnostics, query));
  EXPECT_FALSE(query.isl_started());
}

}  // namespace
}  // namespace lathe::analysis
