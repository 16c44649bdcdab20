// SPDX-License-Identifier: Apache-2.0
#pragma once
// UTF-8: what source text is written in.
//
// Decoding never fails: a wrong byte is one character of its own, marked not valid, so every
// function below is total and counts the same characters.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lathe {

inline constexpr char32_t kReplacementChar = 0xfffd;

struct Utf8Char {
  char32_t code = kReplacementChar;
  std::uint32_t length = 1;  // in bytes
  bool valid = false;
};

// The character that begins at text[at]; `at` must be inside the text. Overlong forms, surrogates
// and codes above 0x10ffff are not valid.
Utf8Char decode_utf8(std::string_view text, std::size_t at);

// The offset of the first wrong byte, or npos.
std::size_t find_invalid_utf8(std::string_view text);

std::size_t count_code_points(std::string_view text);

void append_utf8(std::string& out, char32_t code);

// Columns that a terminal gives a character: 0 for combining marks, 2 for wide East Asian letters
// and emoji, otherwise 1. Tabs are the caller's concern.
int display_width(char32_t code);

// Whether a character must not be copied to a terminal: it would move the cursor, start an escape
// sequence or reorder the text around it (bidirectional controls).
bool is_unprintable(char32_t code);

}  // namespace lathe
