// SPDX-License-Identifier: Apache-2.0
// Without a C compiler the interpreter stands in, and says so once.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace {

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return "no shell";
  char piece[256];
  while (std::fgets(piece, sizeof piece, pipe)) out += piece;
  if (::pclose(pipe) != 0) out += "(it failed)\n";
  return out;
}

const std::string kResults =
    "3 0 5 7 interpreted\n4 0 7 10 interpreted\n3 0 5 7 interpreted\n4 0 7 10 interpreted\n"
    "2 found, the last at 3\n"
    "4 error: statement 'v' reads 'at' at [5], but at covers [0..2]\n"
    "  --> test.lathe:4:25\n   |\n 4 |   for i in 0..n: v[i] = at[at[i]]\n"
    "   |                         ^^^^^^^^^\n  note: at i = 1\n"
    "  help: shrink the domain of the statement, or say what lies outside: at[...; zero], clamp, "
    "wrap, mirror or value v\n";

TEST(NoCompiler, TheInterpreterGivesTheSameResults) {
  EXPECT_EQ(output_of("LATHE_CC=no-such-compiler " LATHE_NO_COMPILER_WORKER " 2>/dev/null"),
            kResults);
}

TEST(NoCompiler, OneWarningSaysWhatIsMissing) {
  EXPECT_EQ(output_of("LATHE_CC=no-such-compiler " LATHE_NO_COMPILER_WORKER " 2>&1 >/dev/null"),
            "warning: there is no C compiler 'no-such-compiler'; programs run in the interpreter: "
            "the same results, but much slower\n"
            "  help: install gcc or clang, or name a C compiler in LATHE_CC (one program, by its "
            "path or by a name on PATH, without arguments)\n");
  EXPECT_EQ(output_of("PATH=/nowhere " LATHE_NO_COMPILER_WORKER " 2>&1 >/dev/null"),
            "warning: there is no C compiler: no cc, gcc or clang on PATH; programs run in the "
            "interpreter: the same results, but much slower\n"
            "  help: install gcc or clang, or name a C compiler in LATHE_CC (one program, by its "
            "path or by a name on PATH, without arguments)\n");
}

}  // namespace
