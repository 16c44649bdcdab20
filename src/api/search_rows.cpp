// SPDX-License-Identifier: Apache-2.0
// Rows that are in order are searched block by block (search_blocks.h). To see whether they are
// takes a look at the whole row, which is not worth it for a few wanted ones: those, and rows in
// disorder, take the interpreter's steps.

#include "api/search_rows.h"

#include <algorithm>

#include "api/lookup_types.h"
#include "api/pieces.h"
#include "api/search_blocks.h"
#include "api/take_memory.h"

namespace lathe::api {
namespace {

// How many numbers are before the NaNs; -1 when they are not in order.
template <class T>
std::int64_t numbers_in_order(const T* row, std::int64_t length) {
  const std::int64_t numbers =
      std::partition_point(row, row + length, [](T x) { return !is_nan_value(x); }) - row;
  bool is_sorted = true;
  for (std::int64_t i = 1; i < numbers; ++i) is_sorted &= row[i - 1] <= row[i];
  for (std::int64_t i = numbers; i < length; ++i) is_sorted &= is_nan_value(row[i]);
  return is_sorted ? numbers : -1;
}

// In the interpreter's steps; value(i): an element of the row.
template <class T, class Value>
std::int64_t find_one(bool behind, std::int64_t length, T wanted, Value value) {
  const auto is_before = [](T a, T b) { return is_nan_value(b) ? !is_nan_value(a) : a < b; };
  std::int64_t at = 0;
  while (length > 0) {
    const std::int64_t half = length / 2;
    const T x = value(at + half);
    if (behind ? !is_before(wanted, x) : is_before(x, wanted)) {
      at += half + 1;
      length -= half + 1;
    } else {
      length = half;
    }
  }
  return at;
}

template <bool kBehind, class As>
void search_in_order(const typename As::Value* row, std::int64_t numbers, std::int64_t length,
                     DenseRow wanted, std::int64_t* places, int threads) {
  constexpr std::int64_t kLeast = 1 << 14;
  using T = typename As::Value;
  in_pieces(wanted.length, piece_count(wanted.length, threads, kLeast),
            [&](std::int64_t, std::int64_t lo, std::int64_t hi) {
              NearBlocks<T> near;
              for_lookup_blocks<As>(wanted, lo, hi, places,
                                    [&](const T* block, std::int64_t* found) {
                                      near.template find<kBehind>(row, numbers, block, found);
                                      if (kBehind && numbers < length)  // behind the row's NaNs
                                        for (std::int64_t k = 0; k < kLookupBlock; ++k)
                                          if (is_nan_value(block[k])) found[k] = length;
                                    });
            });
}

template <class As>
void search_as(bool behind, DenseRow sorted, DenseRow wanted, std::int64_t* places, int threads) {
  using T = typename As::Value;
  constexpr std::int64_t kTooLong = 8;  // for a few: looking at the whole row takes longer
  std::int64_t numbers = -1;
  host::Block block;
  const T* row = nullptr;
  if (sorted.length / kTooLong <= wanted.length) {
    if constexpr (std::is_same_v<T, typename As::Stored>) {
      row = reinterpret_cast<const T*>(sorted.data);
    } else {
      block = take_memory(sorted.length * static_cast<std::int64_t>(sizeof(T)));
      auto* const to = static_cast<T*>(block.data());
      lookup_values<As>(sorted.data, 0, sorted.length, to);
      row = to;
    }
    numbers = numbers_in_order(row, sorted.length);
  }
  if (numbers < 0) {
    for (std::int64_t i = 0; i < wanted.length; ++i)
      places[i] = find_one(behind, sorted.length, lookup_value<As>(wanted.data, i),
                           [&](std::int64_t k) { return lookup_value<As>(sorted.data, k); });
    return;
  }
  const auto search = behind ? search_in_order<true, As> : search_in_order<false, As>;
  search(row, numbers, sorted.length, wanted, places, threads);
}

}  // namespace

void search_row(ir::DType t, bool behind, DenseRow sorted, DenseRow wanted, std::int64_t* places,
                int threads) {
  with_lookup_type(
      t, [&](auto as) { search_as<decltype(as)>(behind, sorted, wanted, places, threads); });
}

}  // namespace lathe::api
