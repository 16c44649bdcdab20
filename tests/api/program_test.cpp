// SPDX-License-Identifier: Apache-2.0
// Programs from text and from a builder: what they tell about themselves, and what is refused.

#include <gtest/gtest.h>

#include <cstring>

#include "api/examples.h"

namespace lathe::testing {
namespace {

TEST(Program, TellsItsParametersAndArrays) {
  const Program p = program(kShift);
  EXPECT_EQ(p.name(), "shift");
  EXPECT_EQ(p.text(), kShift);
  ASSERT_EQ(p.parameters().size(), 2u);
  EXPECT_STREQ(p.parameters()[1].name, "m");
  EXPECT_EQ(p.parameters()[1].dtype, LATHE_I64);
  EXPECT_EQ(p.parameters()[1].is_size, 1);
  ASSERT_EQ(p.arrays().size(), 2u);
  EXPECT_STREQ(p.arrays()[1].name, "v");
  EXPECT_EQ(p.arrays()[1].role, LATHE_INOUT);
  EXPECT_EQ(p.arrays()[1].rank, 2);
  EXPECT_EQ(p.arrays()[1].is_computed, 0);
  EXPECT_EQ(program(kPick).arrays()[1].is_computed, 1);
}

TEST(Program, EveryMistakeOfATextIsInTheError) {
  const char* text =
      "program bad(n: size)\n  input u: f64[i: n]\n  output v: f64[i: n]\n"
      "  for i in 0..n: v[i] = w[i]\n  for i in 0..n: v[i] = u[i] +\n";
  lathe_program* p = nullptr;
  lathe_error* e = nullptr;
  EXPECT_EQ(lathe_program_from_text("bad.lathe", text, std::strlen(text), &p, &e),
            LATHE_ERROR_PROGRAM);
  EXPECT_EQ(p, nullptr);
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(lathe_error_code(e), LATHE_ERROR_PROGRAM);
  EXPECT_STREQ(lathe_error_message(e), "unknown array 'w'");
  EXPECT_STREQ(lathe_error_text(e),
               "error: unknown array 'w'\n"
               "  --> bad.lathe:4:25\n"
               "   |\n"
               " 4 |   for i in 0..n: v[i] = w[i]\n"
               "   |                         ^\n"
               "  help: the arrays here are u, v\n"
               "error: expected an expression, not the end of the line\n"
               "  --> bad.lathe:5:31\n"
               "   |\n"
               " 5 |   for i in 0..n: v[i] = u[i] +\n"
               "   |                               ^\n");
  EXPECT_STREQ(lathe_error_json(e),
               "[\n"
               "{\"severity\":\"error\",\"message\":\"unknown array "
               "'w'\",\"file\":\"bad.lathe\",\"line\":4,\"column\":25,\"end_line\":4,\"end_"
               "column\":26,\"notes\":[],\"help\":\"the arrays here are u, v\"},\n"
               "{\"severity\":\"error\",\"message\":\"expected an expression, not the end of the "
               "line\",\"file\":\"bad.lathe\",\"line\":5,\"column\":31,\"end_line\":5,\"end_"
               "column\":31,\"notes\":[]}\n"
               "]\n");
  lathe_error_destroy(e);
}

TEST(Program, AProvablyWrongAccessIsRefused) {
  EXPECT_EQ(refusal([] {
              program(
                  "program far(n: size)\n  input u: f64[i: n]\n  output v: f64[i: n]\n"
                  "  for i in 0..n: v[i] = u[i+1]\n");
            }),
            "1 error: statement 'v' reads 'u' at i+1 up to n, but axis 'i' is 0..n\n"
            "  --> test.lathe:4:25\n"
            "   |\n"
            " 4 |   for i in 0..n: v[i] = u[i+1]\n"
            "   |                         ^^^^^^\n"
            "  note: 'u' is declared here\n"
            "  --> test.lathe:2:9\n"
            "   |\n"
            " 2 |   input u: f64[i: n]\n"
            "   |         ^\n"
            "  help: shrink the range of i to 0..n-1, or read with a policy: u[i+1; clamp]\n");
}

TEST(Program, NullIsAMisuse) {
  lathe_error* e = nullptr;
  lathe_program* p = nullptr;
  EXPECT_EQ(lathe_program_from_text("x", nullptr, 0, &p, &e), LATHE_ERROR_USAGE);
  EXPECT_STREQ(lathe_error_text(e),
               "error: lathe_program_from_text needs a text and a place for the program\n");
  lathe_error_destroy(e);
  EXPECT_EQ(lathe_program_from_text("x", nullptr, 0, &p, nullptr), LATHE_ERROR_USAGE);
  EXPECT_EQ(lathe_api_version(), LATHE_API_VERSION);
}

TEST(Program, RequiredTellsTheHalo) {
  const Program p = program(R"(program blur(n: size, m: size)
  input u: f64[i: n, j: m]
  input w: f64[i: n]
  temp t: f64[i: n, j: m]
  output v: f64[i: n, j: m]
  for i in 0..n, j in 1..m-1: t[i, j] = u[i, j-1] + u[i, j+1]
  for i in 2..n-2, j in 1..m-1: v[i, j] = t[i-2, j] + t[i+2, j]
)");
  Region needed;
  EXPECT_TRUE(p.required("v", {{10, 20}, {4, 5}}, {{"n", 100}, {"m", 50}}, "u", needed));
  EXPECT_EQ(needed, (Region{{8, 19}, {8, 7}}));
  EXPECT_TRUE(p.required("v", {{0, 0}, {4, 2}}, {{"n", 100}, {"m", 50}}, "u", needed));
  EXPECT_EQ(needed.lo[0], 0);
  EXPECT_FALSE(p.required("v", {{10, 20}, {4, 5}}, {{"n", 100}, {"m", 50}}, "w", needed));
  EXPECT_EQ(refusal([&] {
              p.required("v", {{0}, {4}}, {}, "u", needed);
            }),
            "8 error: the region asked for has another number of axes than its array\n");
  EXPECT_EQ(refusal([&] {
              p.required("v", {{0, 0}, {4, 4}}, {{"n", 100}}, "u", needed);
            }),
            "3 error: size 'm' has no value\n"
            "  --> test.lathe:1:23\n"
            "   |\n"
            " 1 | program blur(n: size, m: size)\n"
            "   |                       ^^^^^^^\n"
            "  help: give it one before the call\n");
  EXPECT_EQ(refusal([&] {
              p.required("v", {{0, 0}, {4, 4}}, {{"n", -1}, {"m", 50}}, "u", needed);
            }),
            "3 error: size 'n' is -1, but a size is never negative\n"
            "  --> test.lathe:1:14\n"
            "   |\n"
            " 1 | program blur(n: size, m: size)\n"
            "   |              ^^^^^^^\n"
            "  help: give it a value of 0 or more\n");
  EXPECT_EQ(refusal([&] {
              p.required("v", {{0, 0}, {4, -4}}, {{"n", 100}, {"m", 50}}, "u", needed);
            }),
            "8 error: the region asked for has -4 elements along an axis\n");
  EXPECT_EQ(refusal([&] {
              p.required("v", {{0, 0}, {4, 4}}, {}, "up", needed);
            }),
            "8 error: program 'blur' has no array 'up'\n  help: did you mean 'u'?\n");
}

TEST(Builder, MakesTheProgramThatItsTextWouldBe) {
  Builder b("shift");
  b.size("n").size("m");
  b.array(Role::Input, "u", DType::F64, "i: n, j: m");
  b.array(Role::InOut, "v", DType::F64, "i: n, j: m");
  b.statement("for i in 1..n, j in 0..m: v[i, j] = v[i, j] + u[i-1, j]");
  EXPECT_EQ(b.build().text(), kShift);
}

TEST(Builder, TakesScalarsTemporariesAndBlocks) {
  Builder b("steps");
  b.size("n").parameter("a", DType::F32);
  b.array(Role::State, "u", DType::F32, "i: n").array(Role::Output, "total", DType::F32, "");
  b.temporary("t", DType::F32, "i: n");
  b.statement(
      "repeat s in 0..3:\n  for i in 0..n: t[i] = a * u[i]\n  for i in 0..n: u[i] = t[i]\n");
  b.statement("total = sum i in 0..n: u[i]");
  EXPECT_EQ(b.build().text(), R"(program steps(n: size, a: f32)
  state  u: f32[i: n]
  output total: f32
  temp   t: f32[i: n]

  repeat s in 0..3:
    for i in 0..n: t[i] = a * u[i]
    for i in 0..n: u[i] = t[i]
  total = sum i in 0..n: u[i]
)");
}

TEST(Builder, PiecesStayWhereTheyArePut) {
  EXPECT_EQ(refusal([] {
              Builder b("p");
              b.size("n").array(Role::Input, "u", DType::F64, "i: n] extended").build();
            }),
            "1 error: the text of the ranges of 'u' has a ']' without its partner\n"
            "  help: complete it: i: n] extended\n");
  EXPECT_EQ(refusal([] { Builder("p").statement("for i in 0..(2: x = 1").build(); }),
            "1 error: the text of a statement has a '(' without its partner\n"
            "  help: complete it: for i in 0..(2: x = 1\n");
  EXPECT_EQ(refusal([] { Builder("p").size("n): f64, (m").build(); }),
            "1 error: 'n): f64, (m' cannot be the name of a parameter\n"
            "  help: begin with a letter or '_', go on with letters, digits and '_'\n");
  EXPECT_EQ(refusal([] { Builder("2p").build(); }),
            "1 error: '2p' cannot be the name of a program\n"
            "  help: begin with a letter or '_', go on with letters, digits and '_'\n");
  EXPECT_EQ(refusal([] { Builder("p").array(Role::Input, "u", DType::F64, "i: 3\n").build(); }),
            "1 error: the ranges of 'u' have more than one line, or a comment\n"
            "  help: write them as in \"i: n, j: 0..m+1\"\n");
  EXPECT_EQ(refusal([] { Builder("p").array(static_cast<Role>(9), "u", DType::F64, "").build(); }),
            "1 error: array 'u' has a role with the number 9\n"
            "  help: use one of the enumeration lathe_role\n");
  EXPECT_EQ(refusal([] { Builder("p").parameter("a", static_cast<DType>(40)).build(); }),
            "1 error: parameter 'a' has a dtype with the number 40\n"
            "  help: use one of the enumeration lathe_dtype\n");
}

TEST(Builder, MistakesAreShownInTheTextThatWasBuilt) {
  EXPECT_EQ(refusal([] {
              Builder b("p");
              b.size("n").array(Role::Output, "v", DType::F64, "i: n");
              b.statement("for i in 0..n: v[i] = w[i]").build();
            }),
            "1 error: unknown array 'w'\n"
            "  --> p.lathe:3:25\n"
            "   |\n"
            " 3 |   for i in 0..n: v[i] = w[i]\n"
            "   |                         ^\n"
            "  help: the arrays here are v\n");
}

TEST(Compile, AScheduleIsTextInAndOut) {
  const Program p = program(kScale);
  const std::string chosen = p.compile().schedule();
  EXPECT_EQ(p.compile({chosen, false}).schedule(), chosen);
  EXPECT_NE(p.compile().c_source().find("lathe_run"), std::string::npos);
  EXPECT_EQ(refusal([&] {
              p.compile({"schedule scale\nfor q:\n  v\n", false});
            }),
            "2 error: no statement below has the variable 'q'\n"
            "  --> schedule:2:5\n"
            "   |\n"
            " 2 | for q:\n"
            "   |     ^\n");
}

TEST(Compile, MisuseOfOptionsIsSaid) {
  lathe_program* p = nullptr;
  ASSERT_EQ(lathe_program_from_text("s", kScale, std::strlen(kScale), &p, nullptr), LATHE_OK);
  lathe_compile_options options = {};  // size is not set
  lathe_kernel* k = nullptr;
  lathe_error* e = nullptr;
  EXPECT_EQ(lathe_compile(p, &options, &k, &e), LATHE_ERROR_USAGE);
  EXPECT_STREQ(lathe_error_text(e),
               "error: the size of an options structure is not set: it must be sizeof of its "
               "type\n");
  lathe_error_destroy(e);
  EXPECT_EQ(lathe_compile(nullptr, nullptr, &k, &e), LATHE_ERROR_USAGE);
  EXPECT_STREQ(lathe_error_text(e),
               "error: lathe_compile needs a program and a place for the kernel\n");
  lathe_error_destroy(e);
  // An older, shorter structure: what it lacks is zero.
  options.size = sizeof(std::size_t);
  options.schedule = "nonsense";
  EXPECT_EQ(lathe_compile(p, &options, &k, &e), LATHE_OK);
  lathe_kernel_destroy(k);
  lathe_program_destroy(p);
}

}  // namespace
}  // namespace lathe::testing
