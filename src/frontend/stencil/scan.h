// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the names of a scope stand for: read off the statements of a file, a function or a class
// from top to bottom, without running them.
//
// A name whose value only a run could tell - a loop changes it, or a branch whose condition is not
// known - is unknown, and says why. Names that are bound again keep what they were for the
// definitions between: Python has looked them up by then.

#include <optional>
#include <string>
#include <vector>

#include "frontend/stencil/bound_names.h"
#include "frontend/stencil/changes.h"
#include "frontend/stencil/environment.h"

namespace lathe::stencil {

// Fills a scope from statements.
class Scan {
 public:
  // `outer`: a class body sees the names around it.
  Scan(Scope& scope, const FunctionTable& functions, const Scope* outer = nullptr,
       bool is_enum = false)
      : scope_(scope), functions_(functions), outer_(outer), is_enum_(is_enum) {}

  void body(python::StmtList statements);
  const std::vector<Rebinding>& rebindings() const { return rebindings_; }

 private:
  // Nothing: the name is not bound.
  struct Binding {
    std::optional<Value> value;
    const python::Expr* assigned = nullptr;
  };
  using Bindings = std::map<std::string_view, Binding>;

  Binding binding(std::string_view name) const;
  void restore(std::string_view name, const Binding& binding);
  void bind(std::string_view name, Value value, const python::Expr* assigned = nullptr);
  void forget(const NameSet& names, std::string_view why);
  Value value_of(const python::Expr& e) const;

  // What the names are after statements that may have run; they are as before again.
  Bindings outcome(const NameSet& names, FunctionRef<void()> run);
  // One of several outcomes has come true.
  void join(const NameSet& names, const std::vector<Bindings>& sides, std::string_view why);

  void statement(const python::Stmt& s);
  void effects(const python::Stmt& s);
  void effects_inside(python::StmtList body);
  void effects_inside(const python::Stmt& s);
  void calls(const python::Stmt& s);
  void call_effects(const python::Call& call, NameSet& names, bool& any);
  void forget_holders(const Value& container);
  void forget_everything(std::string_view call);
  void escape(const python::Expr& e);
  void apply_changes(const Changes& changes, const std::string& why);
  void forget_container(std::string_view name, const std::string& why);
  void assign(const python::Expr& target, const Value& value, const python::Expr* text);
  void change(const python::Expr& target, Value value);
  void import_names(const python::ImportFrom& from);
  void import_module(const python::Import& import);
  void function_def(const python::FunctionDef& f);
  void class_def(const python::ClassDef& c);
  void conditional(const python::If& i);
  void attempt(const python::Try& t);
  Value next_of_enum() const;

  Scope& scope_;
  const FunctionTable& functions_;
  const Scope* outer_;
  bool is_enum_;
  std::uint32_t place_ = 0;  // in the text, of the statement that is read
  bool runs_ = true;         // the statements that are read
  std::size_t kept_ = 0;     // values in rebindings_
  std::vector<Rebinding> rebindings_;
};

// The names as they were at a place.
void undo(Scope& scope, const std::vector<Rebinding>& rebindings, std::uint32_t place);

}  // namespace lathe::stencil
