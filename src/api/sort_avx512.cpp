// SPDX-License-Identifier: Apache-2.0
// Sorting by vectors of 64 bytes: a comparison gives a mask, an instruction gathers its keys. This
// file alone is compiled for AVX-512: it includes nothing that another one could share.

#include "api/sort_vector.h"

#ifdef __AVX512F__
#include <immintrin.h>

namespace lathe::api {
namespace {

struct Keys32 {
  using Key = std::uint32_t;
  using Mask = __mmask16;
  static constexpr int kLanes = 16;
  static constexpr Key kLast = ~Key{0};
  static __m512i set(Key k) { return _mm512_set1_epi32(static_cast<int>(k)); }
  static __m512i min(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epu32(a, b); }
  static __m512i blend(Mask m, __m512i a, __m512i b) { return _mm512_mask_blend_epi32(m, a, b); }
  static __m512i permute(__m512i at, __m512i x) { return _mm512_permutexvar_epi32(at, x); }
  static __m512i exclusive_or(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
  static __m512i numbers() {
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  }
  static Mask less(__m512i a, __m512i b) { return _mm512_cmplt_epu32_mask(a, b); }
  static Mask has_bit(__m512i a, Key bit) { return _mm512_test_epi32_mask(a, set(bit)); }
  static void order(__m512i& a, __m512i& b) {
    const __m512i least = min(a, b);
    b = max(a, b);
    a = least;
  }
  // The smaller one of both in lanes without `upper`, the larger one in the others.
  static __m512i choose(Mask upper, __m512i a, __m512i b) {
    return blend(upper, min(a, b), max(a, b));
  }
  static __m512i compress(Mask m, __m512i x) { return _mm512_maskz_compress_epi32(m, x); }
  static int count(Mask m) { return __builtin_popcount(m); }
  static __m512i load(const Key* from) { return _mm512_loadu_si512(from); }
  static __m512i load(Mask m, const Key* from) {
    return _mm512_mask_loadu_epi32(set(kLast), m, from);
  }
  static void store(Key* to, Mask m, __m512i x) { _mm512_mask_storeu_epi32(to, m, x); }
};

struct Keys64 {
  using Key = std::uint64_t;
  using Mask = __mmask8;
  static constexpr int kLanes = 8;
  static constexpr Key kLast = ~Key{0};
  static __m512i set(Key k) { return _mm512_set1_epi64(static_cast<long long>(k)); }
  static __m512i blend(Mask m, __m512i a, __m512i b) { return _mm512_mask_blend_epi64(m, a, b); }
  static __m512i permute(__m512i at, __m512i x) { return _mm512_permutexvar_epi64(at, x); }
  static __m512i exclusive_or(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
  static __m512i numbers() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
  static Mask less(__m512i a, __m512i b) { return _mm512_cmplt_epu64_mask(a, b); }
  static Mask has_bit(__m512i a, Key bit) { return _mm512_test_epi64_mask(a, set(bit)); }
  // By one comparison: a tenth quicker, all in all, than minimum and maximum of 64-bit words.
  static void order(__m512i& a, __m512i& b) {
    const Mask rising = less(a, b);
    const __m512i least = blend(rising, b, a);
    b = blend(rising, a, b);
    a = least;
  }
  static __m512i choose(Mask upper, __m512i a, __m512i b) {
    return blend(static_cast<Mask>(less(a, b) ^ upper), b, a);
  }
  static __m512i compress(Mask m, __m512i x) { return _mm512_maskz_compress_epi64(m, x); }
  static int count(Mask m) { return __builtin_popcount(m); }
  static __m512i load(const Key* from) { return _mm512_loadu_si512(from); }
  static __m512i load(Mask m, const Key* from) {
    return _mm512_mask_loadu_epi64(set(kLast), m, from);
  }
  static void store(Key* to, Mask m, __m512i x) { _mm512_mask_storeu_epi64(to, m, x); }
};

// The networks' steps, and keys as bits.
template <class W>
struct Keys512 : W {
  using typename W::Key;
  using typename W::Mask;
  using Vector = __m512i;
  static constexpr Key kBias = 0, kSign = Key{1} << (8 * sizeof(Key) - 1);
  static constexpr int kMostVectors = 16, kPivotVectors = 1, kBlockVectors = 4;
  static constexpr bool kHasTranspose = false;
  static constexpr std::int64_t kShortSplit = 1024;

  static Mask inverse(Mask m) { return static_cast<Mask>(~m); }
  static Mask first(std::int64_t count) {
    if (count >= W::kLanes) return static_cast<Mask>(~0U);
    return static_cast<Mask>(count > 0 ? (1U << count) - 1U : 0U);
  }
  static __m512i load_some(std::int64_t count, const Key* from) {
    return W::load(first(count), from);
  }
  static void store(Key* to, __m512i x) { _mm512_storeu_si512(to, x); }
  static void store_some(Key* to, std::int64_t count, __m512i x) { W::store(to, first(count), x); }
  template <bool kOrEqual>
  static Mask is_below(__m512i x, __m512i limit) {
    if constexpr (kOrEqual) return inverse(W::less(limit, x));
    return W::less(x, limit);
  }
  // Those below the pivot to the front of what is free, the others to its end. There is room for a
  // vector at least.
  static void deal(Mask below, __m512i x, Key*& low, Key*& high) {
    const int count = W::count(below), others = W::kLanes - count;
    store(low, W::compress(below, x));
    low += count;
    high -= others;
    W::store(high, first(others), W::compress(inverse(below), x));
  }
  static __m512i swapped(__m512i x, int with) {
    return W::permute(W::exclusive_or(W::numbers(), W::set(static_cast<Key>(with))), x);
  }
  static __m512i reversed(__m512i x) { return swapped(x, W::kLanes - 1); }
  // Each lane against the one whose number differs in kWith; those with kUpper in their number take
  // the larger key.
  template <int kWith, int kUpper>
  static __m512i step(__m512i x) {
    return W::choose(W::has_bit(W::numbers(), static_cast<Key>(kUpper)), x, swapped(x, kWith));
  }

  static __m512i key(KeyOrder order, __m512i top, __m512i nan, __m512i x) {
    const __m512i sign = W::set(kSign), all = W::set(W::kLast);
    if (order == KeyOrder::Unsigned) return x;
    if (order == KeyOrder::Signed) return W::exclusive_or(x, sign);
    x = W::blend(W::less(top, _mm512_andnot_si512(sign, x)), x, nan);
    return W::exclusive_or(x, W::blend(W::has_bit(x, kSign), sign, all));
  }
  static __m512i bits(KeyOrder order, __m512i x) {
    const __m512i sign = W::set(kSign), all = W::set(W::kLast);
    if (order == KeyOrder::Unsigned) return x;
    if (order == KeyOrder::Signed) return W::exclusive_or(x, sign);
    return W::exclusive_or(x, W::blend(W::has_bit(x, kSign), all, sign));
  }
};

#include "api/sort_vector.inc"

}  // namespace

const VectorSort<std::uint32_t>& avx512_sort(std::uint32_t) { return kVectorSort<Keys512<Keys32>>; }
const VectorSort<std::uint64_t>& avx512_sort(std::uint64_t) { return kVectorSort<Keys512<Keys64>>; }

}  // namespace lathe::api

#endif
