// SPDX-License-Identifier: Apache-2.0
// Golden files of passes and mechanisms. A file holds a program and steps; each step is followed by
// the program it gives, or by `refused:` and the reason:
//
//   program square(n: size)
//     ...
//   === inline-temporary t
//   program square(n: size)
//     ...
//   === fuse-statements v w
//   refused: 'w' does not follow 'v'
//
// A refused step leaves the program as it is. Besides the text, every step must keep every bit of
// every output on random inputs. LATHE_UPDATE=1 rewrites the files.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "golden/steps.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "pipeline.h"
#include "source_dir.h"

namespace lathe::testing {
namespace {

namespace fs = std::filesystem;

fs::path golden_dir() { return fs::path(source_dir()) / "tests" / "golden"; }

std::string read_file(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Section {
  std::string step;  // empty for the first: the input
  std::string text;
};

std::vector<Section> sections(const std::string& file) {
  std::vector<Section> found = {{}};
  std::istringstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== "))
      found.push_back({line.substr(4), ""});
    else
      found.back().text += line + "\n";
  }
  return found;
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, EachStep) {
  const fs::path path = golden_dir() / GetParam();
  const auto parts = sections(read_file(path));
  Diagnostics diagnostics;
  auto sources = std::make_shared<SourceMap>();
  auto parsed = ir::parse_program(GetParam(), parts[0].text, diagnostics, sources);
  ASSERT_TRUE(parsed && ir::verify(*parsed, diagnostics)) << render_text(diagnostics, *sources);
  ir::Program program = *parsed;
  std::string actual = parts[0].text;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const StepResult result = run_step(program, parts[i].step);
    if (result.program) {
      ir::verify_or_die(*result.program, parts[i].step);
      EXPECT_EQ(first_difference(program, *result.program), "") << parts[i].step;
      program = *result.program;
    }
    actual += "=== " + parts[i].step + "\n" + result.text;
  }
  if (std::getenv("LATHE_UPDATE")) {
    std::ofstream(path) << actual;
    return;
  }
  EXPECT_EQ(actual, read_file(path)) << "LATHE_UPDATE=1 rewrites " << path;
}

std::vector<std::string> golden_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(golden_dir()))
    if (entry.path().extension() == ".lathe")
      files.push_back(fs::relative(entry.path(), golden_dir()).string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(golden_files()), test_name);

TEST(GoldenFiles, ShowEveryPass) {
  std::string all;
  for (const std::string& file : golden_files()) all += read_file(golden_dir() / file);
  for (const auto table : {pipeline(), preparation()})
    for (const Pass& pass : table)
      EXPECT_NE(all.find("\n=== " + std::string(pass.name) + "\n"), std::string::npos)
          << "no file of tests/golden/ shows " << pass.name;
}

}  // namespace
}  // namespace lathe::testing
