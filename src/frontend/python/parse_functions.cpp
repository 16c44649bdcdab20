// SPDX-License-Identifier: Apache-2.0
// Functions, classes and their parameters.

#include "base/quoted.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

const Stmt* Parser::function(std::uint32_t start, bool is_async, ExprList decorators) {
  next();
  const Span name_span = span(token());
  const std::string_view name = identifier("a function");
  const Seq<TypeParameter> types = type_parameters();
  expect(TokenKind::LeftParen, "after the name of the function",
         "a function without parameters is written: def name():");
  const Parameters* found = parameters(TokenKind::RightParen, true);
  expect(TokenKind::RightParen, "after the parameters");
  Expr* returns = accept(TokenKind::Arrow) ? expression() : nullptr;
  const StmtList body = block("the head of the function " + quoted(name));
  return make_stmt<FunctionDef>(start, is_async, name, name_span, types, found, returns, body,
                                decorators);
}

const Stmt* Parser::class_statement(ExprList decorators) {
  const std::uint32_t start = next().begin;
  const Span name_span = span(token());
  const std::string_view name = identifier("a class");
  const Seq<TypeParameter> types = type_parameters();
  Arguments bases;
  if (accept(TokenKind::LeftParen)) {
    bases = arguments();
    expect(TokenKind::RightParen, "after the bases of the class");
  }
  const StmtList body = block("the head of the class " + quoted(name));
  return make_stmt<ClassDef>(start, name, name_span, types, bases.positional, bases.keywords, body,
                             decorators);
}

// [T, U: bound, *Ts, **P], or nothing.
Seq<TypeParameter> Parser::type_parameters() {
  if (!accept(TokenKind::LeftBracket)) return {};
  Gather<TypeParameter> found;
  do {
    if (!found.empty() && at(TokenKind::RightBracket)) break;
    found.add(type_parameter());
  } while (accept(TokenKind::Comma));
  expect(TokenKind::RightBracket, "after the type parameters");
  return found.copy_to(arena_);
}

TypeParameter Parser::type_parameter() {
  const std::uint32_t start = begin();
  TypeParameter p;
  if (accept(TokenKind::Star))
    p.kind = TypeParameter::Kind::TypeVarTuple;
  else if (accept(TokenKind::DoubleStar))
    p.kind = TypeParameter::Kind::ParamSpec;
  p.name = identifier("a type parameter");
  if (at(TokenKind::Colon) && p.kind != TypeParameter::Kind::TypeVar)
    fail(span(token()), "a type parameter with a star cannot have a bound");
  if (accept(TokenKind::Colon)) p.bound = expression();
  p.span = since(start);
  return p;
}

// The parameters of a function, with annotations, or of a lambda, up to the token that closes them.
const Parameters* Parser::parameters(TokenKind close, bool annotated) {
  auto* result = arena_.make<Parameters>();
  ParameterLists lists;
  while (!at(close)) {
    one_parameter(lists, *result, close, annotated);
    if (!accept(TokenKind::Comma)) break;
    if (result->keywords && !at(close))
      fail(span(token()), "nothing can follow the parameter with '**'", "move it to the end");
  }
  if (lists.star_alone && lists.keyword_only.empty())
    fail_expected("a parameter after '*'",
                  "a '*' alone says that the parameters after it are passed by name");
  result->positional_only = lists.positional_only.copy_to(arena_);
  result->positional = lists.positional.copy_to(arena_);
  result->keyword_only = lists.keyword_only.copy_to(arena_);
  return result;
}

void Parser::one_parameter(ParameterLists& lists, Parameters& result, TokenKind close,
                           bool annotated) {
  if (at(TokenKind::Slash)) {
    slash_parameter(lists);
    return;
  }
  if (at(TokenKind::Star)) {
    const Token& star = next();
    if (lists.after_star)
      fail(span(star), "a second '*' among the parameters", "'*' may stand there once");
    lists.after_star = true;
    lists.star_alone = at(TokenKind::Comma) || at(close);
    if (!lists.star_alone) result.rest = arena_.make<Parameter>(parameter(annotated, true, false));
    return;
  }
  if (accept(TokenKind::DoubleStar)) {
    if (lists.star_alone && lists.keyword_only.empty())
      fail(span(token()), "expected a parameter between '*' and '**'",
           "a '*' alone says that the parameters after it are passed by name");
    result.keywords = arena_.make<Parameter>(parameter(annotated, false, false));
    return;
  }
  const Parameter p = parameter(annotated, false, true);
  if (lists.after_star) {
    lists.keyword_only.add(p);
    return;
  }
  if (!p.default_value && lists.default_seen)
    fail(p.span,
         "the parameter " + quoted(p.name) + " without a default follows one with a default",
         "give it a default, or move it before those that have one");
  lists.default_seen = p.default_value != nullptr;
  lists.positional.add(p);
}

// The parameters before '/' are passed by position only.
void Parser::slash_parameter(ParameterLists& lists) {
  const Span where = span(next());
  if (lists.slash) fail(where, "a second '/' among the parameters", "'/' may stand there once");
  if (lists.after_star) fail(where, "'/' must stand before '*'", "move it to the front");
  if (lists.positional.empty()) fail(where, "'/' needs a parameter before it", "remove it");
  lists.slash = true;
  lists.positional_only = lists.positional;
  lists.positional = {};
}

// name[: annotation][= default]; the annotation of *args may itself be starred.
Parameter Parser::parameter(bool annotated, bool star_annotation, bool may_default) {
  const std::uint32_t start = begin();
  Parameter p;
  if (at(TokenKind::LeftParen))
    fail(span(token()), "a parameter cannot be a tuple", "take one parameter and unpack it inside");
  p.name = identifier("a parameter");
  if (annotated && accept(TokenKind::Colon))
    p.annotation = star_annotation ? star_expression() : expression();
  p.span = since(start);
  if (at(TokenKind::Equal)) {
    if (!may_default)
      fail(span(token()), "a parameter with a star cannot have a default", "remove it");
    next();
    p.default_value = expression();
  }
  return p;
}

Expr* Parser::lambda() {
  const std::uint32_t start = next().begin;
  const auto refuse_format = [&] {
    if (at(TokenKind::FormatColon))
      fail(since(start), "a lambda in a replacement field needs parentheses",
           "its ':' would begin the format: write {(lambda ...)}");
  };
  refuse_format();
  const Parameters* found = parameters(TokenKind::Colon, false);
  refuse_format();
  expect(TokenKind::Colon, "after the parameters of 'lambda'");
  Expr* body = expression();
  return make<Lambda>(start, found, body);
}

}  // namespace lathe::python
