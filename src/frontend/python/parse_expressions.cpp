// SPDX-License-Identifier: Apache-2.0
// Expressions, from the loosest operator to the tightest:
//
//   , := lambda if-else or and not comparison | ^ & << + * unary ** await
//
// The arithmetic ones climb by level in one loop, so that a long sum is a loop and not a recursion.

#include "frontend/python/operators.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

bool Parser::at_expression() const {
  using enum TokenKind;
  switch (kind()) {
    case Name:
    case Integer:
    case Float:
    case Imaginary:
    case String:
    case FStringStart:
    case KwFalse:
    case KwNone:
    case KwTrue:
    case KwAwait:
    case KwLambda:
    case KwNot:
    case KwYield:
    case LeftParen:
    case LeftBracket:
    case LeftBrace:
    case Ellipsis:
    case Plus:
    case Minus:
    case Tilde: return true;
    default: return false;
  }
}

Expr* Parser::star_expressions() {
  const std::uint32_t start = begin();
  Expr* first = star_expression();
  if (!at(TokenKind::Comma)) return first;
  Gather<Expr*> elements;
  elements.add(first);
  while (accept(TokenKind::Comma) && (at_expression() || at(TokenKind::Star)))
    elements.add(star_expression());
  return make<Tuple>(start, elements.copy_to(arena_));
}

Expr* Parser::star_expression() {
  const std::uint32_t start = begin();
  if (!accept(TokenKind::Star)) return expression();
  Expr* value = bitwise_or();
  return make<Starred>(start, value);
}

Expr* Parser::star_named_expression() {
  return at(TokenKind::Star) ? star_expression() : named_expression();
}

Expr* Parser::named_expression() {
  const std::uint32_t start = begin();
  const bool name_alone = at(TokenKind::Name) && kind(1) == TokenKind::Walrus;
  Expr* e = expression();
  if (!at(TokenKind::Walrus)) return e;
  if (!name_alone)
    fail(e->span, "':=' can only assign to a name", "assign in a statement of its own");
  next();
  make_target(e, Context::Store);
  Expr* value = expression();
  return make<NamedExpr>(start, e, value);
}

Expr* Parser::expression() {
  const Nesting nesting(*this);
  if (at(TokenKind::KwLambda)) return lambda();
  const std::uint32_t start = begin();
  Expr* e = disjunction();
  return at(TokenKind::KwIf) ? conditional(start, e) : e;
}

Expr* Parser::conditional(std::uint32_t start, Expr* yes) {
  next();
  Expr* condition = disjunction();
  expect(TokenKind::KwElse, "after the condition of a conditional expression",
         "it is written: a if condition else b");
  Expr* no = expression();
  return make<IfExp>(start, condition, yes, no);
}

Expr* Parser::yield_expression() {
  const std::uint32_t start = next().begin;
  if (accept(TokenKind::KwFrom)) {
    Expr* value = expression();
    return make<YieldFrom>(start, value);
  }
  Expr* value = at_expression() || at(TokenKind::Star) ? star_expressions() : nullptr;
  return make<Yield>(start, value);
}

Expr* Parser::disjunction() {
  const std::uint32_t start = begin();
  Expr* e = conjunction();
  return at(TokenKind::KwOr) ? bool_operands(start, e, BoolOperator::Or) : e;
}

Expr* Parser::conjunction() {
  const std::uint32_t start = begin();
  Expr* e = inversion();
  return at(TokenKind::KwAnd) ? bool_operands(start, e, BoolOperator::And) : e;
}

Expr* Parser::bool_operands(std::uint32_t start, Expr* first, BoolOperator op) {
  Gather<Expr*> values;
  values.add(first);
  const bool is_or = op == BoolOperator::Or;
  while (accept(is_or ? TokenKind::KwOr : TokenKind::KwAnd))
    values.add(is_or ? conjunction() : inversion());
  return make<BoolOp>(start, op, values.copy_to(arena_));
}

Expr* Parser::inversion() {
  if (!at(TokenKind::KwNot)) return comparison();
  const Nesting nesting(*this);
  const std::uint32_t start = next().begin;
  Expr* operand = inversion();
  return make<UnaryOp>(start, UnaryOperator::Not, operand);
}

Expr* Parser::comparison() {
  const std::uint32_t start = begin();
  Expr* left = bitwise_or();
  switch (kind()) {
    case TokenKind::EqualEqual:
    case TokenKind::NotEqual:
    case TokenKind::Less:
    case TokenKind::LessEqual:
    case TokenKind::Greater:
    case TokenKind::GreaterEqual:
    case TokenKind::KwIs:
    case TokenKind::KwIn:
    case TokenKind::KwNot: return comparators(start, left);
    default: return left;
  }
}

Expr* Parser::comparators(std::uint32_t start, Expr* left) {
  Gather<CompareOperator> ops;
  Gather<Expr*> operands;
  CompareOperator op;
  while (comparison_operator(op)) {
    ops.add(op);
    operands.add(bitwise_or());
  }
  if (ops.empty()) return left;  // `not` of something else
  return make<Compare>(start, left, ops.copy_to(arena_), operands.copy_to(arena_));
}

// Takes it, if there is one.
bool Parser::comparison_operator(CompareOperator& op) {
  switch (kind()) {
    case TokenKind::EqualEqual: op = CompareOperator::Eq; break;
    case TokenKind::NotEqual: op = CompareOperator::NotEq; break;
    case TokenKind::Less: op = CompareOperator::Lt; break;
    case TokenKind::LessEqual: op = CompareOperator::LtE; break;
    case TokenKind::Greater: op = CompareOperator::Gt; break;
    case TokenKind::GreaterEqual: op = CompareOperator::GtE; break;
    case TokenKind::KwIn: op = CompareOperator::In; break;
    case TokenKind::KwIs:
      op = CompareOperator::Is;
      if (kind(1) == TokenKind::KwNot) {
        next();
        op = CompareOperator::IsNot;
      }
      break;
    case TokenKind::KwNot:
      if (kind(1) != TokenKind::KwIn) return false;
      next();
      op = CompareOperator::NotIn;
      break;
    default: return false;
  }
  next();
  return true;
}

Expr* Parser::binary(int min_level) {
  const std::uint32_t start = begin();
  Expr* left = unary();
  for (;;) {
    const OperatorLevel found = binary_operator(kind());
    if (found.level < min_level) return left;
    next();
    Expr* right = binary(found.level + 1);
    left = make<BinOp>(start, left, found.op, right);
  }
}

Expr* Parser::unary() {
  UnaryOperator op;
  switch (kind()) {
    case TokenKind::Plus: op = UnaryOperator::UAdd; break;
    case TokenKind::Minus: op = UnaryOperator::USub; break;
    case TokenKind::Tilde: op = UnaryOperator::Invert; break;
    default: return power();
  }
  const Nesting nesting(*this);
  const std::uint32_t start = next().begin;
  Expr* operand = unary();
  return make<UnaryOp>(start, op, operand);
}

Expr* Parser::power() {
  const std::uint32_t start = begin();
  Expr* base = primary();
  if (!at(TokenKind::DoubleStar)) return base;
  const Nesting nesting(*this);
  next();
  Expr* exponent = unary();
  return make<BinOp>(start, base, BinaryOperator::Pow, exponent);
}

}  // namespace lathe::python
