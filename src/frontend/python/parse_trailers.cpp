// SPDX-License-Identifier: Apache-2.0
// What follows a value: .name, (arguments), [index].

#include "base/quoted.h"
#include "frontend/python/operators.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

Expr* Parser::primary() {
  const std::uint32_t start = begin();
  if (!accept(TokenKind::KwAwait)) return trailers(start, atom());
  const std::uint32_t inner = begin();
  Expr* value = trailers(inner, atom());
  return make<Await>(start, value);
}

Expr* Parser::trailers(std::uint32_t start, Expr* value) {
  for (;;) {
    switch (kind()) {
      case TokenKind::Dot: {
        next();
        const Span where = span(token());
        const std::string_view name = identifier("an attribute");
        value = make<Attribute>(start, value, name, where);
        break;
      }
      case TokenKind::LeftParen: value = call(start, value); break;
      case TokenKind::LeftBracket: {
        next();
        Expr* index = slices();
        expect(TokenKind::RightBracket, "after the index");
        value = make<Subscript>(start, value, index);
        break;
      }
      default: return value;
    }
  }
}

Expr* Parser::call(std::uint32_t start, Expr* function) {
  next();
  const Arguments found = arguments();
  expect(TokenKind::RightParen, "after the arguments", missing_mark());
  return make<Call>(start, function, found.positional, found.keywords);
}

Parser::Arguments Parser::arguments() {
  ArgumentLists lists;
  while (!at(TokenKind::RightParen)) {
    argument(lists);
    if (!accept(TokenKind::Comma)) break;
  }
  return {lists.positional.copy_to(arena_), lists.keywords.copy_to(arena_)};
}

void Parser::argument(ArgumentLists& lists) {
  const std::uint32_t start = begin();
  const std::size_t index = at_;
  if (accept(TokenKind::DoubleStar)) {
    Expr* value = expression();
    lists.keywords.add({{}, value, since(start)});
    lists.unpacked = true;
    return;
  }
  if (at(TokenKind::Name) && kind(1) == TokenKind::Equal) {
    keyword_argument(lists, start);
    return;
  }
  if (at(TokenKind::Star)) {
    Expr* value = starred_argument();
    if (lists.unpacked)
      fail(value->span, "an argument with '*' follows one with '**'", "move it before that one");
    lists.positional.add(value);
    return;
  }
  Expr* value = named_expression();
  if (at_for_clause()) {
    const bool first = lists.positional.empty() && lists.keywords.empty();
    lists.positional.add(lone_generator(index, value, first));
    return;
  }
  if (at(TokenKind::Equal))
    fail(value->span, std::string(described(*value)) + " cannot be the name of an argument",
         "'==' compares; an argument passed by name is name=value");
  if (lists.unpacked)
    fail(value->span, "an argument by position follows one with '**'", "move it to the front");
  if (!lists.keywords.empty())
    fail(value->span,
         "an argument by position follows " + quoted(lists.keywords.items()[0].name) +
             ", which is passed by name",
         "move it to the front, or pass it by name");
  lists.positional.add(value);
}

// A comprehension that is the only argument takes the parentheses of the call for its own.
Expr* Parser::lone_generator(std::size_t index, Expr* element, bool first) {
  const std::uint32_t start = tokens_[index].begin;
  const Seq<ForClause> clauses = for_clauses();
  if (!first || !at(TokenKind::RightParen)) {
    if (at(TokenKind::Error)) throw Bail{};
    fail(since(start), "a comprehension among other arguments needs parentheses",
         "write (x for x in values)");
  }
  Expr* e = make<Comprehension>(start, ComprehensionKind::Generator, element, nullptr, clauses);
  e->span = {file_, tokens_[index - 1].begin, token().end};
  return e;
}

void Parser::keyword_argument(ArgumentLists& lists, std::uint32_t start) {
  const std::string_view name = text(next());
  next();
  if (!at_expression()) fail_expected("the value of the argument " + quoted(name));
  Expr* value = expression();
  if (at_for_clause())
    fail(since(start), "a comprehension as the value of an argument needs parentheses",
         "write " + std::string(name) + "=(x for x in values)");
  lists.keywords.add({name, value, since(start)});
}

// Here, unlike in a list, any expression may follow the star.
Expr* Parser::starred_argument() {
  const std::uint32_t start = next().begin;
  Expr* value = expression();
  return make<Starred>(start, value);
}

// One index, or a tuple of several; a starred one is always in a tuple.
Expr* Parser::slices() {
  const std::uint32_t start = begin();
  if (at(TokenKind::RightBracket)) fail_expected("an index", "a[...] takes all that there is");
  Gather<Expr*> elements;
  bool tuple = at(TokenKind::Star);
  do {
    if (!elements.empty() && at(TokenKind::RightBracket)) break;
    elements.add(at(TokenKind::Star) ? starred_argument() : slice());
    tuple = tuple || at(TokenKind::Comma);
  } while (accept(TokenKind::Comma));
  return tuple ? make<Tuple>(start, elements.copy_to(arena_)) : elements.items()[0];
}

// lower:upper:step, each of them optional, or one index.
Expr* Parser::slice() {
  const std::uint32_t start = begin();
  Expr* lower = at(TokenKind::Colon) ? nullptr : named_expression();
  if (!at(TokenKind::Colon)) return lower;
  next();
  const auto part = [&]() -> Expr* { return at_expression() ? expression() : nullptr; };
  Expr* upper = part();
  Expr* step = accept(TokenKind::Colon) ? part() : nullptr;
  return make<Slice>(start, lower, upper, step);
}

}  // namespace lathe::python
