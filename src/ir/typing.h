// SPDX-License-Identifier: Apache-2.0
#pragma once
// The typing rules of ops.def: which operand dtypes an operation takes and what it gives.

#include <span>
#include <string>
#include <variant>

#include "ir/expr.h"

namespace lathe::ir {

// The result dtype, or why these operands are refused ("'sqrt' needs a float, not i64").
std::variant<DType, std::string> result_dtype(Op op, std::span<const DType> operands);

// A float sum or product depends on its order; integers, bools, min and max do not.
bool order_matters(Op op, DType accumulator);

// May accumulate: binary, both operands and the result of one dtype `t`.
bool can_accumulate(Op op, DType t);
// The element e with `e op x == x`, bit for bit except that -0 may become +0 for sums; for
// operations without one (- / // % ** ...), the right-neutral element that document 001 takes:
// x - 0, x / 1, x ** 1. Empty when there is none ('%').
std::optional<Scalar> neutral(Op op, DType t);

}  // namespace lathe::ir
