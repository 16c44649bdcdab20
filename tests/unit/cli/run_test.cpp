// SPDX-License-Identifier: Apache-2.0
// lathe run: what it computes and reports.

#include <nlohmann/json.hpp>

#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

using ir::DType;

class RunTest : public CommandTest {};

TEST_F(RunTest, ResultsAreSummedUp) {
  put_scale();
  const Said said =
      lathe({"run", "scale.lathe", "--set", "n=4", "--set", "a=0.5", "--in", "u=ramp"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(said.err, "");
  EXPECT_TRUE(said.out.starts_with("v: f64[4]  min 0.0  max 1.5  digest ")) << said.out;
  EXPECT_NE(said.out.find("\ntotal: f64  value 3.0  digest "), std::string::npos) << said.out;
}

TEST_F(RunTest, FilesInAndOut) {
  put_scale();
  put_array<double>("u.npy", DType::F64, {3}, {1, 2, 4});
  const Said said = lathe({"run", "scale.lathe", "--set", "a=2", "--in", "u=u.npy", "--out",
                           "v=v.npy", "--out", "total=t.npy", "--out", "v=v.png"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(array_in<double>("v.npy"), (std::vector<double>{2, 4, 8}));
  EXPECT_EQ(array_in<double>("t.npy"), (std::vector<double>{14}));
  EXPECT_EQ(content("v.png").substr(1, 3), "PNG");
}

TEST_F(RunTest, SizesComeFromFiles) {
  put("halo.lathe", R"(program halo(n: size)
  input  u: i32[i: -1..n]
  output v: i32[i: -1..n]

  for i in -1..n: v[i] = u[i] + 1
)");
  put_array<std::int32_t>("u.npy", DType::I32, {4}, {1, 2, 3, 4});
  const Said said = lathe({"run", "halo.lathe", "--in", "u=u.npy"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("v: i32[-1..3]  min 2  max 5  digest ")) << said.out;
}

TEST_F(RunTest, SizesComeFromLinearExtents) {
  put("linear.lathe", R"(program linear(n: size, m: size, k: size)
  input  a: i32[i: n+m]
  input  b: i32[i: -2..n+2, j: 10-k]
  output v: i32[i: n, j: m, l: k]

  for i in 0..n, j in 0..m, l in 0..k: v[i, j, l] = a[i+j] + b[i, l]
)");
  put_array<std::int32_t>("a.npy", DType::I32, {5}, {1, 2, 3, 4, 5});
  const std::vector<std::int64_t> shape = {7, 9};
  io::write_npy("b.npy", DType::I32, shape, std::vector<std::byte>(7 * 9 * 4));
  const Said said = lathe({"run", "linear.lathe", "--in", "a=a.npy", "--in", "b=b.npy"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("v: i32[3, 2, 1]  min 1  max 4  digest ")) << said.out;
}

TEST_F(RunTest, RandomInputsDependOnTheSeed) {
  put_scale();
  const auto run = [](const std::string& in) {
    return lathe({"run", "scale.lathe", "--set", "n=9", "--set", "a=1", "--in", in}).out;
  };
  EXPECT_EQ(run("u=random:1"), run("u=random:1"));
  EXPECT_NE(run("u=random:1"), run("u=random:2"));
  EXPECT_TRUE(run("u=zeros").starts_with("v: f64[9]  min 0.0  max 0.0  digest "));
}

TEST_F(RunTest, NansAndNoElements) {
  put("odd.lathe", R"(program odd(n: size)
  output some: f64[i: 4]
  output all_nan: f32[i: 2]
  output one: f64
  output none: f64[i: n]

  for i in 0..4: some[i] = select(i == 2, nan, f64(i))
  for i in 0..2: all_nan[i] = nan
  one = nan
  for i in 0..n: none[i] = 1
)");
  const Said said = lathe({"run", "odd.lathe", "--set", "n=0"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_NE(said.out.find("some: f64[4]  min 0.0  max 3.0  nans 1  digest"), std::string::npos);
  EXPECT_NE(said.out.find("all_nan: f32[2]  only nan  digest"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("one: f64  value nan  digest"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("none: f64[0]  no elements  digest"), std::string::npos) << said.out;
}

TEST_F(RunTest, BigUnsignedNumbersCompareExactly) {
  put("big.lathe", R"(program big(a: u64)
  output v: u64[i: 2]

  for i in 0..2: v[i] = a - u64(i)
)");
  const Said said = lathe({"run", "big.lathe", "--set", "a=18446744073709551615"});
  EXPECT_TRUE(
      said.out.starts_with("v: u64[2]  min 18446744073709551614  max 18446744073709551615  digest"))
      << said.out << said.err;
}

TEST_F(RunTest, Steps) {
  put_scale();
  const Said said =
      lathe({"run", "scale.lathe", "--set", "n=2", "--set", "a=1", "--in", "u=ramp", "--steps"});
  EXPECT_TRUE(
      said.out.starts_with("for i in 0..n: v[i] = a * u[i]\n"
                           "total = sum i in 0..n: v[i]\n"
                           "v: f64[2]"))
      << said.out;
}

TEST_F(RunTest, WatchTellsEveryWrite) {
  put_scale();
  const Said said = lathe({"run", "scale.lathe", "--set", "n=3", "--set", "a=2", "--in", "u=ramp",
                           "--watch", "v[2]", "--watch", "total"});
  EXPECT_TRUE(
      said.out.starts_with("watch v[2]: 0.0 -> 4.0  by 'v' at scale.lathe:6\n"
                           "watch total: 0.0 -> 6.0  by 'total' at scale.lathe:7\n"))
      << said.out << said.err;
}

TEST_F(RunTest, OptimizeGivesTheSameDigests) {
  put("branch.lathe", R"(program branch(n: size)
  input  u: f64[i: n]
  temp   t: f64[i: n]
  output v: f64[i: n]
  output s: f64

  for i in 0..n: t[i] = 2 * u[i]
  for i in 0..n if u[i] > 0: v[i] = t[i]
  else: v[i] = -t[i]
  s = sum i in 0..n: v[i] * v[i]
)");
  const std::vector<std::string> words = {"run",   "branch.lathe", "--set",
                                          "n=100", "--in",         "u=random:3"};
  std::vector<std::string> optimized = words;
  optimized.push_back("--optimize");
  const Said plain = lathe(words);
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(lathe(optimized).out, plain.out);
}

// In lanes, a store under a condition puts back what it finds: here, what nobody has written.
TEST_F(RunTest, LoopsMayLookAtWhatNobodyHasWritten) {
  put("branches.lathe", R"(program p(n: size)
  input  q: f64[i: n]
  inout  a: f64[i: n]
  inout  b: f64[i: n]

  for i in 0..n if q[i] > 0.5:
    a[i] = 0
  else:
    for i in 0..n if a[i] > b[i]:
      a[i] = -2 * b[i]
    else:
      for i in 0..n if b[i] > a[i]:
        b[i] = -2 * a[i]
)");
  const std::vector<std::string> run = {"run",  "branches.lathe", "--set",   "n=19",
                                        "--in", "q=random:1",     "--in",    "a=random:2",
                                        "--in", "b=random:3",     "--target"};
  std::vector<std::string> said;
  for (const char* target : {"interp", "loops", "c"}) {
    std::vector<std::string> words = run;
    words.push_back(target);
    const Said one = lathe(words);
    EXPECT_EQ(one.status, 0) << one.err;
    said.push_back(one.out);
  }
  EXPECT_EQ(said[1], said[0]);
  EXPECT_EQ(said[2], said[0]);
}

TEST_F(RunTest, CheckedFindsWhatARunDoesNot) {
  put("bad.lathe", R"(program bad(n: size)
  input  u: i64[i: n]
  output v: i64[i: n]

  for i in 0..n: v[i] = 10 // u[i]
)");
  const std::vector<std::string> words = {"run", "bad.lathe", "--set", "n=3", "--in", "u=ramp"};
  EXPECT_EQ(lathe(words).status, 0);
  std::vector<std::string> checked = words;
  checked.push_back("--checked");
  const Said said = lathe(checked);
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(said.err.starts_with("error: ")) << said.err;
  EXPECT_NE(said.err.find("bad.lathe:5"), std::string::npos) << said.err;
}

TEST_F(RunTest, CheckedSaysTheSameInAllTargets) {
  put("holes.lathe", R"(program holes(n: size)
  input  u: f64[i: n]
  temp   t: f64[i: n]
  output v: f64[i: n]

  for i in 0..n where u[i] > 1: t[i] = u[i]
  for i in 0..n: v[i] = t[i]
)");
  for (const char* target : {"interp", "loops", "c"}) {
    const Said said = lathe(
        {"run", "holes.lathe", "--set", "n=3", "--in", "u=ramp", "--target", target, "--checked"});
    EXPECT_EQ(said.status, 1);
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(said.err,
              "error: statement 'v' reads 't' at [0], which nothing has written\n"
              "  --> holes.lathe:7:25\n"
              "   |\n"
              " 7 |   for i in 0..n: v[i] = t[i]\n"
              "   |                         ^^^^\n"
              "  note: at i = 0\n"
              "  help: write it in an earlier statement, or shrink the domain of this one\n")
        << target;
  }
}

TEST_F(RunTest, Json) {
  put_scale();
  const Said said = lathe({"run", "scale.lathe", "--set", "n=2", "--set", "a=2", "--in", "u=ramp",
                           "--json", "--steps", "--watch", "v[1]"});
  EXPECT_EQ(said.status, 0) << said.err;
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["program"], "scale");
  EXPECT_GT(json["operations"], 0);
  const auto& v = json["arrays"]["v"];
  EXPECT_EQ(v["dtype"], "f64");
  EXPECT_EQ(v["lo"], nlohmann::json::array({0}));
  EXPECT_EQ(v["hi"], nlohmann::json::array({2}));
  EXPECT_EQ(v["min"], "0.0");
  EXPECT_EQ(v["max"], "2.0");
  EXPECT_EQ(v["nans"], 0);
  EXPECT_EQ(v["digest"].get<std::string>().size(), 16u);
  EXPECT_EQ(json["steps"].size(), 2u);
  ASSERT_EQ(json["watch"].size(), 1u);
  EXPECT_EQ(json["watch"][0]["array"], "v");
  EXPECT_EQ(json["watch"][0]["index"], nlohmann::json({1}));
  EXPECT_EQ(json["watch"][0]["before"], "0.0");
  EXPECT_EQ(json["watch"][0]["after"], "2.0");
  EXPECT_EQ(json["watch"][0]["statement"], "v");
  EXPECT_EQ(json["watch"][0]["line"], 6);
  const Said text = lathe({"run", "scale.lathe", "--set", "n=2", "--set", "a=2", "--in", "u=ramp"});
  EXPECT_NE(text.out.find(v["digest"].get<std::string>()), std::string::npos);
}

TEST_F(RunTest, JsonHasNoNumberWhereThereIsNone) {
  put("nan.lathe", "program p()\n  output s: f64\n\n  s = nan\n");
  const Said said = lathe({"run", "nan.lathe", "--json"});
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_TRUE(json["arrays"]["s"]["min"].is_null()) << said.out;
  EXPECT_TRUE(json["arrays"]["s"]["max"].is_null());
  EXPECT_EQ(json["arrays"]["s"]["nans"], 1);
}

TEST_F(RunTest, JsonErrorsTellWhatHappenedBefore) {
  put("late.lathe", R"(program late(n: size)
  input  at: i64[i: n]
  output v: i64[i: n]

  for i in 0..n: v[i] = i
  for i in 0..n: v[i] = at[at[i] + 1]
)");
  const Said said = lathe({"run", "late.lathe", "--set", "n=3", "--in", "at=ramp", "--json",
                           "--steps", "--watch", "v[2]"});
  EXPECT_EQ(said.status, 1);
  const auto json = nlohmann::json::parse(said.out);
  EXPECT_EQ(json["errors"].size(), 1u);
  EXPECT_EQ(json["steps"].size(), 2u);
  ASSERT_EQ(json["watch"].size(), 1u);
  EXPECT_EQ(json["watch"][0]["after"], "2");
}

// Versions of branches are copied whole; what nothing has written stays so, without an alarm.
TEST_F(RunTest, CheckedAfterThePasses) {
  put("branch.lathe", R"(program branch(n: size)
  input  u: f64[i: n]
  temp   t: f64[i: n]
  output w: f64[i: n]
  output v: f64[i: n]

  for i in 0..n-2: t[i] = u[i]
  for i in 0..n-3 if u[i] > 0:
    t[i] = t[i+1] + 1
    w[i] = t[i]
  else:
    w[i] = 2
  for i in 0..n-3: v[i] = t[i] + w[i]
)");
  std::vector<std::string> words = {"run", "branch.lathe", "--set", "n=12", "--in", "u=random:1"};
  const Said plain = lathe(words);
  words.insert(words.end(), {"--optimize", "--checked"});
  const Said checked = lathe(words);
  EXPECT_EQ(checked.err, "");
  EXPECT_EQ(checked.out, plain.out);

  // But using it is an error still.
  put("hole.lathe", R"(program hole(n: size)
  input  u: f64[i: n]
  temp   t: f64[i: n]
  output v: f64[i: n]

  for i in 0..n-3: t[i] = u[i]
  for i in 0..n-1 if u[i] > -2:
    t[i] = t[i+1] + 1
  for i in 0..n-3: v[i] = t[i]
)");
  words[1] = "hole.lathe";
  const Said hole = lathe(words);
  EXPECT_NE(hole.err.find("which nothing has written"), std::string::npos) << hole.err;
}

TEST_F(RunTest, ErrorsAsJson) {
  put_scale();
  put("bad.lathe", "program bad()\n  output v: f64\n\n  v = w + 1\n");
  const auto message_of = [](const std::vector<std::string>& words) {
    const Said said = lathe(words);
    EXPECT_EQ(said.status, 1);
    EXPECT_EQ(said.err, "");
    const auto json = nlohmann::json::parse(said.out);
    EXPECT_EQ(json["errors"].size(), 1u);
    return json["errors"][0]["message"].get<std::string>();
  };
  EXPECT_EQ(message_of({"run", "--json", "bad.lathe"}), "unknown name 'w'");
  EXPECT_EQ(message_of({"run", "--json", "none.lathe"}),
            "cannot read 'none.lathe': there is no such file");
  EXPECT_EQ(message_of({"run", "--json", "scale.lathe"}),
            "program 'scale' needs values that are not given");
  EXPECT_EQ(message_of({"explain", "--json", "bad.lathe"}), "unknown name 'w'");
}

}  // namespace
}  // namespace lathe::cli
