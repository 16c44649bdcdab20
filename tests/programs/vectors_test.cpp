// SPDX-License-Identifier: Apache-2.0
// Programs whose kernels take other ways than the interpreter - lanes, blocks, quotients without
// division - at sizes around the ends of all of them: the same digests.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cli/commands.h"
#include "source_dir.h"

namespace lathe::testing {
namespace {

std::string digests_of(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream in(command);
  for (std::string w; in >> w;) words.push_back(w);
  std::ostringstream out, err;
  EXPECT_EQ(cli::main_with(words, {out, err}), 0) << command << "\n" << err.str();
  return out.str();
}

void compare(const std::string& arguments) {
  std::filesystem::current_path(source_dir());
  const std::string run = "run tests/programs/vectors/" + arguments;
  const std::string wanted = digests_of(run);
  for (const char* target : {" --target c --threads 1", " --target c --threads 2"})
    EXPECT_EQ(digests_of(run + target), wanted) << run << target;
}

TEST(Vectors, Reductions) {
  for (const char* sizes :
       {"n=1 m=1", "n=3 m=0", "n=0 m=3", "n=2 m=31", "n=5 m=33", "n=2 m=63", "n=33 m=64",
        "n=70 m=65", "n=3 m=4095", "n=2 m=4161", "n=150 m=130", "n=1 m=9000", "n=9000 m=1"}) {
    std::istringstream in(sizes);
    std::string n, m;
    in >> n >> m;
    compare("reductions.lathe --set " + n + " --set " + m + " --in x=random:1 --in w=random:2");
  }
}

TEST(Vectors, Places) {
  for (const char* n : {"1", "32", "33", "100", "4095", "4097", "9000", "30000"})
    for (const char* u : {"random:3", "ramp", "zeros"})
      compare(std::string("places.lathe --set n=") + n + " --in u=" + u + " --in v=random:4");
}

TEST(Vectors, RowPlaces) {
  for (const char* m : {"1", "32", "33", "48", "63", "64", "65", "100", "512", "4097"})
    for (const char* x : {"random:3", "ramp", "zeros"})
      compare(std::string("row_places.lathe --set n=5 --set m=") + m + " --in x=" + x +
              " --in y=random:5 --in v=random:4");
}

TEST(Vectors, Divisors) {
  for (const char* p : {"3", "-0.7", "1e-40", "1e60", "1e-320", "0", "inf", "nan", "1"})
    for (const char* n : {"4096", "7"})
      for (const char* dtype : {"f32", "f64"})
        compare(std::string("divisors_") + dtype + ".lathe --set n=" + n + " --set p=" + p +
                " --in u=ramp");
}

}  // namespace
}  // namespace lathe::testing
