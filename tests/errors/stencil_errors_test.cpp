// SPDX-License-Identifier: Apache-2.0
// Wrong stencils and what Lathe says about them, in full. Each .txt file in stencil/ holds cases:
//
//   === name of the case
//   a Python file
//   ---
//   the messages of `lathe check`
//
// A line `# call: DOMAIN NAME=DTYPE:SHAPE@ORIGIN ...` in it calls the stencil with such arrays, for
// instance `# call: 4x4x8 a=f64:6x6x8@1,1,0 b=f64:4x4x8`. LATHE_UPDATE=1 rewrites the messages.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "analysis/check_access.h"
#include "base/files.h"
#include "frontend/stencil/call.h"
#include "frontend/stencil/stencil.h"
#include "ir/verify.h"
#include "source_dir.h"

namespace lathe::stencil {
namespace {

struct Case {
  std::string name, program, messages;
};

std::vector<Case> read_cases(const std::string& text) {
  std::vector<Case> cases;
  bool in_messages = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
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

std::vector<std::int64_t> numbers(const std::string& text, char separator) {
  std::vector<std::int64_t> out;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, separator);) out.push_back(std::stoll(part));
  return out;
}

// What comes after "# call:".
void call(const Info& info, const std::string& line) {
  std::istringstream words(line);
  std::map<std::string, Given> given;
  CallOptions options;
  std::string word;
  words >> word;
  if (word != "-") {
    const auto n = numbers(word, 'x');
    options.domain = {n[0], n[1], n[2]};
  }
  while (words >> word) {
    const std::size_t equal = word.find('='), colon = word.find(':'), at = word.find('@');
    const std::string name = word.substr(0, equal);
    const auto shape = word.substr(colon + 1, at == word.npos ? at : at - colon - 1);
    given[name] = {*ir::parse_dtype(word.substr(equal + 1, colon - equal - 1)),
                   numbers(shape, 'x')};
    if (at != word.npos) options.origin[name] = numbers(word.substr(at + 1), ',');
  }
  plan_call(info, given, options);
}

std::string messages_of(const std::string& text) {
  auto sources = std::make_shared<SourceMap>();
  const std::uint32_t id = sources->add("wrong.py", text);
  Diagnostics diagnostics;
  const auto file = File::parse(sources, id, diagnostics);
  if (!file) return render_text(diagnostics, *sources);
  Options options;
  options.remarks = true;
  for (const std::string& name : file->stencils()) {
    const auto result = file->compile(name, options, diagnostics);  // throws nothing
    if (!result || !ir::verify(result->program, diagnostics)) continue;
    analysis::check_access(result->program, diagnostics);
    const std::size_t at = text.find("# call:");
    if (at == text.npos) continue;
    try {
      call(result->info, text.substr(at + 7, text.find('\n', at) - at - 7));
    } catch (const UserError& e) {
      diagnostics.add(e.diagnostic());
    }
  }
  return render_text(diagnostics, *sources);
}

TEST(StencilErrors, EveryMessageIsAsWritten) {
  const bool update = std::getenv("LATHE_UPDATE") != nullptr;
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/errors/stencil"))
    if (entry.path().extension() == ".txt") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::size_t count = 0;
  for (const std::string& file : files) {
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
  EXPECT_GE(count, 90u);
}

}  // namespace
}  // namespace lathe::stencil
