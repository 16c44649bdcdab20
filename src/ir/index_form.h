// SPDX-License-Identifier: Apache-2.0
#pragma once
// The form of an index expression.

#include "ir/expr.h"

namespace lathe::ir {

// The variable v of `v`, `v + c`, `c + v`, `v - c` with c free of variables and reads: different
// values of v are different indices. No symbol for anything else.
Symbol shifted_variable(Expr index);

// Few operations, none of which costs much: worth doing twice to know early where it leads.
bool is_quick(Expr index);

}  // namespace lathe::ir
