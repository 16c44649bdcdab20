// SPDX-License-Identifier: Apache-2.0
// Quicksort, a vector at a time: a comparison gives a mask, two instructions gather the smaller
// keys and the others, and each go where their kind leaves off. Parts of up to eight vectors are
// sorted in registers by bitonic networks. This file alone is compiled for AVX-512: it includes
// nothing that another one could share.

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

// Of the first so many lanes.
template <class K>
inline typename K::Mask first(std::int64_t count) {
  if (count >= K::kLanes) return static_cast<typename K::Mask>(~0U);
  return static_cast<typename K::Mask>(count > 0 ? (1U << count) - 1U : 0U);
}

// ---- Keys.

template <class K>
constexpr typename K::Key kSign = typename K::Key{1} << (8 * sizeof(typename K::Key) - 1);

template <class K>
void read(KeyOrder order, typename K::Key infinity, const char* from, typename K::Key* keys,
          std::int64_t length) {
  using Mask = typename K::Mask;
  const __m512i sign = K::set(kSign<K>), all = K::set(K::kLast), top = K::set(infinity);
  // Half of the last bit of the exponent: the first bit of a fraction.
  const __m512i nan = K::set(infinity | ((infinity & (~infinity + 1)) >> 1));
  for (std::int64_t i = 0; i < length; i += K::kLanes) {
    const Mask there = first<K>(length - i);
    __m512i x = K::load(there, reinterpret_cast<const typename K::Key*>(from) + i);
    if (order == KeyOrder::Float) {
      x = K::blend(K::less(top, _mm512_andnot_si512(sign, x)), x, nan);
      const __m512i flipped = K::blend(K::has_bit(x, kSign<K>), sign, all);
      x = K::exclusive_or(x, flipped);
    } else if (order == KeyOrder::Signed) {
      x = K::exclusive_or(x, sign);
    }
    K::store(keys + i, there, x);
  }
}

template <class K>
void write(KeyOrder order, const typename K::Key* keys, char* to, std::int64_t length) {
  const __m512i sign = K::set(kSign<K>), all = K::set(K::kLast);
  for (std::int64_t i = 0; i < length; i += K::kLanes) {
    const typename K::Mask there = first<K>(length - i);
    __m512i x = K::load(there, keys + i);
    if (order == KeyOrder::Float)
      x = K::exclusive_or(x, K::blend(K::has_bit(x, kSign<K>), all, sign));
    else if (order == KeyOrder::Signed)
      x = K::exclusive_or(x, sign);
    K::store(reinterpret_cast<typename K::Key*>(to) + i, there, x);
  }
}

// ---- Networks.

// Each lane against the one whose number differs in `with`; those with `upper` in their number take
// the larger key.
template <class K>
inline __m512i step(__m512i x, int with, int upper) {
  const __m512i numbers = K::numbers();
  const __m512i other =
      K::permute(K::exclusive_or(numbers, K::set(static_cast<typename K::Key>(with))), x);
  return K::choose(K::has_bit(numbers, static_cast<typename K::Key>(upper)), x, other);
}

// A vector whose keys rise and then fall, or fall and then rise.
template <class K>
inline __m512i merged(__m512i x) {
#pragma GCC unroll 4
  for (int d = K::kLanes / 2; d > 0; d /= 2) x = step<K>(x, d, d);
  return x;
}

template <class K>
inline __m512i sorted(__m512i x) {
#pragma GCC unroll 4
  for (int size = 2; size <= K::kLanes; size *= 2) {
    x = step<K>(x, size - 1, size / 2);
#pragma GCC unroll 4
    for (int d = size / 4; d > 0; d /= 2) x = step<K>(x, d, d);
  }
  return x;
}

template <class K>
inline __m512i reversed(__m512i x) {
  return K::permute(
      K::exclusive_or(K::numbers(), K::set(static_cast<typename K::Key>(K::kLanes - 1))), x);
}

// Vectors one after another, as a row that rises and then falls.
template <class K, int kCount>
inline void merge(__m512i* v) {
#pragma GCC unroll 8
  for (int d = kCount / 2; d > 0; d /= 2)
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) {
      if (i & d) continue;
      K::order(v[i], v[i + d]);
    }
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) v[i] = merged<K>(v[i]);
}

template <class K, int kCount>
inline void sort_vectors(__m512i* v) {
  if constexpr (kCount == 1) {
    v[0] = sorted<K>(v[0]);
  } else {
    sort_vectors<K, kCount / 2>(v);
    sort_vectors<K, kCount / 2>(v + kCount / 2);
#pragma GCC unroll 4
    for (int i = 0; i < kCount / 2; ++i) {
      __m512i other = reversed<K>(v[kCount - 1 - i]);
      K::order(v[i], other);
      v[kCount - 1 - i] = reversed<K>(other);
    }
    merge<K, kCount / 2>(v);
    merge<K, kCount / 2>(v + kCount / 2);
  }
}

template <class K, int kCount>
void sort_few(typename K::Key* keys, std::int64_t length) {
  __m512i v[kCount];
  for (int i = 0; i < kCount; ++i)
    v[i] = K::load(first<K>(length - i * K::kLanes), keys + i * K::kLanes);
  sort_vectors<K, kCount>(v);
  for (int i = 0; i < kCount; ++i)
    K::store(keys + i * K::kLanes, first<K>(length - i * K::kLanes), v[i]);
}

constexpr int kMostVectors = 16;

// ---- Quicksort.

template <class K, bool kOrEqual>
inline typename K::Mask is_below(__m512i x, __m512i limit) {
  if constexpr (kOrEqual) return static_cast<typename K::Mask>(~K::less(limit, x));
  return K::less(x, limit);
}

// Those below the pivot to the front of what is free, the others to its end. There is room for a
// vector at least.
template <class K>
inline void deal(typename K::Mask below, __m512i x, typename K::Key*& low, typename K::Key*& high) {
  const int count = K::count(below), others = K::kLanes - count;
  _mm512_storeu_si512(low, K::compress(below, x));
  low += count;
  high -= others;
  K::store(high, static_cast<typename K::Mask>((1U << others) - 1U),
           K::compress(static_cast<typename K::Mask>(~below), x));
}

// In place, a block of four vectors at a time. The first and the last one wait in registers; the
// next one is read where there is less room, so that afterwards there is enough on both sides.
template <class K, bool kOrEqual>
std::int64_t split_blocks(typename K::Key* keys, std::int64_t length, typename K::Key pivot) {
  constexpr std::int64_t kBlock = 4 * K::kLanes;
  const __m512i limit = K::set(pivot);
  __m512i waiting[8], x[4];
  for (int i = 0; i < 4; ++i) {
    waiting[i] = K::load(keys + i * K::kLanes);
    waiting[4 + i] = K::load(keys + length - kBlock + i * K::kLanes);
  }
  typename K::Key *left = keys + kBlock, *right = keys + length - kBlock;  // not read yet
  typename K::Key *low = keys, *high = keys + length;                      // free, but for that
  while (left != right) {
    const bool from_right = high - right < left - low;
    right -= from_right ? kBlock : 0;
    const typename K::Key* const from = from_right ? right : left;
    left += from_right ? 0 : kBlock;
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) x[i] = K::load(from + i * K::kLanes);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) deal<K>(is_below<K, kOrEqual>(x[i], limit), x[i], low, high);
  }
  for (const __m512i& w : waiting) deal<K>(is_below<K, kOrEqual>(w, limit), w, low, high);
  return low - keys;
}

// Those below the pivot first. What is written in front was read before: it never is more.
template <class K, bool kOrEqual>
std::int64_t split_few(typename K::Key* keys, typename K::Key* spare, std::int64_t length,
                       typename K::Key pivot) {
  const __m512i limit = K::set(pivot);
  typename K::Key *low = keys, *high = spare;
  std::int64_t i = 0;
  for (; i + 4 * K::kLanes <= length; i += 4 * K::kLanes) {
    __m512i x[4];
    typename K::Mask below[4];
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part) {
      x[part] = K::load(keys + i + part * K::kLanes);
      below[part] = K::less(x[part], limit);
      if constexpr (kOrEqual) below[part] = static_cast<typename K::Mask>(~K::less(limit, x[part]));
    }
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part) {
      const auto above = static_cast<typename K::Mask>(~below[part]);
      const int count = K::count(below[part]);
      _mm512_storeu_si512(high, K::compress(above, x[part]));
      _mm512_storeu_si512(low, K::compress(below[part], x[part]));
      low += count;
      high += K::kLanes - count;
    }
  }
  for (; i < length; i += K::kLanes) {
    const typename K::Mask there = first<K>(length - i);
    const __m512i x = K::load(there, keys + i);
    auto below = static_cast<typename K::Mask>(there & K::less(x, limit));
    if constexpr (kOrEqual) below = static_cast<typename K::Mask>(there & ~K::less(limit, x));
    const auto above = static_cast<typename K::Mask>(there & ~below);
    _mm512_storeu_si512(high, K::compress(above, x));
    K::store(low, there, K::compress(below, x));
    low += K::count(below);
    high += K::count(above);
  }
  const std::int64_t smaller = low - keys, larger = length - smaller;
  for (i = 0; i + K::kLanes <= larger; i += K::kLanes)
    _mm512_storeu_si512(low + i, K::load(spare + i));
  K::store(low + i, first<K>(larger - i), K::load(spare + i));
  return smaller;
}

// Whole blocks in place; what is left of the row is dealt out by itself and takes its places
// between and behind them.
template <class K, bool kOrEqual>
std::int64_t split(typename K::Key* keys, typename K::Key* spare, std::int64_t length,
                   typename K::Key pivot) {
  constexpr std::int64_t kBlock = 4 * K::kLanes, kShort = 1024;
  if (length < kShort) return split_few<K, kOrEqual>(keys, spare, length, pivot);
  const std::int64_t rest = length % kBlock, whole = length - rest;
  typename K::Key others[kBlock + K::kLanes], more[kBlock + K::kLanes];
  for (std::int64_t i = 0; i < rest; ++i) others[i] = keys[whole + i];
  const std::int64_t smaller = split_blocks<K, kOrEqual>(keys, whole, pivot);
  const std::int64_t below = split_few<K, kOrEqual>(others, more, rest, pivot);
  const std::int64_t moved = below < whole - smaller ? below : whole - smaller;
  for (std::int64_t i = 0; i < moved; ++i) keys[whole + below - moved + i] = keys[smaller + i];
  for (std::int64_t i = 0; i < below; ++i) keys[smaller + i] = others[i];
  for (std::int64_t i = below; i < rest; ++i) keys[whole + i] = others[i];
  return smaller + below;
}

// The middle one of as many as a vector holds, from all over.
template <class K>
typename K::Key pivot_of(const typename K::Key* keys, std::int64_t length) {
  typename K::Key some[K::kLanes];
  for (int i = 0; i < K::kLanes; ++i) some[i] = keys[(2 * i + 1) * (length / (2 * K::kLanes))];
  _mm512_storeu_si512(some, sorted<K>(K::load(some)));
  return some[K::kLanes / 2];
}

template <class K>
bool sort_part(typename K::Key* keys, typename K::Key* spare, std::int64_t length, int depth) {
  while (length > kMostVectors * K::kLanes) {
    if (depth-- == 0) return false;
    const typename K::Key pivot = pivot_of<K>(keys, length);
    std::int64_t smaller = split<K, false>(keys, spare, length, pivot);
    if (smaller == 0) {  // the pivot is the least key: all that equal it are done
      smaller = split<K, true>(keys, spare, length, pivot);
    } else if (!sort_part<K>(keys, spare, smaller, depth)) {
      return false;
    }
    keys += smaller;
    length -= smaller;
  }
  if (length <= K::kLanes)
    sort_few<K, 1>(keys, length);
  else if (length <= 2 * K::kLanes)
    sort_few<K, 2>(keys, length);
  else if (length <= 4 * K::kLanes)
    sort_few<K, 4>(keys, length);
  else if (length <= 8 * K::kLanes)
    sort_few<K, 8>(keys, length);
  else
    sort_few<K, kMostVectors>(keys, length);
  return true;
}

template <class K>
bool sort_all(typename K::Key* keys, typename K::Key* spare, std::int64_t length) {
  int depth = 8;
  for (std::int64_t n = length; n > 0; n /= 2) depth += 2;
  return sort_part<K>(keys, spare, length, depth);
}

}  // namespace

void read_keys(KeyOrder order, std::uint32_t infinity, const char* from, std::uint32_t* keys,
               std::int64_t length) {
  read<Keys32>(order, infinity, from, keys, length);
}
void read_keys(KeyOrder order, std::uint64_t infinity, const char* from, std::uint64_t* keys,
               std::int64_t length) {
  read<Keys64>(order, infinity, from, keys, length);
}
void write_keys(KeyOrder order, const std::uint32_t* keys, char* to, std::int64_t length) {
  write<Keys32>(order, keys, to, length);
}
void write_keys(KeyOrder order, const std::uint64_t* keys, char* to, std::int64_t length) {
  write<Keys64>(order, keys, to, length);
}

bool sort_keys(std::uint32_t* keys, std::uint32_t* spare, std::int64_t length) {
  return sort_all<Keys32>(keys, spare, length);
}
bool sort_keys(std::uint64_t* keys, std::uint64_t* spare, std::int64_t length) {
  return sort_all<Keys64>(keys, spare, length);
}
std::int64_t split_keys(std::uint32_t* keys, std::uint32_t* spare, std::int64_t length) {
  return split<Keys32, false>(keys, spare, length, pivot_of<Keys32>(keys, length));
}
std::int64_t split_keys(std::uint64_t* keys, std::uint64_t* spare, std::int64_t length) {
  return split<Keys64, false>(keys, spare, length, pivot_of<Keys64>(keys, length));
}

}  // namespace lathe::api

#endif
