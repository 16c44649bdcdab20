// SPDX-License-Identifier: Apache-2.0
#pragma once
// Statements (ast.h says what holds for all nodes).

#include "frontend/python/ast_pattern.h"

namespace lathe::python {

enum class StmtKind : std::uint8_t {
  FunctionDef,
  ClassDef,
  Return,
  Delete,
  Assign,
  AugAssign,
  AnnAssign,
  TypeAlias,
  For,
  While,
  If,
  With,
  Match,
  Raise,
  Try,
  Assert,
  Import,
  ImportFrom,
  Global,
  Nonlocal,
  ExprStmt,
  Pass,
  Break,
  Continue,
};

struct Stmt {
  StmtKind kind;
  Span span;  // with the block, without decorators

  template <class T>
  const T& as() const {
    check(kind == T::kKind, "a statement taken for one of another kind");
    return static_cast<const T&>(*this);
  }
  template <class T>
  const T* try_as() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }
};
using StmtList = Seq<const Stmt*>;

template <StmtKind kind_>
struct StmtOf : Stmt {
  static constexpr StmtKind kKind = kind_;
};

// T, T: bound, *Ts, **P
struct TypeParameter {
  enum class Kind : std::uint8_t { TypeVar, TypeVarTuple, ParamSpec };
  Kind kind = Kind::TypeVar;
  std::string_view name;
  Expr* bound = nullptr;  // or none
  Span span;
};

struct FunctionDef : StmtOf<StmtKind::FunctionDef> {
  bool is_async;
  std::string_view name;
  Span name_span;
  Seq<TypeParameter> type_parameters;
  const Parameters* parameters;
  Expr* returns;  // or none
  StmtList body;
  ExprList decorators;
};
struct ClassDef : StmtOf<StmtKind::ClassDef> {
  std::string_view name;
  Span name_span;
  Seq<TypeParameter> type_parameters;
  ExprList bases;
  Seq<Keyword> keywords;
  StmtList body;
  ExprList decorators;
};
struct Return : StmtOf<StmtKind::Return> {
  Expr* value;  // or none
};
struct Delete : StmtOf<StmtKind::Delete> {
  ExprList targets;
};
struct Assign : StmtOf<StmtKind::Assign> {
  ExprList targets;  // a = b = value
  Expr* value;
};
struct AugAssign : StmtOf<StmtKind::AugAssign> {
  Expr* target;
  BinaryOperator op;
  Expr* value;
};
struct AnnAssign : StmtOf<StmtKind::AnnAssign> {
  Expr* target;
  Expr* annotation;
  Expr* value;  // or none
  bool simple;  // a name without parentheses
};
struct TypeAlias : StmtOf<StmtKind::TypeAlias> {
  Expr* name;
  Seq<TypeParameter> type_parameters;
  Expr* value;
};
struct For : StmtOf<StmtKind::For> {
  bool is_async;
  Expr* target;
  Expr* iterable;
  StmtList body;
  StmtList otherwise;
};
struct While : StmtOf<StmtKind::While> {
  Expr* condition;
  StmtList body;
  StmtList otherwise;
};
struct If : StmtOf<StmtKind::If> {
  Expr* condition;
  StmtList body;
  StmtList otherwise;  // an `elif` is an If, alone
};
struct WithItem {
  Expr* context = nullptr;
  Expr* target = nullptr;  // or none
};
struct With : StmtOf<StmtKind::With> {
  bool is_async;
  Seq<WithItem> items;
  StmtList body;
};
struct MatchCase {
  const Pattern* pattern = nullptr;
  Expr* guard = nullptr;  // or none
  StmtList body;
};
struct Match : StmtOf<StmtKind::Match> {
  Expr* subject;
  Seq<MatchCase> cases;
};
struct Raise : StmtOf<StmtKind::Raise> {
  Expr* exception;  // or none
  Expr* cause;      // or none
};
struct ExceptHandler {
  Expr* type = nullptr;   // or none
  std::string_view name;  // empty: none
  StmtList body;
  Span span;
};
struct Try : StmtOf<StmtKind::Try> {
  bool star;  // except*
  StmtList body;
  Seq<ExceptHandler> handlers;
  StmtList otherwise;
  StmtList finally;
};
struct Assert : StmtOf<StmtKind::Assert> {
  Expr* condition;
  Expr* message;  // or none
};
// name as as_name; the name may hold dots, or be "*".
struct Alias {
  std::string_view name;
  std::string_view as_name;  // empty: none
  Span span;
};
struct Import : StmtOf<StmtKind::Import> {
  Seq<Alias> names;
};
// from ..module import names: level 2
struct ImportFrom : StmtOf<StmtKind::ImportFrom> {
  std::string_view module;  // empty: none
  Seq<Alias> names;
  int level;
};
struct Global : StmtOf<StmtKind::Global> {
  Seq<std::string_view> names;
};
struct Nonlocal : StmtOf<StmtKind::Nonlocal> {
  Seq<std::string_view> names;
};
struct ExprStmt : StmtOf<StmtKind::ExprStmt> {
  Expr* value;
};
struct Pass : StmtOf<StmtKind::Pass> {};
struct Break : StmtOf<StmtKind::Break> {};
struct Continue : StmtOf<StmtKind::Continue> {};

}  // namespace lathe::python
