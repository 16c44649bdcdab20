// SPDX-License-Identifier: Apache-2.0
// docs/language.md names every function and every call.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ir/calls.h"
#include "ir/op.h"
#include "source_dir.h"

namespace lathe::ir {
namespace {

TEST(LanguageDoc, NamesEveryFunction) {
  std::ifstream in(source_dir() + "/docs/language.md");
  std::stringstream page;
  page << in.rdbuf();
  const std::string text = page.str();
  const std::string functions = text.substr(text.find("## Functions"));
  for (int i = 0; i < kOpCount; ++i) {
    const OpInfo& op = info(static_cast<Op>(i));
    if (op.form != Form::Call) continue;
    const std::string name = "`" + std::string(op.spelling);
    EXPECT_TRUE(functions.find(name + "`") != std::string::npos ||
                functions.find(name + "(") != std::string::npos)
        << op.spelling;
  }
  for (const CallInfo& call : all_calls())
    EXPECT_NE(functions.find("`" + std::string(call.name) + "("), std::string::npos) << call.name;
}

}  // namespace
}  // namespace lathe::ir
