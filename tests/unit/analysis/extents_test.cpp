// SPDX-License-Identifier: Apache-2.0
// Regions of extended temporaries.

#include "analysis/extents.h"

#include "unit/analysis/parse.h"

namespace lathe::analysis {
namespace {

// "label: i in lo..hi, ...; array: ..." of what changes, or the error.
std::string extents(std::string_view text) {
  const ir::Program program = parse(text);
  Diagnostics diagnostics;
  const auto result = compute_extents(program, diagnostics);
  if (!result) return render_text(diagnostics, *program.sources);
  std::string out;
  for (const auto& item : result->items) {
    out += std::string(item.label.text()) + ":";
    for (const ir::Range& r : item.ranges)
      out += " " + std::string(r.variable.text()) + " " + ir::print(r.lo) + ".." + ir::print(r.hi);
    out += "\n";
  }
  for (const auto& array : result->arrays) {
    out += "temp " + std::string(array.array.text()) + ":";
    for (const ir::Axis& a : array.axes) out += " " + ir::print(a.lo) + ".." + ir::print(a.hi);
    out += "\n";
  }
  return out;
}

TEST(Extents, Document004) {
  EXPECT_EQ(extents("program domain(ni: size, nj: size, nk: size)\n"
                    "  temp u: f64[i: ni, j: nj, k: nk] extended\n"
                    "  output b: f64[i: ni, j: nj, k: nk]\n"
                    "  for i in 0..ni, j in 0..nj, k in 0..nk: u[i, j, k] = 1\n"
                    "  for i in 0..ni, j in 0..nj, k in 0..nk:\n"
                    "    b[i, j, k] = u[i-2, j, k] + u[i+1, j, k] + u[i, j-1, k] + u[i, j-2, k]\n"),
            "u: i -2..ni+1 j -2..nj k 0..nk\n"
            "temp u: -2..ni+1 -2..nj 0..nk\n");
}

TEST(Extents, ChainsAddUp) {
  EXPECT_EQ(extents("program p(n: size)\n"
                    "  input u: f64[i: -9..n+9]\n"
                    "  temp s: f64[i: n] extended\n"
                    "  temp t: f64[i: n] extended\n"
                    "  output v: f64[i: n]\n"
                    "  for i in 0..n: s[i] = u[i-1] + u[i+1]\n"
                    "  for i in 0..n: t[i] = s[i-1] + s[i+2]\n"
                    "  for i in 0..n: v[i] = t[i+1] + select(i > 3, t[i-3], 0)\n"),
            "s: i -1..n+3\n"
            "t: i 0..n+1\n"
            "temp s: -1..n+3\n"
            "temp t: 0..n+1\n");
}

TEST(Extents, ReusedNameStopsAtTheWrite) {
  EXPECT_EQ(extents("program p(n: size)\n"
                    "  input u: f64[i: -9..n+9]\n"
                    "  temp t: f64[i: n] extended\n"
                    "  output v: f64[i: n]\n"
                    "  a: for i in 0..n: t[i] = u[i]\n"
                    "  b: for i in 0..n: v[i] = t[i]\n"
                    "  c: for i in 0..n: t[i] = u[i]\n"
                    "  d: for i in 0..n: v[i] = t[i-4]\n"),
            "c: i -4..n\n"
            "temp t: -4..n\n");
}

TEST(Extents, IntervalsAreNotWidened) {
  EXPECT_EQ(extents("program p(n: size, m: size)\n"
                    "  temp t: f64[i: n, k: m] extended\n"
                    "  output v: f64[i: n, k: m]\n"
                    "  a: for i in 0..n, k in 0..1: t[i, k] = 1\n"
                    "  b: for i in 0..n, k in 1..m: t[i, k] = 2\n"
                    "  for i in 0..n, k in 1..m: v[i, k] = t[i-1, k-1]\n"),
            "a: i -1..n k 0..1\n"
            "b: i -1..n k 1..m\n"
            "temp t: -1..n 0..m\n");
}

TEST(Extents, BranchesWidenTheirMask) {
  EXPECT_EQ(extents("program eddie(n: size)\n"
                    "  input f: f64[i: -1..n]\n"
                    "  inout io: f64[i: -1..n]\n"
                    "  temp t: f64[i: n] extended\n"
                    "  br: for i in 0..n if f[i] > 0:\n"
                    "    for i in 0..n: t[i] = io[i]\n"
                    "    for i in 0..n: io[i] = t[i-1]\n"),
            "br: i -1..n\n"
            "t: i -1..n\n"
            "temp t: -1..n\n");
}

TEST(Extents, SweepsReadingTheirOwnPlane) {
  EXPECT_EQ(extents("program p(n: size, m: size)\n"
                    "  input u: f64[i: -9..n+9, k: m]\n"
                    "  temp t: f64[i: n, k: m] extended\n"
                    "  temp s: f64[i: n] extended\n"
                    "  output v: f64[i: n, k: m]\n"
                    "  forward k in 0..m:\n"
                    "    for i in 0..n: s[i] = u[i, k]\n"
                    "    for i in 0..n: t[i, k] = s[i-1]\n"
                    "    for i in 0..n: v[i, k] = t[i+2, k] + s[i]\n"),
            "s: i -1..n+1\n"
            "t: i 0..n+2\n"
            "temp t: 0..n+2 0..m\n"
            "temp s: -1..n+1\n");
}

TEST(Extents, GrowingRegionsAreRefused) {
  EXPECT_EQ(extents("program p(n: size, m: size)\n"
                    "  temp t: f64[i: n, k: m] extended\n"
                    "  output v: f64[i: n, k: m]\n"
                    "  for i in 0..n: t[i, 0] = 1\n"
                    "  down: forward k in 1..m:\n"
                    "    step: for i in 0..n: t[i, k] = t[i-1, k-1]\n"
                    "  for i in 0..n, k in 0..m: v[i, k] = t[i, k]\n"),
            "error: the region of extended temporary 't' would grow with each iteration of 'down'\n"
            "  --> test.lathe:5:9\n"
            "   |\n"
            " 5 |   down: forward k in 1..m:\n"
            "   |         ^^^^^^^^^^^^^^^^^\n"
            "  help: declare 't' without 'extended' and write it on the range that is needed, or "
            "read it at the same point\n");
  const std::string text = extents(
      "program p(n: size)\n"
      "  input u: f64[i: n]\n"
      "  temp t: f64[i: n] extended\n"
      "  output v: f64[i: n]\n"
      "  a: for i in 0..n: t[i] = 1\n"
      "  many: repeat r in 0..9:\n"
      "    b: for i in 0..n: t[i] = t[i-1] + t[i+1]\n"
      "  for i in 0..n: v[i] = t[i]\n");
  EXPECT_NE(text.find("would grow with each iteration of 'many'"), std::string::npos) << text;
}

TEST(Extents, RepeatsAtTheSamePointAreFine) {
  EXPECT_EQ(extents("program p(n: size)\n"
                    "  temp t: f64[i: n] extended\n"
                    "  output v: f64[i: n]\n"
                    "  a: for i in 0..n: t[i] = 1\n"
                    "  repeat r in 0..9:\n"
                    "    b: for i in 0..n: t[i] = 2 * t[i]\n"
                    "  for i in 0..n: v[i] = t[i+1]\n"),
            "a: i 0..n+1\n"
            "b: i 0..n+1\n"
            "temp t: 0..n+1\n");
}

}  // namespace
}  // namespace lathe::analysis
