// SPDX-License-Identifier: Apache-2.0
// Random small sets (boxes, triangles, strides, unions, holes): every answer against brute force
// over all points and several parameter values.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/sets.h"

namespace lathe::analysis {
namespace {

using ir::Comparison;
using Values = std::map<std::string, std::int64_t>;
using Point = std::vector<std::int64_t>;

constexpr std::int64_t kLow = -3, kHigh = 8;  // every set lies in this square
constexpr std::int64_t kSomeSizes[] = {0, 1, 2, 5};
const std::vector<std::string> kOrder = {"i", "j"};

class SetGenerator {
 public:
  explicit SetGenerator(unsigned seed) : random_(seed) {}
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  PwAff leaf() {
    switch (pick(5)) {
      case 0: return PwAff::var("i");
      case 1: return PwAff::var("j");
      case 2: return PwAff::param("n");
      case 3: return PwAff::param("m");
      default: return PwAff::integer(pick(8) - 2);
    }
  }
  PwAff expr() {
    PwAff e = leaf();
    switch (pick(8)) {
      case 0: return e + leaf();
      case 1: return e - leaf();
      case 2: return PwAff::integer(pick(5) - 2) * e + leaf();
      case 3: return floor_div(e + leaf(), PwAff::integer(pick(3) + 1));
      case 4: return mod(e, PwAff::integer(pick(3) + 2));
      case 5: return pick(2) == 0 ? min(e, leaf()) : max(e, leaf());
      case 6: return e * PwAff::param("n");  // affine only sometimes
      default: return e;
    }
  }
  SetExpr part() {
    constexpr Comparison kOps[] = {Comparison::Lt, Comparison::Le, Comparison::Eq,
                                   Comparison::Ne, Comparison::Ge, Comparison::Gt};
    const PwAff a = expr();
    const Comparison op = kOps[pick(pick(2) == 0 ? 2 : 6)];
    return SetExpr::compare(a, op, expr());
  }
  SetExpr open(int depth = 2) {
    if (depth == 0 || pick(3) == 0) return part();
    const SetExpr a = open(depth - 1), b = open(depth - 1);
    return pick(3) == 0 ? SetExpr::unite({a, b}) : SetExpr::intersection({a, b});
  }
  SetExpr closed() {
    const SetExpr square =
        SetExpr::intersection({range_set("i", PwAff::integer(kLow), PwAff::integer(kHigh)),
                               range_set("j", PwAff::integer(kLow), PwAff::integer(kHigh))});
    if (pick(4) == 0)  // a plain box with parameters
      return SetExpr::intersection({square,
                                    range_set("i", PwAff::integer(pick(3)), PwAff::param("n")),
                                    range_set("j", PwAff::integer(pick(3) - 1),
                                              PwAff::param("m") - PwAff::integer(pick(2)))});
    return SetExpr::intersection({square, open()});
  }

 private:
  std::mt19937 random_;
};

std::vector<Values> all_parameters() {
  std::vector<Values> out;
  for (const std::int64_t n : kSomeSizes)
    for (const std::int64_t m : kSomeSizes) out.push_back({{"n", n}, {"m", m}});
  return out;
}

std::vector<Point> brute_force(const SetExpr& s, Values values) {
  std::vector<Point> out;
  for (std::int64_t i = kLow; i < kHigh; ++i)
    for (std::int64_t j = kLow; j < kHigh; ++j) {
      values["i"] = i;
      values["j"] = j;
      if (s.contains(values) == true) out.push_back({i, j});
    }
  return out;
}

const SetExpr kContext =
    SetExpr::intersection({SetExpr::compare(PwAff::zero(), Comparison::Le, PwAff::param("n")),
                           SetExpr::compare(PwAff::zero(), Comparison::Le, PwAff::param("m"))});

class RandomSets : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomSets, AnswersAreTrue) {
  SetGenerator random(GetParam());
  SetQuery q;
  long decided = 0;
  for (int round = 0; round < 40; ++round) {
    const SetExpr a = random.closed(), b = random.closed();
    const PwAff e = random.expr();
    SCOPED_TRACE(to_text(a) + "   |   " + to_text(b) + "   |   " + to_text(e));

    ASSERT_EQ(ir::parse_set(to_text(a), kOrder), a);

    const Proof empty = q.is_empty(a, kContext), subset = q.is_subset(a, b, kContext);
    const Proof disjoint = q.disjoint(a, b, kContext);
    const Proof whenever = q.has_point_whenever(a, b, kContext);
    const Bounds bounds = q.bounds(e, a, kContext);
    const SetExpr gist = q.gist(a, b);
    decided += (empty != Proof::Unknown) + (subset != Proof::Unknown);

    for (const Values& values : all_parameters()) {
      const auto in_a = brute_force(a, values), in_b = brute_force(b, values);
      ASSERT_TRUE(empty != Proof::Yes || in_a.empty());
      ASSERT_TRUE(subset != Proof::Yes ||
                  std::includes(in_b.begin(), in_b.end(), in_a.begin(), in_a.end()));
      const auto in_both = brute_force(SetExpr::intersection({a, b}), values);
      ASSERT_TRUE(disjoint != Proof::Yes || in_both.empty());
      ASSERT_TRUE(whenever != Proof::Yes || in_b.empty() || !in_a.empty());
      ASSERT_EQ(brute_force(SetExpr::intersection({gist, b}), values), in_both) << to_text(gist);

      bool lower_met = false, upper_met = false;
      for (const Point& p : in_a) {
        Values at = values;
        at["i"] = p[0];
        at["j"] = p[1];
        const auto value = e.evaluate(at);
        ASSERT_TRUE(value);
        if (bounds.lower) {
          ASSERT_LE(*bounds.lower->evaluate(values), *value) << to_text(*bounds.lower);
          lower_met |= *bounds.lower->evaluate(values) == *value;
        }
        if (bounds.upper) {
          ASSERT_GE(*bounds.upper->evaluate(values), *value) << to_text(*bounds.upper);
          upper_met |= *bounds.upper->evaluate(values) == *value;
        }
      }
      ASSERT_TRUE(in_a.empty() || !bounds.lower_exact || lower_met);
      ASSERT_TRUE(in_a.empty() || !bounds.upper_exact || upper_met);
    }
  }
  EXPECT_GT(decided, 40);  // the answers are not all Unknown
}

// No means that parameter values exist; with all of them fixed, brute force can tell.
TEST_P(RandomSets, NoIsTrueWhenParametersAreFixed) {
  SetGenerator random(GetParam() + 1000);
  SetQuery q;
  for (int round = 0; round < 60; ++round) {
    const Values values = {{"n", random.pick(7)}, {"m", random.pick(7)}};
    const SetExpr a = random.closed().substitute(values), b = random.closed().substitute(values);
    SCOPED_TRACE(to_text(a) + "   |   " + to_text(b));
    const auto in_a = brute_force(a, {}), in_b = brute_force(b, {});
    const bool includes = std::includes(in_b.begin(), in_b.end(), in_a.begin(), in_a.end());
    ASSERT_EQ(q.is_empty(a), in_a.empty() ? Proof::Yes : Proof::No);
    ASSERT_EQ(q.is_subset(a, b), includes ? Proof::Yes : Proof::No);
    ASSERT_EQ(q.points(a, {}, kOrder), in_a);
  }
}

TEST_P(RandomSets, ScansVisitEveryPointOnceInOrder) {
  SetGenerator random(GetParam() + 2000);
  SetQuery q;
  int scanned = 0;
  for (int round = 0; round < 30; ++round) {
    const SetExpr a = random.closed();
    const auto nest = q.scan(a, kOrder, kContext);
    if (!nest) continue;
    ++scanned;
    SCOPED_TRACE(to_text(a) + "\n" + to_text(*nest));
    for (const Values& values : all_parameters()) {
      std::vector<Point> visited;
      run(*nest, values, [&](const Point& p) { visited.push_back(p); });
      ASSERT_EQ(visited, brute_force(a, values));
    }
  }
  EXPECT_GT(scanned, 12);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSets, ::testing::Range(0u, 3u));

}  // namespace
}  // namespace lathe::analysis
