// SPDX-License-Identifier: Apache-2.0
// Characters to tokens. Lines carry meaning, so the lexer measures the indentation of each logical
// line and says Indent and Dedent as Python does:
//
//   for i in 0..n:        for i in 0 .. n : NEWLINE
//     v[i] = 0            INDENT v [ i ] = 0 NEWLINE DEDENT
//
// Inside brackets line ends and indentation do not count. A '.' belongs to a name or number only
// when what follows can continue it, so `n..m` and `0..n` are ranges while `ccol.0` is a name.

#include "ir/text_lexer.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "ir/dtype.h"

namespace lathe::ir {
namespace {

constexpr std::array<std::string_view, 46> kKeywords = {
    "all",    "and",      "any",   "backward", "call",      "combiner", "const",   "contract",
    "else",   "extended", "false", "for",      "forward",   "fresh",    "if",      "in",
    "inf",    "inout",    "input", "inside",   "let",       "local",    "maximum", "minimum",
    "nan",    "neutral",  "not",   "or",       "output",    "product",  "program", "reduce",
    "repeat", "rotate",   "scan",  "size",     "state",     "sum",      "temp",    "true",
    "until",  "when",     "where", "while",    "exclusive", "capped"};

// Longest first: `**` before `*`.
constexpr std::array<std::string_view, 29> kMarks = {
    "..", "->", "==", "!=", "<=", ">=", "<<", ">>", "**", "//", "(", ")", "[", "]", ",",
    ":",  ";",  "=",  "<",  ">",  "+",  "-",  "*",  "/",  "%",  "&", "|", "^", "~"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_char(char c) { return is_letter(c) || is_digit(c); }

class Lexer {
 public:
  Lexer(std::uint32_t file, std::string_view text, Diagnostics& diagnostics, bool comments)
      : file_(file), text_(text), diagnostics_(diagnostics), comments_(comments) {}

  std::vector<Token> run() {
    while (at_ < text_.size() && !diagnostics_.full()) {
      if (at_line_start_ && brackets_.empty()) {
        measure_indentation();
      } else {
        token();
      }
    }
    finish();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  void push(TokenKind kind, std::size_t begin, std::size_t end) {
    tokens_.push_back({kind,
                       static_cast<std::uint32_t>(begin),
                       static_cast<std::uint32_t>(end),
                       text_.substr(begin, end - begin),
                       {}});
  }

  // Blank lines and lines that hold only a comment have no indentation.
  void measure_indentation() {
    const std::size_t line = at_;
    while (peek() == ' ') ++at_;
    if (peek() == '\t') {
      const std::size_t tabs = at_;
      while (peek() == '\t' || peek() == ' ') ++at_;
      if (peek() != '\n' && peek() != '#' && at_ < text_.size()) {
        diagnostics_.error(span(tabs, tabs + 1), "this line is indented with a tab").help =
            "indent with spaces: how wide a tab is depends on who looks at it";
      }
      at_line_start_ = false;
      return;  // what block the line belongs to cannot be known
    }
    at_line_start_ = false;
    const bool comment = peek() == '#';
    if (at_ == text_.size() || peek() == '\n' || (comment && !comments_)) return;
    change_block(at_ - line);
    if (!comment) return;
    const std::size_t begin = at_;
    skip_comment();
    push(TokenKind::Mark, begin, at_);
  }

  void skip_comment() {
    while (at_ < text_.size() && peek() != '\n') ++at_;
  }

  void change_block(std::size_t column) {
    if (column > indents_.back()) {
      indents_.push_back(column);
      push(TokenKind::Indent, at_, at_);
      return;
    }
    while (column < indents_.back()) {
      indents_.pop_back();
      push(TokenKind::Dedent, at_, at_);
    }
    if (column != indents_.back()) {
      diagnostics_
          .error(span(at_ - column, at_ + 1), "this line is indented by " + std::to_string(column) +
                                                  (column == 1 ? " space" : " spaces") +
                                                  ", which matches no block around it")
          .help = "the nearest block outside is indented by " + std::to_string(indents_.back());
      indents_.push_back(column);
      push(TokenKind::Indent, at_, at_);
    }
  }

  void token() {
    const char c = peek();
    if (c == '\n') {
      end_line();
    } else if (c == ' ' || c == '\t') {
      ++at_;
    } else if (c == '#') {
      skip_comment();
    } else if (is_letter(c)) {
      name();
    } else if (is_digit(c)) {
      number();
    } else {
      mark();
    }
  }

  void end_line() {
    const bool blank = tokens_.empty() || tokens_.back().kind == TokenKind::Newline ||
                       tokens_.back().kind == TokenKind::Indent ||
                       tokens_.back().kind == TokenKind::Dedent;
    if (brackets_.empty() && !blank) push(TokenKind::Newline, at_, at_);
    ++at_;
    at_line_start_ = brackets_.empty();
  }

  void name() {
    const std::size_t begin = at_;
    while (is_name_char(peek()) || (peek() == '.' && is_name_char(peek(1)))) ++at_;
    push(TokenKind::Name, begin, at_);
  }

  void digits() {
    while (is_digit(peek())) ++at_;
  }

  void number() {
    const std::size_t begin = at_;
    digits();
    bool real = false;
    if (peek() == '.' && is_digit(peek(1))) {
      real = true;
      ++at_;
      digits();
    }
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
      real = true;
      at_ += 1 + sign;
      digits();
    }
    const std::size_t end = at_;
    push(real ? TokenKind::Real : TokenKind::Integer, begin, end);
    while (is_name_char(peek())) ++at_;
    Token& token = tokens_.back();
    token.suffix = text_.substr(end, at_ - end);
    token.end = static_cast<std::uint32_t>(at_);
    if (!token.suffix.empty() && !parse_dtype(token.suffix)) bad_suffix(token);
    if (peek() == '.' && peek(1) != '.') {
      diagnostics_.error(span(begin, at_ + 1), "a number needs digits on both sides of the point")
          .help = is_letter(peek(1)) ? "a range has two points, as in 0..n"
                                     : "write " + std::string(token.text) + ".0";
      ++at_;
    }
  }

  void bad_suffix(const Token& token) {
    Diagnostic& d = diagnostics_.error(span(token.begin, token.end),
                                       "'" + std::string(token.suffix) + "' after the number " +
                                           std::string(token.text) + " is not a dtype");
    d.help = token.text == "0" && (token.suffix[0] == 'x' || token.suffix[0] == 'b')
                 ? "numbers are decimal"
                 : "a name cannot begin with a digit; the dtypes are bool i8 i16 i32 i64 u8 u16 "
                   "u32 u64 f16 bf16 f32 f64";
  }

  void mark() {
    for (const std::string_view m : kMarks) {
      if (text_.substr(at_, m.size()) != m) continue;
      push(TokenKind::Mark, at_, at_ + m.size());
      track_bracket(m[0]);
      at_ += m.size();
      return;
    }
    unexpected_character();
  }

  void track_bracket(char c) {
    if (c == '(' || c == '[') brackets_.push_back(at_);
    if (c != ')' && c != ']') return;
    const char open = c == ')' ? '(' : '[';
    const std::string closing(1, c);
    if (brackets_.empty()) {
      diagnostics_.error(span(at_, at_ + 1), "'" + closing + "' closes nothing");
      return;
    }
    const std::size_t opened = brackets_.back();
    brackets_.pop_back();
    if (text_[opened] == open) return;
    diagnostics_
        .error(span(at_, at_ + 1),
               "'" + closing + "' does not close '" + std::string(1, text_[opened]) + "'")
        .note("it was opened here", span(opened, opened + 1));
  }

  void unexpected_character() {
    const Utf8Char c = decode_utf8(text_, at_);
    const std::size_t end = at_ + c.length;
    const std::string shown(text_.substr(at_, c.length));
    Diagnostic& d = diagnostics_.error(span(at_, end), "'" + shown + "' means nothing here");
    if (shown == ".")
      d.help = "a range has two points: 0..n";
    else if (shown == "!")
      d.help = "write 'not x', or 'a != b'";
    else if (shown == "?")
      d.help = "choose with select(condition, a, b)";
    else if (shown == "{" || shown == "}")
      d.help = "blocks are indented, as in Python";
    else if (shown == "\"" || shown == "'")
      d.help = "there are no strings";
    else if (c.length > 1)
      d.help =
          "names are made of ASCII letters, digits and '_'; any "
          "character may stand in a comment";
    at_ = end;
  }

  void finish() {
    for (const std::size_t opened : brackets_) {
      diagnostics_.error(span(opened, opened + 1),
                         "'" + std::string(1, text_[opened]) + "' is never closed");
      break;  // what it swallowed would only repeat the news
    }
    brackets_.clear();
    const std::size_t end = text_.size();
    if (!tokens_.empty() && tokens_.back().kind != TokenKind::Newline &&
        tokens_.back().kind != TokenKind::Dedent)
      push(TokenKind::Newline, end, end);
    for (; indents_.size() > 1; indents_.pop_back()) push(TokenKind::Dedent, end, end);
    push(TokenKind::End, end, end);
  }

  std::uint32_t file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  bool comments_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> indents_ = {0};
  std::vector<std::size_t> brackets_;  // where each open one stands
  std::size_t at_ = 0;
  bool at_line_start_ = true;
};

}  // namespace

bool is_keyword(std::string_view word) {
  if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end()) return true;
  if (word.substr(0, 8) == "bitcast_") return parse_dtype(word.substr(8)).has_value();
  const std::string_view head = word.substr(0, 3);
  if (head == "inf" || head == "nan") return parse_dtype(word.substr(3)).has_value();
  return parse_dtype(word).has_value();
}

std::vector<Token> tokenize(std::uint32_t file, std::string_view text, Diagnostics& diagnostics,
                            bool comments) {
  return Lexer(file, text, diagnostics, comments).run();
}

}  // namespace lathe::ir
