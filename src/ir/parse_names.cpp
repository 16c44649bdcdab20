// SPDX-License-Identifier: Apache-2.0
// Tokens and names: what the parser stands on. A name means, from the inside out: a let, local,
// loop variable or combiner operand; a parameter; a scalar array.

#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "ir/text_parser.h"

namespace lathe::ir {
Parser::Parser(std::uint32_t file, std::vector<Token> tokens, Program& program,
               Diagnostics& diagnostics)
    : file_(file),
      tokens_(std::move(tokens)),
      program_(program),
      graph_(*program.graph),
      maker_(graph_),
      build_(maker_),
      diagnostics_(diagnostics) {}

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

const Token& Parser::next() {
  const Token& token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool Parser::at(std::string_view text) const {
  const Token& t = peek();
  return (t.kind == TokenKind::Name || t.kind == TokenKind::Mark) && t.text == text;
}

bool Parser::at_name() const { return at(TokenKind::Name) && !is_keyword(peek().text); }

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  next();
  return true;
}

std::string Parser::shown(const Token& token) const {
  switch (token.kind) {
    case TokenKind::Newline: return "the end of the line";
    case TokenKind::Indent: return "a deeper indentation";
    case TokenKind::Dedent: return "the end of the block";
    case TokenKind::End: return "the end of the file";
    default: return "'" + std::string(token.text) + std::string(token.suffix) + "'";
  }
}

void Parser::expect(std::string_view text, std::string_view where) {
  if (accept(text)) return;
  fail(span(peek()),
       "expected '" + std::string(text) + "' " + std::string(where) + ", not " + shown(peek()));
}

Symbol Parser::name(std::string_view what) {
  const Token& token = peek();
  if (at_name()) {
    next();
    return graph_.symbol(token.text);
  }
  if (token.kind == TokenKind::Name)
    fail(span(token),
         "'" + std::string(token.text) + "' cannot name " + std::string(what) +
             ": it is a word of the language",
         "call it " + std::string(token.text) + "_");
  fail(span(token), "expected the name of " + std::string(what) + ", not " + shown(token));
}

DType Parser::dtype(std::string_view of_what) {
  const Token& token = peek();
  if (token.kind == TokenKind::Name) {
    if (const auto t = parse_dtype(token.text)) {
      next();
      return *t;
    }
  }
  fail(span(token), "expected the dtype of " + std::string(of_what) + ", not " + shown(token),
       "the dtypes are bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64");
}

void Parser::end_line() {
  if (at(TokenKind::Newline)) {
    next();
    return;
  }
  fail(span(peek()), "expected the end of the line, not " + shown(peek()));
}

// From a token that was read to the last one read.
Span Parser::span_from(const Token& first) const {
  const std::uint32_t end = position_ > 0 ? tokens_[position_ - 1].end : first.end;
  return {file_, first.begin, std::max(end, first.end)};
}

Diagnostic& Parser::error(Span where, std::string message) {
  return diagnostics_.error(where, std::move(message));
}

void Parser::fail(Span where, std::string message, std::string help) {
  error(where, std::move(message)).help = std::move(help);
  throw Bail{};
}

void Parser::fail_nesting() {
  fail(span(peek()), "nested deeper than " + std::to_string(kMaxNesting),
       "name parts of the expression with 'let', or split the program");
}

// To the beginning of the next statement at this level: past the line, the block that hangs on it,
// and an `else` that belongs to it.
void Parser::skip_statement() {
  do {
    while (!at(TokenKind::Newline) && !at(TokenKind::Indent) && !at(TokenKind::Dedent) &&
           !at(TokenKind::End))
      next();
    if (at(TokenKind::Newline)) next();
    if (!at(TokenKind::Indent)) continue;
    int open = 0;
    do {
      if (at(TokenKind::Indent)) ++open;
      if (at(TokenKind::Dedent)) --open;
      next();
    } while (open > 0 && !at(TokenKind::End));
  } while (at("else"));
}

void Parser::bind(Symbol name, Binding binding) {
  bindings_[name].push_back(std::move(binding));
  bound_.push_back(name);
}

void Parser::unbind_to(std::size_t size) {
  for (; bound_.size() > size; bound_.pop_back()) bindings_[bound_.back()].pop_back();
}

const Parser::Binding* Parser::find(Symbol name) const {
  const auto found = bindings_.find(name);
  return found == bindings_.end() || found->second.empty() ? nullptr : &found->second.back();
}

const Array* Parser::array_of(Symbol name) const {
  const auto found = arrays_.find(name);
  return found == arrays_.end() ? nullptr : &program_.arrays[found->second];
}

Parser::Value Parser::resolve(const Token& token) {
  const Symbol name = graph_.symbol(token.text);
  Value v;
  v.span = span(token);
  if (const Binding* b = find(name)) {
    switch (b->meaning) {
      case Meaning::Variable: v.e = graph_.index(name); break;
      case Meaning::Operand: v.e = graph_.param(name, b->dtype); break;
      case Meaning::Local: v.e = graph_.read(name, b->dtype, {}); break;
      case Meaning::Let:
        v = b->value;
        v.span = span(token);
        return v;
    }
    use(v.e, v.span);
    return v;
  }
  if (const auto p = parameters_.find(name); p != parameters_.end()) {
    v.e = graph_.param(name, program_.parameters[p->second].dtype);
    use(v.e, v.span);
    return v;
  }
  const Array* array = array_of(name);
  if (!array) {
    unknown_name(token, "name", Candidates::Names);
    return v;
  }
  if (!array->axes.empty()) {
    std::string sample;
    for (const Axis& a : array->axes)
      sample += (sample.empty() ? "" : ", ") + std::string(a.name.text());
    error(v.span, "'" + std::string(token.text) + "' is an array: which element is meant?").help =
        "write " + std::string(token.text) + "[" + sample + "]";
    return v;
  }
  v.e = graph_.read(name, array->dtype, {});
  use(v.e, v.span);
  return v;
}

// What other languages call by these names.
std::string written_otherwise(std::string_view function) {
  static constexpr std::pair<std::string_view, std::string_view> kHabits[] = {
      {"pow", "x ** y"},      {"power", "x ** y"},
      {"mod", "x % y"},       {"float", "f64(x)"},
      {"int", "i64(x)"},      {"fabs", "abs(x)"},
      {"ceiling", "ceil(x)"}, {"clip", "min(max(x, lo), hi)"},
  };
  for (const auto& [name, text] : kHabits)
    if (name == function) return "write " + std::string(text);
  return {};
}

void Parser::unknown_name(const Token& token, std::string_view what, Candidates candidates) {
  if (!reported_.insert(token.text).second) return;
  Diagnostic& d =
      error(span(token), "unknown " + std::string(what) + " '" + std::string(token.text) + "'");
  const std::string near = nearest_name(token.text, candidates);
  const std::string habit =
      candidates == Candidates::Functions ? written_otherwise(token.text) : std::string();
  if (!habit.empty())
    d.help = habit;
  else if (past_lets_.contains(graph_.symbol(token.text)))
    d.help = "a let names an expression within one statement; a local keeps a value for several";
  else if (!near.empty())
    d.help = "did you mean '" + near + "'?";
  else
    d.help = names_in_scope(candidates);
}

// "the arrays are u, v", cut where it gets long.
std::string Parser::names_in_scope(Candidates candidates) const {
  constexpr std::size_t kShown = 12;
  std::vector<std::string_view> names;
  for_each_candidate(candidates, [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  });
  const bool functions = candidates == Candidates::Functions;
  const std::string what = functions                          ? "functions"
                           : candidates == Candidates::Arrays ? "arrays"
                                                              : "names";
  if (names.empty()) return "there are no " + what + " here: declare it first";
  std::string text;
  for (std::size_t i = 0; i < names.size() && (functions || i < kShown); ++i)
    text += (i > 0 ? ", " : " ") + std::string(names[i]);
  if (!functions && names.size() > kShown)
    text += " and " + std::to_string(names.size() - kShown) + " more";
  return "the " + what + (functions ? " are" : " here are") + text;
}

std::string Parser::nearest_name(std::string_view text, Candidates candidates) const {
  NearestName near(text);
  for_each_candidate(candidates, [&](std::string_view name) { near.consider(name); });
  return near.found();
}

void Parser::for_each_candidate(Candidates candidates,
                                FunctionRef<void(std::string_view)> f) const {
  if (candidates == Candidates::Functions) {
    for (int op = 0; op < kOpCount; ++op)
      if (info(static_cast<Op>(op)).form == Form::Call) f(info(static_cast<Op>(op)).spelling);
    return;
  }
  for (const Array& a : program_.arrays) f(a.name.text());
  if (candidates != Candidates::Names) return;
  for (const Parameter& p : program_.parameters) f(p.name.text());
  const std::size_t first = bound_.size() > 64 ? bound_.size() - 64 : 0;
  for (std::size_t i = first; i < bound_.size(); ++i) f(bound_[i].text());
}

}  // namespace lathe::ir
