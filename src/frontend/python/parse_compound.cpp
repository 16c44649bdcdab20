// SPDX-License-Identifier: Apache-2.0
// Statements with blocks, and recovery: after an error the parser goes on at the next line, and
// into the block below it, so that one run shows the errors of all statements.

#include "base/quoted.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

StmtList Parser::statements() {
  Gather<const Stmt*> body;
  while (!at(TokenKind::Dedent) && !at(TokenKind::End)) statement(body);
  return body.copy_to(arena_);
}

void Parser::statement(Gather<const Stmt*>& body) {
  const int depth = depth_;
  try {
    if (at(TokenKind::Indent))
      fail(span(token(1)),
           "this line is indented deeper than the one before, which begins no block",
           "give it the indentation of the line before, or end that line with ':'");
    if (const Stmt* compound = compound_statement()) {
      body.add(compound);
    } else {
      simple_line(body);
    }
  } catch (const Bail&) {
    depth_ = depth;
    recover();
  }
}

// To the next line; a block that hangs on the wrong one is read for its own errors. The cases of a
// broken `match` mean nothing without it, nor do the clauses that follow a broken statement.
void Parser::recover() {
  for (;;) {
    while (!at(TokenKind::Newline) && !at(TokenKind::Indent) && !at(TokenKind::Dedent) &&
           !at(TokenKind::End))
      next();
    accept(TokenKind::Newline);
    if (at(TokenKind::Indent)) {
      next();
      if (at_word("case")) {
        for (int open = 1; open > 0 && !at(TokenKind::End); next()) {
          if (at(TokenKind::Indent)) ++open;
          if (at(TokenKind::Dedent)) --open;
        }
      } else {
        statements();
        accept(TokenKind::Dedent);
      }
    }
    if (!at(TokenKind::KwElse) && !at(TokenKind::KwElif) && !at(TokenKind::KwExcept) &&
        !at(TokenKind::KwFinally))
      return;
  }
}

const Stmt* Parser::compound_statement() {
  switch (kind()) {
    case TokenKind::KwIf: return if_statement();
    case TokenKind::KwFor: return for_statement(begin(), false);
    case TokenKind::KwWhile: return while_statement();
    case TokenKind::KwTry: return try_statement();
    case TokenKind::KwWith: return with_statement(begin(), false);
    case TokenKind::KwDef: return function(begin(), false, {});
    case TokenKind::KwClass: return class_statement({});
    case TokenKind::KwAsync: return async_statement({});
    case TokenKind::At: return decorated();
    case TokenKind::KwElse:
    case TokenKind::KwElif:
    case TokenKind::KwExcept:
    case TokenKind::KwFinally:
      fail(span(token()), quoted(text(token())) + " follows no statement that it could belong to",
           "it must be indented like the statement that it belongs to");
    default: return at_match() ? match_statement() : nullptr;
  }
}

// ':' and the statements after it, on the same line or indented below. `after` says whose they are.
StmtList Parser::block(std::string_view after) {
  if (at(TokenKind::Equal))
    fail_expected("':' after " + std::string(after), "'==' compares; ':=' assigns within");
  expect(TokenKind::Colon, "after " + std::string(after), "its block begins after ':'");
  const Nesting nesting(*this);
  if (!accept(TokenKind::Newline)) {
    Gather<const Stmt*> body;
    simple_line(body);
    return body.copy_to(arena_);
  }
  if (!at(TokenKind::Indent))
    fail_expected("an indented block after " + std::string(after),
                  "indent the statements that belong to it; 'pass' does nothing");
  next();
  StmtList body = statements();
  accept(TokenKind::Dedent);
  return body;
}

// The block of an optional clause, such as `else`.
StmtList Parser::block_if(TokenKind word, std::string_view after) {
  return accept(word) ? block(after) : StmtList();
}

// Also at `elif`, which is an `if` inside the `else` of the one before.
const Stmt* Parser::if_statement() {
  const Nesting nesting(*this);
  const Token& word = next();
  const std::string whose =
      word.kind == TokenKind::KwIf ? "the condition of 'if'" : "the condition of 'elif'";
  Expr* condition = named_expression();
  const StmtList body = block(whose);
  StmtList otherwise;
  if (at(TokenKind::KwElif)) {
    Gather<const Stmt*> inner;
    inner.add(if_statement());
    otherwise = inner.copy_to(arena_);
  } else {
    otherwise = block_if(TokenKind::KwElse, "'else'");
  }
  return make_stmt<If>(word.begin, condition, body, otherwise);
}

const Stmt* Parser::while_statement() {
  const std::uint32_t start = next().begin;
  Expr* condition = named_expression();
  const StmtList body = block("the condition of 'while'");
  const StmtList otherwise = block_if(TokenKind::KwElse, "'else'");
  return make_stmt<While>(start, condition, body, otherwise);
}

const Stmt* Parser::for_statement(std::uint32_t start, bool is_async) {
  next();
  Expr* target = target_list();
  expect(TokenKind::KwIn, "after the targets of 'for'", "a loop is written: for name in values:");
  Expr* iterable = star_expressions();
  const StmtList body = block("the values of 'for'");
  const StmtList otherwise = block_if(TokenKind::KwElse, "'else'");
  return make_stmt<For>(start, is_async, target, iterable, body, otherwise);
}

const Stmt* Parser::async_statement(ExprList decorators) {
  const std::uint32_t start = next().begin;
  if (at(TokenKind::KwDef)) return function(start, true, decorators);
  if (at(TokenKind::KwFor) && decorators.empty()) return for_statement(start, true);
  if (at(TokenKind::KwWith) && decorators.empty()) return with_statement(start, true);
  fail_expected(decorators.empty() ? "'def', 'for' or 'with' after 'async'"
                                   : "'def' after 'async'");
}

const Stmt* Parser::decorated() {
  Gather<Expr*> decorators;
  while (accept(TokenKind::At)) {
    decorators.add(named_expression());
    if (!accept(TokenKind::Newline)) fail_expected("the end of the line after a decorator");
  }
  const ExprList list = decorators.copy_to(arena_);
  if (at(TokenKind::KwDef)) return function(begin(), false, list);
  if (at(TokenKind::KwClass)) return class_statement(list);
  if (at(TokenKind::KwAsync)) return async_statement(list);
  fail_expected("a function or a class after a decorator");
}

}  // namespace lathe::python
