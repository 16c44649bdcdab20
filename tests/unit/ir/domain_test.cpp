// SPDX-License-Identifier: Apache-2.0
// Set expressions: normal forms, names, the text form and back.

#include "ir/domain.h"

#include <gtest/gtest.h>

namespace lathe::ir {
namespace {

const PwAff i = PwAff::var("i"), j = PwAff::var("j"), n = PwAff::param("n"), m = PwAff::param("m");
PwAff num(std::int64_t v) { return PwAff::integer(v); }
SetExpr set(std::string_view text, const std::vector<std::string>& variables = {"i", "j", "k"}) {
  std::string why;
  const auto s = parse_set(text, variables, &why);
  EXPECT_TRUE(s) << text << ": " << why;
  return s ? *s : SetExpr::empty();
}

TEST(PwAff, SumsAreFlattenedSortedAndFolded) {
  EXPECT_EQ(to_text(n - num(1) + i), "i + n - 1");
  EXPECT_EQ(n - num(1) + i, i + (n - num(1)));
  EXPECT_EQ(to_text(n - i), "n - i");
  EXPECT_EQ(to_text(num(0) - i), "-i");
  EXPECT_EQ(to_text((i + num(1)) * num(2) - i), "i + 2");
  EXPECT_EQ((n + num(1)) * m, m * n + m);
  EXPECT_EQ(to_text((n + num(1)) * m), "m + m*n");
  EXPECT_EQ(i - i, PwAff::zero());
  EXPECT_EQ(num(3) - i - (num(3) - i), PwAff::zero());
}

TEST(PwAff, DivisionKeepsOnlyWhatTheDivisorDoesNotDivide) {
  EXPECT_EQ(to_text(floor_div(num(2) * i + n + num(5), num(2))), "i + (n + 1) // 2 + 2");
  EXPECT_EQ(to_text(mod(num(5) * i + num(-1), num(4))), "(i + 3) % 4");
  EXPECT_EQ(mod(num(4) * i, num(4)), PwAff::zero());
  EXPECT_EQ(floor_div(num(-7), num(2)), num(-4));
  EXPECT_EQ(mod(num(-7), num(2)), num(1));
  EXPECT_EQ(floor_div(num(7), num(-2)), num(-4));
  EXPECT_EQ(mod(num(7), num(-2)), num(-1));
  EXPECT_EQ(floor_div(i, num(0)).kind(), PwAff::Kind::Read);
}

TEST(PwAff, MinAndMaxDropWhatIsNeverTheAnswer) {
  EXPECT_EQ(max(n, n - num(1)), n);
  EXPECT_EQ(min(n + num(2), min(n, m)), min(m, n));
  EXPECT_EQ(to_text(min(n, m)), "min(m, n)");
}

TEST(PwAff, OverflowIsUnknownNotWrong) {
  const PwAff big = num(INT64_MAX);
  EXPECT_EQ((big + num(1)).kind(), PwAff::Kind::Read);
  EXPECT_FALSE((big * num(2)).evaluate({}));
  EXPECT_FALSE((i + num(1)).evaluate({{"i", INT64_MAX}}));
  EXPECT_EQ(num(INT64_MIN).evaluate({}), INT64_MIN);
}

TEST(PwAff, ProductOfParametersIsTolerated) {
  const PwAff size = n * m;
  EXPECT_FALSE(size.is_affine());
  EXPECT_EQ(to_text(size), "m*n");
  EXPECT_TRUE(size.substitute({{"n", 3}}).is_affine());
  EXPECT_EQ(size.substitute({{"n", 3}}), num(3) * m);
  EXPECT_FALSE(floor_div(i, m).is_affine());
  EXPECT_TRUE(floor_div(i, m).substitute({{"m", 4}}).is_affine());
}

TEST(SetExpr, EqualSetsCompareEqual) {
  EXPECT_EQ(set("{ i < n }"), set("{ i <= n - 1 }"));
  EXPECT_EQ(set("{ i >= 0 }"), set("{ 0 <= i }"));
  EXPECT_EQ(set("{ 2*i <= 5 }"), set("{ i < 3 }"));
  EXPECT_EQ(set("{ i == j }"), set("{ j == i }"));
  EXPECT_EQ(set("{ 0 <= i < n } AND { 0 <= j < n }"), set("{ 0 <= j < n } AND { 0 <= i < n }"));
  EXPECT_FALSE(set("{ 2*i == 5 }") == set("{ i == 2 }"));
}

TEST(SetExpr, ConstantsFold) {
  EXPECT_EQ(set("{ 0 < 1 }"), SetExpr::universe());
  EXPECT_EQ(set("{ n < n }"), SetExpr::empty());
  EXPECT_EQ(SetExpr::unite({}), SetExpr::empty());
  EXPECT_EQ(SetExpr::unite({SetExpr::empty(), SetExpr::empty()}), SetExpr::empty());
  EXPECT_EQ(SetExpr::intersection({}), SetExpr::universe());
  EXPECT_EQ(set("{ 0 <= i < n } AND EMPTY"), SetExpr::empty());
}

TEST(SetExpr, ConstantOnTheLeftFlips) {
  EXPECT_EQ(to_text(SetExpr::compare(num(3), Comparison::Gt, i)), "{ i < 3 }");
}

TEST(SetExpr, LabelsSurvivePermutation) {
  const SetExpr quadrature = range_set("i_q_point", PwAff::zero(), n);
  const SetExpr rows = range_set("row", PwAff::zero(), m);
  const SetExpr a = SetExpr::intersection({quadrature, rows});
  const SetExpr b = SetExpr::intersection({rows, quadrature});
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.variables(), (std::vector<std::string>{"i_q_point", "row"}));
  EXPECT_EQ(to_text(b), "{ 0 <= row < m } AND { 0 <= i_q_point < n }");
}

TEST(SetExpr, DuplicateMakesFreshNames) {
  const SetExpr s = set("{ 0 <= i < n } AND { where mask[i] }");
  EXPECT_EQ(to_text(s.duplicate({})), "{ 0 <= i_dup < n } AND { where mask[i_dup] }");
  EXPECT_EQ(to_text(s.duplicate({"i_dup"})), "{ 0 <= i_dup1 < n } AND { where mask[i_dup1] }");
}

TEST(SetExpr, ContainsIsThreeValued) {
  const SetExpr s = set("{ 0 <= i < n } AND { where mask[i] }");
  EXPECT_EQ(s.contains({{"i", 5}, {"n", 3}}), false);  // the mask does not matter
  EXPECT_EQ(s.contains({{"i", 2}, {"n", 3}}), std::nullopt);
  EXPECT_EQ(set("{ 0 <= i < ptr[j] }").contains({{"i", -1}, {"j", 0}}), false);
}

TEST(SetExpr, ComplementIsOutside) {
  const SetExpr s = set("{ 0 <= i < n and i % 2 == 0 } OR { i == 7 }");
  for (std::int64_t at = -3; at < 12; ++at)
    EXPECT_NE(s.contains({{"i", at}, {"n", 6}}), complement(s).contains({{"i", at}, {"n", 6}}));
}

TEST(SetExpr, PolygonsShareVariables) {
  const auto parts = polygons(set("{ 0 <= i < n } AND { 0 <= k < m } AND { i <= j and j < n }"));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(to_text(parts[0]), "{ 0 <= i < n and i <= j < n }");
  EXPECT_EQ(to_text(parts[1]), "{ 0 <= k < m }");
}

TEST(Box, IntervalsInParameters) {
  const auto box = as_box(set("{ 0 <= i < n } AND { 1 <= j and j <= m and j < n } AND { k == 3 }"));
  ASSERT_TRUE(box);
  EXPECT_EQ(box->variables, (std::vector<std::string>{"i", "j", "k"}));
  EXPECT_EQ(to_text(box->lo[1]), "1");
  EXPECT_EQ(to_text(box->hi[1]), "min(n, m + 1)");
  EXPECT_EQ(to_text(box->hi[2]), "4");
  EXPECT_FALSE(as_box(set("{ 0 <= i < n and 0 <= j <= i }")));
  EXPECT_FALSE(as_box(set("{ 0 <= i }")));
  EXPECT_FALSE(as_box(set("{ 0 <= i < 3 } OR { 5 <= i < 7 }")));
  EXPECT_TRUE(as_box(SetExpr::universe()));
}

TEST(SetText, RoundTrips) {
  for (const char* text : {
           "{ 0 <= i < n } AND { 0 <= j < n }",
           "{ 0 <= i < n } AND { 0 <= j < n } OR { 0 <= k < n }",
           "({ i < 3 } OR { 5 <= i }) AND { 0 <= j < n }",
           "{ 0 <= i < n and i % 2 == 0 }",
           "{ 0 <= i < m*n }",
           "{ ptr[j] <= i < ptr[j + 1] }",
           "{ 0 <= i < n } AND { where mask[i] and u[i, j] < 3.0 }",
           "{ -(i // 2) <= (n + 2) // 3 - 1 }",
           "{ j + 2*(i // 2) < max(m, n) }",
           "{ i != -9223372036854775808 }",
           "EMPTY",
           "UNIVERSE",
       })
    EXPECT_EQ(to_text(set(text)), text);
}

TEST(SetText, WrongTextsSayWhy) {
  const auto why = [](std::string_view text) {
    std::string reason;
    EXPECT_FALSE(parse_set(text, {"i"}, &reason));
    return reason;
  };
  EXPECT_EQ(why("{ 0 <= i < n"), "expected '}' at column 13");
  EXPECT_EQ(why("{ i }"), "expected a comparison at column 5");
  EXPECT_EQ(why(""), "expected '{', '(', EMPTY or UNIVERSE at column 1");
  EXPECT_EQ(why("{ i < 99999999999999999999 }"), "expected a 64-bit integer at column 7");
  EXPECT_EQ(why(std::string(1000, '(')), "expected fewer parentheses at column 65");
}

}  // namespace
}  // namespace lathe::ir
