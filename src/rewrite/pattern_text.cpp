// SPDX-License-Identifier: Apache-2.0
// Parses the text of a rule's side: `select(not b, x, y)`, `x * fold(1 / k)`, `U(S(x))`. The
// operators and their precedence are those of docs/language.md; a rule that does not parse is a
// mistake in the table, so every fault is an internal error.

#include <cctype>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/diagnostics.h"
#include "rewrite/pattern.h"

namespace lathe::rewrite {
namespace {

struct Level {
  int precedence;
  std::string_view spelling;
};
// Longer spellings first: the scanner takes the first that fits.
constexpr Level kInfix[] = {
    {1, "or"}, {2, "and"}, {4, "<="},  {4, ">="}, {4, "=="}, {4, "!="}, {8, "<<"},
    {8, ">>"}, {4, "<"},   {4, ">"},   {5, "|"},  {6, "^"},  {7, "&"},  {9, "+"},
    {9, "-"},  {12, "**"}, {10, "//"}, {10, "*"}, {10, "/"}, {10, "%"},
};
constexpr int kNot = 3, kUnary = 11, kPower = 12;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Term parse() {
    Term term = expression(0);
    if (at_ != text_.size()) fail();
    return term;
  }

 private:
  [[noreturn]] void fail() { internal_error("rule text '" + std::string(text_) + "'"); }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    const std::size_t end = at_ + token.size();
    const bool word = std::isalpha(static_cast<unsigned char>(token[0])) != 0;
    if (word && end < text_.size() && is_word(text_[end])) return false;
    at_ = end;
    return true;
  }

  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  Term apply(ir::Op op, std::vector<Term> args) {
    Term term;
    term.op = op;
    term.args = std::move(args);
    return term;
  }

  Term expression(int least) {
    Term left = prefix();
    while (true) {
      skip_blanks();
      const std::size_t start = at_;
      const Level* found = nullptr;
      for (const Level& level : kInfix)
        if (take(level.spelling)) {
          found = &level;
          break;
        }
      if (found == nullptr || found->precedence < least) {
        at_ = start;
        return left;
      }
      // `**` takes a unary on its right; all others associate to the left.
      Term right = expression(found->precedence == kPower ? kUnary : found->precedence + 1);
      const auto op = ir::find_op(ir::Form::Infix, found->spelling);
      if (!op) fail();
      std::vector<Term> args;
      args.push_back(std::move(left));
      args.push_back(std::move(right));
      left = apply(*op, std::move(args));
    }
  }

  Term prefix() {
    if (take("not")) return unary(ir::Op::Not, kNot);
    if (take("~")) return unary(ir::Op::BitNot, kUnary);
    if (take("-")) {
      skip_blanks();
      const bool number =
          at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 ||
                                 text_.substr(at_, 3) == "inf");
      if (!number) return unary(ir::Op::Neg, kUnary);
      Term term = atom();  // -1, -0.0: a literal
      term.value = -term.value;
      return term;
    }
    return atom();
  }

  Term unary(ir::Op op, int precedence) {
    std::vector<Term> args;
    args.push_back(expression(precedence));
    return apply(op, std::move(args));
  }

  Term literal(double value, bool is_bool = false) {
    Term term;
    term.kind = Term::Kind::Literal;
    term.value = value;
    term.is_bool = is_bool;
    return term;
  }

  Term atom() {
    skip_blanks();
    if (take("(")) {
      Term inner = expression(0);
      if (!take(")")) fail();
      return inner;
    }
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      const std::string rest(text_.substr(at_));
      char* end = nullptr;
      const double value = std::strtod(rest.c_str(), &end);
      at_ += static_cast<std::size_t>(end - rest.c_str());
      return literal(value);
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (word.empty()) fail();
    if (take("(")) return call(word);
    return name(word);
  }

  Term name(std::string_view word) {
    if (word == "true" || word == "false") return literal(word == "true" ? 1 : 0, true);
    if (word == "inf") return literal(std::numeric_limits<double>::infinity());
    if (word == "nan") return literal(std::numeric_limits<double>::quiet_NaN());
    Term term;
    if (word.size() != 1) fail();
    if (const auto slot = kVariableNames.find(word[0]); slot != std::string_view::npos) {
      term.kind = Term::Kind::Variable;
      term.slot = static_cast<int>(slot);
      term.is_bool = slot >= 3;
    } else if (const auto constant = kConstantNames.find(word[0]);
               constant != std::string_view::npos) {
      term.kind = Term::Kind::Constant;
      term.slot = static_cast<int>(constant);
    } else {
      fail();
    }
    return term;
  }

  Term call(std::string_view word) {
    std::vector<Term> args;
    do {
      args.push_back(expression(0));
    } while (take(","));
    if (!take(")")) fail();
    if (word == "fold") {
      Term term = apply(ir::Op::Const, std::move(args));
      term.kind = Term::Kind::Fold;
      return term;
    }
    if (const auto op = ir::find_op(ir::Form::Call, word)) return apply(*op, std::move(args));
    constexpr std::string_view kBitCast = "bitcast_";
    const bool bits = word.starts_with(kBitCast);
    if (bits) word.remove_prefix(kBitCast.size());
    Term term = apply(bits ? ir::Op::BitCast : ir::Op::Cast, std::move(args));
    term.type = type_name(word);
    return term;
  }

  TypeName type_name(std::string_view word) {
    if (word == "T") return {TypeName::T};
    if (word == "S") return {TypeName::S};
    if (word == "U") return {TypeName::U};
    const auto fixed = ir::parse_dtype(word);
    if (!fixed) fail();
    return {TypeName::Fixed, *fixed};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Term parse_term(std::string_view text) { return Parser(text).parse(); }

}  // namespace lathe::rewrite
