// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lexer (private to src/frontend/python). One class in several files:
//   lexer.cpp        the loop, names, operators
//   lex_lines.cpp    lines, indentation, brackets
//   lex_numbers.cpp  numbers
//   lex_strings.cpp  strings and f-strings

#include <string>
#include <string_view>
#include <vector>

#include "frontend/python/lexer.h"

namespace lathe::python {

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_name_char(char c) { return is_letter(c) || is_digit(c); }
// "\r\n" became "\n" when the text was read; a carriage return on its own ends a line in Python.
inline bool is_line_end(char c) { return c == '\n' || c == '\r'; }

class Lexer {
 public:
  Lexer(std::uint32_t file, std::string_view text, std::size_t begin, Lines lines,
        Diagnostics& diagnostics);
  TokenList run();

 private:
  // Columns of a line's first character with tabs 8 wide and with tabs 1 wide. Two lines compare
  // only if both orders agree: otherwise the block depends on how wide the reader's tabs are.
  struct Indentation {
    std::size_t columns = 0, characters = 0;
  };

  struct Bracket {
    char open;
    bool field = false;      // '{' that begins a replacement field
    bool in_format = false;  // the field's ':' was seen: literal text follows
    std::size_t begin = 0;
  };

  struct FString {
    std::size_t begin, brackets;  // brackets open outside
    char quote;
    bool triple, raw;
  };

  // Text. Reading past the end gives NUL, which the text does not hold.
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool at_end() const { return at_ >= text_.size(); }
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  void push(TokenKind kind, std::size_t begin, std::size_t end) {
    list_.tokens.push_back(
        {kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }
  Diagnostic& error(std::size_t begin, std::size_t end, std::string message);
  // Reports, and leaves an Error token.
  void refuse(std::size_t begin, std::size_t end, std::string message, std::string help);

  void token();
  void name();
  void mark();
  void unexpected_character();

  void begin_line();
  void change_block(Indentation line);
  void end_line();
  void comment();
  void continuation();
  void open_bracket(TokenKind kind);
  void close_bracket(TokenKind kind);
  bool give_up_brackets();
  void never_closed();
  void finish();

  void number();
  bool digits(bool (*is_digit_of_base)(char));
  bool based_number();
  void end_number(TokenKind kind, std::size_t begin);

  bool at_string(std::size_t& prefix) const;
  void string(std::size_t prefix);
  bool skip_string_body(char quote, bool triple);
  void unterminated(std::size_t begin, bool triple, std::string_view what);
  bool in_fstring_text() const;
  void begin_fstring(std::size_t begin, std::size_t prefix, char quote, bool triple);
  void fstring_text();
  bool fstring_character(std::size_t begin, bool in_format);
  void begin_field(std::size_t begin);
  void field_never_closed();
  void abandon_fstring();

  std::uint32_t file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  bool join_lines_;
  TokenList list_;
  std::vector<Indentation> indents_ = {{}};
  std::vector<Bracket> brackets_;
  std::vector<FString> fstrings_;
  std::size_t at_;
  bool at_line_start_;
  bool stopped_ = false;  // what follows cannot be understood
};

}  // namespace lathe::python
