// SPDX-License-Identifier: Apache-2.0
// How `lathe` is called: help, versions, wrong words.

#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

TEST(UsageTest, NoArgumentsShowTheHelp) {
  const Said said = lathe({});
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_NE(said.err.find("Usage: lathe [OPTIONS] SUBCOMMAND"), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("Examples:"), std::string::npos);
}

TEST(UsageTest, Version) {
  const Said said = lathe({"--version"});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, "lathe 0.1.0\n");
}

TEST(UsageTest, EveryHelpHasExamplesAndTheNameOfTheProgram) {
  for (const std::string command :
       {"check", "run", "explain", "fmt", "diff", "emit", "cache", "bench"}) {
    const Said said = lathe({command, "--help"});
    EXPECT_EQ(said.status, 0);
    EXPECT_NE(said.out.find("Usage: lathe " + command + " "), std::string::npos) << said.out;
    EXPECT_NE(said.out.find("Examples:\n  lathe " + command + " "), std::string::npos) << said.out;
  }
  EXPECT_NE(lathe({"--help"}).out.find("Examples:"), std::string::npos);
}

TEST(UsageTest, TheFileIsNotOptional) {
  for (const std::string command : {"check", "run", "fmt", "diff", "emit"})
    EXPECT_EQ(lathe({command, "--help"}).out.find("[file"), std::string::npos) << command;
}

struct WrongCommand {
  std::vector<std::string> words;
  std::string message;
};

TEST(UsageTest, WrongWords) {
  const WrongCommand cases[] = {
      {{"frob"},
       "error: there is no command 'frob'\n"
       "  help: the commands are check, run, explain, fmt, diff, emit, cache, bench; "
       "lathe --help shows how\n"},
      {{"--frob"},
       "error: lathe has no option '--frob'\n"
       "  help: the commands are check, run, explain, fmt, diff, emit, cache, bench; "
       "lathe --help shows how\n"},
      {{"run"}, "error: lathe run needs a .lathe file\n  help: lathe run --help shows how\n"},
      {{"check"}, "error: lathe check needs a .lathe file\n  help: lathe check --help shows how\n"},
      {{"fmt"}, "error: lathe fmt needs a .lathe file\n  help: lathe fmt --help shows how\n"},
      {{"explain"},
       "error: lathe explain needs a .lathe file\n  help: lathe explain --help shows how\n"},
      {{"diff"}, "error: lathe diff needs a .lathe file\n  help: lathe diff --help shows how\n"},
      {{"emit"}, "error: lathe emit needs a .lathe file\n  help: lathe emit --help shows how\n"},
      {{"emit", "a.lathe"},
       "error: lathe emit needs a folder for the bundle\n"
       "  help: for example: lathe emit a.lathe -o bundle\n"},
      {{"cache"}, "error: lathe cache needs an action\n  help: list, info, clear or verify\n"},
      {{"run", "a.lathe", "--set"},
       "error: lathe run: --set: 1 required NAME=VALUE missing\n"
       "  help: lathe run --help shows how\n"},
      {{"run", "a.lathe", "--bogus"},
       "error: lathe run: The following argument was not expected: --bogus\n"
       "  help: lathe run --help shows how\n"},
      {{"run", "a.lathe", "b.lathe"},
       "error: lathe run: The following argument was not expected: b.lathe\n"
       "  help: lathe run --help shows how\n"},
  };
  for (const WrongCommand& c : cases) {
    const Said said = lathe(c.words);
    EXPECT_EQ(said.status, 2);
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(said.err, c.message);
  }
}

}  // namespace
}  // namespace lathe::cli
