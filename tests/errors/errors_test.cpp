// SPDX-License-Identifier: Apache-2.0
// Wrong programs and what Lathe says about them, in full. Each .txt file here holds cases:
//
//   === name of the case
//   program text
//   ---
//   the messages of parser and verifier
//
// LATHE_UPDATE=1 rewrites the messages; read the difference before you commit it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "source_dir.h"

namespace lathe::ir {
namespace {

struct Case {
  std::string name, program, messages;
};

std::vector<Case> read_cases(const std::string& text) {
  std::vector<Case> cases;
  bool in_messages = false;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("=== ")) {
      cases.push_back({line.substr(4), {}, {}});
      in_messages = false;
    } else if (line == "---") {
      in_messages = true;
    } else if (!cases.empty()) {
      (in_messages ? cases.back().messages : cases.back().program) += line + "\n";
    }
  }
  return cases;
}

std::string messages_of(const std::string& text) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto program = parse_program("wrong.lathe", text, diagnostics, sources);
  if (program) verify(*program, diagnostics);
  return render_text(diagnostics, *sources);
}

std::vector<std::string> files() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/tests/errors"))
    if (entry.path().extension() == ".txt") found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Errors, EveryMessageIsAsWritten) {
  const bool update = std::getenv("LATHE_UPDATE") != nullptr;
  std::size_t count = 0;
  for (const std::string& file : files()) {
    std::string rewritten;
    for (const Case& c : read_cases(read_file(file))) {
      const std::string messages = messages_of(c.program);
      if (!update) {
        EXPECT_EQ(messages, c.messages) << file << ": " << c.name;
      }
      EXPECT_FALSE(messages.empty()) << file << ": " << c.name << " is accepted";
      rewritten += "=== " + c.name + "\n" + c.program + "---\n" + messages;
      ++count;
    }
    if (update) write_file(file, rewritten);
  }
  EXPECT_GE(count, 70u);
}

}  // namespace
}  // namespace lathe::ir
