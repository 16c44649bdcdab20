// SPDX-License-Identifier: Apache-2.0
// lathe diff: what it says about two ways to run a program.

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/compare.h"
#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

using ir::DType;
using ir::Scalar;
using nlohmann::json;

class DiffTest : public CommandTest {
 protected:
  // The middle statement needs more than f32 has; the last one hides it from the result.
  static void put_hidden() {
    put("hidden.lathe", R"(program hidden(n: size)
  input  u: f64[i: n]
  temp   twice: f64[i: n]
  temp   tenth: f64[i: n]
  output positive: i32[i: n]

  for i in 0..n: twice[i] = 2 * u[i]
  for i in 0..n: tenth[i] = twice[i] + 0.1 - twice[i]
  for i in 0..n: positive[i] = select(tenth[i] > 0, 1i32, 0i32)
)");
  }
  static Said diff(std::vector<std::string> more) {
    std::vector<std::string> words = {"diff", "hidden.lathe", "--set", "n=4", "--in", "u=ramp"};
    words.insert(words.end(), more.begin(), more.end());
    return lathe(words);
  }
};

TEST_F(DiffTest, EqualResultsSaySo) {
  put_scale();
  const auto expect_equal = [](const std::vector<std::string>& more, const std::string& way) {
    std::vector<std::string> words = {"diff",  "scale.lathe", "--set", "n=9",
                                      "--set", "a=0.5",       "--in",  "u=random:1"};
    words.insert(words.end(), more.begin(), more.end());
    const Said said = lathe(words);
    EXPECT_EQ(said.status, 0) << said.err;
    EXPECT_EQ(said.out, "a: interp\nb: " + way +
                            "\nv: equal in 9 elements\ntotal: equal in 1 element\n"
                            "equal, bit for bit\n");
  };
  expect_equal({}, "c");
  expect_equal({"--b", "c,threads=2"}, "c, threads 2");
  expect_equal({"--b", "loops", "--every"}, "loops");
  expect_equal({"--b", "interp,optimize", "--every"}, "interp, optimize");
}

TEST_F(DiffTest, NamesTheFirstStatementAndElement) {
  put_hidden();
  const Said said = diff({"--b", "interp,f32", "--every"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(said.out, R"(a: interp
b: interp, f32
note: 'tenth' is the first that differs, at tenth[1]
  --> hidden.lathe:8:3
   |
 8 |   for i in 0..n: tenth[i] = twice[i] + 0.1 - twice[i]
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  a  0.10000000000000009  f64 0x3fb99999999999a0
  b  0.099999905          f32 0x3dccccc0
  13 ulps of f32
positive: equal in 4 elements
)");
  // Results alone are equal.
  EXPECT_EQ(diff({"--b", "interp,f32"}).status, 0);
}

TEST_F(DiffTest, TheReportAsJson) {
  put_hidden();
  const json report = json::parse(diff({"--b", "loops,f32", "--every", "--json"}).out);
  EXPECT_EQ(report.at("a"), "interp");
  EXPECT_EQ(report.at("b"), "loops, f32");
  EXPECT_FALSE(report.at("equal"));
  EXPECT_EQ(report.at("results").at(0), json({{"array", "positive"},
                                              {"elements", 4},
                                              {"different", 0},
                                              {"ranges_differ", false},
                                              {"max_ulps", 0}}));
  EXPECT_EQ(
      report.at("first"),
      json({{"statement", "tenth"},
            {"array", "tenth"},
            {"file", "hidden.lathe"},
            {"line", 8},
            {"index", {1}},
            {"a",
             {{"value", "0.10000000000000009"}, {"dtype", "f64"}, {"bits", "0x3fb99999999999a0"}}},
            {"b", {{"value", "0.099999905"}, {"dtype", "f32"}, {"bits", "0x3dccccc0"}}},
            {"ulps", 13}}));
}

TEST_F(DiffTest, ToleranceInUlps) {
  put_scale();
  const std::vector<std::string> words = {"diff",  "scale.lathe", "--set", "n=9",
                                          "--set", "a=0.1",       "--in",  "u=random:1",
                                          "--b",   "interp,f32"};
  EXPECT_EQ(lathe(words).status, 1);
  std::vector<std::string> tolerant = words;
  tolerant.insert(tolerant.end(), {"--ulps", "100"});
  const Said said = lathe(tolerant);
  EXPECT_EQ(said.status, 0) << said.out;
  EXPECT_TRUE(said.out.ends_with("\nequal within 100 ulps\n")) << said.out;
}

TEST_F(DiffTest, LongProgramsAreBisected) {
  std::string text = "program long(n: size)\n  input  u: f64[i: n]\n";
  for (int i = 0; i < 30; ++i) text += "  temp   t" + std::to_string(i) + ": f64[i: n]\n";
  text += "  output v: f64[i: n]\n\n  for i in 0..n: t0[i] = u[i]\n";
  for (int i = 1; i < 30; ++i)
    text += "  for i in 0..n: t" + std::to_string(i) + "[i] = t" + std::to_string(i - 1) +
            (i == 20 ? "[i] + 0.1 - t19[i]\n" : "[i] + 1\n");
  put("long.lathe", text + "  for i in 0..n: v[i] = t29[i]\n");
  const Said said = lathe({"diff", "long.lathe", "--set", "n=3", "--in", "u=ramp", "--b",
                           "loops,f32", "--every", "--json"});
  EXPECT_EQ(said.status, 1) << said.err;
  const json report = json::parse(said.out);
  EXPECT_FALSE(report.at("equal"));
  EXPECT_EQ(report.at("first").at("statement"), "t20");
  EXPECT_EQ(report.at("first").at("index"), json::array({0}));
  EXPECT_EQ(report.at("first").at("line"), 55);
}

TEST_F(DiffTest, LockfilesOfOneProgram) {
  put_scale();
  const Said lock = lathe({"explain", "scale.lathe", "--stage", "lockfile"});
  put("scale.schedule", lock.out);
  const Said said = lathe({"diff", "scale.lathe", "--set", "n=9", "--set", "a=0.5", "--in",
                           "u=random:1", "--a", "loops,schedule=scale.schedule", "--b", "loops"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("a: loops, schedule scale.schedule\nb: loops\n")) << said.out;
}

struct WrongWay {
  std::vector<std::string> words;
  std::string message;
};

TEST_F(DiffTest, WrongWays) {
  put_hidden();
  put("large.lathe", R"(program large(n: size)
  input  u: f64[i: n]
  output v: f64[i: n]

  for i in 0..n: v[i] = 1e300 * u[i]
)");
  const WrongWay cases[] = {
      {{"--a", "fast"},
       "error: --a fast: 'fast' is no way to run a program\n"
       "  help: interp, loops or c, then optimize, f32, schedule=FILE, threads=N\n"},
      {{"--b", "c,threads=0"},
       "error: --b c,threads=0: 'threads=0' is no number of threads\n"
       "  help: threads=1 to threads=1024\n"},
      {{"--b", "interp,threads=2"},
       "error: --b interp,threads=2: threads means nothing to interp\n  help: it is for c\n"},
      {{"--b", "c,optimize"},
       "error: --b c,optimize: optimize means nothing to c\n"
       "  help: it is for interp; loops and c run all passes\n"},
      {{"--b", "interp,schedule=x"},
       "error: --b interp,schedule=x: schedule means nothing to interp\n"
       "  help: it is for loops and c\n"},
  };
  for (const WrongWay& c : cases) {
    const Said said = diff(c.words);
    EXPECT_EQ(said.status, 2);
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(said.err, c.message);
  }
  const Said large =
      lathe({"diff", "large.lathe", "--set", "n=2", "--in", "u=ramp", "--b", "interp,f32"});
  EXPECT_EQ(large.status, 2);
  EXPECT_EQ(large.err,
            "error: the program does not work in f32: 1e+300 is too large for f32\n"
            "  help: compare another way: without f32\n");
  EXPECT_EQ(lathe({"diff", "missing.lathe"}).status, 2);
}

TEST(CompareTest, UlpsAreCountedAcrossZero) {
  const auto f32 = [](double x) { return Scalar::of_double(DType::F32, x); };
  const auto f64 = [](double x) { return Scalar::of_double(DType::F64, x); };
  EXPECT_EQ(ulps_between(f32(1), f32(1)), 0u);
  EXPECT_EQ(ulps_between(f32(1), f32(std::nextafter(1.0f, 2.0f))), 1u);
  EXPECT_EQ(ulps_between(f64(0.0), f64(-0.0)), 0u);
  EXPECT_EQ(ulps_between(f64(5e-324), f64(-5e-324)), 2u);
  EXPECT_EQ(ulps_between(f32(-1), f32(-2)), 1u << 23);
  EXPECT_EQ(ulps_between(f64(-INFINITY), f64(INFINITY)), 2 * f64(INFINITY).bits);
  EXPECT_EQ(ulps_between(f64(NAN), f64(1)), kNoUlps);
  EXPECT_EQ(ulps_between(f64(NAN), f64(NAN)), 0u);
  EXPECT_EQ(ulps_between(Scalar::of_int(DType::I32, 1), Scalar::of_int(DType::I32, 2)), kNoUlps);
  EXPECT_EQ(bits_text(f32(1)), "0x3f800000");
  EXPECT_EQ(bits_text(Scalar::of_bool(true)), "0x01");
}

TEST(CompareTest, ZerosOfDifferentSignAreDifferentBits) {
  interp::Buffer a = interp::make_buffer(DType::F64, {2}, {4}), b = a;
  const std::int64_t at[] = {3};
  a.set(at, Scalar::of_double(DType::F64, -0.0));
  const Comparison c = compare(a, b, 0);
  EXPECT_EQ(c.different, 1);
  EXPECT_EQ(c.first, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(c.ulps, 0u);
  EXPECT_TRUE(compare(a, b, 1).equal());
  EXPECT_TRUE(compare(a, interp::make_buffer(DType::F64, {2}, {5}), 0).ranges_differ);
}

}  // namespace
}  // namespace lathe::cli
