// SPDX-License-Identifier: Apache-2.0
// Recipes say all that a call needs, and nothing else is taken for one.

#include "api/recipe.h"

#include <gtest/gtest.h>

#include "api/compiled.h"
#include "base/sha256.h"
#include "ir/text.h"

namespace lathe::api {
namespace {

constexpr const char* kText =
    "program some(n: size, m: size, dt: f64)\n"
    "  input  u: f64[i: n, j: -1..m]\n"
    "  temp   t: f64[i: n, j: 0..m]\n"
    "  temp   top: f64\n"
    "  output v: f64[i: n, j: 0..m]\n"
    "\n"
    "  for i in 0..n, j in 0..m: t[i, j] = exp(u[i, j]) * u[i, j-1]\n"
    "  top = maximum i in 0..n, j in 0..m: t[i, j]\n"
    "  for i in 0..n, j in 0..m: v[i, j] = exp(t[i, j] / top) * dt\n";

class Recipes : public ::testing::Test {
 protected:
  Recipes() {
    Diagnostics diagnostics;
    program_ = ir::parse_program("some.lathe", kText, diagnostics);
    compiled_ = std::make_unique<Compiled>(*program_);
    const Variant& v = compiled_->variant(compiled_->plain_key());
    text_ = print_recipe(std::string(64, 'a'), *v.plan, v.code);
  }
  std::optional<Recipe> parse(std::string_view text) {
    return parse_recipe(text, compiled_->signature(), *compiled_->prepared().graph);
  }
  // With a hash that fits.
  static std::string sealed(const std::string& lines) {
    return lines + "end " + sha256_hex(lines) + "\n";
  }
  std::string lines() const { return text_->substr(0, text_->rfind("end ")); }

  std::optional<ir::Program> program_;
  std::unique_ptr<Compiled> compiled_;
  std::optional<std::string> text_;
};

TEST_F(Recipes, ComeBackFromText) {
  ASSERT_TRUE(text_.has_value());
  const auto back = parse(*text_);
  ASSERT_TRUE(back.has_value()) << *text_;
  EXPECT_EQ(back->kernel, std::string(64, 'a'));
  EXPECT_EQ(print_recipe(back->kernel, back->plan, back->code), text_);
}

TEST_F(Recipes, DamagedOnesAreRefused) {
  ASSERT_TRUE(text_.has_value());
  for (std::size_t i = 0; i < text_->size(); ++i) {
    std::string other = *text_;
    other[i] = other[i] == '0' ? '1' : '0';
    EXPECT_FALSE(parse(other).has_value()) << i;
    EXPECT_FALSE(parse(text_->substr(0, i)).has_value()) << i;
  }
  EXPECT_FALSE(parse("").has_value());
}

TEST_F(Recipes, OfAnotherProgramAreRefused) {
  const std::string mine = lines();
  EXPECT_TRUE(parse(sealed(mine)).has_value());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = mine;
    other.replace(other.find(from), from.size(), to);
    return parse(sealed(other));
  };
  EXPECT_FALSE(changed("f64 u", "f64 w").has_value());
  EXPECT_FALSE(changed("f64 u", "f32 u").has_value());
  EXPECT_FALSE(changed("argument 0 2", "argument 0 3").has_value());
  EXPECT_FALSE(changed("argument 0", "argument 7").has_value());
  EXPECT_FALSE(changed("p0", "p9").has_value());
  EXPECT_FALSE(changed("places", "palaces").has_value());
}

TEST(BuildIdentity, IsThere) { EXPECT_EQ(build_identity().size(), 64u); }

}  // namespace
}  // namespace lathe::api
