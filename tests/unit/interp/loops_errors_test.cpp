// SPDX-License-Identifier: Apache-2.0
// What running a kernel finds: mistakes of the user in the words of the interpreter of Program, and
// mistakes of Lathe with the place in the kernel.

#include "unit/interp/run_kernel.h"
#include "unit/interp/run_text.h"
#include "unit/ir/loops_samples.h"

namespace lathe::interp {
namespace {

// Without the source lines: the two point to different files.
std::string words(const std::string& message) {
  std::string kept;
  std::size_t begin = 0;
  while (begin < message.size()) {
    const std::size_t end = message.find('\n', begin) + 1;
    const std::string line = message.substr(begin, end - begin);
    if (line.find("-->") == std::string::npos && line.find(" |") == std::string::npos) kept += line;
    begin = end;
  }
  return kept;
}

TEST(LoopsErrors, FaultsSpeakAsTheProgramDoes) {
  TextRun program(R"(program gather(n: size, m: size)
  input  u: f64[i: n]
  input  index: i32[k: m]
  output v: f64[k: m]

  for k in 0..m: v[k] = u[index[k]]
)");
  program.set("n", 3).set("m", 2).in("u", {1, 2, 3}).in("index", {2, 3});
  KernelRun kernel(loops::sample("gather"));
  kernel.set("n", 3).set("m", 2).in("u", {3}, {1, 2, 3});
  kernel.in("index", ir::DType::I32, {2}, {2, 3});
  const std::string said = kernel.error();
  EXPECT_EQ(words(said), words(program.error()));
  EXPECT_NE(said.find("statement 'v' reads 'u' at [3], but u covers [0..3]"), std::string::npos);
  EXPECT_NE(said.find("at k = 1"), std::string::npos);
  EXPECT_NE(said.find("test.loops:5:3"), std::string::npos) << said;  // the site
}

TEST(LoopsErrors, EveryKindOfSite) {
  const auto error = [](std::int64_t cap, double x) {
    KernelRun kernel(loops::sample("rounds"));
    kernel.set("n", 1).set("cap", cap).in("x", ir::DType::I64, {1}, {x});
    return kernel.error();
  };
  EXPECT_EQ(error(100, 6), "no error");
  EXPECT_NE(error(5, 6).find("'collatz' is still on at i = 0 after 5 rounds"), std::string::npos);
  EXPECT_NE(error(5, 0).find("statement 'collatz' divides by zero in '100 // x[i]'"),
            std::string::npos);
  KernelRun others(R"(kernel k(which: i64)
  argument u: f64[0..3, 0..2] inout
  site 0: range write of u in a (i)
  site 1: unwritten of u in b
  site 2: twice of u in c
  site 3: negative_power in d  # 2 ** i
  site 4: range of gone in e

  if which == 0:
    fault 0 (7, 1, 9)
  if which == 1:
    fault 1 (2, 1)
  if which == 2:
    fault 2 (2, 1)
  if which == 3:
    fault 3
  fault 4 (1)
)");
  others.in("u", {3, 2}, Values(6));
  const std::string expected[] = {
      "statement 'a' writes 'u' at [7, 1], but u covers [0..3, 0..2]",
      "statement 'b' reads 'u' at [2, 1], which nothing has written",
      "statement 'c' writes 'u' at [2, 1] twice",
      "statement 'd' takes a negative power of an integer in '2 ** i'",
      "statement 'e' reads 'gone' at [1], but gone does not reach there"};
  for (std::int64_t which = 0; which < 5; ++which) {
    const std::string said = others.set("which", which).error();
    EXPECT_NE(said.find(expected[which]), std::string::npos) << said;
  }
}

struct Case {
  std::string_view body, problem;
};

constexpr Case kCases[] = {
    {"for i in 0..n:\n  v[i+1] = 0",
     "kernel 'k' writes 'v' at [4], but v covers [0..4]\n"
     "  in: v[i+1] = 0\n"
     "  at i = 3"},
    {"vector i in 0..n by 4:\n  v[i] = u[i+2]",
     "kernel 'k' reads 'u' at [4], but u covers [0..4]\n"
     "  in: v[i] = u[i+2]\n"
     "  at i = 2"},
    {"load p = u[1] width 4",
     "kernel 'k' loads 'u' at [4], but u covers [0..4]\n"
     "  in: load p = u[1] width 4"},
    {"v[0] = w[2]", "kernel 'k' reads 'w' at [2], which nothing has written\n  in: v[0] = w[2]"},
    {"for i in 0..2:\n  stack s: f64[0..2]\n  if i == 0:\n    s[0] = 1\n  v[0] = s[0]",
     "kernel 'k' reads 's' at [0], which nothing has written\n  in: v[0] = s[0]\n  at i = 1"},
    {"lanes x: f64[0..4]\nvector l in 0..4 by 4:\n  v[l] = x[l]",
     "kernel 'k' reads 'x' at [0], which nothing has written\n  in: v[l] = x[l]\n  at l = 0"},
    {"w[1] = 2\ncall sort(w) -> v",
     "kernel 'k' passes 'w' at [0], which nothing has written\n  in: call sort(w) -> v"},
    {"v[0] = 1\nrotate v, w\nv[0] = v[0]",
     "kernel 'k' reads 'v' at [0], which nothing has written\n  in: v[0] = v[0]"},
};

constexpr std::string_view kHeader = R"(kernel k(n: size)
  argument u: f64[0..n] input
  argument v: f64[0..n] output
  scratch w: f64[0..n]

)";

KernelRun with_body(std::string_view body) {
  std::string text(kHeader);
  text += "  ";
  for (char x : body) text += x == '\n' ? std::string("\n  ") : std::string(1, x);
  KernelRun kernel(text + "\n");
  kernel.set("n", 4).in("u", {4}, {1, 2, 3, 4});
  return kernel;
}

TEST(LoopsErrors, MistakesOfLathe) {
  for (const Case& c : kCases) EXPECT_EQ(with_body(c.body).error(), c.problem) << c.body;
}

TEST(LoopsErrors, UndefinedContentsAreFoundWhenChecked) {
  LoopsOptions options;
  options.checked = false;
  EXPECT_EQ(with_body("v[0] = w[2]").error(options), "no error");
}

TEST(LoopsErrors, RacesOfParallelLoops) {
  const auto expect_race = [](std::string_view body) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      LoopsOptions options;
      options.seed = seed;
      const std::string said = with_body(body).error(options);
      EXPECT_NE(said.find("another iteration of the parallel loop"), std::string::npos)
          << body << "\n"
          << said;
    }
  };
  expect_race("parallel i in 0..n:\n  v[0] = 1");         // both write
  expect_race("parallel i in 0..n-1:\n  v[i] = v[i+1]");  // one reads before or after
  expect_race("parallel i in 0..n:\n  v[i] = v[1]");      // many read what one writes
  expect_race("stack s: f64\ns = 0\nparallel i in 0..n:\n  s = s + 1\n  v[i] = s");
  const std::string_view fine[] = {
      "parallel i in 0..n:\n  w[i] = u[0]\nparallel i in 0..n:\n  v[i] = w[n-1 - i]",
      "parallel i in 0..n:\n  thread s: f64[0..2]\n  s[0] = u[i]\n  v[i] = s[0]",
      "for t in 0..3:\n  parallel i in 0..n:\n    v[(i + t) % n] = 1\n  v[0] = v[1]",
  };
  for (const std::string_view body : fine) EXPECT_EQ(with_body(body).error(), "no error") << body;
}

TEST(LoopsErrors, BindingsAreChecked) {
  KernelRun kernel(loops::sample("diffuse"));
  EXPECT_NE(kernel.error().find("size 'n' has no value"), std::string::npos);
  kernel.set("n", 3).set("m", 3).set_real("a", 0.5);
  EXPECT_NE(kernel.error().find("input 'u' is missing"), std::string::npos);
  kernel.in("u", {3, 2}, Values(6));
  EXPECT_NE(kernel.error().find("but the array given covers [0..3, 0..2]"), std::string::npos);
  EXPECT_EQ(kernel.state.arrays.size(), 1u);
}

}  // namespace
}  // namespace lathe::interp
