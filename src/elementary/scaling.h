// SPDX-License-Identifier: Apache-2.0
#pragma once
// x * 2^k with one rounding, found again in the graph of an elementary function: float32/encoding.h
// writes it as two products with powers of two, and some machines have an instruction for it.

#include <unordered_map>

#include "ir/expr.h"

namespace lathe::elementary {

struct Scaling {
  ir::Expr value = nullptr;
  ir::Expr power = nullptr;  // a float, integral or NaN; where it is a NaN `value` is one, too
};

// By the outer product.
std::unordered_map<ir::Expr, Scaling> find_scalings(ir::Expr root);

}  // namespace lathe::elementary
