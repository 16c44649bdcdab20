// SPDX-License-Identifier: Apache-2.0
#include "analysis/footprint.h"

#include "unit/analysis/parse.h"

namespace lathe::analysis {
namespace {

std::string need(std::string_view text, const char* array, const NumberBox& region,
                 const SizeValues& sizes) {
  const ir::Program p = parse(text);
  std::string out;
  for (const auto& [name, box] : required(p, p.graph->symbol(array), region, sizes)) {
    out += std::string(name.text());
    for (std::size_t k = 0; k < box.lo.size(); ++k)
      out += " " + std::to_string(box.lo[k]) + ".." + std::to_string(box.hi[k]);
    out += "\n";
  }
  return out;
}

TEST(Footprint, StencilChains) {
  EXPECT_EQ(need("program p(n: size, m: size)\n"
                 "  input u: f64[i: n, j: m]\n"
                 "  input w: f64[j: m]\n"
                 "  temp t: f64[i: n, j: m]\n"
                 "  output v: f64[i: n, j: m]\n"
                 "  for i in 1..n-1, j in 0..m: t[i, j] = u[i-1, j] + u[i+1, j]\n"
                 "  for i in 2..n-2, j in 1..m: v[i, j] = t[i-1, j-1] * w[j]\n",
                 "v", {{10, 20}, {12, 30}}, {{"n", 100}, {"m", 50}}),
            "u 8..12 19..29\n"
            "w 20..30\n");
}

TEST(Footprint, ReductionsLoopsAndClipping) {
  EXPECT_EQ(need("program p(n: size, m: size)\n"
                 "  input a: f64[i: n, k: m]\n"
                 "  input x: f64[k: m]\n"
                 "  output r: f64[i: n]\n"
                 "  for i in 0..n: r[i] = sum k in 0..m: a[i, k] * x[k]\n",
                 "r", {{3}, {5}}, {{"n", 10}, {"m", 7}}),
            "a 3..5 0..7\n"
            "x 0..7\n");
  EXPECT_EQ(need("program p(n: size, m: size)\n"
                 "  inout t: f64[i: n]\n"
                 "  repeat s in 0..m:\n"
                 "    for i in 1..n: t[i] = t[i-1]\n",
                 "t", {{5}, {6}}, {{"n", 10}, {"m", 3}}),
            "t 0..6\n");
}

TEST(Footprint, Costs) {
  const ir::Program p = parse(
      "program p(n: size, m: size)\n"
      "  input a: f64[i: n, k: m]\n"
      "  input x: f32[k: m]\n"
      "  output r: f64[i: n]\n"
      "  output t: f64[i: n, j: n]\n"
      "  for i in 0..n: r[i] = a[i, 0] + 2.0\n"
      "  b: for i in 0..n: r[i] = sum k in 0..m: a[i, k]\n"
      "  for i in 0..n, j in 0..i: t[i, j] = 1\n");
  SetQuery query;
  const auto costs = statement_costs(p, {{"n", 10}, {"m", 7}}, query);
  ASSERT_EQ(costs.size(), 3u);
  EXPECT_EQ(costs[0].points, 10);
  EXPECT_EQ(costs[0].bytes(), 160);
  EXPECT_EQ(costs[0].operations(), 10);
  EXPECT_EQ(costs[1].bytes(), 10 * (7 * 8 + 8));
  EXPECT_EQ(costs[1].operations(), 70);
  EXPECT_EQ(costs[2].points, 45);
}

}  // namespace
}  // namespace lathe::analysis
