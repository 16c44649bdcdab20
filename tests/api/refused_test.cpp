// SPDX-License-Identifier: Apache-2.0
// What a call refuses, in full: the words are part of the product.

#include <gtest/gtest.h>

#include <cstring>

#include "api/examples.h"

namespace lathe::testing {
namespace {

using Numbers = std::vector<double>;

// Where messages point to.
const std::string kAtN =
    "  --> test.lathe:1:15\n"
    "   |\n"
    " 1 | program scale(n: size, a: f64)\n"
    "   |               ^^^^^^^\n";
const std::string kAtA =
    "  --> test.lathe:1:24\n"
    "   |\n"
    " 1 | program scale(n: size, a: f64)\n"
    "   |                        ^^^^^^\n";
const std::string kAtU =
    "  --> test.lathe:2:10\n"
    "   |\n"
    " 2 |   input  u: f64[i: n]\n"
    "   |          ^\n";
const std::string kAtV =
    "  --> test.lathe:3:10\n"
    "   |\n"
    " 3 |   output v: f64[i: n]\n"
    "   |          ^\n";
const std::string kAtP =
    "  --> test.lathe:4:10\n"
    "   |\n"
    " 4 |   output p: i64[i: c]\n"
    "   |          ^\n";

class Refused : public ::testing::Test {
 protected:
  Call fresh(const char* text = kScale) { return kernel(text).call(); }

  Numbers u = Numbers(64, 1), v = Numbers(64);
  View small = View(u.data(), {4}), result = View(v.data(), {4});
};

TEST_F(Refused, Values) {
  EXPECT_EQ(refusal([&] { fresh().set("b", 1); }),
            "8 error: program 'scale' has no parameter 'b'\n  help: it has n, a\n");
  EXPECT_EQ(refusal([&] { fresh().set("n", -1); }),
            "3 error: size 'n' is -1, but a size is never negative\n" + kAtN +
                "  help: give it a value of 0 or more\n");
  EXPECT_EQ(
      refusal([&] { fresh().set("n", 1.5); }),
      "3 error: size 'n' is i64, but its value is f64\n" + kAtN + "  help: convert the value\n");
  EXPECT_EQ(
      refusal([&] { fresh().set("n", true); }),
      "3 error: size 'n' is i64, but its value is bool\n" + kAtN + "  help: convert the value\n");
  EXPECT_EQ(refusal([&] { fresh().set("n", std::uint64_t{1} << 63); }),
            "3 error: size 'n' is i64, which cannot hold 9223372036854775808\n" + kAtN +
                "  help: give a value that it can hold exactly\n");
  EXPECT_EQ(refusal([&] { fresh().set("a", (std::int64_t{1} << 53) + 1); }),
            "3 error: parameter 'a' is f64, which cannot hold 9007199254740993\n" + kAtA +
                "  help: give a value that it can hold exactly\n");
  EXPECT_EQ(refusal([&] { fresh().set("a", INT64_MAX); }),
            "3 error: parameter 'a' is f64, which cannot hold 9223372036854775807\n" + kAtA +
                "  help: give a value that it can hold exactly\n");
  EXPECT_EQ(
      refusal([&] { fresh().set("n", 4).bind("u", small).run(); }),
      "3 error: parameter 'a' has no value\n" + kAtA + "  help: give it one before the call\n");
  lathe_value odd = Value("a", 1.0);
  odd.dtype = LATHE_F32;
  lathe_program* p = nullptr;
  lathe_kernel* k = nullptr;
  lathe_error* e = nullptr;
  ASSERT_EQ(lathe_program_from_text("s", kScale, std::strlen(kScale), &p, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_compile(p, nullptr, &k, nullptr), LATHE_OK);
  EXPECT_EQ(lathe_run(k, &odd, 1, nullptr, 0, nullptr, nullptr, &e), LATHE_ERROR_USAGE);
  EXPECT_STREQ(lathe_error_text(e),
               "error: the value of 'a' is given as f32\n"
               "  help: give values as LATHE_I64, LATHE_U64, LATHE_F64 or LATHE_BOOL\n");
  lathe_error_destroy(e);
  lathe_kernel_destroy(k);
  lathe_program_destroy(p);
}

TEST_F(Refused, Arrays) {
  EXPECT_EQ(refusal([&] { fresh().bind("w", small); }),
            "8 error: program 'scale' has no array 'w'\n  help: it has u, v\n");
  const float f[4] = {};
  EXPECT_EQ(refusal([&] { fresh().bind("u", View(f, {4})); }),
            "3 error: input 'u' is declared f64, but the array given is f32\n" + kAtU +
                "  help: convert the array, or change the declaration\n");
  EXPECT_EQ(refusal([&] {
              fresh().bind("u", View(u.data(), {2, 2}));
            }),
            "3 error: input 'u' has 1 axis, but the array given has 2 axes\n" + kAtU +
                "  help: give an array over [0..n]\n");
  EXPECT_EQ(refusal([&] { fresh().bind("v", View(v.data(), {4}).read_only()); }),
            "3 error: output 'v' is written, but the array given is read-only\n" + kAtV +
                "  help: give memory that may be written, or a copy\n");
  EXPECT_EQ(refusal([&] { fresh().bind("u", View(u.data(), {-4})); }),
            "3 error: the array given for input 'u' has -4 elements along axis 'i'\n" + kAtU +
                "  help: give a number of 0 or more\n");
  EXPECT_EQ(refusal([&] { fresh().bind("u", View(u.data(), {4}).strided({INT64_MAX / 2})); }),
            "3 error: the array given for input 'u' does not fit in 64 bits of address\n" + kAtU +
                "  help: look at its extents and strides\n");
  EXPECT_EQ(refusal([&] { fresh().bind("u", View(DType::F64, nullptr, {4})); }),
            "3 error: the array given for input 'u' has no memory: its pointer is null\n" + kAtU +
                "  help: give the address of its first element\n");
  EXPECT_EQ(refusal([&] { fresh().bind("u", View(static_cast<DType>(77), u.data(), {4})); }),
            "8 error: there is no dtype with the number 77\n"
            "  help: use one of the enumeration lathe_dtype\n");
  EXPECT_EQ(refusal([&] { fresh(kPick).bind("p", View(DType::I64, u.data(), {4})); }),
            "3 error: the range of output 'p' is computed by the program, so no array can be given "
            "for it\n" +
                kAtP + "  help: leave it out, or give a callback that allocates it\n");
  EXPECT_EQ(refusal([&] { fresh().array("v"); }),
            "8 error: 'v' does not exist yet\n  help: bind it, or run the call first\n");
}

TEST_F(Refused, Ranges) {
  EXPECT_EQ(
      refusal([&] { fresh().set("n", 5).set("a", 1).bind("u", small).run(); }),
      "3 error: input 'u' is declared over [0..n] = [0..5], but the array given covers [0..4]\n" +
          kAtU + "  help: give an array of that range, or other sizes\n");
  EXPECT_EQ(refusal([&] {
              fresh().set("n", 4).set("a", 1).bind("u", View(u.data(), {4}).from({1})).run();
            }),
            "3 error: input 'u' is declared over [0..n] = [0..4], but the array given covers "
            "[1..5]\n" +
                kAtU + "  help: give an array of that range, or other sizes\n");
  EXPECT_EQ(
      refusal([&] { fresh().set("n", 4).set("a", 1).run(); }),
      "3 error: input 'u' is missing\n" + kAtU + "  help: give an array f64[0..n] = f64[0..4]\n");
  // A plain call leaves nothing behind, so it makes no results either.
  EXPECT_EQ(
      refusal([&] {
        kernel(kScale).run({{"n", 4}, {"a", 1}}, {{"u", small}});
      }),
      "3 error: output 'v' is missing\n" + kAtV + "  help: give an array f64[0..n] = f64[0..4]\n");
  const bool m[2] = {false, true};
  EXPECT_EQ(
      refusal([&] {
        kernel(kPick).run({{"n", 2}}, {{"m", View(m, {2})}});
      }),
      "3 error: the range of output 'p' is computed by the program, and there is nobody to "
      "allocate it\n" +
          kAtP +
          "  help: give a callback that allocates it, or make a call that owns its results\n");
  EXPECT_EQ(refusal([&] {
              auto none = [](std::string_view, const View&) -> void* { return nullptr; };
              kernel(kPick).run({{"n", 2}}, {{"m", View(m, {2})}}, RunOptions().allocate(none));
            }),
            "6 error: no memory was given for output 'p' over [0..1]\n"
            "  help: let the allocation callback return memory for it\n");
  EXPECT_EQ(refusal([&] {
              fresh(
                  "program big(n: size)\n  output v: f64[i: n * n]\n"
                  "  for i in 0..n: v[i] = 1\n")
                  .set("n", std::int64_t{1} << 40)
                  .run();
            }),
            "3 error: the bound n * n of 'v' does not fit in 64 bits\n"
            "  --> test.lathe:2:10\n"
            "   |\n"
            " 2 |   output v: f64[i: n * n]\n"
            "   |          ^\n"
            "  help: use smaller sizes\n");
}

TEST_F(Refused, MemoryThatIsWrittenTwice) {
  EXPECT_EQ(refusal([&] {
              fresh()
                  .set("n", 4)
                  .set("a", 1)
                  .bind("u", small)
                  .bind("v", View(v.data(), {4}).strided({0}))
                  .run();
            }),
            "3 error: elements of output 'v' would share memory with one another\n" + kAtV +
                "  help: give it strides that keep its elements apart\n");
  const char* two =
      "program two(n: size)\n  output v: f64[i: n]\n  output w: f64[i: n]\n"
      "  for i in 0..n: v[i] = 1\n  for i in 0..n: w[i] = 2\n";
  EXPECT_EQ(refusal([&] {
              fresh(two).set("n", 4).bind("v", result).bind("w", View(v.data() + 3, {4})).run();
            }),
            "3 error: output 'v' and output 'w' share memory, and both are written\n"
            "  --> test.lathe:2:10\n"
            "   |\n"
            " 2 |   output v: f64[i: n]\n"
            "   |          ^\n"
            "  help: give each of them memory of its own\n");
  EXPECT_EQ(v, Numbers(64));  // nothing was written
  fresh(two).set("n", 4).bind("v", result).bind("w", View(v.data() + 4, {4})).run();
  EXPECT_EQ(v[7], 2);
}

TEST_F(Refused, BytesThatAreNoBool) {
  unsigned char m[3] = {0, 1, 7};
  EXPECT_EQ(refusal([&] { fresh(kPick).set("n", 3).bind("m", View(DType::Bool, m, {3})).run(); }),
            "3 error: input 'm' is bool, but holds the byte 7\n"
            "  --> test.lathe:2:10\n"
            "   |\n"
            " 2 |   input  m: bool[i: n]\n"
            "   |          ^\n"
            "  help: give 0 or 1 for every element\n");
}

TEST_F(Refused, WhatGoesWrongWhileItRuns) {
  const char* text =
      "program gather(n: size)\n  input at: i64[i: n]\n  input u: f64[i: n]\n"
      "  output v: f64[i: n]\n  for i in 0..n: v[i] = u[at[i]]\n";
  std::int64_t at[4] = {0, 3, 9, 1};
  EXPECT_EQ(
      refusal([&] { fresh(text).set("n", 4).bind("at", View(at, {4})).bind("u", small).run(); }),
      "4 error: statement 'v' reads 'u' at [9], but u covers [0..4]\n"
      "  --> test.lathe:5:25\n"
      "   |\n"
      " 5 |   for i in 0..n: v[i] = u[at[i]]\n"
      "   |                         ^^^^^^^^\n"
      "  help: shrink the domain of the statement, or say what lies outside: u[...; zero], clamp, "
      "wrap, mirror or value v\n");
}

}  // namespace
}  // namespace lathe::testing
