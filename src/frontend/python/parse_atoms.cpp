// SPDX-License-Identifier: Apache-2.0
// Names, numbers, and what stands in parentheses.

#include "frontend/python/number_value.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

Expr* Parser::atom() {
  const std::uint32_t start = begin();
  const auto constant = [&](ConstantKind what) {
    next();
    return make<Constant>(start, what);
  };
  switch (kind()) {
    case TokenKind::Name: return name_atom();
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Imaginary: return number();
    case TokenKind::String:
    case TokenKind::FStringStart: return strings();
    case TokenKind::LeftParen: return parenthesised();
    case TokenKind::LeftBracket: return list_display();
    case TokenKind::LeftBrace: return brace_display();
    case TokenKind::KwNone: return constant(ConstantKind::None);
    case TokenKind::KwTrue: return constant(ConstantKind::True);
    case TokenKind::KwFalse: return constant(ConstantKind::False);
    case TokenKind::Ellipsis: return constant(ConstantKind::Ellipsis);
    default: break;
  }
  std::string help;
  if (at(TokenKind::Equal)) help = "'==' compares";
  if (at(TokenKind::KwLambda) || at(TokenKind::KwNot) || at(TokenKind::KwYield) ||
      at(TokenKind::KwAwait))
    help = "put parentheses around it";
  if (at(TokenKind::Star) || at(TokenKind::DoubleStar))
    help = "a value can be unpacked inside a call or a list, tuple, set or dict";
  fail_expected("an expression", std::move(help));
}

Expr* Parser::name_atom() {
  const Token& t = next();
  return make<Name>(t.begin, text(t));
}

Expr* Parser::number() {
  const Token& t = next();
  Constant* c = make<Constant>(t.begin, ConstantKind::Int);
  c->text = text(t);
  set_number(*c);
  return c;
}

// (), (a), (a,), (a, *b), (a for a in b), (yield), (a := b)
Expr* Parser::parenthesised() {
  const std::uint32_t start = next().begin;
  if (accept(TokenKind::RightParen)) return make<Tuple>(start, ExprList());
  if (at(TokenKind::KwYield)) {
    Expr* e = yield_expression();
    expect(TokenKind::RightParen, "after the value of 'yield'");
    return e;
  }
  const bool starred = at(TokenKind::Star);
  Expr* first = star_named_expression();
  if (at_for_clause() && !starred)
    return comprehension(start, ComprehensionKind::Generator, first, nullptr,
                         TokenKind::RightParen);
  if (accept(TokenKind::RightParen)) {
    if (starred)
      fail(first->span, "a starred expression alone in parentheses",
           "write (*values,) for a tuple");
    return first;
  }
  Gather<Expr*> found;
  found.add(first);
  if (accept(TokenKind::Comma)) elements(found, TokenKind::RightParen);
  expect(TokenKind::RightParen, "to close '('", missing_mark());
  return make<Tuple>(start, found.copy_to(arena_));
}

// a, *b, c up to the closing bracket, which is not taken.
void Parser::elements(Gather<Expr*>& found, TokenKind close) {
  while (!at(close)) {
    found.add(star_named_expression());
    if (!accept(TokenKind::Comma)) return;
  }
}

}  // namespace lathe::python
