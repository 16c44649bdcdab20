// SPDX-License-Identifier: Apache-2.0
// Positions, a vector at a time: 64 bytes give a mask of 64 bits, and eight positions go to memory
// with one instruction that gathers those of the mask and one that stores. This file alone is
// compiled for AVX-512: it includes nothing that another one could share.

#include "api/positions_vector.h"

#ifdef __AVX512BW__
#include <immintrin.h>

namespace lathe::api {
namespace {

constexpr std::int64_t kBytes = 64;

inline std::uint64_t nonzero_of(const char* bytes) {
  const __m512i x = _mm512_loadu_si512(bytes);
  return _mm512_test_epi8_mask(x, x);
}

std::int64_t count(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* seen) {
  std::int64_t total = 0;
  for (; lo + kBytes <= hi; lo += kBytes) total += __builtin_popcountll(nonzero_of(bytes + lo));
  *seen = lo;
  return total;
}

Found find(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* to,
           const std::int64_t* end) {
  std::int64_t i = lo;
  const __m512i eight = _mm512_set1_epi64(8);
  // Each store writes eight places, of which the last ones may be nobody's yet.
  for (; i + kBytes <= hi && end - to >= kBytes; i += kBytes) {
    std::uint64_t set = nonzero_of(bytes + i);
    if (set == 0) continue;
    __m512i at = _mm512_add_epi64(_mm512_set1_epi64(i), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
#pragma GCC unroll 8
    for (int part = 0; part < 8; ++part) {
      const auto few = static_cast<__mmask8>(set);
      _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(few, at));
      to += __builtin_popcount(few);
      at = _mm512_add_epi64(at, eight);
      set >>= 8;
    }
  }
  return {i, to};
}

}  // namespace

const VectorPositions& avx512_positions() {
  static constexpr VectorPositions kPositions = {count, find};
  return kPositions;
}

}  // namespace lathe::api
#endif
