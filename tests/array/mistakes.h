// SPDX-License-Identifier: Apache-2.0
#pragma once
// Mistakes and what Lathe says about them, in full, compared with a file. LATHE_UPDATE=1 rewrites
// it. Lines of the test stand as LINE there.

#include <gtest/gtest.h>
#include <lathe/array.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

#include "source_dir.h"

namespace lathe {

struct Mistake {
  const char* name;
  std::function<void()> make;
};

inline std::string message_of(const Mistake& m, const std::string& test) {
  try {
    m.make();
  } catch (const Error& e) {
    return std::regex_replace(std::string(e.what()), std::regex("at [^ \n]*" + test + ":[0-9]+"),
                              "at " + test + ":LINE");
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
