// SPDX-License-Identifier: Apache-2.0
// Every rule, both sides interpreted, for every dtype that it admits: on the special values of the
// dtype in all combinations, on random ones, and for 8-bit integers on everything there is.

#include "rewrite/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "expr_rows.h"
#include "rule_instance.h"
#include "special_values.h"
#include "thorough.h"

namespace lathe::testing {
namespace {

using ir::DType;
using ir::Expr;
using ir::Scalar;
using rewrite::Rule;
using rewrite::Term;

// One rule for one choice of dtypes.
struct Instance {
  const Rule& rule;
  Types types;
  ir::Graph graph;
  Expr left = nullptr, right = nullptr;
  std::map<std::string, DType> dtypes;  // of the names in the pattern

  Instance(const Rule& r, Types t) : rule(r), types(t) {
    ir::RawMaker raw(graph);
    TermBuilder builder(raw, types);
    left = builder.build(rewrite::parse_term(rule.pattern));
    if (left == nullptr) return;
    dtypes = builder.dtypes;
    const Term replacement = rewrite::parse_term(rule.replacement);
    right = replacement.kind == Term::Kind::Literal
                ? graph.constant(rewrite::literal(replacement, left->dtype))
                : builder.build(replacement);
  }
  bool fits() const { return left != nullptr; }
};

// May the rule be used in a lane? Asked for millions of them.
class Condition {
 public:
  Condition(const Instance& instance, const Environment& lanes)
      : when_(instance.rule.when),
        given_{instance.types.t, instance.types.s, instance.types.u, {}, {}} {
    if (const auto k = lanes.find("k"); k != lanes.end()) k_ = &k->second;
    if (const auto l = lanes.find("l"); l != lanes.end()) l_ = &l->second;
  }

  bool holds(std::size_t lane) {
    if (when_ == nullptr) return true;
    if (k_) given_.k = k_->at(lane);
    if (l_) given_.l = l_->at(lane);
    return when_(given_);
  }

 private:
  rewrite::Condition when_;
  rewrite::Given given_;
  const Row *k_ = nullptr, *l_ = nullptr;
};

std::string describe(const Instance& instance, const Environment& lanes, std::size_t lane,
                     const Row& left, const Row& right) {
  std::string text = std::string(instance.rule.name) + ": " + std::string(instance.rule.pattern) +
                     " is " + to_text(left.at(lane)) + ", " +
                     std::string(instance.rule.replacement) + " is " + to_text(right.at(lane)) +
                     " for T = " + std::string(name(instance.types.t)) +
                     ", S = " + std::string(name(instance.types.s)) +
                     ", U = " + std::string(name(instance.types.u));
  for (const auto& [name, row] : lanes) text += ", " + name + " = " + to_text(row.at(lane));
  return text;
}

// Lanes that every name of the pattern has a value in.
Environment make_lanes(const Instance& instance, Rng& rng, std::size_t random_count,
                       const std::function<Scalar(const std::string&, DType)>& random) {
  std::vector<std::string> names;
  std::vector<std::vector<Scalar>> specials, columns;
  std::size_t combinations = 1;
  for (const auto& [name, t] : instance.dtypes) {
    names.push_back(name);
    specials.push_back(special_values(t));
    combinations *= specials.back().size();
  }
  constexpr std::size_t kMost = 50000;
  const std::size_t special_count = std::min(combinations, kMost);
  columns.resize(names.size());
  for (std::size_t i = 0; i < special_count; ++i) {
    std::size_t code = combinations <= kMost ? i : rng.below(combinations);
    for (std::size_t v = 0; v < names.size(); ++v) {
      columns[v].push_back(specials[v][code % specials[v].size()]);
      code /= specials[v].size();
    }
  }
  for (std::size_t i = 0; i < random_count; ++i)
    for (std::size_t v = 0; v < names.size(); ++v)
      columns[v].push_back(random(names[v], instance.dtypes.at(names[v])));
  Environment lanes;
  for (std::size_t v = 0; v < names.size(); ++v)
    lanes.emplace(names[v], Row(instance.dtypes.at(names[v]), columns[v]));
  return lanes;
}

std::size_t lane_count(const Environment& lanes) { return lanes.begin()->second.size(); }

// The first lane in which the two sides differ, or -1.
std::ptrdiff_t first_difference(const Instance& instance, const Environment& lanes, Row& left,
                                Row& right) {
  const std::size_t n = lane_count(lanes);
  left = evaluate(instance.left, lanes, n);
  right = evaluate(instance.right, lanes, n);
  if (std::memcmp(left.data.data(), right.data.data(), left.data.size()) == 0) return -1;
  const std::size_t size = ir::size_bytes(left.dtype);
  Condition condition(instance, lanes);
  for (std::size_t i = 0; i < n; ++i)
    if (std::memcmp(&left.data[i * size], &right.data[i * size], size) != 0 &&
        left.at(i) != right.at(i) && condition.holds(i))
      return static_cast<std::ptrdiff_t>(i);
  return -1;
}

void expect_exact(const Instance& instance, const Environment& lanes) {
  Row left, right;
  const std::ptrdiff_t lane = first_difference(instance, lanes, left, right);
  if (lane >= 0)
    ADD_FAILURE() << describe(instance, lanes, static_cast<std::size_t>(lane), left, right);
}

TEST(Rules, ExactOnesKeepEveryBit) {
  Rng rng(1);
  for (const Rule& rule : rewrite::all_rules()) {
    if (rule.tag != rewrite::Tag::Exact) continue;
    const auto types = all_types(rule);
    bool fitted = false;
    for (const Types& t : types) {
      Instance instance(rule, t);
      if (!instance.fits()) continue;
      ASSERT_NE(instance.right, nullptr) << rule.name;
      ASSERT_EQ(instance.left->dtype, instance.right->dtype) << rule.name;
      if (types.size() > 200 && !Condition(instance, {}).holds(0))
        continue;  // cast-cast: dtypes decide
      fitted = true;
      expect_exact(instance, make_lanes(instance, rng, 2000, [&](const std::string&, DType d) {
                     return random_value(d, rng);
                   }));
    }
    EXPECT_TRUE(fitted) << rule.name << " fits no dtype";
  }
}

TEST(Rules, ExactOnesKeepEveryBitOfAllSmallIntegers) {
  Row low(DType::I8, 65536), high(DType::I8, 65536);
  for (int i = 0; i < 65536; ++i) {
    low.set(static_cast<std::size_t>(i), Scalar::of_int(DType::I8, i & 255));
    high.set(static_cast<std::size_t>(i), Scalar::of_int(DType::I8, i >> 8));
  }
  const auto as = [](Row row, DType t) {
    row.dtype = t;
    return row;
  };
  for (const Rule& rule : rewrite::all_rules()) {
    if (rule.tag != rewrite::Tag::Exact) continue;
    for (DType t : {DType::I8, DType::U8}) {
      if (!rewrite::admits(rule.dtypes, t) || all_types(rule).size() > 13) continue;
      Instance instance(rule, {t, t, t});
      if (!instance.fits()) continue;
      std::vector<std::string> numbers, bools;
      for (const auto& [name, d] : instance.dtypes)
        (ir::is_bool(d) ? bools : numbers).push_back(name);
      ASSERT_LE(numbers.size(), 3u) << rule.name;
      if (numbers.size() == 3 && t == DType::U8 && rewrite::admits(rule.dtypes, DType::I8))
        continue;  // 2^24 of one kind are enough
      Environment lanes;
      for (std::size_t v = 0; v < numbers.size() && v < 2; ++v)
        lanes[numbers[v]] = as(v == 0 ? low : high, t);
      const int thirds = numbers.size() == 3 ? 256 : 1;
      const int step = is_thorough() ? 1 : 15;  // 0, 15 ... 255: both ends
      for (int third = 0; third < thirds; third += step)
        for (unsigned flags = 0; flags < 1u << bools.size(); ++flags) {
          if (numbers.size() == 3)
            lanes[numbers[2]] = constant_row(Scalar::of_int(t, third), 65536);
          for (std::size_t b = 0; b < bools.size(); ++b)
            lanes[bools[b]] = constant_row(Scalar::of_bool(((flags >> b) & 1) != 0), 65536);
          expect_exact(instance, lanes);
        }
    }
  }
}

// Values between 0.1 and 0.9 for variables, 0.5 and 3 for constants: nothing overflows, cancels
// badly, or leaves the domain of a function.
TEST(Rules, AlgebraicOnesHoldOverTheRealsAndOnlyThere) {
  Rng rng(2);
  for (const Rule& rule : rewrite::all_rules()) {
    if (rule.tag != rewrite::Tag::Algebraic) continue;
    EXPECT_FALSE(rule.why.empty()) << rule.name;
    bool exact = true;
    for (const Types& t : all_types(rule)) {
      Instance instance(rule, t);
      ASSERT_TRUE(instance.fits()) << rule.name;
      const Environment any = make_lanes(
          instance, rng, 4000, [&](const std::string&, DType d) { return random_value(d, rng); });
      Row left, right;
      exact = exact && first_difference(instance, any, left, right) < 0;
      if (t.t != DType::F64) continue;
      Environment benign;
      for (const auto& [name, d] : instance.dtypes) {
        Row row(d, 4000);
        const bool constant = name == "k" || name == "l";
        for (std::size_t i = 0; i < 4000; ++i)
          row.set(i, ir::is_bool(d)
                         ? Scalar::of_bool(rng.percent(50))
                         : Scalar::of_double(d, constant ? static_cast<double>(rng.between(1, 3))
                                                         : 0.1 + 0.8 * rng.unit()));
        benign.emplace(name, row);
      }
      left = evaluate(instance.left, benign, 4000);
      right = evaluate(instance.right, benign, 4000);
      Condition condition(instance, benign);
      for (std::size_t i = 0; i < 4000; ++i) {
        if (!condition.holds(i)) continue;
        const double a = left.at(i).as_double(), b = right.at(i).as_double();
        const double tolerance = 1e-11 * std::max({1.0, std::fabs(a), std::fabs(b)});
        if (!(std::fabs(a - b) <= tolerance)) {
          ADD_FAILURE() << describe(instance, benign, i, left, right);
          break;
        }
      }
    }
    EXPECT_FALSE(exact) << rule.name << " shows no difference: is it exact?";
  }
}

// --- What is evaluated -------------------------------------------------------------------------

// Values of a term in one lane, as the language evaluates: lazily. Marks variables that are read.
Scalar evaluate_lazily(Expr e, const Environment& lanes, std::size_t lane, std::string& touched) {
  const auto value = [&](Expr arg) { return evaluate_lazily(arg, lanes, lane, touched); };
  switch (e->op) {
    case ir::Op::Const: return e->scalar();
    case ir::Op::Param:
      touched += e->name.text();
      return lanes.find(e->name.text())->second.at(lane);
    case ir::Op::Select: return value(value(e->arg(0)).as_bool() ? e->arg(1) : e->arg(2));
    case ir::Op::Gate:
      return value(e->arg(0)).as_bool() ? value(e->arg(1)) : Scalar::of_int(e->dtype, 0);
    case ir::Op::And: return value(e->arg(0)).as_bool() ? value(e->arg(1)) : Scalar::of_bool(false);
    case ir::Op::Or: return value(e->arg(0)).as_bool() ? Scalar::of_bool(true) : value(e->arg(1));
    default: {
      std::vector<Scalar> args;
      for (Expr arg : e->args()) args.push_back(value(arg));
      return interp::apply(e->op, e->dtype, args);
    }
  }
}

std::string set_of(std::string names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase_if(names, [](char c) { return c == 'k' || c == 'l'; });
  return names;
}

TEST(Rules, NoneEvaluatesMoreThanItsPatternAndLazyOnesTheSame) {
  Rng rng(3);
  for (const Rule& rule : rewrite::all_rules())
    for (const Types& t : all_types(rule)) {
      if (t.t != t.s || t.s != t.u) continue;
      Instance instance(rule, t);
      if (!instance.fits()) continue;
      Environment lanes;
      for (const auto& [name, d] : instance.dtypes) {
        Row row(d, 300);
        for (std::size_t i = 0; i < 300; ++i) row.set(i, random_value(d, rng));
        lanes.emplace(name, row);
      }
      if (lanes.empty()) continue;
      Condition condition(instance, lanes);
      for (std::size_t i = 0; i < 300; ++i) {
        if (!condition.holds(i)) continue;
        std::string left, right;
        evaluate_lazily(instance.left, lanes, i, left);
        evaluate_lazily(instance.right, lanes, i, right);
        left = set_of(left);
        right = set_of(right);
        const bool fine = rule.lazy
                              ? left == right
                              : std::includes(left.begin(), left.end(), right.begin(), right.end());
        ASSERT_TRUE(fine) << rule.name << " evaluates " << right << " instead of " << left;
      }
    }
}

// --- What fires --------------------------------------------------------------------------------

// Makes the pattern through the simplifier, with constants put in; did this very rule fire?
bool fires(const Rule& rule, std::size_t number, Rng& rng) {
  const Term pattern = rewrite::parse_term(rule.pattern);
  for (const Types& t : all_types(rule)) {
    ir::Graph graph;
    ir::RawMaker raw(graph);
    TermBuilder shape(raw, t);
    if (shape.build(pattern) == nullptr) continue;
    rewrite::Simplifier simplifier(graph, rule.tag == rewrite::Tag::Algebraic);
    for (int attempt = 0; attempt < 300; ++attempt) {
      TermBuilder builder(simplifier, t);
      builder.reads = attempt % 2 == 1;
      for (const char* name : {"k", "l"})
        if (const auto found = shape.dtypes.find(name); found != shape.dtypes.end())
          builder.constants[name] = random_value(found->second, rng);
      const auto before = rewrite::Simplifier::hits()[number];
      builder.build(pattern);
      if (rewrite::Simplifier::hits()[number] > before) return true;
      if (builder.constants.empty() && builder.reads) break;
    }
  }
  return false;
}

TEST(Rules, EveryOneFires) {
  Rng rng(4);
  const auto rules = rewrite::all_rules();
  EXPECT_GE(rules.size(), 120u);
  for (std::size_t i = 0; i < rules.size(); ++i)
    EXPECT_TRUE(fires(rules[i], i, rng))
        << rules[i].name << " never fires: another rule or the normal form comes first";
}

TEST(Rules, NamesAreUnique) {
  std::vector<std::string_view> names;
  for (const Rule& rule : rewrite::all_rules()) names.push_back(rule.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  EXPECT_TRUE(twice == names.end()) << *twice;
}

}  // namespace
}  // namespace lathe::testing
