// SPDX-License-Identifier: Apache-2.0
// Eight bytes at a time, and without branches that depend on the data: each position is written
// where the next one goes, and stays there if its byte is not zero. Processors with AVX-512 look at
// 64 bytes at a time.

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

#ifdef LATHE_VECTOR_POSITIONS
bool has_vectors() {
  static const bool yes =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  return yes;
}
#endif

std::int64_t count(const char* bytes, std::int64_t lo, std::int64_t hi) {
  std::uint64_t total = 0;
  std::int64_t i = lo;
#ifdef LATHE_VECTOR_POSITIONS
  if (has_vectors()) {
    const std::int64_t vectors = (hi - lo) / kPositionBytes;
    total = static_cast<std::uint64_t>(count_vectors(bytes + lo, vectors));
    i += vectors * kPositionBytes;
  }
#endif
  for (; i + kWord <= hi; i += kWord) total += (flags(bytes + i) * kOnes) >> 56;
  for (; i < hi; ++i) total += bytes[i] != 0;
  return static_cast<std::int64_t>(total);
}

// From lo on, until the places from `to` to `end` are full.
void find(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* to,
          const std::int64_t* end) {
  std::int64_t i = lo;
#ifdef LATHE_VECTOR_POSITIONS
  if (has_vectors()) {
    const Found found = find_vectors(bytes, lo, hi, to, end);
    i = found.seen;
    to = found.to;
  }
#endif
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
