// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which token is which operator.

#include <string_view>

#include "frontend/python/ast_expr.h"
#include "frontend/python/token.h"

namespace lathe::python {

// How strongly an operator binds: | 0, ^ 1, & 2, shifts 3, + and - 4, * / // % @ 5. None: level -1.
struct OperatorLevel {
  BinaryOperator op = BinaryOperator::Add;
  int level = -1;
};
OperatorLevel binary_operator(TokenKind kind);

// Whether the token is `+=` or one of its kind, and which.
bool augmented_operator(TokenKind kind, BinaryOperator& op);

// "a call", "a number": an expression in a message.
std::string_view described(const Expr& e);

}  // namespace lathe::python
