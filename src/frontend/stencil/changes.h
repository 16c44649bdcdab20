// SPDX-License-Identifier: Apache-2.0
#pragma once
// What may statements change that run as a whole: a loop, a branch, a called function? Read off the
// text, so rather too much than too little.

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/stencil/bound_names.h"

namespace lathe::stencil {

struct Changes {
  NameSet bound;      // declared `global` or `nonlocal`
  NameSet changed;    // what they hold may change, or have another name from then on
  NameSet read;       // the same for the containers in what they hold
  NameSet mentioned;  // every name, and every name after a dot
};

// Of an expression that is computed.
void note_uses(const python::Expr& e, Changes& out);
// Of statements and those in them, but not of the functions that they define.
void note_changes(python::StmtList body, Changes& out);

// The functions and classes of a file by their names, wherever they stand.
class FunctionTable {
 public:
  void add(python::StmtList body);
  bool has(std::string_view name) const { return bodies_.count(name) != 0; }
  // Of those with these names and of all that they mention in turn.
  Changes changes(const NameSet& names) const;
  Changes changes_of_all() const;

 private:
  std::map<std::string_view, std::vector<python::StmtList>> bodies_;
  NameSet classes_;
};

}  // namespace lathe::stencil
