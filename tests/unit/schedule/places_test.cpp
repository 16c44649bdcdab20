// SPDX-License-Identifier: Apache-2.0
// Layouts and storage that is taken over: their text, the C++ interface, what resolve() makes of
// them.

#include "ir/text.h"
#include "pipeline.h"
#include "schedule/legal.h"
#include "unit/schedule/parse.h"

namespace lathe::schedule {
namespace {

constexpr const char* kProgram = R"(program p(n: size, m: size)
  input u: f64[x: n, y: m]
  temp t: f64[x: n, y: m]
  temp s: f64[x: n, y: m]
  output v: f64[x: n, y: m]
  t: for x in 0..n, y in 0..m: t[x, y] = u[x, y]
  s: for x in 0..n, y in 0..m: s[x, y] = 2 * t[x, y]
  v: for x in 1..n, y in 0..m: v[x, y] = s[x-1, y]
)";

std::string refusal(const ir::Program& program, const Schedule& s) {
  try {
    resolve_legal(program, s);
    return "legal";
  } catch (const UserError& e) {
    return e.diagnostic().message;
  }
}

TEST(Places, PrintAsTheyAreRead) {
  const ir::Program program = parse(kProgram);
  const std::string tree = R"(t -> whole [y, x]
s -> tile [x, y]
v -> in place s
)";
  const Schedule s = parsed(program, "schedule p\n" + tree);
  EXPECT_EQ(print_tree(s), tree);
  EXPECT_TRUE(same_tree(parsed(program, print(s)).body, s.body));
  EXPECT_FALSE(same_tree(parsed(program, "schedule p\nt\ns -> tile\nv").body, s.body));
}

TEST(Places, EditedInCpp) {
  const ir::Program program = parse(kProgram);
  const auto name = [&](const char* text) { return program.graph->symbol(text); };
  Schedule s = plain_schedule(program);
  s.at("t").whole().layout({name("y"), name("x")});
  s.at("s").in_place(name("t"));
  EXPECT_EQ(s.body[1].body[0].body[0].place.over, name("t"));
  EXPECT_EQ(refusal(program, s), "legal");
  s.at("t").whole();  // as declared again
  EXPECT_TRUE(resolve(program, s)->layouts.empty());
  EXPECT_THROW(s.at("t").stream().layout({name("y"), name("x")}), UserError);
}

TEST(Places, LayoutsAreOrdersOfAxes) {
  const ir::Program program = parse(kProgram);
  Schedule s = parsed(program, "schedule p\nt -> whole [y, x]\ns -> whole [x, y]\nv\n");
  const auto nest = resolve_legal(program, s);
  ASSERT_EQ(nest->layouts.size(), 1u);  // [x, y] is as declared
  EXPECT_EQ(nest->layouts.at(program.graph->symbol("t")), (std::vector<std::size_t>{1, 0}));
}

TEST(Places, TakenOverStorageIsOneArray) {
  const ir::Program program = parse(kProgram);
  const auto nest = resolve_legal(program, parsed(program, "schedule p\nt\ns -> in place t\nv\n"));
  EXPECT_FALSE(nest->unchanged);
  EXPECT_EQ(ir::print(nest->program), R"(program p(n: size, m: size)
  input  u: f64[x: n, y: m]
  temp   s: f64[x: n, y: m]
  output v: f64[x: n, y: m]

  t: for x in 0..n, y in 0..m: s[x, y] = u[x, y]
  s: for x in 0..n, y in 0..m: s[x, y] = 2 * s[x, y]
  for x in 1..n, y in 0..m: v[x, y] = s[x-1, y]
)");
  // Its former name, for messages.
  const Symbol t = program.graph->symbol("t"), now = program.graph->symbol("s");
  EXPECT_EQ(nest->called(t, nullptr, now), t);
  EXPECT_EQ(nest->called(now, nullptr, now), now);
}

// One storage: what was no dependence is one now.
TEST(Places, TakenOverStorageTiesLoops) {
  const ir::Program program = parse(kProgram);
  const std::string fused = "schedule p\nfor x:\n  t(x = x+1), s";
  EXPECT_EQ(refusal(program, parsed(program, fused + "\n" + "v\n")), "legal");
  EXPECT_EQ(refusal(program, parsed(program, fused + " -> in place t\nv\n")), "legal");
  const std::string ahead = "schedule p\nfor x:\n  t, s";
  EXPECT_EQ(refusal(program, parsed(program, ahead + ", v(x = x+1)\n")), "legal");
  EXPECT_NE(refusal(program, parsed(program, ahead + " -> in place t, v(x = x+2)\n")), "legal");
}

// S is `b -> in place a`, all loops serial, in the order of the text.
bool takes_over(const std::string& body) {
  const ir::Program program = parse(
      "program p(n: size)\n"
      "  input u: f64[x: n]\n"
      "  temp a: f64[x: n]\n"
      "  inout b: f64[x: n]\n"
      "  inout v: f64[x: n]\n" +
      body);
  Schedule s = plain_schedule(program);
  s.at("b").in_place(program.graph->symbol("a"));
  return refusal(program, s) == "legal";
}

TEST(Places, StorageChangesHandsElementByElement) {
  const std::string a = "  a: for x in 0..n: a[x] = u[x]\n";
  const std::string b = "  b: for x in 0..n: b[x] = 2 * a[x]\n";
  const std::string v = "  v: for x in 0..n: v[x] = b[n-1-x]\n";
  EXPECT_TRUE(takes_over(a + b + v));
  EXPECT_FALSE(takes_over(a + v + b));  // b's old values
  EXPECT_FALSE(takes_over(a + b + "  v: for x in 0..n: v[x] = a[x]\n"));
  EXPECT_TRUE(takes_over(a + "  v: for x in 0..n: v[x] = a[n-1-x]\n" + b));
  // The ends of b are the caller's.
  EXPECT_FALSE(takes_over(a + "  b: for x in 1..n-1: b[x] = 2 * a[x]\n"));
  EXPECT_TRUE(
      takes_over("  a: for x in 2..n-1: a[x] = u[x]\n"
                 "  b: for x in 2..n-1: b[x] = 2 * a[x]\n"));
  EXPECT_TRUE(
      takes_over("  a: for x in 2..n: a[x-1] = u[x]\n"
                 "  b: for x in 1..n-1: b[x] = 2 * a[x]\n"));
  EXPECT_FALSE(takes_over(a + "  b: for x in 0..n where u[x] > 0: b[x] = 2 * a[x]\n"));
  EXPECT_FALSE(takes_over(a + "  b: for x in 0..n, k in 0..1: b[x] = 2 * a[x]\n"));
  EXPECT_FALSE(takes_over(a + "  b: for x in 0..n: b[x] = a[n-1-x]\n"));
  EXPECT_FALSE(takes_over(a + "  b: for x in 0..n: b[x] = sum k in 0..n: a[k]\n"));
  EXPECT_TRUE(takes_over(a + "  b: for x in 0..n: b[x] = sum k in 0..n: a[x] * u[k]\n"));
}

TEST(Places, StorageChangesHandsInRounds) {
  const std::string a = "  a: for x in 0..n: a[x] = u[x]\n";
  const std::string sweep = "  forward x in 0..n:\n";
  EXPECT_TRUE(takes_over(a + sweep + "    b: b[x] = a[x] + select(x > 0, b[x-1], 0)\n"));
  EXPECT_FALSE(takes_over(a + sweep + "    b: b[x] = a[x] + select(x < n-1, b[x+1], 0)\n"));
  EXPECT_FALSE(
      takes_over(a + sweep + "    v: v[x] = select(x > 0, a[x-1], 0)\n    b: b[x] = a[x]\n"));
  EXPECT_TRUE(
      takes_over(a + sweep + "    b: b[x] = a[x]\n    v: v[x] = select(x < n-1, a[x+1], 0)\n"));
  EXPECT_TRUE(takes_over(sweep + "    a: a[x] = u[x]\n    b: b[x] = a[x]\n    v: v[x] = b[x]\n"));
  EXPECT_TRUE(takes_over(sweep + "    a: a[x] = u[x]\n" + "  b: for x in 0..n: b[x] = a[x]\n"));
  EXPECT_FALSE(takes_over(sweep + "    a: for y in 0..n: a[y] = u[x]\n    b: b[x] = a[x]\n"));
  const std::string repeat = "  repeat k in 0..3:\n";
  const std::string inner = "    b: for x in 0..n: b[x] = 2 * a[x]\n";
  EXPECT_FALSE(takes_over(a + repeat + inner));
  EXPECT_TRUE(takes_over(repeat + "    a: for x in 0..n: a[x] = k * u[x]\n" + inner));
  EXPECT_FALSE(takes_over(repeat + "    a: for x in k..n: a[x] = k * u[x]\n" + inner));
  EXPECT_FALSE(takes_over(a + "  when n > 3:\n" + inner));
  EXPECT_TRUE(takes_over("  when n > 3:\n  " + a + inner));
}

}  // namespace
}  // namespace lathe::schedule
