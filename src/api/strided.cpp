// SPDX-License-Identifier: Apache-2.0
#include "api/strided.h"

#include <cstring>
#include <vector>

namespace lathe::api {
namespace {

template <std::size_t Size>
void copy_row(std::byte* to, std::int64_t to_stride, const std::byte* from,
              std::int64_t from_stride, std::int64_t count) {
  constexpr auto kSize = static_cast<std::int64_t>(Size);
  if (to_stride == kSize && from_stride == kSize) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * Size);
    return;
  }
  // memcpy of a constant size is one load and one store, aligned or not.
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, Size);
}

// Calls row(offset in each array...) for every row: all but the last axis.
template <class F>
void for_each_row(const std::int64_t* extents, std::size_t rank, F&& row) {
  for (std::size_t x = 0; x < rank; ++x)
    if (extents[x] <= 0) return;
  if (rank < 2) return row(nullptr);
  std::vector<std::int64_t> at(rank - 1);
  for (;;) {
    row(at.data());
    std::size_t x = rank - 1;
    while (x-- > 0) {
      if (++at[x] < extents[x]) break;
      at[x] = 0;
    }
    if (x == static_cast<std::size_t>(-1)) return;
  }
}

std::int64_t row_offset(const std::int64_t* at, const std::int64_t* strides, std::size_t rank) {
  std::int64_t offset = 0;
  for (std::size_t x = 0; x + 1 < rank; ++x) offset += at[x] * strides[x];
  return offset;
}

}  // namespace

void copy_elements(Strided to, Strided from, const std::int64_t* extents, std::size_t rank,
                   std::size_t size) {
  const std::int64_t count = rank == 0 ? 1 : extents[rank - 1];
  const std::int64_t to_stride = rank == 0 ? 0 : to.strides[rank - 1];
  const std::int64_t from_stride = rank == 0 ? 0 : from.strides[rank - 1];
  const auto copy = size == 1   ? copy_row<1>
                    : size == 2 ? copy_row<2>
                    : size == 4 ? copy_row<4>
                                : copy_row<8>;
  for_each_row(extents, rank, [&](const std::int64_t* at) {
    copy(to.data + row_offset(at, to.strides, rank), to_stride,
         from.data + row_offset(at, from.strides, rank), from_stride, count);
  });
}

std::int64_t dense_strides(const std::int64_t* extents, std::size_t rank, std::int64_t size,
                           std::int64_t* strides) {
  std::int64_t bytes = size;
  for (std::size_t x = rank; x-- > 0;) {
    strides[x] = bytes;
    bytes *= extents[x] > 0 ? extents[x] : 0;
  }
  return bytes;
}

int find_bad_bool(Strided array, const std::int64_t* extents, std::size_t rank) {
  int bad = -1;
  for_each_row(extents, rank, [&](const std::int64_t* at) {
    if (bad >= 0) return;
    const std::byte* row = array.data + row_offset(at, array.strides, rank);
    const std::int64_t count = rank == 0 ? 1 : extents[rank - 1];
    const std::int64_t stride = rank == 0 ? 1 : array.strides[rank - 1];
    // All bits of the row first: a loop without exits, for vectors.
    std::byte all{0};
    if (stride == 1)
      for (std::int64_t i = 0; i < count; ++i) all |= row[i];
    else
      for (std::int64_t i = 0; i < count; ++i) all |= row[i * stride];
    if (all <= std::byte{1}) return;
    for (std::int64_t i = 0; i < count && bad < 0; ++i)
      if (row[i * stride] > std::byte{1}) bad = std::to_integer<int>(row[i * stride]);
  });
  return bad;
}

}  // namespace lathe::api
