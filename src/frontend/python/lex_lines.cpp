// SPDX-License-Identifier: Apache-2.0
// Lines, blocks and brackets. Where the text breaks a rule, the lexer says so once and then takes
// the reading that lets the rest make sense: a block whose indentation changes goes on, a bracket
// that a statement interrupts is dropped.

#include <utility>

#include "base/quoted.h"
#include "frontend/python/lexer_state.h"

namespace lathe::python {
namespace {

constexpr std::size_t kTabWidth = 8;

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

// Words that begin a statement and stand in no expression.
bool begins_statement(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case KwAssert:
    case KwBreak:
    case KwClass:
    case KwContinue:
    case KwDef:
    case KwDel:
    case KwGlobal:
    case KwImport:
    case KwNonlocal:
    case KwPass:
    case KwRaise:
    case KwReturn:
    case KwTry:
    case KwWhile:
    case KwWith: return true;
    default: return false;
  }
}

std::string counted_columns(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " column" : " columns");
}

}  // namespace

// Blank lines and lines that hold only a comment have no indentation. A backslash at the end of a
// blank line joins the next one to it; the first column counts, unless it is 0.
void Lexer::begin_line() {
  at_line_start_ = false;
  Indentation line, joined;
  for (;; ++at_) {
    const char c = peek();
    if (c == ' ') {
      ++line.columns;
      ++line.characters;
    } else if (c == '\t') {
      line.columns = (line.columns / kTabWidth + 1) * kTabWidth;
      ++line.characters;
    } else if (c == '\f') {
      line = {};
    } else if (c == '\\' && is_line_end(peek(1)) && at_ + 2 < text_.size()) {
      if (joined.columns == 0) joined = line;
      ++at_;
    } else {
      break;
    }
  }
  if (at_end() || is_line_end(peek()) || peek() == '#') return;
  change_block(joined.columns > 0 ? joined : line);
}

void Lexer::change_block(Indentation line) {
  const auto mixed = [&] {
    error(at_ - line.characters, at_, "this line mixes tabs and spaces unlike the lines around it")
        .help = "indent with spaces: how wide a tab is depends on who looks at it";
  };
  const Indentation block = indents_.back();
  if (line.columns == block.columns) {
    if (line.characters != block.characters) mixed();
    return;
  }
  if (line.columns > block.columns) {
    if (line.characters <= block.characters) mixed();
    if (indents_.size() >= kMaxIndents) {
      refuse(at_, at_ + 1, "blocks are nested deeper than " + std::to_string(kMaxIndents),
             "move the inner ones into a function");
      stopped_ = true;
      return;
    }
    indents_.push_back(line);
    push(TokenKind::Indent, at_, at_);
    return;
  }
  while (line.columns < indents_.back().columns) {
    const Indentation outer = indents_[indents_.size() - 2];
    if (line.columns > outer.columns) {
      const std::size_t start = at_ - line.characters;
      error(start, at_,
            "this line is indented by " + counted_columns(line.columns) +
                ", which matches no block around it")
          .help = "the blocks around it are indented by " + std::to_string(outer.columns) +
                  " and " + std::to_string(indents_.back().columns);
      indents_.back() = line;  // its block goes on, indented otherwise
      return;
    }
    indents_.pop_back();
    push(TokenKind::Dedent, at_, at_);
  }
  if (line.characters != indents_.back().characters) mixed();
}

void Lexer::end_line() {
  const std::size_t end = at_++;
  if (join_lines_) return;
  if (!brackets_.empty()) {
    give_up_brackets();
    return;
  }
  at_line_start_ = true;
  if (list_.tokens.empty()) return;
  const TokenKind last = list_.tokens.back().kind;
  const bool blank =
      last == TokenKind::Newline || last == TokenKind::Indent || last == TokenKind::Dedent;
  if (!blank) push(TokenKind::Newline, end, end);
}

// At the start of a line inside brackets: a word that begins a statement says that somebody forgot
// to close them. Without this, one bracket would hide every other mistake of the file.
bool Lexer::give_up_brackets() {
  std::size_t word = at_;
  while (word < text_.size() && (text_[word] == ' ' || text_[word] == '\t')) ++word;
  std::size_t stop = word;
  while (stop < text_.size() && is_name_char(text_[stop])) ++stop;
  if (stop == word || !begins_statement(keyword_or_name(text_.substr(word, stop - word))))
    return false;
  never_closed();
  brackets_.clear();
  fstrings_.clear();
  push(TokenKind::Error, at_, at_);
  push(TokenKind::Newline, at_, at_);
  at_line_start_ = true;
  return true;
}

void Lexer::never_closed() {
  const Bracket& innermost = brackets_.back();
  const std::string open(1, innermost.open);
  error(innermost.begin, innermost.begin + 1, quoted(open) + " is never closed").help =
      "close it with " + quoted(std::string(1, closing(innermost.open)));
}

void Lexer::comment() {
  const std::size_t begin = at_;
  while (!at_end() && !is_line_end(peek())) ++at_;
  list_.comments.push_back(span(begin, at_));
}

void Lexer::continuation() {
  const std::size_t begin = at_;
  if (is_line_end(peek(1))) {
    at_ += 2;
    if (!at_end()) return;
    refuse(begin, begin + 1, "the text ends after '\\', which promises another line", "remove it");
    return;
  }
  refuse(begin, begin + 1, "'\\' joins lines and must be the last character of its line",
         peek(1) == ' ' || peek(1) == '\t' ? "remove what follows it, blanks too" : "remove it");
  ++at_;
}

void Lexer::open_bracket(TokenKind kind) {
  if (brackets_.size() >= kMaxBrackets) {
    refuse(at_, at_ + 1, "brackets are nested deeper than " + std::to_string(kMaxBrackets),
           "give parts of the expression names");
    stopped_ = true;
    return;
  }
  brackets_.push_back({.open = peek(), .begin = at_});
  push(kind, at_, at_ + 1);
  ++at_;
}

void Lexer::close_bracket(TokenKind kind) {
  const std::string close(1, peek());
  const std::size_t begin = at_++;
  const std::size_t outside = fstrings_.empty() ? 0 : fstrings_.back().brackets;
  if (brackets_.size() == outside) {
    refuse(begin, at_, quoted(close) + " closes nothing", "remove it, or open it before");
    return;
  }
  const Bracket open = brackets_.back();
  brackets_.pop_back();
  if (closing(open.open) == close[0]) {
    push(kind, begin, at_);
    return;
  }
  Diagnostic& d =
      error(begin, at_, quoted(close) + " does not close " + quoted(std::string(1, open.open)));
  d.note("it was opened here", span(open.begin, open.begin + 1));
  d.help = "write " + quoted(std::string(1, closing(open.open)));
  push(TokenKind::Error, begin, at_);
}

void Lexer::finish() {
  const std::size_t end = text_.size();
  if (stopped_) {
    // An Error token is there.
  } else if (!fstrings_.empty() && brackets_.size() == fstrings_.back().brackets) {
    unterminated(fstrings_.back().begin, fstrings_.back().triple, "f-string");
  } else if (!brackets_.empty()) {
    never_closed();
    push(TokenKind::Error, end, end);
  }
  if (!join_lines_) {
    if (!list_.tokens.empty() && list_.tokens.back().kind != TokenKind::Newline &&
        list_.tokens.back().kind != TokenKind::Dedent)
      push(TokenKind::Newline, end, end);
    for (; indents_.size() > 1; indents_.pop_back()) push(TokenKind::Dedent, end, end);
  }
  push(TokenKind::End, end, end);
}

}  // namespace lathe::python
