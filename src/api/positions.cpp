// SPDX-License-Identifier: Apache-2.0
// Eight bytes at a time, and without branches that depend on the data: each position is written
// where the next one goes, and stays there if its byte is not zero. Processors with AVX-512 or AVX2
// look at a vector of bytes at a time.

#include "api/positions.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "api/pieces.h"
#include "api/positions_vector.h"

namespace lathe::api {
namespace {

constexpr std::int64_t kWord = 8;
constexpr std::uint64_t kOnes = 0x0101010101010101;

// 1 in each byte that is not zero.
inline std::uint64_t flags(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  constexpr std::uint64_t kLow = 0x7f * kOnes;
  return ((word | ((word & kLow) + kLow)) >> 7) & kOnes;
}

// None: the processor has neither AVX-512 nor AVX2.
const VectorPositions* vector_positions() {
#ifdef LATHE_VECTOR_POSITIONS
  static const VectorPositions* const found =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") ? &avx512_positions()
      : __builtin_cpu_supports("avx2")                                        ? &avx2_positions()
                                                                              : nullptr;
  return found;
#else
  return nullptr;
#endif
}

std::int64_t count(const char* bytes, std::int64_t lo, std::int64_t hi) {
  std::uint64_t total = 0;
  std::int64_t i = lo;
  if (const VectorPositions* by = vector_positions())
    total = static_cast<std::uint64_t>(by->count(bytes, lo, hi, &i));
  for (; i + kWord <= hi; i += kWord) total += (flags(bytes + i) * kOnes) >> 56;
  for (; i < hi; ++i) total += bytes[i] != 0;
  return static_cast<std::int64_t>(total);
}

// From lo on, until the places from `to` to `end` are full.
void find(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* to,
          const std::int64_t* end) {
  std::int64_t i = lo;
  if (const VectorPositions* by = vector_positions()) {
    const Found found = by->find(bytes, lo, hi, to, end);
    i = found.seen;
    to = found.to;
  }
  for (; i + kWord <= hi && end - to >= kWord; i += kWord) {
    std::uint64_t set = flags(bytes + i);
    if (set == 0) continue;
    for (std::int64_t b = 0; b < kWord; ++b, set >>= 8) {
      *to = i + b;
      to += set & 1;
    }
  }
  for (; i < hi && to != end; ++i) {
    *to = i;
    to += bytes[i] != 0;
  }
}

using Counts = std::array<std::int64_t, kMostPieces>;

Counts count_pieces(const char* bytes, std::int64_t length, std::int64_t pieces) {
  Counts counts = {};
  in_pieces(length, pieces, [&](std::int64_t p, std::int64_t lo, std::int64_t hi) {
    counts[static_cast<std::size_t>(p)] = count(bytes, lo, hi);
  });
  return counts;
}

}  // namespace

std::int64_t count_nonzero(const char* bytes, std::int64_t length, int threads) {
  std::int64_t total = 0;
  for (std::int64_t c : count_pieces(bytes, length, piece_count(length, threads))) total += c;
  return total;
}

void find_nonzero(const char* bytes, std::int64_t length, std::int64_t* positions,
                  std::int64_t count, int threads) {
  const std::int64_t pieces = piece_count(length, threads);
  if (pieces == 1) return find(bytes, 0, length, positions, positions + count);
  Counts first = count_pieces(bytes, length, pieces);
  std::int64_t next = 0;
  for (std::int64_t& c : first) next += std::exchange(c, next);
  in_pieces(length, pieces, [&](std::int64_t p, std::int64_t lo, std::int64_t hi) {
    const auto at = static_cast<std::size_t>(p);
    const std::int64_t end = p + 1 < pieces ? first[at + 1] : count;
    find(bytes, lo, hi, positions + first[at], positions + end);
  });
}

}  // namespace lathe::api
