// SPDX-License-Identifier: Apache-2.0
// Numbers: 12, 1_000, 0xff, 0o17, 0b1, 1.5, 1., .5, 1e-3, 2j. Their values are number_value.h's.

#include <utility>

#include "base/quoted.h"
#include "frontend/python/lexer_state.h"

namespace lathe::python {
namespace {

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_octal_digit(char c) { return c >= '0' && c <= '7'; }
bool is_binary_digit(char c) { return c == '0' || c == '1'; }

// `1if x else y` is Python: these words may follow a number without a blank.
bool follows_number(std::string_view text) {
  for (const std::string_view word : {"and", "else", "for", "if", "in", "is", "not", "or"})
    if (text.starts_with(word)) return true;
  return false;
}

}  // namespace

// Digits with single underscores between them; answers whether there was one.
bool Lexer::digits(bool (*is_digit_of_base)(char)) {
  bool any = false;
  while (is_digit_of_base(peek()) || (any && peek() == '_' && is_digit_of_base(peek(1)))) {
    any = true;
    ++at_;
  }
  return any;
}

// After "0x", "0o" or "0b", which an underscore may follow.
bool Lexer::based_number() {
  const char base = static_cast<char>(peek(1) | 0x20);
  at_ += 2;
  if (peek() == '_') ++at_;
  return digits(base == 'x' ? is_hex_digit : base == 'o' ? is_octal_digit : is_binary_digit);
}

void Lexer::number() {
  const std::size_t begin = at_;
  const char second = static_cast<char>(peek(1) | 0x20);
  if (peek() == '0' && (second == 'x' || second == 'o' || second == 'b')) {
    if (!based_number()) {
      while (is_name_char(peek())) ++at_;
      refuse(begin, at_, quoted(text_.substr(begin, at_ - begin)) + " is not a number",
             "a number in base 16, 8 or 2 is 0x, 0o or 0b and its digits");
      return;
    }
    end_number(TokenKind::Integer, begin);
    return;
  }
  TokenKind kind = TokenKind::Integer;
  digits(is_digit);
  if (peek() == '.') {
    kind = TokenKind::Float;
    ++at_;
    digits(is_digit);
  }
  const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
  if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
    kind = TokenKind::Float;
    at_ += 1 + sign;
    digits(is_digit);
  }
  if (peek() == 'j' || peek() == 'J') {
    kind = TokenKind::Imaginary;
    ++at_;
  }
  end_number(kind, begin);
}

void Lexer::end_number(TokenKind kind, std::size_t begin) {
  const std::string_view number = text_.substr(begin, at_ - begin);
  if (is_name_char(peek()) && !follows_number(text_.substr(at_))) {
    while (is_name_char(peek())) ++at_;
    const std::string_view all = text_.substr(begin, at_ - begin);
    refuse(begin, at_, quoted(all) + " is not a number",
           number.size() > 1 && is_letter(number[1])
               ? "the digits after 0b are 0 and 1, those after 0o are 0 to 7"
           : all.find('_') != all.npos ? "a single '_' may stand between two digits"
                                       : "a name cannot begin with a digit");
    return;
  }
  const bool octal_of_old = kind == TokenKind::Integer && number.size() > 1 && number[0] == '0' &&
                            (is_digit(number[1]) || number[1] == '_') &&
                            number.find_first_not_of("0_") != number.npos;
  if (octal_of_old) {
    const std::size_t first = number.find_first_not_of("0_");
    refuse(begin, at_, "a number other than 0 cannot begin with 0",
           "write " + std::string(number.substr(first)) + ", or 0o" +
               std::string(number.substr(first)) + " for base 8");
    return;
  }
  push(kind, begin, at_);
}

}  // namespace lathe::python
