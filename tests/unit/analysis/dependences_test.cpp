// SPDX-License-Identifier: Apache-2.0
#include "analysis/dependences.h"

#include "unit/analysis/parse.h"

namespace lathe::analysis {
namespace {

std::string all(std::string_view text) {
  const ir::Program program = parse(text);  // owns the names in the answer
  SetQuery query;
  std::string out;
  for (const Dependence& d : dependences(program, query)) out += to_text(d) + "\n";
  return out;
}

TEST(Dependences, UniformDistances) {
  EXPECT_EQ(all("program p(n: size, m: size)\n"
                "  input u: f64[i: n, j: m]\n"
                "  temp t: f64[i: n, j: m]\n"
                "  output v: f64[i: n, j: m]\n"
                "  for i in 0..n, j in 0..m: t[i, j] = u[i, j]\n"
                "  for i in 1..n, j in 0..m: v[i, j] = t[i-1, j] + t[i, j]\n"
                "  w: for i in 0..n, j in 0..m: t[i, j] = 0\n"),
            "t.0 -> v: flow t i 0, j 0\n"
            "t.0 -> v: flow t i +1, j 0\n"
            "t.0 -> w: output t i 0, j 0\n"
            "v -> w: anti t i 0, j 0\n"
            "v -> w: anti t i -1, j 0\n");
}

TEST(Dependences, DisjointRegionsHaveNone) {
  EXPECT_EQ(all("program p(n: size)\n"
                "  output v: f64[i: 2*n]\n"
                "  a: for i in 0..n: v[i] = 1\n"
                "  b: for i in n..2*n: v[i] = 2\n"
                "  c: for i in 0..n: v[i + n] = 3\n"),
            "b -> c: output v where { n <= i < 2*n and 0 <= i' < n and i == i' + n }\n");
}

// A condition says nothing about what is read after its body has written it, even where the texts
// are the same; nor does the range of a loop.
TEST(Dependences, ConditionsHoldOnlyWhenTheyAreEvaluated) {
  const auto has = [&](const std::string& control, const std::string& dtype) {
    const std::string found = all("program p(n: size, k: i64)\n  inout c: " + dtype +
                                  "\n"
                                  "  input u: f64[i: n]\n"
                                  "  inout y: f64[i: n]\n"
                                  "  inout x: f64[i: n]\n" +
                                  control +
                                  "        first: for i in 0..n: y[i] = u[i]\n"
                                  "        then: for i in 0..n: x[i] = y[n-1-i]\n");
    return found.find("first -> then: flow y") != std::string::npos;
  };
  EXPECT_TRUE(has("  when c == k:\n    c = c + 1\n    when c != k:\n", "i64"));
  EXPECT_TRUE(
      has("  forward t in 0..n:\n    when c[t] == 0:\n      c[t] = 1\n"
          "      when c[t] != 0:\n",
          "i64[t: n]"));
  EXPECT_TRUE(has("  forward t in 0..c:\n    c = 0\n    when c < t:\n", "i64"));
  EXPECT_TRUE(has("  repeat t in 0..c:\n    c = 0\n    when c < t:\n", "i64"));
  EXPECT_FALSE(has("  when c == k:\n    when c != k:\n", "i64"));  // it never runs
}

// Long reads are cut short where they are shown, not where they are compared.
TEST(Dependences, LongReadsAreNotTheSame) {
  std::string sum = "d[i]";
  for (int k = 0; k < 9; ++k) sum += "+d[i]*d[" + std::to_string(k) + "]";
  const std::string guard =
      " where c[(" + sum + ") % n, 0] == k and c[(" + sum + ") % n, 1] != k: ";
  const std::string found =
      all("program p(n: size, k: i64)\n"
          "  input c: i64[i: n, j: 2]\n"
          "  input d: i64[i: n]\n"
          "  inout y: f64[i: n]\n"
          "  inout x: f64[i: n]\n"
          "  first: for i in 0..n" +
          guard +
          "y[i] = 1\n"
          "  then: for i in 0..n" +
          guard + "x[i] = y[n-1-i]\n");
  EXPECT_NE(found.find("first -> then: flow y"), std::string::npos) << found;
}

TEST(Dependences, RelationsAndUnknowns) {
  EXPECT_EQ(all("program p(n: size)\n"
                "  input x: i64[i: n]\n"
                "  temp t: f64[i: n]\n"
                "  output v: f64[i: n]\n"
                "  a: for i in 0..n: t[i] = 1\n"
                "  b: for i in 0..n: v[i] = t[n - 1 - i]\n"
                "  c: for i in 0..n: v[i] = t[x[i]]\n"),
            "a -> b: flow t where { 0 <= i < n and 0 <= i' < n and i == n - i' - 1 }\n"
            "a -> c: flow t unknown\n"
            "b -> c: output v i 0\n");
}

// The last point reads the element that it would read at i, too.
TEST(Dependences, PoliciesMoveReads) {
  EXPECT_EQ(all("program p(n: size)\n"
                "  temp t: f64[i: n]\n"
                "  output v: f64[i: n]\n"
                "  a: for i in 0..n: t[i] = 1\n"
                "  b: for i in 0..n: v[i] = t[i+1; clamp]\n"
                "  c: for i in 0..n: v[i] = t[i+1; zero]\n"),
            "a -> b: flow t unknown\n"
            "a -> c: flow t i -1\n"
            "b -> c: output v i 0\n");
}

TEST(Dependences, SweepsGoFromRoundToRound) {
  EXPECT_EQ(all("program p(n: size, m: size)\n"
                "  inout t: f64[i: n, k: m]\n"
                "  forward k in 1..m:\n"
                "    for i in 0..n: t[i, k] = t[i, k-1]\n"),
            "t -> t: flow t k +1, i 0\n");
  EXPECT_EQ(all("program p(n: size, m: size)\n"
                "  inout t: f64[i: n, k: m]\n"
                "  backward k in 1..m:\n"
                "    for i in 0..n: t[i, k] = t[i, k-1]\n"),
            "t -> t: anti t k -1, i 0\n");
}

// Rounds of two loops of one name have nothing to do with each other: what the first wrote in its
// last round is read in the first round of the second. In one loop no round reads what a later one
// writes.
TEST(Dependences, LoopsOfOneNameAreTwo) {
  const std::string head =
      "program p(n: size)\n  input u: f64[k: n]\n  temp t: f64[k: n]\n  output v: f64[k: n]\n"
      "  forward k in 0..n-2:\n    a: t[k+1] = u[k]\n";
  EXPECT_EQ(all(head + "  forward k in 0..n-3:\n    b: v[k] = t[k+2]\n"), "a -> b: flow t k -1\n");
  EXPECT_EQ(all(head + "    b: v[k] = t[k+2]\n"), "b -> a: anti t k +1\n");
}

TEST(Dependences, SamePointOnly) {
  const ir::Program p = parse(
      "program p(n: size)\n"
      "  input u: f64[i: n]\n"
      "  temp t: f64[i: n]\n"
      "  temp s: f64[i: n]\n"
      "  output v: f64[i: n]\n"
      "  for i in 0..n: t[i] = u[i]\n"
      "  for i in 0..n: s[i] = t[i]\n"
      "  for i in 1..n: v[i] = t[i-1] + s[i]\n");
  SetQuery query;
  const auto name = [&](const char* text) { return p.graph->symbol(text); };
  EXPECT_TRUE(same_point_only(p, name("t"), name("s"), name("t"), query));
  EXPECT_FALSE(same_point_only(p, name("t"), name("v"), name("t"), query));
  EXPECT_TRUE(same_point_only(p, name("s"), name("v"), name("s"), query));
  EXPECT_FALSE(query.isl_started());
}

}  // namespace
}  // namespace lathe::analysis
