// SPDX-License-Identifier: Apache-2.0
#pragma once
// Patterns of `case` (ast.h says what holds for all nodes).

#include "frontend/python/ast_expr.h"

namespace lathe::python {

enum class PatternKind : std::uint8_t {
  Value,
  Singleton,
  Sequence,
  Mapping,
  Class,
  Star,
  As,
  Or,
};

struct Pattern {
  PatternKind kind;
  Span span;

  template <class T>
  const T& as() const {
    check(kind == T::kKind, "a pattern taken for one of another kind");
    return static_cast<const T&>(*this);
  }
  template <class T>
  const T* try_as() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }
};
using PatternList = Seq<const Pattern*>;

template <PatternKind kind_>
struct PatternOf : Pattern {
  static constexpr PatternKind kKind = kind_;
};

struct MatchValue : PatternOf<PatternKind::Value> {
  Expr* value;  // a number, a string, or a name with dots
};
struct MatchSingleton : PatternOf<PatternKind::Singleton> {
  ConstantKind value;  // None, True, False
};
struct MatchSequence : PatternOf<PatternKind::Sequence> {
  PatternList patterns;
};
// {key: pattern, **rest}
struct MatchMapping : PatternOf<PatternKind::Mapping> {
  ExprList keys;
  PatternList patterns;
  std::string_view rest;  // empty: none
};
// Class(pattern, name=pattern)
struct MatchClass : PatternOf<PatternKind::Class> {
  Expr* type;
  PatternList patterns;
  Seq<std::string_view> names;
  PatternList named_patterns;
};
struct MatchStar : PatternOf<PatternKind::Star> {
  std::string_view name;  // empty: *_
};
struct MatchAs : PatternOf<PatternKind::As> {
  const Pattern* pattern;  // or none: the name alone
  std::string_view name;   // empty: _
};
struct MatchOr : PatternOf<PatternKind::Or> {
  PatternList patterns;
};

}  // namespace lathe::python
