// SPDX-License-Identifier: Apache-2.0
#include "device/host/compile_parts.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "unit/device/kernels.h"

namespace lathe::host {
namespace {

struct Text {
  std::string text = "typedef long num;\n\n";
  std::vector<std::size_t> functions = {};

  void add(const std::string& head, const std::string& body) {
    text += "struct of_" + std::to_string(functions.size()) + " {\n  num x;\n};\n\n";
    functions.push_back(text.size());
    text += head + " {\n" + body + "}\n\n";
  }
};

// answer(x) = x + 1 + 2 + ... + count, each by a function of its own.
Text chain(int count, int padding) {
  Text t;
  std::string filler;
  for (int n = 0; n < padding; ++n) filler += "  x = x ^ " + std::to_string(n) + ";\n";
  filler += filler;  // twice: nothing has changed
  for (int n = 1; n <= count; ++n) {
    const std::string before = n == 1 ? "x" : "step_" + std::to_string(n - 1) + "(x)";
    t.add("num step_" + std::to_string(n) + "(num x)",
          filler + "  return " + before + " + " + std::to_string(n) + ";\n");
  }
  t.add("num answer(num x)", "  return step_" + std::to_string(count) + "(x);\n");
  return t;
}

TEST(CompileParts, ATextInTwo) {
  Text t;
  t.add("void f(num *x)", "  *x = 1;\n");
  t.add("num g(void)", "  num y;\n  f(&y);\n  return y;\n");
  const std::vector<std::string> parts = parts_of(t.text, t.functions, 2);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0],
            "typedef long num;\n\nstruct of_0 {\n  num x;\n};\n\nvoid f(num *x) {\n  *x = 1;\n}\n\n"
            "struct of_1 {\n  num x;\n};\n\nnum g(void);\n\n");
  EXPECT_EQ(parts[1],
            "typedef long num;\n\nstruct of_0 {\n  num x;\n};\n\nvoid f(num *x);\n\n"
            "struct of_1 {\n  num x;\n};\n\nnum g(void) {\n  num y;\n  f(&y);\n  return y;\n}\n\n");
  EXPECT_EQ(parts_of(t.text, t.functions, 1).front(), t.text);
}

// However unequal they are, every part has a function and every function a part.
TEST(CompileParts, EveryFunctionOnce) {
  for (int large = 0; large < 7; ++large)
    for (std::size_t count = 1; count <= 7; ++count) {
      Text t;
      for (int n = 0; n < 7; ++n)
        t.add("void f" + std::to_string(n) + "(void)",
              std::string(n == large ? 4000 : 10, ' ') + "\n");
      const std::vector<std::string> parts = parts_of(t.text, t.functions, count);
      ASSERT_EQ(parts.size(), count);
      std::size_t sum = 0;
      for (const std::string& p : parts) {
        std::size_t own = 0;
        for (int n = 0; n < 7; ++n)
          own += p.find("void f" + std::to_string(n) + "(void) {") != p.npos ? 1 : 0;
        EXPECT_GE(own, 1u) << large << " of " << count;
        sum += own;
      }
      EXPECT_EQ(sum, 7u) << large << " of " << count;
    }
}

TEST(CompileParts, WorthTheWhile) {
  const Text small = chain(3, 1), large = chain(4, 500);
  EXPECT_EQ(part_count(small.text, small.functions, 16), 1u);
  EXPECT_EQ(part_count(large.text, large.functions, 1), 1u);
  EXPECT_EQ(part_count(large.text, large.functions, 2), 2u);
  EXPECT_EQ(part_count(large.text, large.functions, 16), 5u) << "no more than functions";
  EXPECT_EQ(part_count(large.text, {}, 16), 1u);
  EXPECT_EQ(part_count("", {}, 0), 1u);
}

class PartsCompileTest : public DeviceTest {
 protected:
  CompileResult compile(const std::string& compiler, const Text& t, double timeout = 60) {
    std::optional<Diagnostic> problem;
    const auto found = Compiler::find({compiler, timeout, {}, 2}, problem);
    return found->compile(
        {t.text, {"-O1", "-Wl,-Bsymbolic"}, {"answer"}, folder_.path(), t.functions});
  }
};

TEST_F(PartsCompileTest, AreOneLibraryAgain) {
  for (const char* name : {"gcc", "clang"}) {
    if (find_program(name).empty()) continue;
    const CompileResult result = compile(name, chain(5, 600));
    ASSERT_TRUE(result.ok()) << result.error->message << result.output;
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(std::ifstream(path("kernel-0.o"))) << "compiled as a whole";
    std::string problem;
    const auto library = Library::open(result.path, problem);
    ASSERT_TRUE(library) << problem;
    EXPECT_EQ(library->function<Answer>("answer")(10), 25);
    for (const char* file : {"kernel-0.o", "kernel-1.o"})
      EXPECT_EQ(::unlink(path(file).c_str()), 0);
  }
}

TEST_F(PartsCompileTest, AMistakeInOneOfThem) {
  Text t = chain(5, 600);
  t.add("num wrong(void)", "  return nothing;\n");
  const CompileResult result = compile("", t);
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.error->message.ends_with("' failed with exit code 1"))
      << result.error->message;
  ASSERT_EQ(result.error->notes.size(), 1u);
  EXPECT_NE(result.error->notes[0].message.find("'nothing'"), std::string::npos)
      << result.error->notes[0].message;
}

TEST_F(PartsCompileTest, OneFailsAndTheOtherHangs) {
  const std::string compiler =
      fake_compiler("case $out in *kernel-0.o) exit 3;; *) sleep 1000;; esac");
  const CompileResult result = compile(compiler, chain(5, 600), 100);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error->message, "the C compiler '" + compiler + "' failed with exit code 3");
  EXPECT_LT(result.seconds, 50);
}

TEST_F(PartsCompileTest, TheLinkerFails) {
  const std::string compiler =
      fake_compiler("case $out in *.o) exit 0;; *) echo no room; exit 4;; esac");
  const CompileResult result = compile(compiler, chain(5, 600));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error->message, "the C compiler '" + compiler + "' failed with exit code 4");
  ASSERT_EQ(result.error->notes.size(), 1u);
  EXPECT_EQ(result.error->notes[0].message, "it printed: no room");
}

// The limit is one for parts and link together, and nobody is left behind.
TEST_F(PartsCompileTest, PartsThatHang) {
  const std::string compiler = fake_compiler("echo $$ >> \"$out.pid\"; sleep 1000");
  const CompileResult result = compile(compiler, chain(5, 600), 0.3);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error->message, "the C compiler '" + compiler + "' was stopped after 0.3 s");
  for (const char* file : {"kernel-0.o.pid", "kernel-1.o.pid"}) {
    int pid = 0;
    std::ifstream(path(file)) >> pid;
    EXPECT_TRUE(pid == 0 || ::kill(pid, 0) == -1) << file;
  }
}

}  // namespace
}  // namespace lathe::host
