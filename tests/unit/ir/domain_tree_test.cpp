// SPDX-License-Identifier: Apache-2.0
// Every file of tests/golden/domain: a set, a line `---`, its tree. pinned and pin_cse are document
// 003's drawings without their left margin. LATHE_UPDATE=1 rewrites the trees.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/domain.h"
#include "source_dir.h"

namespace lathe::ir {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(SetTree, GoldenFiles) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(source_dir() + "/tests/golden/domain")) {
    ++files;
    const std::string content = slurp(entry.path());
    const std::size_t line = content.find("---\n");
    ASSERT_NE(line, std::string::npos) << entry.path();
    std::istringstream head(content.substr(0, line));
    std::string variables_line, text, row;
    std::getline(head, variables_line);  // "variables: i j"
    while (std::getline(head, row))
      if (!row.starts_with("#")) text += row + "\n";
    std::istringstream names(variables_line.substr(variables_line.find(':') + 1));
    std::vector<std::string> variables;
    for (std::string name; names >> name;) variables.push_back(name);

    std::string why;
    const auto s = parse_set(text, variables, &why);
    ASSERT_TRUE(s) << entry.path() << ": " << why;
    if (std::getenv("LATHE_UPDATE") != nullptr)
      std::ofstream(entry.path()) << content.substr(0, line) << "---\n" << to_tree(*s);
    else
      EXPECT_EQ(to_tree(*s), content.substr(line + 4)) << entry.path();
    EXPECT_EQ(parse_set(to_text(*s), variables), *s);
  }
  EXPECT_GE(files, 8);
}

// The drawings as they stand in the document, margin and trailing blanks included.
TEST(SetTree, IsDocument003) {
  const char* const pinned =
      "                      AND \n"
      "             /-------/  \\-------\\\n"
      "             |                  |\n"
      "      { 0 <= i < n }     { 0 <= j < n }\n";
  const char* const cse =
      "                                           OR\n"
      "                       /------------------/  \\-------------\\\n"
      "                       |                                   |\n"
      "                      AND                         { 0 <= i_dup < n }  \n"
      "             /-------/  \\-------\\\n"
      "             |                  |\n"
      "      { 0 <= i < n }     { 0 <= j < n }\n";
  const auto without_margin = [](const char* drawing) {
    std::istringstream in(drawing);
    std::string out;
    for (std::string line; std::getline(in, line);) {
      line.erase(0, 6);
      while (line.ends_with(' ')) line.pop_back();
      out += line + "\n";
    }
    return out;
  };
  const PwAff n = PwAff::param("n"), zero = PwAff::zero();
  const SetExpr k = range_set("i", zero, n);
  const SetExpr c = SetExpr::intersection({k, range_set("j", zero, n)});
  EXPECT_EQ(to_tree(c), without_margin(pinned));
  EXPECT_EQ(to_tree(SetExpr::unite({c, k.duplicate(c.variables())})), without_margin(cse));
}

}  // namespace
}  // namespace lathe::ir
