// SPDX-License-Identifier: Apache-2.0
// What the machine reaches, and how programs compare with it. No test says how fast anything is.

#include <nlohmann/json.hpp>

#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

using Json = nlohmann::json;
using BenchCommandTest = CommandTest;

TEST_F(BenchCommandTest, Limits) {
  const Said said = lathe({"bench"});
  EXPECT_EQ(said.status, 0);
  for (const char* part : {"one thread   all threads\n", "\nL1 ", "\nread, one stream per thread",
                           "\nwrite, streaming stores", "\nmemcpy, both ways counted",
                           " GB/s\nfused multiply-add, f32", " GF/s\n"})
    EXPECT_NE(said.out.find(part), std::string::npos) << part << "\n" << said.out;
  if (!said.err.empty()) {
    EXPECT_EQ(said.err,
              "warning: other programs were busy, so these may be too low; lathe bench --again "
              "measures once more\n");
  }
}

TEST_F(BenchCommandTest, LimitsAsJson) {
  const Said said = lathe({"bench", "--json"});
  EXPECT_EQ(said.status, 0);
  const Json json = Json::parse(said.out);
  EXPECT_GE(json["threads"].get<int>(), 1);
  for (const char* threads : {"one_thread", "all_threads"})
    for (const char* rate : {"read", "read_streams", "write", "triad", "copy", "fma_f32", "fma_f64",
                             "mixed_f64", "div_f64", "sqrt_f64"})
      EXPECT_GT(json[threads][rate].get<double>(), 0) << threads << " " << rate;
}

TEST_F(BenchCommandTest, TimeOfARun) {
  put_scale();
  const std::vector<std::string> words = {"run",      "scale.lathe", "--set",  "n=1000",   "--set",
                                          "a=2",      "--in",        "u=ramp", "--target", "c",
                                          "--repeat", "3",           "--time"};
  const Said said = lathe(words);
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(said.err.starts_with("median of 3 runs: ")) << said.err;
  for (const char* part : {" ms, fastest ", " GB/s; ", " of this machine's limit, which is ",
                           " ms (memory); predicted "})
    EXPECT_NE(said.err.find(part), std::string::npos) << part << "\n" << said.err;
  // The results are those of a run without a clock.
  std::vector<std::string> plain = words;
  plain.pop_back();
  EXPECT_EQ(lathe(plain).out, said.out);
}

TEST_F(BenchCommandTest, TimeAsJson) {
  put_scale();
  const Said said = lathe({"run", "scale.lathe", "--set", "n=1000", "--set", "a=2", "--in",
                           "u=ramp", "--target", "c", "--repeat", "3", "--time", "--json"});
  EXPECT_EQ(said.status, 0) << said.err;
  const Json time = Json::parse(said.out)["time"];
  EXPECT_EQ(time["runs"].get<int>(), 3);
  EXPECT_EQ(time["bytes"].get<double>(), 2 * 8000 + 8);
  EXPECT_EQ(time["limit"].get<std::string>(), "memory");
  for (const char* key :
       {"median_seconds", "fastest_seconds", "limit_seconds", "of_limit", "predicted_seconds"})
    EXPECT_GT(time[key].get<double>(), 0) << key;
}

TEST_F(BenchCommandTest, CostOfASchedule) {
  put_scale();
  const Said plain = lathe({"explain", "scale.lathe", "--stage", "schedule"});
  const Said said = lathe({"explain", "scale.lathe", "--stage", "schedule", "--set", "n=1000000"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with(plain.out + "\nv ")) << said.out;
  // By memory or by a cache: this machine was measured, perhaps while others used it.
  EXPECT_NE(said.out.find("bound by "), std::string::npos) << said.out;
}

TEST_F(BenchCommandTest, WrongSizes) {
  put_scale();
  const auto say = [](const char* size) {
    return lathe({"explain", "scale.lathe", "--stage", "schedule", "--set", size}).err;
  };
  for (const char* size : {"a=2", "m=2", "n=x", "n=-1", "n"})
    EXPECT_EQ(say(size), std::string("error: --set ") + size +
                             " gives no size of the program\n"
                             "  help: write NAME=NUMBER with the name of a size, such as n=1000\n");
  put("two.lathe", R"(program two(n: size, m: size)
  output v: f64[i: n, j: m]
  for i in 0..n, j in 0..m: v[i, j] = 1
)");
  EXPECT_EQ(lathe({"explain", "two.lathe", "--stage", "schedule", "--set", "n=4"}).err,
            "error: the size 'm' is not set\n  help: add --set m=NUMBER\n");
}

}  // namespace
}  // namespace lathe::cli
