// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tree as text, in the form of ast.dump() of Python 3.11: for tests, and to look at.
//
// Two differences. Characters beyond ASCII are escaped, as Python's ascii() does, since which of
// them repr() would show takes a table of all characters. And what 3.11 does not know is printed
// only where it occurs: TypeAlias, and `type_params` of functions and classes that have some (3.12
// prints an empty list).

#include <string>

#include "frontend/python/ast.h"

namespace lathe::python {

enum class Positions : std::uint8_t {
  Leave,
  Print,  // as ast.dump(tree, include_attributes=True)
};

std::string dump(const Module& module, const SourceMap& sources,
                 Positions positions = Positions::Leave);
std::string dump(const Expr& expr, const SourceMap& sources,
                 Positions positions = Positions::Leave);

}  // namespace lathe::python
