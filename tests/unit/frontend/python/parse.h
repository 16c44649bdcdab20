// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sources as the tests write them, and files of cases:
//
//   === name of the case
//   source
//   ---
//   what comes of it

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/files.h"
#include "frontend/python/dump.h"
#include "frontend/python/encoding.h"
#include "frontend/python/parser.h"
#include "source_dir.h"

namespace lathe::python {

struct Parsed {
  SourceMap sources;
  Arena arena;
  Diagnostics diagnostics;
  std::optional<Module> module;

  explicit Parsed(std::string text) {
    const std::uint32_t file = add_source(sources, "test.py", std::move(text));
    module = parse_module(sources, file, diagnostics, arena);
    EXPECT_EQ(module.has_value(), !diagnostics.has_errors());
  }
  std::string messages() const { return render_text(diagnostics, sources); }
  std::string tree() const { return module ? dump(*module, sources) : messages(); }
};

// The statements without the module around them.
inline std::string tree_of(std::string text) {
  const std::string all = Parsed(std::move(text)).tree();
  constexpr std::string_view kHead = "Module(body=[", kTail = "], type_ignores=[])";
  if (!all.starts_with(kHead)) return all;
  return all.substr(kHead.size(), all.size() - kHead.size() - kTail.size());
}

inline std::string messages_of(std::string text) { return Parsed(std::move(text)).messages(); }

struct Case {
  std::string name, source, result;
};

inline std::vector<Case> read_cases(const std::string& text) {
  std::vector<Case> cases;
  bool in_result = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("=== ")) {
      cases.push_back({line.substr(4), {}, {}});
      in_result = false;
    } else if (line == "---") {
      in_result = true;
    } else if (!cases.empty()) {
      (in_result ? cases.back().result : cases.back().source) += line + "\n";
    }
  }
  return cases;
}

// Compares every case of a file of this folder with what the function makes of its source;
// LATHE_UPDATE=1 rewrites the file instead. Answers how many cases there are.
inline std::size_t compare_cases(const std::string& file, std::string (*result)(std::string)) {
  const std::string path = source_dir() + "/tests/unit/frontend/python/" + file;
  const bool update = std::getenv("LATHE_UPDATE") != nullptr;
  std::string rewritten;
  const std::vector<Case> cases = read_cases(read_file(path));
  for (const Case& c : cases) {
    const std::string found = result(c.source);
    if (!update) {
      EXPECT_EQ(found, c.result) << file << ": " << c.name;
    }
    rewritten += "=== " + c.name + "\n" + c.source + "---\n" + found;
  }
  if (update) write_file(path, rewritten);
  return cases.size();
}

}  // namespace lathe::python
