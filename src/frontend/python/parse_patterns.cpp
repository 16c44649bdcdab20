// SPDX-License-Identifier: Apache-2.0
// match and case. Both words are names elsewhere; a line that begins with `match` is the statement
// exactly if a block hangs on it, since no other statement that begins with a name has one.

#include "base/quoted.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

bool Parser::at_match() const {
  if (!at_word("match")) return false;
  switch (kind(1)) {
    case TokenKind::Equal:
    case TokenKind::Dot:
    case TokenKind::Comma:
    case TokenKind::Colon:
    case TokenKind::Newline: return false;
    default: break;
  }
  std::size_t i = at_;
  while (tokens_[i].kind != TokenKind::Newline && tokens_[i].kind != TokenKind::End) ++i;
  return tokens_[i].kind == TokenKind::Newline && tokens_[i + 1].kind == TokenKind::Indent;
}

const Stmt* Parser::match_statement() {
  const Nesting nesting(*this);
  const std::uint32_t start = next().begin;
  const std::uint32_t subject_begin = begin();
  Expr* subject = star_named_expression();
  if (at(TokenKind::Comma) || subject->kind == ExprKind::Starred) {
    Gather<Expr*> found;
    found.add(subject);
    if (!at(TokenKind::Comma)) fail_expected("',' after a starred subject of 'match'");
    next();
    elements(found, TokenKind::Colon);
    subject = make<Tuple>(subject_begin, found.copy_to(arena_));
  }
  expect(TokenKind::Colon, "after the subject of 'match'");
  if (!accept(TokenKind::Newline)) fail_expected("the end of the line after 'match'");
  next();  // Indent, as at_match saw
  Gather<MatchCase> cases;
  while (!at(TokenKind::Dedent) && !at(TokenKind::End)) {
    const int depth = depth_;
    try {
      cases.add(match_case());
    } catch (const Bail&) {
      depth_ = depth;
      recover();
    }
  }
  accept(TokenKind::Dedent);
  return make_stmt<Match>(start, subject, cases.copy_to(arena_));
}

MatchCase Parser::match_case() {
  if (!at_word("case"))
    fail_expected("'case'",
                  "the block of 'match' holds nothing but 'case pattern:' and its blocks");
  next();
  MatchCase found;
  found.pattern = case_patterns();
  if (accept(TokenKind::KwIf)) found.guard = named_expression();
  found.body = block("the pattern of 'case'");
  return found;
}

// A sequence needs no brackets here.
const Pattern* Parser::case_patterns() {
  const std::uint32_t start = begin();
  const bool starred = at(TokenKind::Star);
  const Pattern* first = sequence_element();
  if (!at(TokenKind::Comma)) {
    if (starred) fail_expected("',' after a starred pattern", "a sequence of one ends in a comma");
    return first;
  }
  Gather<const Pattern*> patterns;
  patterns.add(first);
  while (accept(TokenKind::Comma) && !at(TokenKind::Colon) && !at(TokenKind::KwIf))
    patterns.add(sequence_element());
  return make_pattern<MatchSequence>(start, patterns.copy_to(arena_));
}

const Pattern* Parser::sequence_element() {
  const std::uint32_t start = begin();
  if (!accept(TokenKind::Star)) return pattern();
  const std::string_view name = capture_name();
  return make_pattern<MatchStar>(start, name == "_" ? std::string_view() : name);
}

std::string_view Parser::capture_name() { return identifier("what the pattern captures"); }

std::string_view Parser::named_capture() {
  if (at_word("_"))
    fail(span(token()), "'_' captures nothing", "choose another name, or remove it");
  return capture_name();
}

const Pattern* Parser::pattern() {
  const Nesting nesting(*this);
  const std::uint32_t start = begin();
  const Pattern* inner = or_pattern();
  if (!accept(TokenKind::KwAs)) return inner;
  const std::string_view name = named_capture();
  return make_pattern<MatchAs>(start, inner, name);
}

const Pattern* Parser::or_pattern() {
  const std::uint32_t start = begin();
  const Pattern* first = closed_pattern();
  if (!at(TokenKind::Pipe)) return first;
  Gather<const Pattern*> patterns;
  patterns.add(first);
  while (accept(TokenKind::Pipe)) patterns.add(closed_pattern());
  return make_pattern<MatchOr>(start, patterns.copy_to(arena_));
}

const Pattern* Parser::closed_pattern() {
  const std::uint32_t start = begin();
  const auto singleton = [&](ConstantKind what) {
    next();
    return make_pattern<MatchSingleton>(start, what);
  };
  switch (kind()) {
    case TokenKind::KwNone: return singleton(ConstantKind::None);
    case TokenKind::KwTrue: return singleton(ConstantKind::True);
    case TokenKind::KwFalse: return singleton(ConstantKind::False);
    case TokenKind::LeftParen: return bracketed_pattern(TokenKind::RightParen);
    case TokenKind::LeftBracket: return bracketed_pattern(TokenKind::RightBracket);
    case TokenKind::LeftBrace: return mapping_pattern();
    case TokenKind::Name: return name_pattern();
    default: break;
  }
  Expr* value = pattern_literal();
  return make_pattern<MatchValue>(start, value);
}

// name, name.name, name(...)
const Pattern* Parser::name_pattern() {
  const std::uint32_t start = begin();
  if (!at_word("_") && (kind(1) == TokenKind::Dot || kind(1) == TokenKind::LeftParen)) {
    Expr* path = attribute_path();
    if (at(TokenKind::LeftParen)) return class_pattern(start, path);
    return make_pattern<MatchValue>(start, path);
  }
  const std::string_view name = capture_name();
  const Pattern* none = nullptr;
  return make_pattern<MatchAs>(start, none, name == "_" ? std::string_view() : name);
}

Expr* Parser::attribute_path() {
  const std::uint32_t start = begin();
  Expr* path = name_atom();
  while (accept(TokenKind::Dot)) {
    const Span where = span(token());
    const std::string_view name = identifier("an attribute");
    path = make<Attribute>(start, path, name, where);
  }
  return path;
}

const Pattern* Parser::class_pattern(std::uint32_t start, Expr* type) {
  next();
  Gather<const Pattern*> patterns, named;
  Gather<std::string_view> names;
  while (!at(TokenKind::RightParen)) {
    if (at(TokenKind::Name) && kind(1) == TokenKind::Equal) {
      names.add(text(next()));
      next();
      named.add(pattern());
    } else {
      if (!names.empty())
        fail_expected("a pattern with a name",
                      "patterns by position stand before those with names");
      patterns.add(pattern());
    }
    if (!accept(TokenKind::Comma)) break;
  }
  expect(TokenKind::RightParen, "after the patterns of the class");
  return make_pattern<MatchClass>(start, type, patterns.copy_to(arena_), names.copy_to(arena_),
                                  named.copy_to(arena_));
}

// [a, b], (a, b), or (a), which is a itself.
const Pattern* Parser::bracketed_pattern(TokenKind close) {
  const std::uint32_t start = next().begin;
  Gather<const Pattern*> patterns;
  bool sequence = close == TokenKind::RightBracket || at(close);
  while (!at(close)) {
    sequence = sequence || at(TokenKind::Star);
    patterns.add(sequence_element());
    if (!at(TokenKind::Comma)) break;
    next();
    sequence = true;
  }
  expect(close, "after the patterns");
  if (!sequence) return patterns.items()[0];
  return make_pattern<MatchSequence>(start, patterns.copy_to(arena_));
}

// {key: pattern, **rest}
const Pattern* Parser::mapping_pattern() {
  const std::uint32_t start = next().begin;
  Gather<Expr*> keys;
  Gather<const Pattern*> patterns;
  std::string_view rest;
  while (!at(TokenKind::RightBrace)) {
    if (!rest.empty()) fail_expected("'}' after '**' and its name");
    if (accept(TokenKind::DoubleStar)) {
      rest = named_capture();
    } else {
      keys.add(at(TokenKind::Name) ? attribute_path() : pattern_literal());
      if (keys.items().back()->kind == ExprKind::Name)
        fail(keys.items().back()->span, "a key cannot be captured",
             "a key is a literal, or a name with a dot");
      expect(TokenKind::Colon, "after the key of a mapping");
      patterns.add(pattern());
    }
    if (!accept(TokenKind::Comma)) break;
  }
  expect(TokenKind::RightBrace, "after the patterns");
  return make_pattern<MatchMapping>(start, keys.copy_to(arena_), patterns.copy_to(arena_), rest);
}

// A string, a number, None, True or False.
Expr* Parser::pattern_literal() {
  switch (kind()) {
    case TokenKind::String:
    case TokenKind::FStringStart: {
      Expr* e = strings();
      if (e->kind == ExprKind::JoinedStr)
        fail(e->span, "an f-string is not a pattern",
             "compare in a guard: case x if x == f\"...\"");
      return e;
    }
    case TokenKind::KwNone:
    case TokenKind::KwTrue:
    case TokenKind::KwFalse: return atom();
    case TokenKind::Minus:
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Imaginary: return pattern_number();
    default:
      fail_expected("a pattern", "a pattern is a literal, a name, a class, [...], {...} or '_'");
  }
}

// -1, 1 + 2j
Expr* Parser::pattern_number() {
  const std::uint32_t start = begin();
  Expr* real = signed_number();
  if (!at(TokenKind::Plus) && !at(TokenKind::Minus)) return real;
  const auto op = next().kind == TokenKind::Plus ? BinaryOperator::Add : BinaryOperator::Sub;
  if (!at(TokenKind::Imaginary)) fail_expected("the imaginary part of a complex number");
  Expr* imaginary = number();
  return make<BinOp>(start, real, op, imaginary);
}

Expr* Parser::signed_number() {
  const std::uint32_t start = begin();
  const bool negative = accept(TokenKind::Minus);
  if (!at(TokenKind::Integer) && !at(TokenKind::Float) && !at(TokenKind::Imaginary))
    fail_expected("a number");
  Expr* e = number();
  return negative ? make<UnaryOp>(start, UnaryOperator::USub, e) : e;
}

}  // namespace lathe::python
