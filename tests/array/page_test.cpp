// SPDX-License-Identifier: Apache-2.0
// docs/arrays.md names every function of arrays: between backticks, or in the first column of the
// table for C.

#include <gtest/gtest.h>
#include <lathe/c_array.h>

#include <cctype>
#include <set>
#include <sstream>
#include <string>

#include "base/files.h"
#include "source_dir.h"

namespace lathe {
namespace {

void add_words(const std::string& text, std::set<std::string>& out) {
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else if (!word.empty()) {
      out.insert(word);
      word.clear();
    }
  }
}

std::set<std::string> names_of_the_page() {
  const std::string page = read_file(source_dir() + "/docs/arrays.md");
  const std::size_t begin = page.find("## Functions"), end = page.find("\n## ", begin);
  std::istringstream lines(page.substr(begin, end - begin));
  std::set<std::string> found;
  bool for_c = false;
  for (std::string line; std::getline(lines, line);) {
    for_c = for_c || line.starts_with("| function |");
    if (for_c && line.starts_with("|")) add_words(line.substr(1, line.find('|', 1) - 1), found);
    for (std::size_t open = line.find('`'); open != std::string::npos;) {
      const std::size_t close = line.find('`', open + 1);
      if (close == std::string::npos) break;
      add_words(line.substr(open + 1, close - open - 1), found);
      open = line.find('`', close + 1);
    }
  }
  return found;
}

TEST(Page, NamesEveryFunction) {
  char* text = nullptr;
  ASSERT_EQ(lathe_lazy_text(nullptr, 0, LATHE_REPORT_FUNCTIONS, &text, nullptr), LATHE_OK);
  std::istringstream functions(text);
  lathe_text_destroy(text);
  const std::set<std::string> listed = names_of_the_page();
  int count = 0;
  for (std::string name; std::getline(functions, name); ++count)
    EXPECT_TRUE(listed.contains(name)) << "docs/arrays.md, Functions, does not name " << name;
  EXPECT_GT(count, 150);
}

}  // namespace
}  // namespace lathe
