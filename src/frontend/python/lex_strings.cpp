// SPDX-License-Identifier: Apache-2.0
// Where strings end, and where the replacement fields of f-strings begin and end. Escapes are the
// concern of string_value.h.

#include <algorithm>
#include <string>

#include "base/quoted.h"
#include "frontend/python/lexer_state.h"

namespace lathe::python {
namespace {

constexpr int kMaxFormats = 3;  // formats inside formats, as deep as Python allows

bool is_prefix(std::string_view letters) {
  constexpr std::string_view kPrefixes[] = {"r", "b", "u", "f", "br", "rb", "fr", "rf"};
  std::string lower(letters);
  for (char& c : lower) c = static_cast<char>(c | 0x20);
  return std::find(std::begin(kPrefixes), std::end(kPrefixes), lower) != std::end(kPrefixes);
}

}  // namespace

// Sets the length of the prefix.
bool Lexer::at_string(std::size_t& prefix) const {
  prefix = 0;
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  if (is_quote(peek())) return true;
  if (!is_letter(peek())) return false;
  prefix = is_quote(peek(1)) ? 1 : is_letter(peek(1)) && is_quote(peek(2)) ? 2 : 0;
  return prefix > 0 && is_prefix(text_.substr(at_, prefix));
}

void Lexer::string(std::size_t prefix) {
  const std::size_t begin = at_;
  const char quote = peek(prefix);
  const bool triple = peek(prefix + 1) == quote && peek(prefix + 2) == quote;
  at_ += prefix + (triple ? 3 : 1);
  if (text_.substr(begin, prefix).find_first_of("fF") != std::string_view::npos) {
    begin_fstring(begin, prefix, quote, triple);
    return;
  }
  if (skip_string_body(quote, triple)) {
    push(TokenKind::String, begin, at_);
  } else if (!fstrings_.empty() && quote == fstrings_.back().quote) {
    // Meant to end the f-string around: a field of it is not closed.
    at_ = begin + prefix + 1;
    field_never_closed();
  } else {
    unterminated(begin, triple, "string");
  }
}

// Past the closing quotes; false when there are none.
bool Lexer::skip_string_body(char quote, bool triple) {
  for (; !at_end(); ++at_) {
    const char c = peek();
    if (c == '\\') {
      ++at_;
    } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
      at_ += triple ? 3 : 1;
      return true;
    } else if (!triple && is_line_end(c)) {
      return false;
    }
  }
  at_ = text_.size();
  return false;
}

void Lexer::unterminated(std::size_t begin, bool triple, std::string_view what) {
  const std::size_t line_end = std::min(text_.find_first_of("\r\n", begin), text_.size());
  refuse(begin, std::min(line_end, std::max(at_, begin + 1)),
         "this " + std::string(what) + " has no end",
         triple ? "close it with the three quotes that opened it"
                : "close it on its line, or use triple quotes");
}

// Directly in an f-string, or in the format of one of its fields: text, not tokens.
bool Lexer::in_fstring_text() const {
  return brackets_.size() == fstrings_.back().brackets ||
         (brackets_.back().field && brackets_.back().in_format);
}

void Lexer::begin_fstring(std::size_t begin, std::size_t prefix, char quote, bool triple) {
  if (fstrings_.size() >= kMaxFStrings) {
    refuse(begin, at_, "f-strings are nested deeper than " + std::to_string(kMaxFStrings),
           "give parts of the string names");
    stopped_ = true;
    return;
  }
  const bool raw = text_.substr(begin, prefix).find_first_of("rR") != std::string_view::npos;
  fstrings_.push_back({begin, brackets_.size(), quote, triple, raw});
  push(TokenKind::FStringStart, begin, at_);
}

void Lexer::fstring_text() {
  const bool in_format = brackets_.size() > fstrings_.back().brackets;
  const std::size_t begin = at_;
  while (!at_end())
    if (fstring_character(begin, in_format)) return;
  if (in_format) return;  // finish() names the field
  abandon_fstring();
}

// One character of text, or what ends it; true when the text ended, with its token and what
// follows.
bool Lexer::fstring_character(std::size_t begin, bool in_format) {
  const FString& f = fstrings_.back();
  const char c = peek();
  const auto text_ends = [&] {
    if (at_ > begin) push(TokenKind::FStringMiddle, begin, at_);
    return true;
  };
  if (c == '\\') {
    const char next = peek(1);
    if (next == 'N' && peek(2) == '{' && !f.raw) {  // a named character, not a field
      const std::size_t close = text_.find_first_of("}\n\"'", at_);
      at_ = close == text_.npos ? text_.size() : close + (text_[close] == '}' ? 1 : 0);
    } else {
      at_ += next == '{' || next == '}' || next == '\0' ? 1 : 2;
    }
    return false;
  }
  if (c == f.quote && (!f.triple || (peek(1) == c && peek(2) == c))) {
    if (in_format) {
      at_ += f.triple ? 3 : 1;
      field_never_closed();
      return true;
    }
    text_ends();
    const std::size_t close = at_;
    at_ += f.triple ? 3 : 1;
    push(TokenKind::FStringEnd, close, at_);
    fstrings_.pop_back();
    return true;
  }
  if (!f.triple && is_line_end(c)) {
    abandon_fstring();
    return true;
  }
  if (c == '{' && (in_format || peek(1) != '{')) {
    text_ends();
    begin_field(at_);
    return true;
  }
  if (c == '}' && in_format) {
    text_ends();
    push(TokenKind::RightBrace, at_, at_ + 1);
    brackets_.pop_back();
    ++at_;
    return true;
  }
  if (c == '}' && peek(1) != '}') {
    refuse(at_, at_ + 1, "'}' closes no replacement field", "write '}}' for the character itself");
    ++at_;
    return true;
  }
  at_ += (c == '{' || c == '}') ? 2 : 1;
  return false;
}

void Lexer::begin_field(std::size_t begin) {
  int formats = 0;
  for (std::size_t i = fstrings_.back().brackets; i < brackets_.size(); ++i)
    formats += brackets_[i].in_format ? 1 : 0;
  if (formats >= kMaxFormats) {
    refuse(begin, begin + 1, "replacement fields are nested too deeply",
           "compute the inner ones before");
    stopped_ = true;
    return;
  }
  const std::size_t depth = brackets_.size();
  open_bracket(TokenKind::LeftBrace);
  if (brackets_.size() > depth) brackets_.back().field = true;
}

// The f-string ended inside a field.
void Lexer::field_never_closed() {
  never_closed();
  push(TokenKind::Error, at_, at_);
  brackets_.resize(fstrings_.back().brackets);
  fstrings_.pop_back();
}

// The line or the text ended inside; the line goes on after the f-string.
void Lexer::abandon_fstring() {
  const FString f = fstrings_.back();
  brackets_.resize(f.brackets);
  fstrings_.pop_back();
  unterminated(f.begin, f.triple, "f-string");
}

}  // namespace lathe::python
