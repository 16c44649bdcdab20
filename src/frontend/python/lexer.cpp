// SPDX-License-Identifier: Apache-2.0
// Characters to tokens. Lines carry meaning outside brackets:
//
//   if x:            if x : NEWLINE
//       y = f(1,     INDENT y = f ( 1 , 2 ) NEWLINE
//   2)               DEDENT
//
// An f-string is a sequence of tokens, with those of its fields among them, so that a field may
// hold everything that an expression may, also quotes of the same kind:
//
//   f"a{x!r:>{n}}"   FStringStart 'a' { x ! r : '>' { n } } FStringEnd

#include "frontend/python/lexer.h"

#include <utility>

#include "base/quoted.h"
#include "base/utf8.h"
#include "frontend/python/identifier.h"
#include "frontend/python/lexer_state.h"

namespace lathe::python {
namespace {

struct MarkFound {
  TokenKind kind;
  std::size_t length;
};

// `c` alone, `c=`, `cc`, `cc=`: most operators are of this family.
MarkFound doubled(std::string_view text, TokenKind one, TokenKind one_equal, TokenKind two,
                  TokenKind two_equal) {
  if (text.size() > 1 && text[1] == '=') return {one_equal, 2};
  if (text.size() < 2 || text[1] != text[0]) return {one, 1};
  if (text.size() > 2 && text[2] == '=') return {two_equal, 3};
  return {two, 2};
}

MarkFound with_equal(std::string_view text, TokenKind one, TokenKind one_equal) {
  if (text.size() > 1 && text[1] == '=') return {one_equal, 2};
  return {one, 1};
}

// The longest operator that the text begins with; length 0 when there is none.
MarkFound find_mark(std::string_view text) {
  using enum TokenKind;
  switch (text[0]) {
    case '(': return {LeftParen, 1};
    case ')': return {RightParen, 1};
    case '[': return {LeftBracket, 1};
    case ']': return {RightBracket, 1};
    case '{': return {LeftBrace, 1};
    case '}': return {RightBrace, 1};
    case ',': return {Comma, 1};
    case ';': return {Semicolon, 1};
    case '~': return {Tilde, 1};
    case ':': return with_equal(text, Colon, Walrus);
    case '=': return with_equal(text, Equal, EqualEqual);
    case '+': return with_equal(text, Plus, PlusEqual);
    case '%': return with_equal(text, Percent, PercentEqual);
    case '@': return with_equal(text, At, AtEqual);
    case '|': return with_equal(text, Pipe, PipeEqual);
    case '^': return with_equal(text, Caret, CaretEqual);
    case '&': return with_equal(text, Ampersand, AmpersandEqual);
    case '*': return doubled(text, Star, StarEqual, DoubleStar, DoubleStarEqual);
    case '/': return doubled(text, Slash, SlashEqual, DoubleSlash, DoubleSlashEqual);
    case '<': return doubled(text, Less, LessEqual, ShiftLeft, ShiftLeftEqual);
    case '>': return doubled(text, Greater, GreaterEqual, ShiftRight, ShiftRightEqual);
    case '-':
      return text.substr(0, 2) == "->" ? MarkFound{Arrow, 2} : with_equal(text, Minus, MinusEqual);
    case '.': return text.substr(0, 3) == "..." ? MarkFound{Ellipsis, 3} : MarkFound{Dot, 1};
    case '!': return text.substr(0, 2) == "!=" ? MarkFound{NotEqual, 2} : MarkFound{Exclamation, 0};
    default: return {Error, 0};
  }
}

}  // namespace

Lexer::Lexer(std::uint32_t file, std::string_view text, std::size_t begin, Lines lines,
             Diagnostics& diagnostics)
    : file_(file),
      text_(text),
      diagnostics_(diagnostics),
      join_lines_(lines == Lines::Join),
      at_(begin),
      at_line_start_(lines == Lines::Matter) {}

TokenList Lexer::run() {
  list_.tokens.reserve((text_.size() - at_) / 4 + 16);
  while (!at_end() && !stopped_) {
    if (!fstrings_.empty() && in_fstring_text()) {
      fstring_text();
    } else if (at_line_start_) {
      begin_line();
    } else {
      token();
    }
  }
  finish();
  return std::move(list_);
}

Diagnostic& Lexer::error(std::size_t begin, std::size_t end, std::string message) {
  return diagnostics_.error(span(begin, end), std::move(message));
}

void Lexer::refuse(std::size_t begin, std::size_t end, std::string message, std::string help) {
  error(begin, end, std::move(message)).help = std::move(help);
  push(TokenKind::Error, begin, end);
}

void Lexer::token() {
  const char c = peek();
  std::size_t prefix = 0;
  if (c == ' ' || c == '\t' || c == '\f') {
    ++at_;
  } else if (is_line_end(c)) {
    end_line();
  } else if (c == '#') {
    comment();
  } else if (c == '\\') {
    continuation();
  } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
    number();
  } else if (at_string(prefix)) {
    string(prefix);
  } else if (is_letter(c)) {
    name();
  } else {
    mark();
  }
}

void Lexer::name() {
  const std::size_t begin = at_;
  bool ascii = true;
  for (; is_name_char(peek()); ++at_) ascii = ascii && (peek() & 0x80) == 0;
  const std::string_view word = text_.substr(begin, at_ - begin);
  if (ascii) {
    push(keyword_or_name(word), begin, at_);
    return;
  }
  const std::size_t wrong = find_bad_name_character(word);
  if (wrong == word.npos) {
    push(TokenKind::Name, begin, at_);
    return;
  }
  if (wrong > 0) push(TokenKind::Name, begin, begin + wrong);
  at_ = begin + wrong;
  unexpected_character();
}

void Lexer::mark() {
  MarkFound found = find_mark(text_.substr(at_));
  if (!brackets_.empty() && brackets_.back().field) {
    // Directly in a field ':' begins the format, whatever follows, and '!' the conversion.
    if (peek() == ':') found = {TokenKind::FormatColon, 1};
    if (peek() == '!' && found.length == 0) found.length = 1;
  }
  if (found.length == 0) {
    unexpected_character();
    return;
  }
  switch (found.kind) {
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace: open_bracket(found.kind); return;
    case TokenKind::RightParen:
    case TokenKind::RightBracket:
    case TokenKind::RightBrace: close_bracket(found.kind); return;
    case TokenKind::FormatColon: brackets_.back().in_format = true; break;
    default: break;
  }
  push(found.kind, at_, at_ + found.length);
  at_ += found.length;
}

void Lexer::unexpected_character() {
  const Utf8Char c = decode_utf8(text_, at_);
  const std::string shown(text_.substr(at_, c.length));
  std::string help;
  if (shown == "!")
    help = "write 'not x', or 'a != b'";
  else if (shown == "?")
    help = "a choice is written 'a if condition else b'";
  else if (shown == "$" || shown == "`")
    help = "remove it";
  else if (c.code == 0xa0 || c.code == 0x200b || c.code == 0xfeff || c.code == 0x3000)
    help = "it looks like a space: write an ordinary one";
  else if (c.code == 0x2018 || c.code == 0x2019 || c.code == 0x201c || c.code == 0x201d)
    help = "strings are quoted by ' or \"";
  else if (c.length > 1)
    help = "names are made of letters, digits and '_'; any character may stand in a string";
  refuse(at_, at_ + c.length, quoted(shown) + " means nothing here", std::move(help));
  at_ += c.length;
}

TokenList tokenize(const SourceMap& sources, Span where, Lines lines, Diagnostics& diagnostics) {
  const std::string_view text = sources.file(where.file).text;
  return Lexer(where.file, text.substr(0, where.end), where.begin, lines, diagnostics).run();
}

}  // namespace lathe::python
