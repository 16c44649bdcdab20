// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walking and copying arrays of any strides and any alignment.

#include <cstddef>
#include <cstdint>

namespace lathe::api {

// Where elements lie: strides in bytes, of any sign; one entry per axis.
struct Strided {
  std::byte* data = nullptr;  // of the first element
  const std::int64_t* strides = nullptr;
};

// Elements of `size` bytes (1, 2, 4 or 8). The two must not overlap.
void copy_elements(Strided to, Strided from, const std::int64_t* extents, std::size_t rank,
                   std::size_t size);

// The strides of a row-major array; its bytes. Nothing is checked for overflow.
std::int64_t dense_strides(const std::int64_t* extents, std::size_t rank, std::int64_t size,
                           std::int64_t* strides);

// A byte that is neither 0 nor 1 among the elements of a bool array; -1 when there is none.
int find_bad_bool(Strided array, const std::int64_t* extents, std::size_t rank);

}  // namespace lathe::api
