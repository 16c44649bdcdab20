// SPDX-License-Identifier: Apache-2.0
// Every program in examples/ is formatted, runs in checked mode, and gives the same digests after
// the passes. A new example needs a line in kArguments.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/commands.h"
#include "source_dir.h"

namespace lathe::testing {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string> kArguments = {
    {"column", "--set columns=5 --set levels=12 --set r=2 --in old=random:1"},
    {"diffuse", "--set n=9 --set m=13 --set a=0.2 --in u=random:1"},
    {"eddie", "--set n=20 --in some_field=random:1 --in io=random:2"},
    {"mandelbrot", "--set n=21 --set cap=20"},
    {"pagerank", "--set pages=37 --set rounds=10 --set damping=0.85"},
    {"softmax", "--set rows=5 --set n=70 --in x=random:1"},
    {"waves", "--set n=23 --set steps=30 --set speed=0.4 --set beat=0.3"},
};

struct Said {
  int status;
  std::string out, err;
};

Said lathe(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream in(command);
  for (std::string w; in >> w;) words.push_back(w);
  std::ostringstream out, err;
  const int status = cli::main_with(words, {out, err});
  return {status, out.str(), err.str()};
}

TEST(ExamplesTest, FormattedAndTheSameInEveryMode) {
  fs::current_path(source_dir());
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator("examples")) {
    if (entry.path().extension() != ".lathe") continue;
    ++seen;
    const std::string file = entry.path().string();
    const Said format = lathe("fmt --check " + file);
    EXPECT_EQ(format.status, 0) << format.out << format.err;
    const auto arguments = kArguments.find(entry.path().stem().string());
    ASSERT_NE(arguments, kArguments.end()) << file << " has no arguments in this test";
    const std::string run = "run " + file + " " + arguments->second;
    const Said plain = lathe(run);
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(lathe(run + " --checked").out, plain.out) << file;
    EXPECT_EQ(lathe(run + " --optimize").out, plain.out) << file;
    EXPECT_EQ(lathe(run + " --target loops").out, plain.out) << file;
    EXPECT_EQ(lathe(run + " --target c").out, plain.out) << file;
    EXPECT_EQ(lathe(run + " --target c --threads 1").out, plain.out) << file;
    // Ready for loops, as text, a program like any other.
    const fs::path prepared =
        fs::temp_directory_path() / ("prepared_" + entry.path().filename().string());
    std::ofstream(prepared) << lathe("explain " + file + " --pass separate-overlaps").out;
    const Said again = lathe("run " + prepared.string() + " " + arguments->second);
    EXPECT_EQ(again.out, plain.out) << file << "\n" << again.err;
    fs::remove(prepared);
  }
  EXPECT_EQ(seen, kArguments.size());
}

TEST(ExamplesTest, ProgramsOfTheNumpyTestAreFormatted) {
  fs::current_path(source_dir());
  for (const auto& entry : fs::directory_iterator("tests/programs/numpy_programs")) {
    const Said said = lathe("fmt --check " + entry.path().string());
    EXPECT_EQ(said.status, 0) << said.out << said.err;
  }
}

}  // namespace
}  // namespace lathe::testing
