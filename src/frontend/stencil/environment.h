// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Python file offers to its stencils: definitions, functions, constants, type aliases.
//
// Nothing is executed: scan.h reads what names stand for off the text. Decorated stencils and
// functions have the names as they are where they stand, as in Python; others as they are in the
// end, or at the call that makes a stencil of them. What is unknown is so until a stencil uses it.

#include <deque>
#include <vector>

#include "frontend/stencil/changes.h"
#include "frontend/stencil/value.h"

namespace lathe::stencil {

struct Definition {
  const python::FunctionDef* function = nullptr;
  // The call of gtscript.stencil(...) that decorates it or is given it; or null.
  const python::Call* call = nullptr;
  std::vector<const python::FunctionDef*> around;  // functions that it stands in, outermost first
  std::string name = {};                           // of the stencil; empty: that of the function
  // Where in the text Python looks its names up: at a decorator, or at the call.
  static constexpr std::uint32_t kEnd = 0xffffffff;
  std::uint32_t place = kEnd;
};

// The names of one scope: values, and the expressions that they were assigned.
struct Scope {
  Members values;
  std::map<std::string, const python::Expr*, std::less<>> assigned;
  // Of a function that Python has made: its annotations and defaults as objects, and whether it is
  // a gtscript function.
  Members annotations, defaults;
  bool is_function = false;

  const Value* find(std::string_view name) const;
};

// What a name was before a place in the text, from which on it is something else.
struct Rebinding {
  std::uint32_t place = 0;
  std::string name;
  Value before;
  const python::Expr* assigned_before = nullptr;
};

class Environment {
 public:
  explicit Environment(const python::Module& module);

  // Functions decorated as stencils, or whose body begins with `with computation(...)`.
  const std::vector<Definition>& definitions() const { return definitions_; }
  const Definition* find(std::string_view name) const;  // the last one of that name

  // The names that a definition sees.
  Scope scope_of(const Definition& definition) const;

 private:
  void find_definitions(python::StmtList body, std::vector<const python::FunctionDef*>& around);
  void find_calls(python::StmtList body, bool at_once);
  void note_call(const python::Expr* e, bool at_once);
  void settle_functions();
  void see(const python::FunctionDef& function, Scope& scope) const;

  FunctionTable functions_;
  Scope module_;
  std::vector<Rebinding> rebindings_;
  std::deque<Scope> function_scopes_;  // of those functions whose names change after them
  std::vector<Definition> definitions_;
};

// Does its body begin with `with computation(...)`?
bool has_computation(const python::FunctionDef& f);

// Is it decorated as a function of GTScript?
bool is_gtscript_function(const python::FunctionDef& f);

// The last part of a dotted name: "stencil" of gtscript.stencil; empty for other expressions.
std::string_view last_name(const python::Expr& e);

// The keyword of a call, or null.
const python::Expr* keyword(const python::Call& call, std::string_view name);

}  // namespace lathe::stencil
