// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each operation does to numbers: the meaning of ops.def, on rows of n elements.
//
// Integers wrap, halves compute in float32 and round once. All NaNs are one value: which NaN a row
// holds is not defined, and nothing can tell, because the operations that look at bits (bitcast,
// copysign) and every store into an array take the canonical quiet NaN instead.

#include <cstddef>
#include <span>

#include "ir/op.h"
#include "ir/scalar.h"

namespace lathe::interp {

// out[p] = op(args[0][p], ...) for p in 0..n: an operation at one dtype, looked up once and called
// for many rows. Rows are arrays of the dtype's C++ type: bool as uint8_t (0 or 1), halves as
// uint16_t. Total: integer division by zero gives 0. Out may be one of the args,
// if its elements are as wide.
class RowFunction {
 public:
  using Loop = void (*)(const void* const* args, void* out, std::size_t n);

  RowFunction() = default;
  // `operand` is the dtype of the operands (of the last one for Select and Gate, whose first is
  // bool), `result` that of the result. The operation must be one that works on values alone: not
  // a leaf, a read or a Reduce.
  RowFunction(ir::Op op, ir::DType operand, ir::DType result);

  void operator()(const void* const* args, void* out, std::size_t n) const {
    if (half_ == Half::No) {
      loop_(args, out, n);
    } else {
      call_on_halves(args, out, n);
    }
  }

 private:
  enum class Half : std::uint8_t { No, OperandsOnly, All };
  void call_on_halves(const void* const* args, void* out, std::size_t n) const;

  Loop loop_ = nullptr;
  Half half_ = Half::No;  // loop_ is float32's: convert on the way in, and out if All
  ir::DType type_ = ir::DType::F64;
  int arity_ = 0;
};

void apply_row(ir::Op op, ir::DType operand, ir::DType result, std::span<const void* const> args,
               void* out, std::size_t n);

// The same for one value: what constant folding uses.
ir::Scalar apply(ir::Op op, ir::DType result, std::span<const ir::Scalar> args);

// Conversion by value, `cast` of the language, from one row type to another.
RowFunction cast_function(ir::DType from, ir::DType to);

// Every NaN becomes the canonical quiet one; nothing for other dtypes.
void canonicalise_nans(ir::DType t, void* row, std::size_t n);

}  // namespace lathe::interp
