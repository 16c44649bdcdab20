// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sorting of unsigned keys by vectors of 64 bytes, for processors that have AVX-512 and nobody
// else. Equal keys are not told apart, so whoever carries positions sorts otherwise.

#include <cstdint>

namespace lathe::api {

// How bits order: as they are, as signed numbers, as floats with all NaN equal and last.
enum class KeyOrder { Unsigned, Signed, Float };

// The keys of a dense row, and back. `infinity`: its bits, of floats.
void read_keys(KeyOrder order, std::uint32_t infinity, const char* from, std::uint32_t* keys,
               std::int64_t length);
void read_keys(KeyOrder order, std::uint64_t infinity, const char* from, std::uint64_t* keys,
               std::int64_t length);
void write_keys(KeyOrder order, const std::uint32_t* keys, char* to, std::int64_t length);
void write_keys(KeyOrder order, const std::uint64_t* keys, char* to, std::int64_t length);

// Behind the keys, and behind `spare`, which is as long, there is room for kVectorRoom more bytes.
constexpr std::int64_t kVectorRoom = 64;

// False: the pivots were bad again and again. The keys are all there, in another order.
bool sort_keys(std::uint32_t* keys, std::uint32_t* spare, std::int64_t length);
bool sort_keys(std::uint64_t* keys, std::uint64_t* spare, std::int64_t length);

// Puts keys that are smaller than one in the middle before the others; how many they are.
std::int64_t split_keys(std::uint32_t* keys, std::uint32_t* spare, std::int64_t length);
std::int64_t split_keys(std::uint64_t* keys, std::uint64_t* spare, std::int64_t length);

}  // namespace lathe::api
