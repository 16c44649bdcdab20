// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sorting of keys by vectors, for processors that have AVX-512 or AVX2 and nobody else. Equal keys
// are not told apart, so whoever carries positions sorts otherwise.

#include <cstdint>

namespace lathe::api {

// How bits order: as they are, as signed numbers, as floats with all NaN equal and last.
enum class KeyOrder { Unsigned, Signed, Float };

// Behind the keys, and behind `spare`, which is as long, there is room for kVectorRoom more bytes.
constexpr std::int64_t kVectorRoom = 64;

// What one instruction set does with keys of 32 or of 64 bits.
template <class Key>
struct VectorSort {
  // Keys order as unsigned numbers once these bits are flipped: AVX2 compares signed ones only.
  Key bias;
  // The keys of a dense row, and back. `infinity`: its bits, of floats.
  void (*read)(KeyOrder order, Key infinity, const char* from, Key* keys, std::int64_t length);
  void (*write)(KeyOrder order, const Key* keys, char* to, std::int64_t length);
  // False: the pivots were bad again and again. The keys are all there, in another order.
  bool (*sort)(Key* keys, Key* spare, std::int64_t length);
  // Puts keys that are smaller than one in the middle before the others; how many they are.
  std::int64_t (*split)(Key* keys, Key* spare, std::int64_t length);
};

// Only where the processor has the instructions.
const VectorSort<std::uint32_t>& avx512_sort(std::uint32_t);
const VectorSort<std::uint64_t>& avx512_sort(std::uint64_t);
const VectorSort<std::uint32_t>& avx2_sort(std::uint32_t);
const VectorSort<std::uint64_t>& avx2_sort(std::uint64_t);

}  // namespace lathe::api
