// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace lathe {
namespace {

TEST(Utf8, EveryCodeSurvives) {
  for (char32_t code = 0; code <= 0x10ffff; ++code) {
    std::string text;
    append_utf8(text, code);
    const Utf8Char c = decode_utf8(text, 0);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    ASSERT_EQ(c.valid, !surrogate) << std::hex << static_cast<std::uint32_t>(code);
    if (surrogate) continue;
    ASSERT_EQ(c.code, code);
    ASSERT_EQ(c.length, text.size());
    ASSERT_EQ(count_code_points(text), 1u);
  }
}

TEST(Utf8, WrongFormsAreOneByteEach) {
  for (const std::string_view wrong :
       {std::string_view("\x80"), std::string_view("\xc0\x80"), std::string_view("\xc1\xbf"),
        std::string_view("\xe0\x80\x80"), std::string_view("\xed\xa0\x80"),
        std::string_view("\xf0\x80\x80\x80"), std::string_view("\xf4\x90\x80\x80"),
        std::string_view("\xf5\x80\x80\x80"), std::string_view("\xff"), std::string_view("\xc3"),
        std::string_view("\xe2\x82"), std::string_view("\xf0\x9f\x98")}) {
    const Utf8Char c = decode_utf8(wrong, 0);
    EXPECT_FALSE(c.valid);
    EXPECT_EQ(c.length, 1u);
    EXPECT_EQ(c.code, kReplacementChar);
    EXPECT_EQ(find_invalid_utf8("ab" + std::string(wrong)), 2u);
  }
  EXPECT_EQ(find_invalid_utf8("aα漢😀"), std::string_view::npos);
}

TEST(Utf8, Widths) {
  EXPECT_EQ(display_width(U'a'), 1);
  EXPECT_EQ(display_width(U'α'), 1);
  EXPECT_EQ(display_width(0x0301), 0);
  EXPECT_EQ(display_width(U'漢'), 2);
  EXPECT_EQ(display_width(U'😀'), 2);
  EXPECT_TRUE(is_unprintable(0x1b));
  EXPECT_TRUE(is_unprintable(0x202e));
  EXPECT_FALSE(is_unprintable(U'α'));
}

}  // namespace
}  // namespace lathe
