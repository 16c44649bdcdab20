// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a Python file offers to its stencils: definitions, functions, constants, type aliases.
//
// Nothing is executed. Names that are assigned once at the top level, or in a function around a
// stencil, to something that evaluate() understands are constants; the rest is unknown until a
// stencil uses it.

#include <vector>

#include "frontend/stencil/value.h"

namespace lathe::stencil {

struct Definition {
  const python::FunctionDef* function = nullptr;
  // The call of gtscript.stencil(...) that decorates it or is given it; or null.
  const python::Call* call = nullptr;
  std::vector<const python::FunctionDef*> around;  // functions that it stands in, outermost first
  std::string name = {};                           // of the stencil; empty: that of the function
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
  void find_calls(python::StmtList body);
  void note_call(const python::Expr* e);

  Scope module_;
  std::vector<Definition> definitions_;
};

// The last part of a dotted name: "stencil" of gtscript.stencil; empty for other expressions.
std::string_view last_name(const python::Expr& e);

// The keyword of a call, or null.
const python::Expr* keyword(const python::Call& call, std::string_view name);

}  // namespace lathe::stencil
