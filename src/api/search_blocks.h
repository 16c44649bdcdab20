// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sorted row is halved until one place is left, for sixteen wanted ones side by side and without
// branches that depend on the data: processors neither guess wrong nor wait for memory.
//
//   while the part has more than one element: its second half, if the last of the first is below
//
// Wanted ones that are near each other, as sorted ones are, share the part of the row between the
// places of their least and greatest. A short row or part is compared with as a whole, by vectors.

#include <algorithm>

#include "api/lookup_types.h"

namespace lathe::api {

// Does the place of v lie behind x? NaN is behind all numbers; x is a number.
template <bool kBehind, class T>
inline bool lies_behind(T x, T v) {
  return kBehind ? !(x > v) : !(x >= v);
}

// The places of kSide wanted ones.
template <bool kBehind, int kSide, class T>
inline void halve_row(const T* row, std::int64_t length, const T* wanted, std::int64_t* places) {
  std::int64_t at[kSide] = {};
  while (length > 1) {
    const std::int64_t half = length / 2;
    const T* const last = row + half - 1;
#pragma GCC unroll 16
    for (int k = 0; k < kSide; ++k) {
      std::int64_t passed = lies_behind<kBehind>(last[at[k]], wanted[k]) ? 1 : 0;
      asm("" : "+r"(passed));  // or compilers make it a branch
      at[k] += -passed & half;
    }
    length -= half;
  }
  for (int k = 0; k < kSide; ++k)
    places[k] = at[k] + (length > 0 && lies_behind<kBehind>(row[at[k]], wanted[k]) ? 1 : 0);
}

template <bool kBehind, class T>
void find_block_in(const T* row, std::int64_t length, const T* wanted, std::int64_t* places) {
  constexpr int kSide = 16;
  const VectorLookup<T>* const vectors = vector_lookup<T>();
  if (vectors && length <= kFewToCompare<T>)
    return vectors->count(kBehind, row, length, wanted, places);
  for (std::int64_t k = 0; k < kLookupBlock; k += kSide)
    halve_row<kBehind, kSide>(row, length, wanted + k, places + k);
}

// Blocks that are near each other in the row are looked for where they are.
template <class T>
class NearBlocks {
 public:
  template <bool kBehind>
  void find(const T* row, std::int64_t length, const T* wanted, std::int64_t* places) {
    constexpr std::int64_t kRest = 15;  // blocks, before it is worth to try again
    std::int64_t ends[2] = {0, length};
    if (rest_ > 0) {
      --rest_;
    } else if (length > kFewToCompare<T>) {
      T least_greatest[2] = {wanted[0], wanted[0]};
      bool is_number = true;
      for (std::int64_t k = 0; k < kLookupBlock; ++k) {
        least_greatest[0] = std::min(least_greatest[0], wanted[k]);
        least_greatest[1] = std::max(least_greatest[1], wanted[k]);
        is_number &= !is_nan_value(wanted[k]);
      }
      if (is_number) halve_row<kBehind, 2>(row, length, least_greatest, ends);
      if (ends[1] - ends[0] > length / 16) rest_ = kRest;
    }
    find_block_in<kBehind>(row + ends[0], ends[1] - ends[0], wanted, places);
    if (ends[0] > 0)
      for (std::int64_t k = 0; k < kLookupBlock; ++k) places[k] += ends[0];
  }

 private:
  std::int64_t rest_ = 0;
};

}  // namespace lathe::api
