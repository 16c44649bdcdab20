// SPDX-License-Identifier: Apache-2.0
#pragma once
// The values of number tokens.

#include "frontend/python/ast_expr.h"

namespace lathe::python {

// Sets kind and value from the text of a token that the lexer took for a number.
void set_number(Constant& constant);

}  // namespace lathe::python
