// SPDX-License-Identifier: Apache-2.0
#include "device/host/compiler.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "device/host/process.h"
#include "device/host/shared_object.h"
#include "unit/device/kernels.h"

namespace lathe::host {
namespace {

class CompilerTest : public DeviceTest {
 protected:
  std::shared_ptr<const Compiler> find(const std::string& program, double timeout = 60) {
    std::optional<Diagnostic> problem;
    auto out = Compiler::find({program, timeout, {}}, problem);
    EXPECT_TRUE(out) << problem->message;
    return out;
  }
  CompileResult compile(const Compiler& compiler, const std::string& text) {
    return compiler.compile({text, {"-O1"}, {"answer"}, folder_.path()});
  }
  std::string error_of(const std::string& script, double timeout = 60) {
    const CompileResult result = compile(*find(fake_compiler(script), timeout), answer_text(1));
    return result.error ? result.error->message : "no error";
  }
  std::string who() const { return "the C compiler '" + path("fake-cc") + "'"; }
};

TEST_F(CompilerTest, MakesSharedObjects) {
  for (const char* name : {"gcc", "clang"}) {
    if (find_program(name).empty()) continue;
    const auto compiler = find(name);
    EXPECT_EQ(compiler->kind(),
              std::string(name) == "gcc" ? CompilerKind::Gcc : CompilerKind::Clang);
    EXPECT_NE(compiler->identity().find(compiler->version()), std::string::npos);
    const CompileResult result = compile(*compiler, answer_text(42));
    ASSERT_TRUE(result.ok()) << result.error->message << result.output;
    EXPECT_EQ(result.output, "");
    std::string problem;
    const auto library = Library::open(result.path, problem);
    ASSERT_TRUE(library) << problem;
    EXPECT_EQ(library->function<Answer>("answer")(1), 43);
    EXPECT_EQ(library->symbol("question"), nullptr);
  }
}

// clang 14 crashes on some kernels at -O2 that it compiles at -O1.
TEST_F(CompilerTest, ACrashOfTheCompilerIsAnsweredByALowerLevel) {
  for (const char* words : {"internal compiler error: in expand", "PLEASE submit a bug report"})
    for (const char* works : {"-O1", "-O0"}) {
      const std::string name = path("crashing-cc");
      write(name, "#!/bin/sh\ncase \" $* \" in *\" --version \"*|*\" " + std::string(works) +
                      " \"*) exec cc \"$@\";; esac\necho '" + words + "'; exit 254\n");
      ASSERT_EQ(::chmod(name.c_str(), 0755), 0);
      const CompileResult result =
          find(name)->compile({answer_text(5), {"-O2"}, {"answer"}, folder_.path()});
      EXPECT_TRUE(result.ok()) << result.output;
    }
  EXPECT_EQ(error_of("echo 'internal compiler error: at every level'; exit 1\n"),
            who() + " failed with exit code 1");
}

// memset is the process's, the division of 128-bit numbers is libgcc's.
TEST_F(CompilerTest, FindsWhatCompilersCall) {
  const CompileResult result =
      compile(*find(""),
              "long answer(long x) {\n  char a[4096] = {0};\n  volatile char* p = a;\n"
              "  __int128 y = (__int128)x << 70;\n  return (long)(y / (x + 1)) + p[5];\n}\n");
  ASSERT_TRUE(result.ok()) << result.error->message << result.output;
  std::string problem;
  EXPECT_TRUE(Library::open(result.path, problem)) << problem;
}

TEST_F(CompilerTest, EnvironmentDoesNotLeakIn) {
  write(path("stdhidden.h"), "#define HIDDEN 1\n");
  const ScopedVariable leak("C_INCLUDE_PATH", folder_.path().c_str());
  const CompileResult result = compile(*find(""), "#include <stdhidden.h>\n" + answer_text(1));
  EXPECT_FALSE(result.ok());
}

TEST_F(CompilerTest, MistakesAreShownAsTheCompilerSaysThem) {
  const CompileResult result = compile(*find(""), "long answer(long x) { return y; }\n");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error->message.find("failed with exit code 1"), std::string::npos);
  ASSERT_EQ(result.error->notes.size(), 1u);
  EXPECT_NE(result.error->notes[0].message.find("undeclared"), std::string::npos);
}

TEST_F(CompilerTest, Missing) {
  std::optional<Diagnostic> problem;
  EXPECT_FALSE(Compiler::find({"no-such-compiler", 60, {}}, problem));
  EXPECT_EQ(problem->message, "there is no C compiler 'no-such-compiler'");
  {
    const ScopedVariable choice("LATHE_CC", "gcc -O9");
    problem.reset();
    EXPECT_FALSE(Compiler::find({}, problem));
    EXPECT_EQ(problem->message, "there is no C compiler 'gcc -O9'");
  }
  const ScopedVariable choice("LATHE_CC", nullptr);
  const ScopedVariable nowhere("PATH", folder_.path().c_str());
  problem.reset();
  EXPECT_FALSE(Compiler::find({}, problem));
  EXPECT_EQ(problem->message, "there is no C compiler: no cc, gcc or clang on PATH");
}

TEST_F(CompilerTest, NotAProgram) {
  write(path("text"), "no program\n");
  ASSERT_EQ(::chmod(path("text").c_str(), 0755), 0);
  std::optional<Diagnostic> problem;
  EXPECT_FALSE(Compiler::find({path("text"), 60, {}}, problem));
  EXPECT_EQ(problem->message,
            "cannot start the C compiler '" + path("text") + "': Exec format error");
}

TEST_F(CompilerTest, Lying) {
  const std::string said = who() + " said that all is well, but ";
  EXPECT_EQ(error_of("exit 0"), said + "it wrote no shared object");
  EXPECT_EQ(error_of(": > $out"), said + "what it wrote is of no use: it is empty");
  EXPECT_EQ(error_of("echo hello > $out"),
            said + "what it wrote is of no use: it is not an ELF file");
  EXPECT_EQ(error_of("mkdir $out"), said + "what it wrote cannot be read: Is a directory");
  ::rmdir(path("kernel.so").c_str());
  EXPECT_EQ(error_of("echo 'long other(long x) { return x; }' > $out.c; cc -shared -o $out $out.c"),
            said + "what it wrote is of no use: it has no function 'answer'");
  EXPECT_EQ(error_of("echo 'int main() { return 0; }' > $out.c; cc -no-pie -o $out $out.c"),
            said + "what it wrote is of no use: it is not a shared object");
}

TEST_F(CompilerTest, Failing) {
  EXPECT_EQ(error_of("echo out of ideas >&2; exit 3"), who() + " failed with exit code 3");
  EXPECT_EQ(error_of("kill -SEGV $$"), who() + " was ended by signal 11 (Segmentation fault)");
}

TEST_F(CompilerTest, HangingWithChildren) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of("sleep 1000 & echo $! > " + path("child") + "; sleep 1000", 0.3),
            who() + " was stopped after 0.3 s");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  pid_t child = 0;
  std::ifstream(path("child")) >> child;
  ASSERT_GT(child, 0);
  // Killed with its group; whoever inherited it reaps it, sooner or later.
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i, ::usleep(10000)) {
    std::ifstream status("/proc/" + std::to_string(child) + "/stat");
    std::string number, name, state = "gone";
    status >> number >> name >> state;
    gone = state == "gone" || state == "Z";
  }
  EXPECT_TRUE(gone);
}

TEST_F(CompilerTest, LeavingAChildBehindIsNotHanging) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of("sleep 20 & exit 3"), who() + " failed with exit code 3");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST_F(CompilerTest, TalkingWithoutEnd) {
  const CompileResult result =
      compile(*find(fake_compiler("head -c 30000000 /dev/zero >&2; exit 1")), answer_text(1));
  EXPECT_EQ(result.error->message, who() + " failed with exit code 1");
  EXPECT_EQ(result.output.size(), 64u << 10);
}

TEST_F(CompilerTest, VersionsAreRemembered) {
  const std::string gcc = find_program("gcc");
  if (gcc.empty()) GTEST_SKIP() << "no gcc";
  std::optional<Diagnostic> problem;
  const auto first = Compiler::find({"gcc", 60, folder_.path()}, problem);
  const auto second = Compiler::find({"gcc", 60, folder_.path()}, problem);
  EXPECT_EQ(first->identity(), second->identity());
  EXPECT_EQ(second->kind(), CompilerKind::Gcc);
}

// Every shortened file must be refused before the loader sees it.
TEST_F(CompilerTest, ShortenedSharedObjects) {
  const CompileResult result = compile(*find(""), answer_text(1));
  ASSERT_TRUE(result.ok());
  std::ifstream file(result.path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(shared_object_problem(whole, {"answer"}), "");
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    EXPECT_NE(shared_object_problem(whole.substr(0, size), {"answer"}), "") << size;
  }
}

// Any byte may be wrong; the reader must not go astray (the sanitizers look on).
TEST_F(CompilerTest, DamagedSharedObjects) {
  const CompileResult result = compile(*find(""), answer_text(1));
  ASSERT_TRUE(result.ok());
  std::ifstream file(result.path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (std::size_t at = 0; at < bytes.size(); at += at < 64 ? 1 : 11) {
    const char old = bytes[at];
    for (const char wrong : {'\xff', '\x7f', '\0'}) {
      bytes[at] = wrong;
      (void)shared_object_problem(bytes, {"answer"});
    }
    bytes[at] = old;
  }
}

}  // namespace
}  // namespace lathe::host
