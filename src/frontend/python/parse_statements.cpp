// SPDX-License-Identifier: Apache-2.0
// Statements of one line. An assignment is known only by what follows its first expression:
//
//   a, b = c = f()     Assign      a += 1     AugAssign
//   a: int = 1         AnnAssign   f()        ExprStmt

#include "base/quoted.h"
#include "frontend/python/operators.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

void Parser::simple_line(Gather<const Stmt*>& body) {
  do {
    body.add(simple_statement());
    if (!at(TokenKind::Semicolon) && !at(TokenKind::Newline)) end_of_statement();
  } while (accept(TokenKind::Semicolon) && !at(TokenKind::Newline));
  next();  // Newline
}

// Says why the statement cannot go on.
void Parser::end_of_statement() {
  const Token& before = tokens_[at_ - 1];
  const std::string_view word = before.kind == TokenKind::Name ? text(before) : "";
  std::string help;
  if ((word == "print" || word == "exec") && at_expression())
    help = std::string(word) + " is a function: " + std::string(word) + "(...)";
  else if (at(TokenKind::Colon))
    help = "only a statement such as 'if' or 'for' ends in ':'";
  else if (at(TokenKind::KwElse))
    help = "an expression with 'if' is written: a if condition else b";
  else if (at_expression())
    help = "is an operator or a comma missing before it?";
  fail_expected("the end of the statement", std::move(help));
}

const Stmt* Parser::simple_statement() {
  const std::uint32_t start = begin();
  switch (kind()) {
    case TokenKind::KwPass: next(); return make_stmt<Pass>(start);
    case TokenKind::KwBreak: next(); return make_stmt<Break>(start);
    case TokenKind::KwContinue: next(); return make_stmt<Continue>(start);
    case TokenKind::KwReturn: return return_statement();
    case TokenKind::KwRaise: return raise_statement();
    case TokenKind::KwAssert: return assert_statement();
    case TokenKind::KwDel: return delete_statement();
    case TokenKind::KwImport: return import_statement();
    case TokenKind::KwFrom: return from_statement();
    case TokenKind::KwGlobal: {
      next();
      const Seq<std::string_view> names = name_list("a global variable");
      return make_stmt<Global>(start, names);
    }
    case TokenKind::KwNonlocal: {
      next();
      const Seq<std::string_view> names = name_list("a variable of an outer function");
      return make_stmt<Nonlocal>(start, names);
    }
    default: break;
  }
  if (at_type_alias()) return type_alias();
  return expression_statement();
}

const Stmt* Parser::expression_statement() {
  const std::uint32_t start = begin();
  const bool parenthesised = at(TokenKind::LeftParen);
  if (!at_expression() && !at(TokenKind::Star)) fail_expected("a statement");
  Expr* first = right_side();
  switch (kind()) {
    case TokenKind::Equal: return assignment(start, first);
    case TokenKind::Colon:
      if (is_single_target(first) || first->kind == ExprKind::Tuple ||
          first->kind == ExprKind::List)
        return annotated(start, first, parenthesised);
      break;
    case TokenKind::Walrus:
      fail(span(token()), "':=' needs parentheses around it here",
           "write '=' to assign, or (name := value)");
    default: break;
  }
  BinaryOperator op;
  if (augmented_operator(kind(), op)) return augmented(start, first);
  return make_stmt<ExprStmt>(start, first);
}

Expr* Parser::right_side() {
  return at(TokenKind::KwYield) ? yield_expression() : star_expressions();
}

const Stmt* Parser::assignment(std::uint32_t start, Expr* first) {
  Gather<Expr*> targets;
  Expr* value = first;
  while (accept(TokenKind::Equal)) {
    make_target(value, Context::Store);
    targets.add(value);
    value = right_side();
  }
  BinaryOperator op;
  if (augmented_operator(kind(), op))
    fail(span(token()), quoted(text(token())) + " cannot follow '='",
         "assign first, then change the variable in a statement of its own");
  return make_stmt<Assign>(start, targets.copy_to(arena_), value);
}

const Stmt* Parser::augmented(std::uint32_t start, Expr* target) {
  const std::string sign = quoted(text(token()));
  if (!is_single_target(target))
    fail(target->span, std::string(described(*target)) + " cannot be the target of " + sign,
         "its target is one name, attribute or subscript");
  make_target(target, Context::Store);
  BinaryOperator op = BinaryOperator::Add;
  augmented_operator(next().kind, op);
  Expr* value = right_side();
  return make_stmt<AugAssign>(start, target, op, value);
}

const Stmt* Parser::annotated(std::uint32_t start, Expr* target, bool parenthesised) {
  if (!is_single_target(target))
    fail(target->span, std::string(described(*target)) + " cannot have an annotation",
         "annotate one name, attribute or subscript at a time");
  make_target(target, Context::Store);
  next();
  Expr* annotation = expression();
  Expr* value = accept(TokenKind::Equal) ? right_side() : nullptr;
  const bool simple = target->kind == ExprKind::Name && !parenthesised;
  return make_stmt<AnnAssign>(start, target, annotation, value, simple);
}

const Stmt* Parser::return_statement() {
  const std::uint32_t start = next().begin;
  Expr* value = at_expression() || at(TokenKind::Star) ? star_expressions() : nullptr;
  return make_stmt<Return>(start, value);
}

const Stmt* Parser::raise_statement() {
  const std::uint32_t start = next().begin;
  Expr* exception = at_expression() ? expression() : nullptr;
  Expr* cause = exception && accept(TokenKind::KwFrom) ? expression() : nullptr;
  return make_stmt<Raise>(start, exception, cause);
}

const Stmt* Parser::assert_statement() {
  const std::uint32_t start = next().begin;
  Expr* condition = expression();
  Expr* message = accept(TokenKind::Comma) ? expression() : nullptr;
  return make_stmt<Assert>(start, condition, message);
}

const Stmt* Parser::delete_statement() {
  const std::uint32_t start = next().begin;
  Gather<Expr*> targets;
  do {
    Expr* target = bitwise_or();
    make_target(target, Context::Del);
    targets.add(target);
  } while (accept(TokenKind::Comma) && at_expression());
  return make_stmt<Delete>(start, targets.copy_to(arena_));
}

// `type` names a function too; two names in a row have no other meaning.
bool Parser::at_type_alias() const { return at_word("type") && kind(1) == TokenKind::Name; }

const Stmt* Parser::type_alias() {
  const std::uint32_t start = next().begin;
  const std::uint32_t name_begin = begin();
  const std::string_view word = identifier("a type");
  Expr* name = make<Name>(name_begin, word, Context::Store);
  const Seq<TypeParameter> parameters = type_parameters();
  expect(TokenKind::Equal, "after the name of the type");
  Expr* value = expression();
  return make_stmt<TypeAlias>(start, name, parameters, value);
}

}  // namespace lathe::python
