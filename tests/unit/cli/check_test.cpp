// SPDX-License-Identifier: Apache-2.0
// lathe check.

#include <nlohmann/json.hpp>

#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

class CheckTest : public CommandTest {};

TEST_F(CheckTest, Fine) {
  put_scale();
  put("one.lathe", "program one(n: size)\n  output v: i64\n\n  v = n\n");
  const Said said = lathe({"check", "scale.lathe", "one.lathe"});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out,
            "scale.lathe: program scale, 2 parameters, 3 arrays: fine\n"
            "one.lathe: program one, 1 parameter, 1 array: fine\n");
  EXPECT_EQ(said.err, "");
}

TEST_F(CheckTest, AllFilesAreLookedAt) {
  put_scale();
  put("bad.lathe", "program bad()\n  output v: f64\n\n  v = w + 1\n");
  const Said said = lathe({"check", "bad.lathe", "missing.lathe", "scale.lathe"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "scale.lathe: program scale, 2 parameters, 3 arrays: fine\n");
  EXPECT_EQ(said.err,
            "error: unknown name 'w'\n"
            "  --> bad.lathe:4:7\n"
            "   |\n"
            " 4 |   v = w + 1\n"
            "   |       ^\n"
            "  help: the names here are v\n"
            "error: cannot read 'missing.lathe': there is no such file\n");
}

TEST_F(CheckTest, WhatOnlyThePassesFind) {
  put("grows.lathe",
      "program p(n: size, m: size)\n"
      "  temp t: f64[i: n, k: m] extended\n"
      "  output v: f64[i: n, k: m]\n"
      "  for i in 0..n: t[i, 0] = 1\n"
      "  down: forward k in 1..m:\n"
      "    step: for i in 0..n: t[i, k] = t[i-1, k-1]\n"
      "  for i in 0..n, k in 0..m: v[i, k] = t[i, k]\n");
  const Said said = lathe({"check", "grows.lathe"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err,
            "error: the region of extended temporary 't' would grow with each iteration of 'down'\n"
            "  --> grows.lathe:5:9\n"
            "   |\n"
            " 5 |   down: forward k in 1..m:\n"
            "   |         ^^^^^^^^^^^^^^^^^\n"
            "  help: declare 't' without 'extended' and write it on the range that is needed, or "
            "read it at the same point\n");
}

TEST_F(CheckTest, Json) {
  put_scale();
  put("bad.lathe", "program bad()\n  output v: f64\n\n  v = w + 1\n");
  const Said fine = lathe({"check", "--json", "scale.lathe"});
  EXPECT_EQ(fine.status, 0);
  EXPECT_EQ(nlohmann::json::parse(fine.out), nlohmann::json::array());

  const Said said = lathe({"check", "--json", "bad.lathe", "missing.lathe"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.err, "");
  const auto errors = nlohmann::json::parse(said.out);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0]["severity"], "error");
  EXPECT_EQ(errors[0]["message"], "unknown name 'w'");
  EXPECT_EQ(errors[0]["file"], "bad.lathe");
  EXPECT_EQ(errors[0]["line"], 4);
  EXPECT_EQ(errors[0]["column"], 7);
  EXPECT_EQ(errors[0]["end_line"], 4);
  EXPECT_EQ(errors[0]["end_column"], 8);
  EXPECT_TRUE(errors[0]["notes"].is_array());
  EXPECT_EQ(errors[1]["message"], "cannot read 'missing.lathe': there is no such file");
  EXPECT_FALSE(errors[1].contains("line"));
}

}  // namespace
}  // namespace lathe::cli
