// SPDX-License-Identifier: Apache-2.0
// Questions about sets: single cases, the box path, budgets, nonlinear terms.

#include "analysis/sets.h"

#include <gtest/gtest.h>

namespace lathe::analysis {
namespace {

SetExpr set(std::string_view text, const std::vector<std::string>& variables = {"i", "j", "k"}) {
  std::string why;
  const auto s = ir::parse_set(text, variables, &why);
  EXPECT_TRUE(s) << text << ": " << why;
  return s ? *s : SetExpr::empty();
}
const SetExpr kSizes = set("{ 0 <= n } AND { 0 <= m }");
const PwAff i = PwAff::var("i"), j = PwAff::var("j");

TEST(SetQuery, BoxesNeverReachIsl) {
  SetQuery q;
  const SetExpr box = set("{ 0 <= i < n } AND { 1 <= j < m - 1 }");
  EXPECT_EQ(q.is_empty(box, kSizes), Proof::No);
  EXPECT_EQ(q.is_empty(set("{ n <= i < n }")), Proof::Yes);
  EXPECT_EQ(q.is_empty(set("{ 5 <= i < 3 }")), Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ 1 <= i < n - 1 }"), set("{ 0 <= i < n }"), kSizes), Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < n + 1 }"), set("{ 0 <= i < n }"), kSizes), Proof::No);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < n*m }"), set("{ 0 <= i < n*m + m }"), kSizes), Proof::Yes);
  EXPECT_EQ(q.disjoint(set("{ 0 <= i < n }"), set("{ n <= i < n + m }"), kSizes), Proof::Yes);
  EXPECT_EQ(q.disjoint(set("{ 0 <= i < n }"), set("{ 0 <= i < m }"), kSizes), Proof::No);
  const Bounds b = q.bounds(PwAff::integer(2) * i - j, box);
  EXPECT_EQ(to_text(*b.lower), "2 - m");
  EXPECT_EQ(to_text(*b.upper), "2*n - 3");
  EXPECT_TRUE(b.lower_exact && b.upper_exact);
  EXPECT_EQ(q.has_point_whenever(set("{ 0 <= i < 4 }"), box, kSizes), Proof::Yes);
  EXPECT_EQ(q.counters().questions, 10);
  EXPECT_EQ(q.counters().by_boxes, 10);
  EXPECT_FALSE(q.isl_started());
}

TEST(SetQuery, TrianglesGoToIsl) {
  SetQuery q;
  const SetExpr triangle = set("{ 0 <= i < n and 0 <= j <= i }");
  EXPECT_EQ(q.is_empty(triangle), Proof::No);
  EXPECT_EQ(q.is_empty(set("{ 0 <= i < n and i < j and j <= 0 }")), Proof::Yes);
  EXPECT_EQ(q.is_subset(triangle, set("{ 0 <= i < n } AND { 0 <= j < n }")), Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < n } AND { 0 <= j < n }"), triangle), Proof::No);
  const Bounds b = q.bounds(i + j, triangle);
  EXPECT_EQ(to_text(*b.lower), "0");
  EXPECT_EQ(to_text(*b.upper), "2*n - 2");
  const Bounds c = q.bounds(j, set("{ 0 <= i < n and 0 <= j <= i and j < m }"));
  EXPECT_EQ(to_text(*c.upper), "min(m - 1, n - 1)");
  EXPECT_TRUE(c.upper_exact);
  EXPECT_EQ(q.counters().by_isl, 6);
}

TEST(SetQuery, UnknownsAreConservative) {
  SetQuery q;
  const SetExpr masked = set("{ 0 <= i < n } AND { where mask[i] }");
  EXPECT_EQ(q.is_empty(masked, kSizes), Proof::Unknown);
  EXPECT_EQ(q.is_subset(masked, set("{ 0 <= i < n }")), Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < n }"), masked), Proof::Unknown);
  const SetExpr row = set("{ 0 <= j < n } AND { ptr[j] <= i < ptr[j + 1] }");
  EXPECT_EQ(q.is_subset(row, set("{ 0 <= j < n }")), Proof::Yes);
  EXPECT_FALSE(q.bounds(i, row).upper);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < count[] }"), set("{ i <= count[] }")), Proof::Yes);
}

TEST(SetQuery, ProductsOfParametersAreParametersWithFacts) {
  SetQuery q;
  const SetExpr flat = set("{ 0 <= i < n*m and i != 3 }");
  EXPECT_EQ(q.is_subset(flat, set("{ 0 <= i < n*m + 1 }"), kSizes), Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < n and i != 3 }"), set("{ 0 <= i < n*m }"),
                        set("{ 0 <= n } AND { 1 <= m }")),
            Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < n and i != 3 }"), set("{ 0 <= i < n*m }"), kSizes),
            Proof::Unknown);
  EXPECT_EQ(q.is_empty(flat, set("{ n == 0 }")), Proof::Yes);
  EXPECT_EQ(to_text(*q.bounds(i, set("{ 0 <= i < n*m and i % 2 == 0 and i < 3 }")).lower), "0");
}

TEST(SetQuery, OverBudgetIsUnknown) {
  SetQuery q(20);
  std::string text = "{ 0 <= i < n and 0 <= j <= i }";
  for (int k = 2; k < 9; ++k)
    text += " AND ({ i % " + std::to_string(k) + " != 0 } OR { j > " + std::to_string(k) + "*i }";
  for (int k = 2; k < 9; ++k) text += ")";
  EXPECT_EQ(q.is_empty(set(text)), Proof::Unknown);
  EXPECT_FALSE(q.bounds(i, set(text)).upper);
  EXPECT_FALSE(q.scan(set(text), {"i", "j"}));
  EXPECT_EQ(q.gist(set(text), kSizes), set(text));
  EXPECT_EQ(q.counters().gave_up, 4);
  EXPECT_EQ(q.is_empty(set("{ 0 <= i < n }"), kSizes), Proof::No);  // boxes need no budget
}

TEST(SetQuery, UnboundedHasNoBoundAndNoPoints) {
  SetQuery q;
  EXPECT_FALSE(q.bounds(i, set("{ 0 <= i and i <= j }")).upper);
  EXPECT_FALSE(q.points(set("{ 0 <= i and i <= j }"), {}, {"i", "j"}));
  EXPECT_FALSE(q.points(set("{ 0 <= i < 10000000 }"), {}, {"i"}));  // too many
}

TEST(SetQuery, GistDropsWhatTheContextSays) {
  SetQuery q;
  EXPECT_EQ(q.gist(set("{ 0 <= i < n } AND { 0 <= j < i }"), set("{ 0 <= i < n }")),
            set("{ 0 <= j < i }"));
  EXPECT_EQ(q.gist(set("{ 0 <= i < n } AND { where mask[i] }"), set("{ 0 <= i }")),
            set("{ i < n } AND { where mask[i] }"));
  EXPECT_EQ(to_text(q.gist(set("{ i % 2 == 0 and 0 <= i }"), set("{ 0 <= i }"))), "{ i % 2 == 0 }");
}

// Minima and maxima are taken apart where that is short: a sum of 24 minima is not 2^24
// comparisons.
TEST(SetQuery, Extrema) {
  SetQuery q;
  EXPECT_EQ(q.is_empty(set("{ i < min(n, m) and n + m <= 2*i }")), Proof::Yes);
  EXPECT_EQ(q.is_empty(set("{ i < max(n, m) and n + m <= 2*i }")), Proof::No);
  EXPECT_EQ(q.is_empty(set("{ i == max(n, m) - 2*min(n, m) and i < 0 - n }")), Proof::Yes);
  EXPECT_EQ(q.is_empty(set("{ i == max(n, m) - 2*min(n, m) and i < n and 0 < n }")), Proof::No);
  EXPECT_EQ(q.is_empty(set("{ i != min(n, m) and n <= i <= m and m <= i }")), Proof::No);
  EXPECT_EQ(q.is_empty(set("{ i != min(n, m) and n <= i <= m and m <= n }")), Proof::Yes);
  PwAff sum = PwAff::integer(0), more = PwAff::integer(0);
  for (int k = 0; k < 24; ++k) {
    const PwAff p = PwAff::param("p" + std::to_string(k));
    sum = sum + min(p, PwAff::param("q" + std::to_string(k)));
    more = more + p;
  }
  const SetExpr beyond =
      SetExpr::intersection({SetExpr::compare(PwAff::var("i"), ir::Comparison::Lt, sum),
                             SetExpr::compare(more, ir::Comparison::Le, PwAff::var("i"))});
  EXPECT_NE(q.is_empty(beyond), Proof::No);
}

TEST(SetQuery, AnswersWithoutIsl) {
  SetQuery q;
  EXPECT_EQ(q.is_empty(set("{ i != n and i == n and 0 <= i }")), Proof::Yes);
  const SetExpr neither = SetExpr::unite({set("{ i < min(i, n) }"), set("{ max(i, n) < i }")});
  EXPECT_EQ(q.is_empty(neither), Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ 0 <= i < min(1, n - 2) }"), set("{ 0 <= i < n }")), Proof::Yes);
  EXPECT_EQ(q.is_subset(set("{ max(2, n - 1) <= i < n }"), set("{ 2 <= i < n }")), Proof::Yes);
  const SetExpr masked =
      SetExpr::intersection({set("{ 0 <= i < n }"), SetExpr::opaque("m[i]", {"i"})});
  const auto bounds = q.bounds(PwAff::var("i"), masked);
  ASSERT_TRUE(bounds.lower && bounds.upper);
  EXPECT_EQ(*bounds.upper, PwAff::param("n") - PwAff::integer(1));
  EXPECT_FALSE(bounds.lower_exact || bounds.upper_exact);  // the mask may leave nothing
  EXPECT_EQ(q.is_empty(masked), Proof::Unknown);
  EXPECT_FALSE(q.isl_started());
}

TEST(SetQuery, HasPointWhenever) {
  SetQuery q;
  const SetExpr domain = set("{ 0 <= i < n }");
  EXPECT_EQ(q.has_point_whenever(set("{ 0 <= i < n and n <= i + 1 }"), domain), Proof::Yes);
  EXPECT_EQ(q.has_point_whenever(set("{ 0 <= i < n and n <= 2*i }"), domain), Proof::No);
  EXPECT_EQ(q.has_point_whenever(set("{ 0 <= i < n and n <= 2*i }"), domain, set("{ 2 <= n }")),
            Proof::Yes);
}

TEST(Scan, TriangleStrideUnion) {
  SetQuery q;
  const auto text = [&](std::string_view s) {
    const auto nest = q.scan(set(s), {"i", "j"}, kSizes);
    return nest ? to_text(*nest) : "nothing";
  };
  EXPECT_EQ(text("{ 0 <= i < n and 0 <= j <= i }"),
            "for i = 0 .. n - 1\n"
            "  for j = 0 .. i\n"
            "    (i, j)\n");
  EXPECT_EQ(text("{ 0 <= i < n and i % 2 == 0 } AND { j == 3 }"),
            "for i = 0 .. n - 1 step 2\n"
            "  (i, 3)\n");
  EXPECT_EQ(text("({ 0 <= i < 3 } OR { 10 <= i < 13 }) AND { 0 <= j < i }"),
            "for i = 1 .. 2\n"
            "  for j = 0 .. i - 1\n"
            "    (i, j)\n"
            "for i = 10 .. 12\n"
            "  for j = 0 .. i - 1\n"
            "    (i, j)\n");
}

}  // namespace
}  // namespace lathe::analysis
