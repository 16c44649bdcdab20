// SPDX-License-Identifier: Apache-2.0
// Lists, sets, dicts and comprehensions.

#include "frontend/python/parser_state.h"

namespace lathe::python {

Expr* Parser::list_display() {
  const std::uint32_t start = next().begin;
  if (accept(TokenKind::RightBracket)) return make<List>(start, ExprList());
  const bool starred = at(TokenKind::Star);
  Expr* first = star_named_expression();
  if (at_for_clause() && !starred)
    return comprehension(start, ComprehensionKind::List, first, nullptr, TokenKind::RightBracket);
  Gather<Expr*> found;
  found.add(first);
  if (accept(TokenKind::Comma)) elements(found, TokenKind::RightBracket);
  expect(TokenKind::RightBracket, "to close '['", missing_mark());
  return make<List>(start, found.copy_to(arena_));
}

// A dict shows itself by '**' or by the ':' after its first key.
Expr* Parser::brace_display() {
  const std::uint32_t start = next().begin;
  if (accept(TokenKind::RightBrace)) return make<Dict>(start, ExprList(), ExprList());
  return at(TokenKind::DoubleStar) ? dict_display(start, nullptr) : set_display(start);
}

// Also a dict, once its first key was read.
Expr* Parser::set_display(std::uint32_t start) {
  const bool starred = at(TokenKind::Star);
  const bool walrus = kind(1) == TokenKind::Walrus;
  Expr* first = star_named_expression();
  if (at(TokenKind::Colon) && !starred && !walrus) return dict_display(start, first);
  if (at_for_clause() && !starred)
    return comprehension(start, ComprehensionKind::Set, first, nullptr, TokenKind::RightBrace);
  Gather<Expr*> found;
  found.add(first);
  if (accept(TokenKind::Comma)) elements(found, TokenKind::RightBrace);
  expect(TokenKind::RightBrace, "to close '{'", missing_mark());
  return make<Set>(start, found.copy_to(arena_));
}

// `key` is the first one, or none if the dict begins with '**'.
Expr* Parser::dict_display(std::uint32_t start, Expr* key) {
  Gather<Expr*> keys, values;
  while (!at(TokenKind::RightBrace)) {
    Expr* value = nullptr;
    if (!key && accept(TokenKind::DoubleStar)) {
      value = bitwise_or();
    } else {
      if (!key) key = expression();
      expect(TokenKind::Colon, "after the key of a dict", "an item is written: key: value");
      value = expression();
    }
    if (keys.empty() && key && at_for_clause())
      return comprehension(start, ComprehensionKind::Dict, key, value, TokenKind::RightBrace);
    keys.add(key);
    values.add(value);
    key = nullptr;
    if (!accept(TokenKind::Comma)) break;
  }
  expect(TokenKind::RightBrace, "to close '{'", missing_mark());
  return make<Dict>(start, keys.copy_to(arena_), values.copy_to(arena_));
}

bool Parser::at_for_clause() const {
  return at(TokenKind::KwFor) || (at(TokenKind::KwAsync) && kind(1) == TokenKind::KwFor);
}

// From its first `for` to the bracket that closes it.
Expr* Parser::comprehension(std::uint32_t start, ComprehensionKind makes, Expr* element,
                            Expr* value, TokenKind close) {
  const Seq<ForClause> clauses = for_clauses();
  if (at(TokenKind::Comma))
    fail_expected("the end of the comprehension",
                  "an element that is a tuple needs parentheses: (a, b) for ...");
  expect(close, "after the comprehension");
  return make<Comprehension>(start, makes, element, value, clauses);
}

Seq<ForClause> Parser::for_clauses() {
  Gather<ForClause> clauses;
  while (at_for_clause()) {
    ForClause clause;
    clause.is_async = accept(TokenKind::KwAsync);
    next();
    clause.target = target_list();
    expect(TokenKind::KwIn, "after the targets of 'for'");
    clause.iterable = disjunction();
    Gather<Expr*> conditions;
    while (accept(TokenKind::KwIf)) conditions.add(disjunction());
    if (at(TokenKind::KwElse))
      fail_expected("the end of the comprehension",
                    "a choice of values stands before 'for': a if condition else b for ...");
    clause.conditions = conditions.copy_to(arena_);
    clauses.add(clause);
  }
  return clauses.copy_to(arena_);
}

}  // namespace lathe::python
