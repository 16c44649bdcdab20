// SPDX-License-Identifier: Apache-2.0
// Is a value in a row? By the row's length and, of integers, its range: a few are compared with all
// of them, a narrow range becomes a table of bits, and other rows are sorted and searched.

#include <algorithm>

#include "api/lookup_types.h"
#include "api/pieces.h"
#include "api/search_blocks.h"
#include "api/search_rows.h"
#include "api/sort_rows.h"
#include "api/take_memory.h"

namespace lathe::api {
namespace {

constexpr std::int64_t kLeast = 1 << 15;  // wanted ones that are worth a thread

// f(block, found) for all blocks of wanted ones.
template <class As, class F>
void find_blocks(DenseRow wanted, char* found, int threads, F&& f) {
  in_pieces(wanted.length, piece_count(wanted.length, threads, kLeast),
            [&](std::int64_t, std::int64_t lo, std::int64_t hi) {
              for_lookup_blocks<As>(wanted, lo, hi, found, f);
            });
}

// A bit for each number from the least to the greatest, and one behind them for all others.
template <class As>
bool find_by_table(const typename As::Value* row, std::int64_t length, DenseRow wanted, char* found,
                   int threads) {
  using T = typename As::Value;
  using U = std::make_unsigned_t<T>;
  const auto [least, greatest] = std::minmax_element(row, row + length);
  const U first = static_cast<U>(*least);
  // In 64 bits: of all numbers of 32 there is one more than 32 bits can say.
  const std::uint64_t range = static_cast<U>(static_cast<U>(*greatest) - first);
  constexpr std::int64_t kBitsEach = 32;  // a table takes less time than sorting
  if (range >= static_cast<std::uint64_t>(kBitsEach * (length + wanted.length))) return false;
  const std::uint64_t others = range + 1;
  const std::int64_t words = static_cast<std::int64_t>(others) / 64 + 1;
  host::Block block = take_memory(words * 8);
  auto* const bits = static_cast<std::uint64_t*>(block.data());
  std::fill(bits, bits + words, 0);
  for (std::int64_t i = 0; i < length; ++i) {
    const U at = static_cast<U>(static_cast<U>(row[i]) - first);
    bits[at / 64] |= std::uint64_t{1} << (at % 64);
  }
  find_blocks<As>(wanted, found, threads, [&](const T* wanted_block, char* here) {
    for (std::int64_t k = 0; k < kLookupBlock; ++k) {
      const U away = static_cast<U>(static_cast<U>(wanted_block[k]) - first);
      const std::uint64_t at = std::min<std::uint64_t>(away, others);
      here[k] = static_cast<char>(bits[at / 64] >> (at % 64) & 1);
    }
  });
  return true;
}

template <class T>
constexpr ir::DType kLookupDType = std::is_same_v<T, std::int32_t>   ? ir::DType::I32
                                   : std::is_same_v<T, std::int64_t> ? ir::DType::I64
                                   : std::is_same_v<T, float>        ? ir::DType::F32
                                                                     : ir::DType::F64;

// Sorts the row. NaNs are at its end, and equal to none.
template <class As>
void find_by_search(typename As::Value* row, std::int64_t length, DenseRow wanted, char* found,
                    int threads) {
  using T = typename As::Value;
  const auto size = static_cast<std::int64_t>(sizeof(T));
  auto* const bytes = reinterpret_cast<char*>(row);
  sort_row(kLookupDType<T>, {bytes, size, bytes, size, length}, threads);
  while (length > 0 && is_nan_value(row[length - 1])) --length;
  find_blocks<As>(wanted, found, threads, [&](const T* block, char* here) {
    std::int64_t places[kLookupBlock];
    find_block_in<false>(row, length, block, places);
    for (std::int64_t k = 0; k < kLookupBlock; ++k)
      here[k] = places[k] < length && row[places[k]] == block[k] ? 1 : 0;
  });
}

template <class As>
void find_as(DenseRow row, DenseRow wanted, char* found, int threads) {
  using T = typename As::Value;
  if (row.length == 0) {
    std::memset(found, 0, static_cast<std::size_t>(wanted.length));
    return;
  }
  host::Block block = take_memory(row.length * static_cast<std::int64_t>(sizeof(T)));
  auto* const values = static_cast<T*>(block.data());
  lookup_values<As>(row.data, 0, row.length, values);
  constexpr std::int64_t kFewerThanTable = 8;
  const VectorLookup<T>* const vectors = vector_lookup<T>();
  if constexpr (std::is_integral_v<T>)
    if (!vectors || row.length > kFewerThanTable)
      if (find_by_table<As>(values, row.length, wanted, found, threads)) return;
  if (vectors && row.length <= kFewToCompare<T>)
    return find_blocks<As>(wanted, found, threads, [&](const T* wanted_block, char* here) {
      vectors->equals(values, row.length, wanted_block, here);
    });
  find_by_search<As>(values, row.length, wanted, found, threads);
}

}  // namespace

void find_in_row(ir::DType t, DenseRow row, DenseRow wanted, char* found, int threads) {
  with_lookup_type(t, [&](auto as) { find_as<decltype(as)>(row, wanted, found, threads); });
}

}  // namespace lathe::api
