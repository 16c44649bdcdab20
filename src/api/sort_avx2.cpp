// SPDX-License-Identifier: Apache-2.0
// Sorting by vectors of 32 bytes. What AVX-512 has instructions for is found in tables here: which
// permutation brings the lanes of a mask to the front. Keys order as signed numbers. This file
// alone is compiled for AVX2: it includes nothing that another one could share.

#include "api/sort_vector.h"

#ifdef __AVX2__
#include <immintrin.h>

namespace lathe::api {
namespace {

// For each mask of kLanes bits the lanes that are in it, in order, then the others. In words of 32
// bits: a lane of 64 bits is two of them.
template <int kLanes>
struct Permutations {
  alignas(32) std::uint8_t at[1 << kLanes][8];
  constexpr Permutations() : at() {
    constexpr int kWords = 8 / kLanes;
    for (int mask = 0; mask < 1 << kLanes; ++mask) {
      int next = 0;
      for (int kind = 1; kind >= 0; --kind)
        for (int lane = 0; lane < kLanes; ++lane)
          if ((mask >> lane & 1) == kind)
            for (int word = 0; word < kWords; ++word)
              at[mask][next++] = static_cast<std::uint8_t>(kWords * lane + word);
    }
  }
};
template <int kLanes>
constexpr Permutations<kLanes> kPermutations;

// What keys of both widths have in common.
template <class U, int kCount>
struct Keys256 {
  using Key = U;
  using Vector = __m256i;
  using Mask = unsigned;
  static constexpr int kLanes = kCount;
  static constexpr Key kBias = Key{1} << (8 * sizeof(Key) - 1), kLast = ~kBias;
  static constexpr int kMostVectors = 16, kBlockVectors = 8;
  static constexpr bool kHasTranspose = true;
  static constexpr std::int64_t kShortSplit = 1024;

  static __m256i load(const Key* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store(Key* to, __m256i x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x); }
  static Mask inverse(Mask m) { return m ^ ((1U << kLanes) - 1U); }
  static int count(Mask m) { return __builtin_popcount(m); }
  static Mask first(std::int64_t count) { return (1U << count) - 1U; }
  // The lanes of the mask first, then the others.
  static __m256i compress(Mask m, __m256i x) {
    long long at;
    __builtin_memcpy(&at, kPermutations<kLanes>.at[m], sizeof at);
    return _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(at)));
  }
  // Those below the pivot to the front of what is free, the others to its end. There is room for a
  // vector at least on both sides, or for this one alone.
  static void deal(Mask below, __m256i x, Key*& low, Key*& high) {
    const int smaller = count(below);
    const __m256i both = compress(below, x);
    store(low, both);
    store(high - kLanes, both);
    low += smaller;
    high -= kLanes - smaller;
  }
};

struct Keys32 : Keys256<std::uint32_t, 8> {
  static constexpr int kPivotVectors = 2;
  static __m256i set(Key k) { return _mm256_set1_epi32(static_cast<int>(k)); }
  static __m256i lanes_below(std::int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                              _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
  }
  static __m256i load_some(std::int64_t count, const Key* from) {
    if (count >= kLanes) return load(from);
    if (count <= 0) return set(kLast);
    const __m256i there = lanes_below(count);
    return _mm256_blendv_epi8(
        set(kLast), _mm256_maskload_epi32(reinterpret_cast<const int*>(from), there), there);
  }
  static void store_some(Key* to, std::int64_t count, __m256i x) {
    if (count >= kLanes) return store(to, x);
    if (count > 0) _mm256_maskstore_epi32(reinterpret_cast<int*>(to), lanes_below(count), x);
  }
  template <bool kOrEqual>
  static Mask is_below(__m256i x, __m256i limit) {
    const __m256i found = kOrEqual ? _mm256_cmpgt_epi32(x, limit) : _mm256_cmpgt_epi32(limit, x);
    const auto mask = static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(found)));
    return kOrEqual ? inverse(mask) : mask;
  }
  static void order(__m256i& a, __m256i& b) {
    const __m256i least = _mm256_min_epi32(a, b);
    b = _mm256_max_epi32(a, b);
    a = least;
  }
  static __m256i reversed(__m256i x) {
    return _mm256_permutevar8x32_epi32(x, _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  // Each lane against the one whose number differs in kWith; those with kUpper in their number take
  // the larger key.
  template <int kWith, int kUpper>
  static __m256i step(__m256i x) {
    __m256i other;
    if constexpr (kWith < 4)
      other = _mm256_shuffle_epi32(x, kWith == 1 ? 0xb1 : kWith == 2 ? 0x4e : 0x1b);
    else if constexpr (kWith == 4)
      other = _mm256_permute2x128_si256(x, x, 1);
    else
      other = reversed(x);
    return _mm256_blend_epi32(_mm256_min_epi32(x, other), _mm256_max_epi32(x, other),
                              kUpper == 1   ? 0xaa
                              : kUpper == 2 ? 0xcc
                                            : 0xf0);
  }
  static void transpose(__m256i* v) {
    __m256i a[8], b[8];
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
      a[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
      a[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
      b[i] = _mm256_unpacklo_epi64(a[i], a[i + 2]);
      b[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 2]);
      b[i + 2] = _mm256_unpacklo_epi64(a[i + 1], a[i + 3]);
      b[i + 3] = _mm256_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      v[i] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x20);
      v[i + 4] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x31);
    }
  }
  static __m256i is_negative(__m256i x) { return _mm256_srai_epi32(x, 31); }
  static __m256i is_above(__m256i x, __m256i limit) { return _mm256_cmpgt_epi32(x, limit); }
};

struct Keys64 : Keys256<std::uint64_t, 4> {
  static constexpr int kPivotVectors = 4;
  static __m256i set(Key k) { return _mm256_set1_epi64x(static_cast<long long>(k)); }
  static __m256i lanes_below(std::int64_t count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_set_epi64x(3, 2, 1, 0));
  }
  static __m256i load_some(std::int64_t count, const Key* from) {
    if (count >= kLanes) return load(from);
    if (count <= 0) return set(kLast);
    const __m256i there = lanes_below(count);
    return _mm256_blendv_epi8(
        set(kLast), _mm256_maskload_epi64(reinterpret_cast<const long long*>(from), there), there);
  }
  static void store_some(Key* to, std::int64_t count, __m256i x) {
    if (count >= kLanes) return store(to, x);
    if (count > 0) _mm256_maskstore_epi64(reinterpret_cast<long long*>(to), lanes_below(count), x);
  }
  template <bool kOrEqual>
  static Mask is_below(__m256i x, __m256i limit) {
    const __m256i found = kOrEqual ? _mm256_cmpgt_epi64(x, limit) : _mm256_cmpgt_epi64(limit, x);
    const auto mask = static_cast<Mask>(_mm256_movemask_pd(_mm256_castsi256_pd(found)));
    return kOrEqual ? inverse(mask) : mask;
  }
  static void order(__m256i& a, __m256i& b) {
    const __m256i falling = _mm256_cmpgt_epi64(a, b);
    const __m256i least = _mm256_blendv_epi8(a, b, falling);
    b = _mm256_blendv_epi8(b, a, falling);
    a = least;
  }
  static __m256i reversed(__m256i x) { return _mm256_permute4x64_epi64(x, 0x1b); }
  template <int kWith, int kUpper>
  static __m256i step(__m256i x) {
    __m256i other;
    if constexpr (kWith == 1)
      other = _mm256_shuffle_epi32(x, 0x4e);
    else if constexpr (kWith == 2)
      other = _mm256_permute2x128_si256(x, x, 1);
    else
      other = reversed(x);
    const __m256i upper =
        kUpper == 1 ? _mm256_set_epi64x(-1, 0, -1, 0) : _mm256_set_epi64x(-1, -1, 0, 0);
    const __m256i falling = _mm256_cmpgt_epi64(x, other);
    return _mm256_blendv_epi8(x, other, _mm256_xor_si256(falling, upper));
  }
  static void transpose(__m256i* v) {
    const __m256i a = _mm256_unpacklo_epi64(v[0], v[1]), b = _mm256_unpackhi_epi64(v[0], v[1]),
                  c = _mm256_unpacklo_epi64(v[2], v[3]), d = _mm256_unpackhi_epi64(v[2], v[3]);
    v[0] = _mm256_permute2x128_si256(a, c, 0x20);
    v[1] = _mm256_permute2x128_si256(b, d, 0x20);
    v[2] = _mm256_permute2x128_si256(a, c, 0x31);
    v[3] = _mm256_permute2x128_si256(b, d, 0x31);
  }
  static __m256i is_negative(__m256i x) { return _mm256_cmpgt_epi64(_mm256_setzero_si256(), x); }
  static __m256i is_above(__m256i x, __m256i limit) { return _mm256_cmpgt_epi64(x, limit); }
};

// Bits become keys and keys bits: of negative floats all bits but the sign change.
template <class K>
struct WithOrder : K {
  static __m256i bits(KeyOrder order, __m256i x) {
    if (order == KeyOrder::Float)
      return _mm256_xor_si256(x, _mm256_and_si256(K::is_negative(x), K::set(K::kLast)));
    return order == KeyOrder::Signed ? x : _mm256_xor_si256(x, K::set(K::kBias));
  }
  static __m256i key(KeyOrder order, __m256i top, __m256i nan, __m256i x) {
    if (order == KeyOrder::Float) {
      const __m256i magnitude = _mm256_and_si256(x, K::set(K::kLast));
      x = _mm256_blendv_epi8(x, nan, K::is_above(magnitude, top));
    }
    return bits(order, x);
  }
};

#include "api/sort_vector.inc"

}  // namespace

const VectorSort<std::uint32_t>& avx2_sort(std::uint32_t) { return kVectorSort<WithOrder<Keys32>>; }
const VectorSort<std::uint64_t>& avx2_sort(std::uint64_t) { return kVectorSort<WithOrder<Keys64>>; }

}  // namespace lathe::api

#endif
