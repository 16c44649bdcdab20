// SPDX-License-Identifier: Apache-2.0
// Deep and long sources: an error or a tree, never a crash, in time that grows as the text does.
#include "parse.h"

namespace lathe::python {
namespace {

std::string repeat(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string first_message(std::string text) {
  const Parsed p(std::move(text));
  return p.diagnostics.all().empty() ? "" : p.diagnostics.all()[0].message;
}

TEST(PythonLimits, Brackets) {
  for (const auto& [open, close] : {std::pair("(", ")"), {"[", "]"}, {"{", "}"}, {"f(", ")"}}) {
    EXPECT_EQ(first_message(repeat(open, 200) + "a" + repeat(close, 200)), "") << open;
    EXPECT_EQ(first_message(repeat(open, 201) + "a" + repeat(close, 201)),
              "brackets are nested deeper than 200")
        << open;
    EXPECT_EQ(first_message(repeat(open, 100'000)), "brackets are nested deeper than 200") << open;
  }
  EXPECT_EQ(first_message(repeat("a[", 200) + "a" + repeat("]", 200)), "");
}

TEST(PythonLimits, Blocks) {
  const auto blocks = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += std::string(i, ' ') + "if a:\n";
    return text + std::string(count, ' ') + "pass\n";
  };
  EXPECT_EQ(first_message(blocks(99)), "");
  EXPECT_EQ(first_message(blocks(100)), "blocks are nested deeper than 100");
  EXPECT_EQ(first_message(blocks(2000)), "blocks are nested deeper than 100");
}

TEST(PythonLimits, Recursion) {
  constexpr std::string_view kDeep = "this is nested too deeply to be read";
  for (const char* step : {"not ", "-", "~", "lambda: ", "a if b else ", "a ** ", "a ** -"}) {
    EXPECT_EQ(first_message(repeat(step, 300) + "a"), "") << step;
    EXPECT_EQ(first_message(repeat(step, 100'000) + "a"), kDeep) << step;
  }
  const std::string elif = "if a:\n pass\n" + repeat("elif b:\n pass\n", 400);
  EXPECT_EQ(first_message(elif), "");
  EXPECT_EQ(first_message(elif + repeat("elif b:\n pass\n", 100'000)), kDeep);
}

TEST(PythonLimits, Chains) {
  constexpr std::string_view kDeep = "this is nested too deeply to be read";
  for (const char* step : {" + a", ".a", "()", "[a]", " * a"}) {
    EXPECT_EQ(first_message("a" + repeat(step, 2500)), "") << step;
    EXPECT_EQ(first_message("a" + repeat(step, 100'000)), kDeep) << step;
  }
  // The left sides add up.
  std::string sum = "a";
  for (int i = 0; i < 100; ++i) sum = "(" + sum + repeat("+a", 100) + ")";
  EXPECT_EQ(first_message(sum), kDeep);
  // Flat lists have no limit.
  for (const char* step : {", a", " or a", " and a", " < a", "; a", "\na"})
    EXPECT_EQ(first_message("a" + repeat(step, 100'000)), "") << step;
  EXPECT_EQ(first_message("a = " + repeat("'x' ", 100'000)), "");
  EXPECT_EQ(first_message("f(" + repeat("a, ", 100'000) + ")"), "");
}

TEST(PythonLimits, FStrings) {
  std::string nested = "1";
  for (int i = 0; i < 90; ++i) nested = "f'{" + nested + "}'";
  EXPECT_EQ(first_message(nested), "");
  for (int i = 0; i < 30; ++i) nested = "f'{" + nested + "}'";
  EXPECT_EQ(first_message(nested), "f-strings are nested deeper than 100");
  EXPECT_EQ(first_message(repeat("f'{", 100'000)), "f-strings are nested deeper than 100");
  EXPECT_EQ(first_message("f'{a:{b:{c}}}'"), "");
  EXPECT_EQ(first_message("f'{a:{b:{c:{d}}}}'"), "replacement fields are nested too deeply");
}

TEST(PythonLimits, Patterns) {
  const auto match = [](const std::string& pattern) {
    return first_message("match a:\n case " + pattern + ": pass\n");
  };
  EXPECT_EQ(match(repeat("[", 200) + repeat("]", 200)), "");
  EXPECT_EQ(match(repeat("[", 201) + repeat("]", 201)), "brackets are nested deeper than 200");
  EXPECT_EQ(match(repeat("1 | ", 100'000) + "2"), "");
}

TEST(PythonLimits, ManyErrors) {
  const Parsed p(repeat("a b\n", 10'000));
  EXPECT_EQ(p.diagnostics.all().size(), Diagnostics::kDefaultMaxErrors + 1);
}

}  // namespace
}  // namespace lathe::python
