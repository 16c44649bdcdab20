// SPDX-License-Identifier: Apache-2.0
#pragma once
// Expressions (ast.h says what holds for all nodes).

#include <cstdint>
#include <span>
#include <string_view>

#include "base/diagnostics.h"

namespace lathe::python {

inline constexpr int kMaxHeight =
    3000;  // of an expression's tree; `a + b + ...` is as high as long
inline constexpr int kMaxNesting = 1000;  // of what the parser reads by recursion

template <class T>
using Seq = std::span<const T>;

enum class ExprKind : std::uint8_t {
  BoolOp,
  NamedExpr,
  BinOp,
  UnaryOp,
  Lambda,
  IfExp,
  Dict,
  Set,
  Comprehension,
  Await,
  Yield,
  YieldFrom,
  Compare,
  Call,
  FormattedValue,
  JoinedStr,
  Constant,
  Attribute,
  Subscript,
  Starred,
  Name,
  List,
  Tuple,
  Slice,
};

struct Expr {
  ExprKind kind;
  std::uint16_t height;  // nodes on the longest path down from here
  Span span;             // as Python has it: parentheses count only for what they are part of

  // T must be the node's class.
  template <class T>
  const T& as() const {
    check(kind == T::kKind, "an expression taken for one of another kind");
    return static_cast<const T&>(*this);
  }
  // Null if the node is of another class.
  template <class T>
  const T* try_as() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }
  template <class T>
  T* try_as() {
    return kind == T::kKind ? static_cast<T*>(this) : nullptr;
  }
};
using ExprList = Seq<Expr*>;

template <ExprKind kind_>
struct ExprOf : Expr {
  static constexpr ExprKind kKind = kind_;
};

enum class Context : std::uint8_t { Load, Store, Del };
enum class BoolOperator : std::uint8_t { And, Or };
enum class UnaryOperator : std::uint8_t { Invert, Not, UAdd, USub };
enum class CompareOperator : std::uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };
enum class BinaryOperator : std::uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv,
};

// A parameter of a function or lambda; its span covers name and annotation.
struct Parameter {
  std::string_view name;
  Expr* annotation = nullptr;     // or none
  Expr* default_value = nullptr;  // or none
  Span span;
};

// def f(a, /, b, *c, d, **e): each list may be empty.
struct Parameters {
  Seq<Parameter> positional_only;       // a
  Seq<Parameter> positional;            // b
  const Parameter* rest = nullptr;      // c, or none
  Seq<Parameter> keyword_only;          // d
  const Parameter* keywords = nullptr;  // e, or none
};

// name=value, or **value with an empty name.
struct Keyword {
  std::string_view name;
  Expr* value = nullptr;
  Span span;
};

// [async] for target in iterable [if condition]...
struct ForClause {
  Expr* target = nullptr;
  Expr* iterable = nullptr;
  ExprList conditions;
  bool is_async = false;
};

struct BoolOp : ExprOf<ExprKind::BoolOp> {
  BoolOperator op;
  ExprList values;  // two or more: a and b and c
};
struct NamedExpr : ExprOf<ExprKind::NamedExpr> {
  Expr* target;  // a Name
  Expr* value;
};
struct BinOp : ExprOf<ExprKind::BinOp> {
  Expr* left;
  BinaryOperator op;
  Expr* right;
};
struct UnaryOp : ExprOf<ExprKind::UnaryOp> {
  UnaryOperator op;
  Expr* operand;
};
struct Lambda : ExprOf<ExprKind::Lambda> {
  const Parameters* parameters;
  Expr* body;
};
struct IfExp : ExprOf<ExprKind::IfExp> {
  Expr* condition;
  Expr* yes;
  Expr* no;
};
struct Dict : ExprOf<ExprKind::Dict> {
  ExprList keys;  // null for **value
  ExprList values;
};
struct Set : ExprOf<ExprKind::Set> {
  ExprList elements;
};
enum class ComprehensionKind : std::uint8_t { List, Set, Dict, Generator };
struct Comprehension : ExprOf<ExprKind::Comprehension> {
  ComprehensionKind makes;
  Expr* element;  // the key of a dict
  Expr* value;    // of a dict, otherwise none
  Seq<ForClause> clauses;
};
struct Await : ExprOf<ExprKind::Await> {
  Expr* value;
};
struct Yield : ExprOf<ExprKind::Yield> {
  Expr* value;  // or none
};
struct YieldFrom : ExprOf<ExprKind::YieldFrom> {
  Expr* value;
};
// left ops[0] comparators[0] ops[1] comparators[1] ...
struct Compare : ExprOf<ExprKind::Compare> {
  Expr* left;
  Seq<CompareOperator> ops;
  ExprList comparators;
};
struct Call : ExprOf<ExprKind::Call> {
  Expr* function;
  ExprList arguments;  // positional ones, with Starred among them
  Seq<Keyword> keywords;
};
// {value!conversion:format}
struct FormattedValue : ExprOf<ExprKind::FormattedValue> {
  Expr* value;
  char conversion;  // 's', 'r', 'a', or 0
  Expr* format;     // a JoinedStr, or none
};
struct JoinedStr : ExprOf<ExprKind::JoinedStr> {
  ExprList values;  // Constants and FormattedValues; texts side by side are one
};

enum class ConstantKind : std::uint8_t {
  None,
  True,
  False,
  Ellipsis,
  Int,
  Float,
  Imaginary,
  Str,
  Bytes
};
struct Constant : ExprOf<ExprKind::Constant> {
  ConstantKind what;
  // Int: `integer` holds the value. Str: the string was prefixed with u.
  bool fits = false, u_prefix = false;
  // Numbers: as written. Str, Bytes: the value, adjacent strings joined. Str is UTF-8, in which a
  // lone surrogate (from an escape) is encoded like other characters; \N{...} stays as written.
  std::string_view text = {};
  std::int64_t integer = 0;
  double real = 0;  // Float, Imaginary; infinite when too large
};
struct Attribute : ExprOf<ExprKind::Attribute> {
  Expr* value;
  std::string_view name;
  Span name_span;
  Context context = Context::Load;
};
struct Subscript : ExprOf<ExprKind::Subscript> {
  Expr* value;
  Expr* index;  // a[i, j:k] has a Tuple
  Context context = Context::Load;
};
struct Starred : ExprOf<ExprKind::Starred> {
  Expr* value;
  Context context = Context::Load;
};
struct Name : ExprOf<ExprKind::Name> {
  std::string_view name;
  Context context = Context::Load;
};
struct List : ExprOf<ExprKind::List> {
  ExprList elements;
  Context context = Context::Load;
};
struct Tuple : ExprOf<ExprKind::Tuple> {
  ExprList elements;
  Context context = Context::Load;
};
struct Slice : ExprOf<ExprKind::Slice> {
  Expr* lower;  // each or none
  Expr* upper;
  Expr* step;
};

}  // namespace lathe::python
