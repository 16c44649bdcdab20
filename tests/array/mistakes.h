// SPDX-License-Identifier: Apache-2.0
#pragma once
// Mistakes and what Lathe says about them, in full, compared with a file. LATHE_UPDATE=1 rewrites
// it. Lines of the test stand as LINE there.

#include <gtest/gtest.h>
#include <lathe/array.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "source_dir.h"

namespace lathe {

struct Mistake {
  const char* name;
  void (*make)();
};

// "at PATH/TEST:12" as "at TEST:LINE", wherever it stands. (std::regex takes seconds to compile.)
inline std::string without_lines(std::string text, const std::string& test) {
  const std::string name = test + ":";
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
    const std::size_t digits = at + name.size();
    const std::size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
    const std::size_t gap = text.find_last_of(" \n", at);
    const bool is_place =
        gap != std::string::npos && gap >= 2 && text.compare(gap - 2, 3, "at ") == 0;
    if (!is_place || end == digits) {
      at = digits;
      continue;
    }
    text.replace(gap + 1, end - gap - 1, name + "LINE");
    at = gap + 1 + name.size();
  }
  return text;
}

inline std::string message_of(const Mistake& m, const std::string& test) {
  try {
    m.make();
  } catch (const Error& e) {
    return without_lines(e.what(), test);
  }
  return "nothing\n";
}

inline void check_mistakes(const std::vector<Mistake>& all, const std::string& test,
                           const std::string& file) {
  const std::string path = source_dir() + "/" + file;
  std::string made;
  for (const Mistake& m : all) made += std::string("=== ") + m.name + "\n" + message_of(m, test);
  EXPECT_EQ(made.find("\nnothing\n"), std::string::npos);
  if (std::getenv("LATHE_UPDATE")) std::ofstream(path) << made;
  std::ostringstream kept;
  kept << std::ifstream(path).rdbuf();
  EXPECT_EQ(made, kept.str());
}

}  // namespace lathe
