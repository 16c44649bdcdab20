// SPDX-License-Identifier: Apache-2.0
#pragma once
// The header of a .npy file: what the array's bytes mean.
//
// A file is the magic string, a version (1.0, 2.0, 3.0), the length of a text, that text - a Python
// dict with the keys 'descr', 'fortran_order' and 'shape' - and the elements.
//
// Element types: b1, i1 i2 i4 i8, u1 u2 u4 u8, f2 f4 f8. NumPy has no bfloat16; Lathe writes it as
// raw two-byte elements, '<V2', and reads '<V2' and '|V2' as bfloat16.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/dtype.h"

namespace lathe::io {

struct NpyHeader {
  ir::DType dtype = ir::DType::F64;
  bool swapped = false;  // the elements are big endian
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;  // where the elements begin in the file
  std::size_t data_bytes = 0;   // what the shape asks for
};

inline constexpr std::size_t kMaxNpyHeader = 65536;
inline constexpr std::size_t kMaxNpyRank = 64;

// Trusts nothing: lengths, spelling and the product of the shape are checked before they are used.
// Throws UserError "cannot read 'name': ...". The elements themselves are not looked at.
NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name);

// Everything before the elements of a C-ordered array in native byte order, padded so that the
// elements begin at a multiple of 64 bytes.
std::string make_npy_header(ir::DType dtype, std::span<const std::int64_t> shape);

// "(3, 4)", "(3,)", "()".
std::string shape_text(std::span<const std::int64_t> shape);

}  // namespace lathe::io
