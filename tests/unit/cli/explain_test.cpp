// SPDX-License-Identifier: Apache-2.0
// lathe explain.

#include <nlohmann/json.hpp>

#include "pipeline.h"
#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

class ExplainTest : public CommandTest {};

TEST_F(ExplainTest, ListNamesTheStages) {
  std::string names = "source\n";
  for (const Pass& p : pipeline()) names += std::string(p.name) + "\n";
  names += "values\n";
  for (const Pass& p : preparation()) names += std::string(p.name) + "\n";
  names += "schedule\nlockfile\nloops\nc\n";
  EXPECT_EQ(lathe({"explain", "--list"}).out, names);
  const auto json = nlohmann::json::parse(lathe({"explain", "--list", "--json"}).out);
  EXPECT_EQ(json.size(), pipeline().size() + preparation().size() + 6);
}

TEST_F(ExplainTest, Values) {
  put_scale();
  const Said said = lathe({"explain", "scale.lathe", "--stage", "values"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_NE(said.out.find("u = extern on (i) of f64\n"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("total.1 = last(total.1.next) along i"), std::string::npos) << said.out;
}

TEST_F(ExplainTest, PreparationOnlyWhenAsked) {
  put_scale();
  EXPECT_EQ(lathe({"explain", "scale.lathe"}).out.find("lower-masks"), std::string::npos);
  const Said all = lathe({"explain", "scale.lathe", "--prepare"});
  EXPECT_EQ(all.status, 0) << all.err;
  for (const Pass& p : preparation())
    EXPECT_NE(all.out.find("--- " + std::string(p.name)), std::string::npos) << p.name;
  const Said one = lathe({"explain", "scale.lathe", "--pass", "separate-overlaps"});
  EXPECT_TRUE(one.out.starts_with("program scale(")) << one.out;
}

TEST_F(ExplainTest, EveryStageIsShown) {
  put_scale();
  const Said said = lathe({"explain", "scale.lathe"});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("--- source\nprogram scale(n: size, a: f64)\n")) << said.out;
  for (const Pass& p : pipeline())
    EXPECT_NE(said.out.find("--- " + std::string(p.name)), std::string::npos) << p.name;
}

TEST_F(ExplainTest, OneStage) {
  put_scale();
  EXPECT_EQ(lathe({"explain", "scale.lathe", "--pass", "source"}).out, content("scale.lathe"));
  const Said said = lathe({"explain", "scale.lathe", "--pass", "lower-reductions"});
  EXPECT_NE(said.out.find("total += "), std::string::npos) << said.out;
}

TEST_F(ExplainTest, UnknownStage) {
  put_scale();
  const Said said = lathe({"explain", "scale.lathe", "--pass", "frob"});
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(
      said.err.starts_with("error: there is no stage 'frob'\n  help: the stages are source, "))
      << said.err;
}

TEST_F(ExplainTest, OfAnotherMachine) {
  put_scale();
  for (const auto& [machine, lanes] :
       {std::pair("x86-64-v2", "by 2:"), std::pair("x86-64-v3", "by 4:"),
        std::pair("x86-64-v4", "by 8:")}) {
    const Said loops = lathe({"explain", "scale.lathe", "--stage", "loops", "--machine", machine});
    EXPECT_NE(loops.out.find(lanes), std::string::npos) << machine << "\n" << loops.out;
  }
  EXPECT_EQ(lathe({"explain", "scale.lathe", "--stage", "c", "--machine", "pdp11"}).err,
            "error: there is no machine 'pdp11'\n"
            "  help: the machines are x86-64-v2, x86-64-v3, x86-64-v4\n");
  EXPECT_EQ(lathe({"explain", "scale.lathe", "--machine", "x86-64-v3"}).err,
            "error: --machine x86-64-v3 has no part in this stage\n"
            "  help: give --stage schedule, loops or c, too\n");
  EXPECT_EQ(lathe({"explain", "scale.lathe", "--stage", "schedule", "--machine", "x86-64-v3",
                   "--set", "n=4"})
                .err,
            "error: what a schedule costs is known of this machine only\n"
            "  help: leave out --machine or --set\n");
}

TEST_F(ExplainTest, DomainsAndVersions) {
  put_scale();
  const Said domains = lathe({"explain", "scale.lathe", "--domains"});
  EXPECT_EQ(domains.status, 0);
  EXPECT_TRUE(domains.out.starts_with("v:\n")) << domains.out;
  const Said versions = lathe({"explain", "scale.lathe", "--versions"});
  EXPECT_EQ(versions.status, 0);
  EXPECT_NE(versions.out.find("v reads u: u\n"), std::string::npos) << versions.out;
  const auto json = nlohmann::json::parse(
      lathe({"explain", "scale.lathe", "--domains", "--versions", "--json"}).out);
  EXPECT_EQ(json["domains"]["v"], "{ 0 <= i < n }");
  EXPECT_EQ(json["versions"], versions.out);
}

TEST_F(ExplainTest, Json) {
  put_scale();
  const auto json = nlohmann::json::parse(lathe({"explain", "scale.lathe", "--json"}).out);
  ASSERT_EQ(json.size(), pipeline().size() + 1);
  EXPECT_EQ(json[0]["stage"], "source");
  EXPECT_EQ(json[0]["program"], content("scale.lathe"));
  EXPECT_GE(json[1]["seconds"], 0);
}

}  // namespace
}  // namespace lathe::cli
