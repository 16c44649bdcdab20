// SPDX-License-Identifier: Apache-2.0
// Tokens say what the program is; what lies between two of them - blanks, line ends, comments -
// says how it was written down. The formatter walks over these gaps: a gap within a line becomes a
// blank or nothing (token_spacing.h), a gap with line ends keeps its comments and becomes a line
// end and the indentation of the block.

#include "cli/format_tokens.h"

#include <utility>

#include "cli/token_spacing.h"

namespace lathe::cli {
namespace {

using ir::Token;
using ir::TokenKind;

constexpr std::size_t kRoleWidth = 7;  // "output ", as ir/print_program.cpp

bool is_role(std::string_view word) {
  return word == "input" || word == "output" || word == "inout" || word == "state" ||
         word == "temp" || word == "const";
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

class Layout {
 public:
  Layout(std::string_view text, const std::vector<Token>& tokens)
      : text_(text), tokens_(tokens), parts_(parts(tokens)) {}

  std::string run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& t = tokens_[i];
      switch (t.kind) {
        case TokenKind::Newline: break;
        case TokenKind::Indent: columns_.push_back(column_of(t.begin)); break;
        case TokenKind::Dedent: columns_.pop_back(); break;
        case TokenKind::End: finish(); break;
        default: token(i);
      }
    }
    return std::move(out_);
  }

 private:
  std::size_t column_of(std::size_t offset) const {
    const std::size_t line = text_.rfind('\n', offset == 0 ? 0 : offset - 1);
    return line == std::string_view::npos || offset == 0 ? offset : offset - line - 1;
  }

  std::size_t level() const { return columns_.size() - 1; }

  void token(std::size_t i) {
    const Token& t = tokens_[i];
    const std::string_view gap = text_.substr(end_, t.begin - end_);
    if (gap.find('\n') == std::string_view::npos && !out_.empty()) {
      blanks(i);
    } else {
      lines(gap);
      empty_line();
      out_.append(indentation(parts_[i] == Part::Close || parts_[i] == Part::CloseHow), ' ');
    }
    out_ += text_.substr(t.begin, t.end - t.begin);
    if (parts_[i] == Part::Open) ++depth_;
    if (parts_[i] == Part::Close || parts_[i] == Part::CloseHow) --depth_;
    end_ = t.end;
    before_ = columns_;
  }

  void blanks(std::size_t i) {
    const Token& last = tokens_[i - 1];
    const bool first_of_line = i < 2 || tokens_[i - 2].kind == TokenKind::Newline ||
                               tokens_[i - 2].kind == TokenKind::Indent ||
                               tokens_[i - 2].kind == TokenKind::Dedent;
    if (first_of_line && is_role(last.text)) {
      out_.append(kRoleWidth - last.text.size(), ' ');
    } else if (blank_before(tokens_, parts_, i)) {
      out_ += ' ';
    }
  }

  // Ends the line before the gap and writes the comments in it, each on its own line; the first one
  // may still stand behind a token.
  void lines(std::string_view gap) {
    bool behind = !out_.empty();
    while (true) {
      const std::size_t end = gap.find('\n');
      const std::string_view line = gap.substr(0, end);
      const std::string_view comment = trimmed(line);
      if (behind) {
        if (!comment.empty()) out_ += "  " + std::string(comment);
        out_ += '\n';
      } else if (!comment.empty()) {
        empty_line();
        out_.append(comment_indentation(line.find('#')), ' ');
        out_ += comment;
        out_ += '\n';
      } else if (end != std::string_view::npos) {
        empty_ = !out_.empty();
      }
      if (end == std::string_view::npos) return;
      behind = false;
      gap.remove_prefix(end + 1);
    }
  }

  void empty_line() {
    if (std::exchange(empty_, false)) out_ += '\n';
  }

  // Lines that a bracket continues stand deeper than any block; a closing bracket that begins one
  // does not.
  std::size_t indentation(bool closes = false) const {
    const std::size_t open = depth_ - (closes ? 1 : 0);
    return 2 * level() + (open == 0 ? 0 : 2 + 2 * open);
  }

  // A comment belongs to the line after it, or, at the end of a block, to the block if it is
  // written as deep.
  std::size_t comment_indentation(std::size_t column) const {
    if (depth_ > 0) return indentation();
    const std::vector<std::size_t>& blocks = before_.size() > columns_.size() ? before_ : columns_;
    std::size_t at = level();
    while (at + 1 < blocks.size() && blocks[at + 1] <= column) ++at;
    return 2 * at;
  }

  void finish() {
    lines(text_.substr(end_));
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<Part> parts_;
  std::string out_;
  std::size_t end_ = 0;                     // of the last token
  std::size_t depth_ = 0;                   // of brackets
  bool empty_ = false;                      // an empty line is due
  std::vector<std::size_t> columns_ = {0};  // of the blocks around, as written
  std::vector<std::size_t> before_ = {0};   // the same at the last token
};

}  // namespace

std::string format_tokens(std::string_view text, const std::vector<Token>& tokens) {
  return Layout(text, tokens).run();
}

}  // namespace lathe::cli
