// SPDX-License-Identifier: Apache-2.0
// What golden files (tests/golden/values) and random programs (tests/property) do not show.

#include "schedule/values.h"

#include "analysis/versions.h"
#include "unit/schedule/parse.h"

namespace lathe::schedule {
namespace {

constexpr const char* kEverything = R"(program everything(n: size)
  input u: f64[i: n]
  input at: i64[i: n]
  inout h: f64[i: n]
  output s: f64[i: n]
  output v: f64[i: n]
  state w: f32[i: n, k: n]
  const table: f64[i: 2] = [1.5, 2.5]
  for i in 0..n: h[at[i]] += u[i] * table[0]
  call sort(u) -> s
  for i in 0..n if u[i] > 0: v[i] = s[i]
  else: v[i] = h[i]
  for i in 0..n while v[i] > 10: v[i] = v[i] / 2
  for i in 0..n scan k in 0..n: w[i, k] += 1.0f32
  forward k in 2..n:
    for i in 0..n: w[i, k] = w[i, k-1] + w[i, k-2]
  repeat t in 0..3 rotate s, v until s[0; value 1.0] > 100:
    for i in 1..n: s[i-1] = v[i] + (sum j in 0..i where j != t: u[j])
    when n > 2: for i in 0..n: s[i] *= 0.5
)";

TEST(Values, OnePerVersion) {
  const ir::Program program = parse(kEverything);
  const ValueGraph graph = build_values(program);
  EXPECT_EQ(check_values(graph), std::vector<std::string>());
  const analysis::Versions versions = analysis::versions(program);
  for (const analysis::ArrayVersions& a : versions.arrays)
    for (const analysis::Version& v : a.versions) {
      const Value* value = graph.find(v.name);
      ASSERT_NE(value, nullptr) << v.name << "\n" << print(graph);
      EXPECT_TRUE(value->version);
      EXPECT_EQ(value->array.text(), a.array.text());
    }
}

TEST(Values, AreTheSameEveryTime) {
  const ir::Program program = parse(kEverything);
  EXPECT_EQ(print(build_values(program)), print(build_values(program)));
}

TEST(Values, RefuseToEvaluateWhatIsOpaque) {
  const ir::Program program = parse(R"(program p(n: size)
  input u: f64[i: n]
  output s: f64[i: n]
  call sort(u) -> s
)");
  const ValueGraph graph = build_values(program);
  EXPECT_EQ(why_not_evaluable(graph), "s.0 is a call");
  interp::State state;
  EXPECT_THROW(evaluate(graph, state), UserError);
}

TEST(Values, WindowsOfAnArrayThatIsCarriedAreCopies) {
  const ValueGraph graph = build_values(parse(R"(program p(n: size)
  inout x: f64[k: n]
  repeat t in 0..3:
    forward k in 1..n: x[k] = x[k] + x[k-1]
)"));
  EXPECT_EQ(check_values(graph), std::vector<std::string>());
  EXPECT_EQ(print(graph), R"(x = extern on (k) of f64
x@repeat.0 = fby(x, copy(x.0)) along t on (t, k) of f64
x[k-1] = fby(map(x@repeat.0, 0), x.0) along k on (t, k) of f64
x.0 = inst x on (t, k) of f64 reads x@repeat.0, x[k-1] over x@repeat.0
x@repeat.0.last = last(x.0) along t else x on (k) of f64
result x = x@repeat.0.last
)");
}

// ---- Every rule, broken on purpose.

class BrokenRules : public ::testing::Test {
 protected:
  BrokenRules()
      : graph_(build_values(parse(R"(program p(n: size, m: size)
  input a: f64[i: n, k: m]
  input b: f32[k: m]
  inout t: f64[i: n]
  output v: f64[i: n]
  for i in 0..n, k in 0..m: t[i] += [seq] a[i, k] * f64(b[k])
  for i in 1..n: v[i] = t[i-1]
)"))) {}

  ValueId id(std::string_view name) const {
    return static_cast<ValueId>(graph_.find(name) - graph_.values.data());
  }
  Value& at(std::string_view name) { return graph_.values[id(name)]; }
  void expect(const std::string& broken) {
    const std::vector<std::string> found = check_values(graph_);
    EXPECT_NE(std::find(found.begin(), found.end(), broken), found.end())
        << broken << "\n"
        << ::testing::PrintToString(found);
  }

  ValueGraph graph_;
};

TEST_F(BrokenRules, None) { EXPECT_EQ(check_values(graph_), std::vector<std::string>()); }

TEST_F(BrokenRules, Dtypes) {
  at("t.0").dtype = ir::DType::F32;
  expect("t.0 has another dtype than what defines it");
}

TEST_F(BrokenRules, DimensionsOfLast) {
  at("t.0").dims.push_back(at("t.0.next").dims.back());
  expect("t.0 has other dimensions than its last");
}

TEST_F(BrokenRules, TheEmptyCase) {
  std::get<Last>(at("t.0").def).otherwise = kNoValue;
  expect("t.0 has no value for the empty case");
}

TEST_F(BrokenRules, InitVariesAlongTheFby) {
  std::get<Fby>(at("t.0.acc").def).init = id("t.0.of");
  expect("t.0.acc has an init that varies along the fby");
}

TEST_F(BrokenRules, InitIsNotKnownEverywhere) {
  Value scalar;
  scalar.def =
      Inst{{},       graph_.program.graph->constant(ir::Scalar::of_double(ir::DType::F64, 0)),
           {},       nullptr,
           kNoValue, {},
           {}};
  graph_.values.push_back(scalar);
  std::get<Fby>(at("t.0.acc").def).init = static_cast<ValueId>(graph_.values.size() - 1);
  expect("t.0.acc has an init that is not known everywhere");
}

TEST_F(BrokenRules, ConsumedTwice) {
  Value again = at("t.0.acc");
  again.name = "again";
  graph_.values.push_back(again);
  expect("again consumes a value that another fby has consumed");
}

TEST_F(BrokenRules, ADimensionThatDoesNotEnclose) {
  at("t.0.of").dims.pop_back();
  expect("t.0.of reads a value of which a dimension does not enclose it");
}

TEST_F(BrokenRules, AMapWithOtherAxes) {
  for (Value& v : graph_.values)
    if (auto* m = std::get_if<Map>(&v.def)) m->indices.clear();
  const std::vector<std::string> found = check_values(graph_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("maps a value with another number of axes"), std::string::npos);
}

TEST_F(BrokenRules, ABroadcastAlongWhatIsThere) {
  for (Value& v : graph_.values)
    if (auto* b = std::get_if<Bcast>(&v.def)) b->dims.push_back(graph_.at(b->v).dims[0].name);
  const std::vector<std::string> found = check_values(graph_);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].find("broadcasts along a dimension that is there"), std::string::npos);
}

TEST_F(BrokenRules, TwoNames) {
  at("v.0").name = "t.0";
  expect("t.0 has the name of another value");
}

TEST_F(BrokenRules, ACycle) {
  std::get<Last>(at("t.0").def).otherwise = id("t.0");
  expect("t.0 is defined by itself");
}

}  // namespace
}  // namespace lathe::schedule
