// SPDX-License-Identifier: Apache-2.0
// try and with. The items of `with` may stand in parentheses of their own, which look like those of
// an expression:
//
//   with (open(a) as f, b):    two items
//   with (a, b):               two items
//   with (a, b) as c:          one item, a tuple
//   with (yield a):            one item

#include "frontend/python/parser_state.h"

namespace lathe::python {

const Stmt* Parser::try_statement() {
  const std::uint32_t start = next().begin;
  const StmtList body = block("'try'");
  Gather<ExceptHandler> handlers;
  bool star = false;
  while (at(TokenKind::KwExcept)) {
    bool this_star = false;
    const Span where = span(token());
    handlers.add(handler(this_star));
    if (handlers.size() > 1 && this_star != star)
      fail(where, "'except' and 'except*' cannot serve one 'try'", "use one of the two");
    star = this_star;
  }
  StmtList otherwise;
  if (!handlers.empty()) otherwise = block_if(TokenKind::KwElse, "'else'");
  const StmtList finally = block_if(TokenKind::KwFinally, "'finally'");
  if (handlers.empty() && finally.empty() && !at(TokenKind::Error))
    fail({file_, start, start + 3}, "this 'try' has neither 'except' nor 'finally'",
         "add one below it, indented like 'try'");
  return make_stmt<Try>(start, star, body, handlers.copy_to(arena_), otherwise, finally);
}

ExceptHandler Parser::handler(bool& star) {
  const std::uint32_t start = next().begin;
  ExceptHandler h;
  star = accept(TokenKind::Star);
  if (!at(TokenKind::Colon)) {
    h.type = expression();
    if (at(TokenKind::Comma))
      fail_expected("':' after the exceptions of 'except'",
                    "several exceptions need parentheses: except (A, B):");
    if (accept(TokenKind::KwAs)) h.name = identifier("the exception");
  } else if (star) {
    fail_expected("the exceptions of 'except*'");
  }
  h.body = block("'except'");
  h.span = since(start);
  return h;
}

const Stmt* Parser::with_statement(std::uint32_t start, bool is_async) {
  next();
  Gather<WithItem> items;
  if (at_parenthesised_items()) {
    next();
    while (!at(TokenKind::RightParen)) {
      items.add(with_item());
      if (!accept(TokenKind::Comma)) break;
    }
    expect(TokenKind::RightParen, "after the items of 'with'");
  } else {
    do {
      items.add(with_item());
    } while (accept(TokenKind::Comma));
  }
  const StmtList body = block("the items of 'with'");
  return make_stmt<With>(start, is_async, items.copy_to(arena_), body);
}

// The parenthesis is closed right before ':', and what it holds can be items: no star, no ':=', no
// `yield` and no comprehension, except inside brackets of their own.
bool Parser::at_parenthesised_items() const {
  if (!at(TokenKind::LeftParen) || kind(1) == TokenKind::RightParen) return false;
  int open = 0;
  bool named = false, special = false;
  for (std::size_t i = at_; i < tokens_.size(); ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::LeftParen:
      case TokenKind::LeftBracket:
      case TokenKind::LeftBrace: ++open; break;
      case TokenKind::RightParen:
      case TokenKind::RightBracket:
      case TokenKind::RightBrace:
        if (--open > 0) break;
        return tokens_[i + 1].kind == TokenKind::Colon && (named || !special);
      case TokenKind::KwAs: named = named || open == 1; break;
      case TokenKind::Star:
        special = special || (open == 1 && (tokens_[i - 1].kind == TokenKind::Comma ||
                                            tokens_[i - 1].kind == TokenKind::LeftParen));
        break;
      case TokenKind::Walrus:
      case TokenKind::KwYield:
      case TokenKind::KwFor: special = special || open == 1; break;
      case TokenKind::Newline:
      case TokenKind::End: return false;
      default: break;
    }
  }
  return false;
}

WithItem Parser::with_item() {
  WithItem item;
  item.context = expression();
  if (!accept(TokenKind::KwAs)) return item;
  item.target = star_expression();
  make_target(item.target, Context::Store);
  return item;
}

}  // namespace lathe::python
