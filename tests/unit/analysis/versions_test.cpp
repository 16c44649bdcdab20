// SPDX-License-Identifier: Apache-2.0
#include "analysis/versions.h"

#include "unit/analysis/parse.h"

namespace lathe::analysis {
namespace {

std::string text(std::string_view program) { return to_text(versions(parse(program))); }

TEST(Versions, WholeWritesReplaceAndPartialOnesAdd) {
  EXPECT_EQ(text("program p(n: size)\n"
                 "  input u: f64[i: n]\n"
                 "  temp t: f64[i: n]\n"
                 "  inout v: f64[i: n]\n"
                 "  a: for i in 0..n: t[i] = u[i]\n"
                 "  b: for i in 1..n: t[i] = v[i]\n"
                 "  c: for i in 0..n: v[i] = t[i]\n"
                 "  d: for i in 0..n: t[i] = v[i]\n"
                 "  e: for i in 0..n: v[i] += t[i]\n"),
            "u: u given\n"
            "t: t.0 by a, t.1 by b, t.2 by d\n"
            "v: v given, v.0 by c, v.1 by e\n"
            "a reads u: u\n"
            "b reads v: v\n"
            "c reads t: t.0 t.1\n"
            "d reads v: v.0\n"
            "e reads t: t.2\n"
            "e reads v: v.0\n");
}

TEST(Versions, LoopsSeeTheirOwnWrites) {
  EXPECT_EQ(text("program p(n: size, m: size)\n"
                 "  input u: f64[i: n]\n"
                 "  temp t: f64[i: n]\n"
                 "  output v: f64[i: n]\n"
                 "  a: for i in 0..n: t[i] = u[i]\n"
                 "  repeat r in 0..m:\n"
                 "    b: for i in 0..n: v[i] = t[i]\n"
                 "    c: for i in 0..n: t[i] = v[i]\n"
                 "  d: for i in 0..n: v[i] = t[i]\n"),
            "u: u given\n"
            "t: t.0 by a, t.1 by c\n"
            "v: v.0 by b, v.1 by d\n"
            "a reads u: u\n"
            "b reads t: t.0 t.1\n"
            "c reads v: v.0\n"
            "d reads t: t.0 t.1\n");
}

TEST(Versions, BranchesLeaveBoth) {
  EXPECT_EQ(text("program p(n: size)\n"
                 "  input f: f64[i: n]\n"
                 "  output v: f64[i: n]\n"
                 "  output w: f64[i: n]\n"
                 "  z: for i in 0..n: v[i] = 0\n"
                 "  br: for i in 0..n if f[i] > 0:\n"
                 "    a: for i in 0..n: v[i] = 1\n"
                 "  c: for i in 0..n: w[i] = v[i]\n"),
            "f: f given\n"
            "v: v.0 by z, v.1 by a\n"
            "w: w.0 by c\n"
            "br reads f: f\n"
            "c reads v: v.0 v.1\n");
}

}  // namespace
}  // namespace lathe::analysis
