// SPDX-License-Identifier: Apache-2.0
// The text of a set back into a set (set_text.cpp shows the form):
//
//   set   := both { 'OR' both }          both := part { 'AND' part }
//   part  := '{' 'where' TEXT '}' | '{' chain { 'and' chain } '}' | '(' set ')' | 'EMPTY' |
//   'UNIVERSE' chain := sum OP sum { OP sum }       sum  := term { ('+' | '-') term } term  :=
//   unary { ('*' | '//' | '%') unary } unary := '-' unary | INT | NAME [ '[' TEXT ']' ] | ('min' |
//   'max') '(' sum, ... ')' | '(' sum ')'

#include <algorithm>

#include "base/number_text.h"
#include "ir/domain.h"
#include "ir/set_names.h"

namespace lathe::ir {
namespace {

constexpr int kMaxDepth = 64;

class SetParser {
 public:
  SetParser(std::string_view text, const std::vector<std::string>& variables)
      : text_(text), variables_(variables) {
    skip();
  }

  std::optional<SetExpr> whole() {
    SetExpr s = set();
    if (at_ < text_.size()) fail("the end");
    if (!problem_.empty()) return std::nullopt;
    return s;
  }
  const std::string& problem() const { return problem_; }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  std::string_view word() const {
    return at_ < text_.size() ? word_at(text_, at_) : std::string_view();
  }
  bool eat(std::string_view token) {
    if (is_name_start(token[0]) ? word() != token : !text_.substr(at_).starts_with(token))
      return false;
    at_ += token.size();
    skip();
    return true;
  }
  void expect(std::string_view token) {
    if (!eat(token)) fail("'" + std::string(token) + "'");
  }
  void fail(const std::string& expected) {
    if (problem_.empty())
      problem_ = "expected " + expected + " at column " + std::to_string(at_ + 1);
    at_ = text_.size();  // nothing more to read: every loop ends
  }
  // The text up to the bracket that closes the one just opened.
  std::string_view until(char open, char close) {
    const std::size_t begin = at_;
    int depth = 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == open) ++depth;
      if (text_[at_] == close && --depth == 0) return text_.substr(begin, at_ - begin);
    }
    fail(std::string("'") + close + "'");
    return {};
  }
  std::vector<std::string> variables_in(std::string_view text) const {
    std::vector<std::string> found;
    for (const std::string& v : variables_)
      for (std::size_t at = 0; at < text.size(); at += word_at(text, at).size())
        if (word_at(text, at) == v) {
          found.push_back(v);
          break;
        }
    return found;
  }

  SetExpr set() {
    std::vector<SetExpr> parts{both()};
    while (eat("OR")) parts.push_back(both());
    return SetExpr::unite(std::move(parts));
  }
  SetExpr both() {
    std::vector<SetExpr> parts{part()};
    while (eat("AND")) parts.push_back(part());
    return SetExpr::intersection(std::move(parts));
  }
  SetExpr part() {
    if (++depth_ > kMaxDepth) fail("fewer parentheses");
    SetExpr s = SetExpr::universe();
    if (eat("EMPTY")) {
      s = SetExpr::empty();
    } else if (eat("(")) {
      s = set();
      expect(")");
    } else if (eat("{")) {
      if (eat("where")) {
        std::string_view condition = until('{', '}');
        while (condition.ends_with(' ')) condition.remove_suffix(1);
        s = SetExpr::opaque(std::string(condition), variables_in(condition));
      } else {
        std::vector<SetExpr> chains{chain()};
        while (eat("and")) chains.push_back(chain());
        s = SetExpr::intersection(std::move(chains));
      }
      expect("}");
    } else if (!eat("UNIVERSE")) {
      fail("'{', '(', EMPTY or UNIVERSE");
    }
    --depth_;
    return s;
  }

  std::optional<Comparison> comparison() {
    if (eat("<=")) return Comparison::Le;
    if (eat("<")) return Comparison::Lt;
    if (eat(">=")) return Comparison::Ge;
    if (eat(">")) return Comparison::Gt;
    if (eat("==")) return Comparison::Eq;
    if (eat("!=")) return Comparison::Ne;
    return std::nullopt;
  }
  SetExpr chain() {
    std::vector<SetExpr> parts;
    PwAff left = sum();
    while (const auto op = comparison()) {
      const PwAff right = sum();
      parts.push_back(SetExpr::compare(left, *op, right));
      left = right;
    }
    if (parts.empty()) fail("a comparison");
    return SetExpr::intersection(std::move(parts));
  }

  PwAff sum() {
    PwAff e = term();
    for (;;) {
      if (eat("+"))
        e = e + term();
      else if (eat("-"))
        e = e - term();
      else
        return e;
    }
  }
  PwAff term() {
    PwAff e = unary();
    for (;;) {
      if (eat("*"))
        e = e * unary();
      else if (eat("//"))
        e = floor_div(e, unary());
      else if (eat("%"))
        e = mod(e, unary());
      else
        return e;
    }
  }
  PwAff unary() {
    if (++depth_ > kMaxDepth) fail("fewer parentheses");
    PwAff e = atom();
    --depth_;
    return e;
  }
  PwAff number(const std::string& digits) {
    const auto parsed = parse_int64(digits);
    if (!parsed) fail("a 64-bit integer");
    at_ += digits.size() - (digits[0] == '-' ? 1 : 0);
    at_ = std::min(at_, text_.size());
    skip();
    return PwAff::integer(parsed ? parsed.value : 0);
  }
  PwAff atom() {
    const auto is_digit = [](std::string_view w) {
      return !w.empty() && w[0] >= '0' && w[0] <= '9';
    };
    if (eat("-")) {  // the smallest integer has no positive twin
      if (is_digit(word())) return number("-" + std::string(word()));
      return PwAff::zero() - unary();
    }
    if (eat("(")) {
      PwAff e = sum();
      expect(")");
      return e;
    }
    const std::string name(word());
    if (is_digit(name)) return number(name);
    if (name.empty() || !is_name_start(name[0])) {
      fail("a number, a name or '('");
      return PwAff::zero();
    }
    const std::size_t begin = at_;
    at_ += name.size();
    if (at_ < text_.size() && text_[at_] == '[') {
      ++at_;
      const std::vector<std::string> used = variables_in(until('[', ']'));
      if (at_ < text_.size()) ++at_;
      PwAff e = PwAff::read(std::string(text_.substr(begin, at_ - begin)), used);
      skip();
      return e;
    }
    skip();
    if ((name == "min" || name == "max") && eat("(")) {
      PwAff e = sum();
      while (eat(",")) e = name == "min" ? min(e, sum()) : max(e, sum());
      expect(")");
      return e;
    }
    const bool variable = std::find(variables_.begin(), variables_.end(), name) != variables_.end();
    return variable ? PwAff::var(name) : PwAff::param(name);
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string problem_;
};

}  // namespace

std::optional<SetExpr> parse_set(std::string_view text, const std::vector<std::string>& variables,
                                 std::string* why) {
  SetParser parser(text, variables);
  auto s = parser.whole();
  if (why != nullptr) *why = parser.problem();
  return s;
}

}  // namespace lathe::ir
