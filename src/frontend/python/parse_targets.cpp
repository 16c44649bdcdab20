// SPDX-License-Identifier: Apache-2.0
// Targets of assignments, loops and `del` are read as expressions; here they become targets, or
// errors.

#include "base/quoted.h"
#include "frontend/python/operators.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {

// Of `for`: the level of | keeps the `in` after it out of the expression.
Expr* Parser::target_list() {
  const std::uint32_t start = begin();
  const auto one = [&]() -> Expr* {
    const std::uint32_t star = begin();
    if (!accept(TokenKind::Star)) return bitwise_or();
    Expr* value = bitwise_or();
    return make<Starred>(star, value);
  };
  Expr* target = one();
  if (at(TokenKind::Comma)) {
    Gather<Expr*> elements;
    elements.add(target);
    while (accept(TokenKind::Comma) && !at(TokenKind::KwIn)) elements.add(one());
    target = make<Tuple>(start, elements.copy_to(arena_));
  }
  make_target(target, Context::Store);
  return target;
}

void Parser::make_target(Expr* e, Context context) {
  if (e->kind == ExprKind::Starred)
    fail(e->span, "a starred target must be one of several",
         "write '*name,' to take a list of all");
  make_target_within(e, context);
}

void Parser::make_target_within(Expr* e, Context context) {
  if (auto* name = e->try_as<Name>()) {
    name->context = context;
  } else if (auto* attribute = e->try_as<Attribute>()) {
    attribute->context = context;
  } else if (auto* subscript = e->try_as<Subscript>()) {
    subscript->context = context;
  } else if (auto* list = e->try_as<List>()) {
    list->context = context;
    make_elements_targets(list->elements, context);
  } else if (auto* tuple = e->try_as<Tuple>()) {
    tuple->context = context;
    make_elements_targets(tuple->elements, context);
  } else if (auto* starred = e->try_as<Starred>(); starred && context == Context::Store) {
    starred->context = context;
    make_target(starred->value, context);
  } else {
    fail_target(e, context);
  }
}

// The recursion is as deep as the brackets of the source.
void Parser::make_elements_targets(ExprList elements, Context context) {
  const Expr* star = nullptr;
  for (Expr* e : elements) {
    make_target_within(e, context);
    if (e->kind != ExprKind::Starred) continue;
    if (star) fail(e->span, "a second starred target", "only one can take what the others leave");
    star = e;
  }
}

void Parser::fail_target(const Expr* e, Context context) {
  const std::string what(described(*e));
  if (context == Context::Del)
    fail(e->span, what + " cannot be deleted", "delete names, attributes and subscripts");
  std::string help = "assign to names, attributes and subscripts";
  if (e->kind == ExprKind::Call) help = "assign to a subscript: name[...] = value";
  if (e->kind == ExprKind::Compare || e->kind == ExprKind::BoolOp) help = "'==' compares";
  fail(e->span, "nothing can be assigned to " + what, std::move(help));
}

bool Parser::is_single_target(const Expr* e) const {
  return e->kind == ExprKind::Name || e->kind == ExprKind::Attribute ||
         e->kind == ExprKind::Subscript;
}

}  // namespace lathe::python
