// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays in .npy files.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ir/dtype.h"

namespace lathe::io {

// An array as it lies in a file. The elements are not copied: a mapped file costs nothing until it
// is touched. (Cutting a mapped file short while it is read kills the reader, as with any mapping.)
struct NpyArray {
  ir::DType dtype = ir::DType::F64;
  std::vector<std::int64_t> shape;
  bool fortran_order = false;         // the first index is the fastest
  bool swapped = false;               // elements are in the other byte order
  std::span<const std::byte> data;    // exactly the elements; may be unaligned
  std::shared_ptr<const void> owner;  // keeps `data` alive; empty when the caller does

  std::int64_t element_count() const;
};

// Throws UserError "cannot read 'path': ..." for every way in which a file can be wrong.
NpyArray read_npy(const std::string& path);
// The same from memory, which must outlive the result. `name` is for messages.
NpyArray read_npy(std::span<const std::byte> file, const std::string& name);

// The elements in C order, native byte order, bools as 0 and 1. `out` has exactly their size.
void copy_elements(const NpyArray& array, std::span<std::byte> out);

// Writes elements in C order and native byte order, atomically. Throws UserError.
void write_npy(const std::string& path, ir::DType dtype, std::span<const std::int64_t> shape,
               std::span<const std::byte> elements);

}  // namespace lathe::io
