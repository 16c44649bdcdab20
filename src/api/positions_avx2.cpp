// SPDX-License-Identifier: Apache-2.0
// Positions, a vector at a time: 32 bytes give a mask of 32 bits. For each eight bits of it a table
// has which of them are set, in order, as AVX-512's instruction finds them. This file alone is
// compiled for AVX2: it includes nothing that another one could share.

#include "api/positions_vector.h"

#ifdef __AVX2__
#include <immintrin.h>

namespace lathe::api {
namespace {

constexpr std::int64_t kBytes = 32;

struct SetBits {
  alignas(8) std::uint8_t at[256][8];
  constexpr SetBits() : at() {
    for (int mask = 0; mask < 256; ++mask) {
      int next = 0;
      for (int bit = 0; bit < 8; ++bit)
        if ((mask >> bit & 1) != 0) at[mask][next++] = static_cast<std::uint8_t>(bit);
    }
  }
};
constexpr SetBits kSetBits;

inline std::uint32_t nonzero_of(const char* bytes) {
  const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  const __m256i zero = _mm256_cmpeq_epi8(x, _mm256_setzero_si256());
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(zero));
}

std::int64_t count(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* seen) {
  std::int64_t total = 0;
  for (; lo + kBytes <= hi; lo += kBytes) total += __builtin_popcount(nonzero_of(bytes + lo));
  *seen = lo;
  return total;
}

inline void store(std::int64_t* to, __m256i at) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), at);
}

// Each pair of stores writes eight places, of which the last ones may be nobody's yet.
inline std::int64_t* find_eight(std::uint32_t few, std::int64_t first, std::int64_t* to) {
  long long bits;
  __builtin_memcpy(&bits, kSetBits.at[few], sizeof bits);
  const __m128i eight = _mm_cvtsi64_si128(bits);
  const __m256i base = _mm256_set1_epi64x(first);
  store(to, _mm256_add_epi64(base, _mm256_cvtepu8_epi64(eight)));
  store(to + 4, _mm256_add_epi64(base, _mm256_cvtepu8_epi64(_mm_srli_si128(eight, 4))));
  return to + __builtin_popcount(few);
}

Found find(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* to,
           const std::int64_t* end) {
  std::int64_t i = lo;
  for (; i + kBytes <= hi && end - to >= kBytes; i += kBytes) {
    const std::uint32_t set = nonzero_of(bytes + i);
    if (set == 0) continue;
    for (int part = 0; part < 4; ++part) to = find_eight(set >> (8 * part) & 255, i + 8 * part, to);
  }
  return {i, to};
}

}  // namespace

const VectorPositions& avx2_positions() {
  static constexpr VectorPositions kPositions = {count, find};
  return kPositions;
}

}  // namespace lathe::api
#endif
