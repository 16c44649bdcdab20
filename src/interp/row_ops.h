// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each operation does to numbers: the meaning of ops.def, on rows of n elements.
// Integers wrap, halves compute in float32 and round once, NaN results are canonical.

#include <cstddef>
#include <span>

#include "ir/op.h"
#include "ir/scalar.h"

namespace lathe::interp {

// out[p] = op(args[0][p], ...) for p in 0..n. `operand` is the dtype of the operands (of the last
// one for Select and Gate, whose first is bool); `result` that of the result. Rows are arrays of
// the dtype's C++ type: bool as uint8_t, halves as uint16_t. Total: integer division by zero gives
// 0. Out may be one of the args.
void apply_row(ir::Op op, ir::DType operand, ir::DType result, std::span<const void* const> args,
               void* out, std::size_t n);

// The same for one value: what constant folding uses.
ir::Scalar apply(ir::Op op, ir::DType result, std::span<const ir::Scalar> args);

}  // namespace lathe::interp
