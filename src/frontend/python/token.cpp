// SPDX-License-Identifier: Apache-2.0
// Spellings, and the look-up of keywords: the words are sorted, so those that begin with one letter
// stand side by side, and there are at most five of them.

#include "frontend/python/token.h"

#include <array>
#include <span>

namespace lathe::python {
namespace {

// In the order of TokenKind.
constexpr std::string_view kSpellings[] = {
    "the end of the text",
    "the end of the line",
    "a deeper indentation",
    "the end of the block",
    "an error",
    "a name",
    "a number",
    "a number",
    "a number",
    "a string",
    "an f-string",
    "the text of an f-string",
    "the end of an f-string",
    "':'",
#define KEYWORD(name, spelling) spelling,
#define MARK(name, spelling) spelling,
#include "frontend/python/tokens.def"
#undef KEYWORD
#undef MARK
};

constexpr auto kFirstWord = TokenKind::KwFalse;
constexpr auto kLastWord = TokenKind::KwYield;
constexpr auto kWords =
    std::span(kSpellings)
        .subspan<static_cast<std::size_t>(kFirstWord),
                 static_cast<std::size_t>(kLastWord) - static_cast<std::size_t>(kFirstWord) + 1>();
static_assert(kWords.front() == "False" && kWords.back() == "yield");

// The first word that begins with each character, and one past the last.
constexpr auto kStarts = [] {
  std::array<std::uint8_t, 129> starts{};
  std::size_t word = 0;
  for (std::size_t letter = 0; letter <= 128; ++letter) {
    while (word < kWords.size() && static_cast<unsigned char>(kWords[word][0]) < letter) ++word;
    starts[letter] = static_cast<std::uint8_t>(word);
  }
  return starts;
}();

}  // namespace

std::string_view spelling(TokenKind kind) { return kSpellings[static_cast<std::size_t>(kind)]; }

bool is_keyword(TokenKind kind) { return kind >= kFirstWord && kind <= kLastWord; }

TokenKind keyword_or_name(std::string_view word) {
  const auto letter = static_cast<unsigned char>(word[0]);
  if (letter >= 128) return TokenKind::Name;
  for (std::size_t i = kStarts[letter]; i < kStarts[letter + 1u]; ++i)
    if (word == kWords[i]) return static_cast<TokenKind>(static_cast<std::size_t>(kFirstWord) + i);
  return TokenKind::Name;
}

}  // namespace lathe::python
