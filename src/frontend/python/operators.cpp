// SPDX-License-Identifier: Apache-2.0
// Operators by token, and expressions in words.

#include "frontend/python/operators.h"

namespace lathe::python {

OperatorLevel binary_operator(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
    case Pipe: return {BinaryOperator::BitOr, 0};
    case Caret: return {BinaryOperator::BitXor, 1};
    case Ampersand: return {BinaryOperator::BitAnd, 2};
    case ShiftLeft: return {BinaryOperator::LShift, 3};
    case ShiftRight: return {BinaryOperator::RShift, 3};
    case Plus: return {BinaryOperator::Add, 4};
    case Minus: return {BinaryOperator::Sub, 4};
    case Star: return {BinaryOperator::Mult, 5};
    case Slash: return {BinaryOperator::Div, 5};
    case DoubleSlash: return {BinaryOperator::FloorDiv, 5};
    case Percent: return {BinaryOperator::Mod, 5};
    case At: return {BinaryOperator::MatMult, 5};
    default: return {};
  }
}

bool augmented_operator(TokenKind kind, BinaryOperator& op) {
  using enum TokenKind;
  switch (kind) {
    case PlusEqual: op = BinaryOperator::Add; return true;
    case MinusEqual: op = BinaryOperator::Sub; return true;
    case StarEqual: op = BinaryOperator::Mult; return true;
    case DoubleStarEqual: op = BinaryOperator::Pow; return true;
    case SlashEqual: op = BinaryOperator::Div; return true;
    case DoubleSlashEqual: op = BinaryOperator::FloorDiv; return true;
    case PercentEqual: op = BinaryOperator::Mod; return true;
    case AtEqual: op = BinaryOperator::MatMult; return true;
    case PipeEqual: op = BinaryOperator::BitOr; return true;
    case CaretEqual: op = BinaryOperator::BitXor; return true;
    case AmpersandEqual: op = BinaryOperator::BitAnd; return true;
    case ShiftLeftEqual: op = BinaryOperator::LShift; return true;
    case ShiftRightEqual: op = BinaryOperator::RShift; return true;
    default: return false;
  }
}

std::string_view described(const Expr& e) {
  switch (e.kind) {
    case ExprKind::BoolOp: return "an expression with 'and' or 'or'";
    case ExprKind::NamedExpr: return "an expression with ':='";
    case ExprKind::BinOp:
    case ExprKind::UnaryOp: return "a computed value";
    case ExprKind::Lambda: return "a lambda";
    case ExprKind::IfExp: return "a conditional expression";
    case ExprKind::Dict: return "a dict";
    case ExprKind::Set: return "a set";
    case ExprKind::Comprehension: return "a comprehension";
    case ExprKind::Await: return "an 'await' expression";
    case ExprKind::Yield:
    case ExprKind::YieldFrom: return "a 'yield' expression";
    case ExprKind::Compare: return "a comparison";
    case ExprKind::Call: return "a call";
    case ExprKind::FormattedValue:
    case ExprKind::JoinedStr: return "an f-string";
    case ExprKind::Attribute: return "an attribute";
    case ExprKind::Subscript: return "a subscript";
    case ExprKind::Starred: return "a starred expression";
    case ExprKind::Name: return "a name";
    case ExprKind::List: return "a list";
    case ExprKind::Tuple: return "a tuple";
    case ExprKind::Slice: return "a slice";
    case ExprKind::Constant: break;
  }
  switch (e.as<Constant>().what) {
    case ConstantKind::None: return "None";
    case ConstantKind::True: return "True";
    case ConstantKind::False: return "False";
    case ConstantKind::Ellipsis: return "'...'";
    case ConstantKind::Int:
    case ConstantKind::Float:
    case ConstantKind::Imaginary: return "a number";
    case ConstantKind::Str: return "a string";
    case ConstantKind::Bytes: return "a bytes literal";
  }
  internal_error("an unknown kind of constant");
}

}  // namespace lathe::python
