// SPDX-License-Identifier: Apache-2.0
// Documentation that shows commands shows their real output: in README.md and docs/, a comment
//
//   <!-- lathe explain examples/diffuse.lathe -->
//
// is followed by a fenced block, which must be what that command prints (run in the repository).
// LATHE_UPDATE=1 rewrites the blocks.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "source_dir.h"

namespace lathe::testing {
namespace {

namespace fs = std::filesystem;

// Times differ from run to run: leaves out every "(12.3 ms)" and the space before it.
std::string without_times(std::string text) {
  const std::string end = " ms)";
  for (std::size_t at = 0; (at = text.find('(', at)) != std::string::npos;) {
    const std::size_t after = text.find_first_not_of("0123456789.", at + 1);
    if (after == std::string::npos || after == at + 1 ||
        text.compare(after, end.size(), end) != 0) {
      ++at;
      continue;
    }
    const std::size_t begin = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
    text.erase(begin, after + end.size() - begin);
    at = begin;
  }
  return text;
}

std::string output_of(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream in(command);
  for (std::string w; in >> w;) words.push_back(w);
  std::ostringstream out;
  cli::main_with({words.begin() + 1, words.end()}, {out, out});
  return without_times(out.str());
}

struct Page {
  std::string text;
  int commands = 0;
};

Page with_real_output(const fs::path& path) {
  std::ifstream in(path);
  Page page;
  std::string command;
  bool in_block = false, replaced = false;
  for (std::string line; std::getline(in, line);) {
    const bool fence = line.starts_with("```");
    if (!in_block && line.starts_with("<!-- lathe ")) command = line.substr(5, line.size() - 9);
    if (fence && !in_block) {
      in_block = true;
      replaced = !command.empty();
      page.text += line + "\n";
      if (!replaced) continue;
      page.text += output_of(command);
      ++page.commands;
      command.clear();
      continue;
    }
    if (fence) in_block = false;
    if (in_block && replaced) continue;
    page.text += line + "\n";
  }
  return page;
}

std::string content(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(DocsTest, CommandsShowTheirRealOutput) {
  fs::current_path(source_dir());
  std::vector<fs::path> pages = {"README.md"};
  for (const auto& entry : fs::directory_iterator("docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  int commands = 0;
  for (const fs::path& path : pages) {
    const Page page = with_real_output(path);
    commands += page.commands;
    if (page.commands == 0) continue;
    if (std::getenv("LATHE_UPDATE"))
      std::ofstream(path) << page.text;
    else
      EXPECT_EQ(page.text, content(path)) << "LATHE_UPDATE=1 rewrites " << path;
  }
  EXPECT_GT(commands, 5);
}

}  // namespace
}  // namespace lathe::testing
