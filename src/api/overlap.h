// SPDX-License-Identifier: Apache-2.0
#pragma once
// Do two arrays share memory?

#include <cstddef>
#include <cstdint>

namespace lathe::api {

// The bytes of a strided array: elements of `size` bytes at `data` + sum(k * stride), 0 <= k <
// extent. Refers to the extents and strides that it was made from.
struct Footprint {
  Footprint() = default;
  Footprint(const void* data, std::int64_t size, std::size_t rank, const std::int64_t* extents,
            const std::int64_t* strides);

  std::uint64_t begin = 0, end = 0;  // of all bytes; equal when it has no elements
  std::int64_t size = 1;
  std::size_t rank = 0;
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;
};

// Exact for all layouts that occur: rows, columns, tiles, interleaved channels. Where finding out
// would take long the answer is yes.
bool overlap(const Footprint& a, const Footprint& b);

// Can two different elements lie at the same place? Yes also for layouts that interleave axes in a
// way that no array library makes.
bool overlaps_itself(const Footprint& a);

}  // namespace lathe::api
