// SPDX-License-Identifier: Apache-2.0
// The printer (ir/print_*.cpp) spaces what it knows; here the same is read off the tokens:
//
//   for i in 1 .. n - 1 : v [ i ] + = [ seq ] - u [ i - 1 ]
//   for i in 1..n-1: v[i] += [seq] -u[i-1]
//
// Index arithmetic is written without blanks: a loop variable or an integer parameter, plus or
// minus a number, where nothing around it binds tighter.

#include "cli/token_spacing.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "ir/dtype.h"

namespace lathe::cli {
namespace {

using ir::Token;
using ir::TokenKind;

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 7> kReductions = {
    "all", "any", "contract", "maximum", "minimum", "product", "sum"};
constexpr std::array<std::string_view, 5> kTighter = {"*", "/", "//", "%", "**"};
constexpr std::array<std::string_view, 2> kSigns = {"+", "-"};

bool is_whole(std::string_view dtype) {
  const auto t = ir::parse_dtype(dtype);
  return t && ir::is_int(*t);
}

class Classifier {
 public:
  explicit Classifier(const std::vector<Token>& tokens)
      : tokens_(tokens), parts_(tokens.size(), Part::Word) {}

  std::vector<Part> run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const Token& t = tokens_[at_];
      switch (t.kind) {
        case TokenKind::Name: parts_[at_] = name(t.text); break;
        case TokenKind::Integer:
        case TokenKind::Real: parts_[at_] = Part::Operand; break;
        case TokenKind::Mark: parts_[at_] = mark(t.text); break;
        case TokenKind::Newline:
          operands_.clear();
          header_ = {};
          break;
        case TokenKind::Indent:
        case TokenKind::Dedent:
        case TokenKind::End: break;
      }
    }
    return std::move(parts_);
  }

 private:
  // The text of a token further on or back; nothing beyond the line.
  std::string_view text(int ahead) const {
    const std::size_t i = at_ + static_cast<std::size_t>(ahead);
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }
  bool is_line_start() const {
    if (at_ == 0) return true;
    const TokenKind before = tokens_[at_ - 1].kind;
    return before != TokenKind::Name && before != TokenKind::Integer && before != TokenKind::Real &&
           before != TokenKind::Mark;
  }
  Part before() const { return is_line_start() ? Part::Word : parts_[at_ - 1]; }

  Part name(std::string_view word) {
    if (!is_line_start() && text(-1) == "reduce") return Part::Callee;
    if (!is_line_start() && text(-1) == ";") return Part::Word;  // a policy: value -1
    note_name(word);
    if (ir::parse_dtype(word) || word.starts_with("bitcast_") || one_of(word, kReductions))
      return Part::Callee;
    const std::string_view head = word.substr(0, 3);
    const bool literal = word == "true" || word == "false" || head == "inf" || head == "nan";
    return ir::is_keyword(word) && !literal ? Part::Word : Part::Operand;
  }

  // Loop variables, and integers among the parameters and the operands of a combiner.
  void note_name(std::string_view word) {
    if (ir::is_keyword(word)) {
      if (word == "program" || word == "combiner") header_ = word;
      return;
    }
    const bool typed = text(1) == ":" && (text(2) == "size" || is_whole(text(2)));
    if (typed && !header_.empty() && !brackets_.empty())
      (header_ == "program" ? variables_ : operands_).insert(word);
    if (text(1) == "in" && begins_range()) variables_.insert(word);
  }

  // Not so where `in` ends a let: `let t = j in`, `let t = a and j in`.
  bool begins_range() const {
    switch (before()) {
      case Part::Word: return text(-1) != "and" && text(-1) != "or" && text(-1) != "not";
      case Part::Comma: return text(-1) == ",";
      case Part::Callee:
      case Part::CloseHow: return true;
      default: return false;
    }
  }

  Part mark(std::string_view m) {
    if (m == "(" || m == "[") {
      const Part p = before();
      brackets_.push_back(m == "[" && (p == Part::Assign || p == Part::Callee));
      return Part::Open;
    }
    if (m == ")" || m == "]") {
      const bool how = !brackets_.empty() && brackets_.back();
      if (!brackets_.empty()) brackets_.pop_back();
      return how ? Part::CloseHow : Part::Close;
    }
    if (m == "," || m == ";" || m == ":") return Part::Comma;
    if (m == "=") {
      header_ = {};
      return Part::Assign;
    }
    if (m == "..") return Part::Tight;
    if (!is_line_start() && text(-1) == "reduce") return Part::Callee;
    const bool after_value = before() == Part::Operand || before() == Part::Close;
    if (m == "~" || (m == "-" && !after_value)) return Part::Prefix;
    return is_index_arithmetic(m) ? Part::Tight : Part::Infix;
  }

  bool is_index_arithmetic(std::string_view m) const {
    if (!one_of(m, kSigns) || tokens_[at_ - 1].kind != TokenKind::Name) return false;
    const std::string_view left = text(-1);
    if (!variables_.contains(left) && !operands_.contains(left)) return false;
    if (at_ >= 2 && (parts_[at_ - 2] == Part::Prefix ||
                     (parts_[at_ - 2] == Part::Infix && binds_as_sum(text(-2)))))
      return false;
    if (at_ + 2 >= tokens_.size()) return false;
    const Token& right = tokens_[at_ + 1];
    const bool whole = right.suffix.empty() || is_whole(right.suffix);
    return right.kind == TokenKind::Integer && whole && !one_of(text(2), kTighter);
  }

  static bool binds_as_sum(std::string_view m) { return one_of(m, kSigns) || one_of(m, kTighter); }

  const std::vector<Token>& tokens_;
  std::vector<Part> parts_;
  std::size_t at_ = 0;
  std::vector<bool> brackets_;  // the open ones: whether it is a how
  std::string_view header_;     // program or combiner, while their names are listed
  std::unordered_set<std::string_view> variables_;
  std::unordered_set<std::string_view> operands_;  // of the combiner on this line
};

// The `+` of `+=`, the `min` of `min=`: an operation after a target.
bool accumulates(const std::vector<Token>& tokens, const std::vector<Part>& parts, std::size_t i) {
  if (parts[i] == Part::Infix) return true;
  if (tokens[i].kind != TokenKind::Name || i == 0) return false;
  const bool same_line = tokens[i - 1].kind != TokenKind::Newline;
  return same_line && (parts[i - 1] == Part::Operand || parts[i - 1] == Part::Close);
}

}  // namespace

std::vector<Part> parts(const std::vector<Token>& tokens) { return Classifier(tokens).run(); }

bool blank_before(const std::vector<Token>& tokens, const std::vector<Part>& parts, std::size_t i) {
  const Part before = parts[i - 1], here = parts[i];
  if (here == Part::Close || here == Part::CloseHow || here == Part::Comma) return false;
  if (here == Part::Tight || before == Part::Tight) return false;
  if (before == Part::Open || before == Part::Prefix) return false;
  if (here == Part::Assign) return !accumulates(tokens, parts, i - 1);
  if (here == Part::Open) return before != Part::Operand && before != Part::Callee;
  return true;
}

}  // namespace lathe::cli
