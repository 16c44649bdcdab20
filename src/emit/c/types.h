// SPDX-License-Identifier: Apache-2.0
#pragma once
// How values of each dtype are held in C.
//
//   dtype        in memory   in a variable   in lanes
//   bool         u8          u8, 0 or 1      a mask: i8, i16, i32 or i64, each 0 or -1
//   f16, bf16    u16         f32             f32
//   others       themselves
//
// A half in a variable is the float that it stands for: every operation rounds its result to one
// (so an inlined value and a stored one are the same), and only memory has the 16 bits.

#include <string>
#include <string_view>

#include "ir/scalar.h"

namespace lathe::emit {

// The dtype a value is held in: f32 for halves, u8 for bool, else itself.
ir::DType held(ir::DType t);
// The dtype of the element in memory: u16 for halves, u8 for bool, else itself.
ir::DType stored(ir::DType t);
ir::DType signed_of(std::size_t bytes);
ir::DType unsigned_of(std::size_t bytes);

// A C constant, in the type of held(t): "0.1f", "5", "(-3)", "__builtin_inf()".
std::string literal(const ir::Scalar& s);
std::string literal(std::int64_t value);

}  // namespace lathe::emit
