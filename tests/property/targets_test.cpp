// SPDX-License-Identifier: Apache-2.0
// The road in small: kept failures stay mended, and the machinery that finds and reduces new ones
// works. Random programs: lathe_campaign --targets.

#include <gtest/gtest.h>

#include <filesystem>

#include "child.h"
#include "road_reduce.h"
#include "source_dir.h"
#include "thorough.h"

namespace lathe::testing {
namespace {

// Every file of tests/regressions, all in one C file per build; in quick runs each in one build,
// and every third checked.
TEST(Targets, KeptFailuresStayMended) {
  std::vector<std::filesystem::path> files;
  const std::string folder = std::string(source_dir()) + "/tests/regressions";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".lathe") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Trial> trials;
  std::vector<std::string> names;
  for (const auto& path : files)
    for (Trial& t : read_trials(path.string())) {
      names.push_back(path.filename().string() + ", " + t.name);
      if (!is_thorough()) t.builds = {t.builds[trials.size() % t.builds.size()]};
      trials.push_back(std::move(t));
    }
  RoadOptions options;
  options.checked_every = is_thorough() ? 1 : 3;
  const std::vector<Verdict> verdicts = run_trials(trials, options);
  for (std::size_t t = 0; t < trials.size(); ++t) EXPECT_EQ(verdicts[t].message, "") << names[t];
}

TEST(Targets, ACrashIsASentence) {
  EXPECT_EQ(in_child([]() -> std::string { return "fine"; }), "fine");
  EXPECT_EQ(in_child([]() -> std::string { abort(); }), "crash: Aborted");
  EXPECT_EQ(in_child([]() -> std::string { _exit(3); }), "crash: exit 3");
}

}  // namespace
}  // namespace lathe::testing
