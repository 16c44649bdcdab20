// SPDX-License-Identifier: Apache-2.0
// Comparing by vectors of 32 bytes; true lanes are -1, so that sums of them count. This file alone
// is compiled for AVX2: it includes nothing that another one could share.

#include "api/search_vector.h"

#ifdef __AVX2__

namespace lathe::api {
namespace {

template <class T, class Whole>
struct Lanes {
  static constexpr int kLanes = 32 / sizeof(T);
  typedef T Values __attribute__((vector_size(32)));
  typedef Whole Counts __attribute__((vector_size(32)));
  typedef std::int64_t Places __attribute__((vector_size(8 * kLanes)));

  // Four vectors keep both ports of comparisons busy.
  static constexpr int kVectors = 4;
  static constexpr std::int64_t kStep = kVectors * kLanes;
  static_assert(kLookupBlock % kStep == 0);

  static void load(const T* from, Values* to) { __builtin_memcpy(to, from, kVectors * 32); }

  template <bool kBehind>
  static void count(const T* few, std::int64_t length, const T* wanted, std::int64_t* places) {
    for (std::int64_t i = 0; i < kLookupBlock; i += kStep) {
      Values w[kVectors];
      load(wanted + i, w);
      Counts below[kVectors];
      for (int k = 0; k < kVectors; ++k) below[k] = Counts{} + static_cast<Whole>(length);
      for (std::int64_t j = 0; j < length; ++j) {
        const Values x = Values{} + few[j];
        for (int k = 0; k < kVectors; ++k) below[k] += kBehind ? x > w[k] : x >= w[k];
      }
      for (int k = 0; k < kVectors; ++k) {
        const Places wide = __builtin_convertvector(below[k], Places);
        __builtin_memcpy(places + i + k * kLanes, &wide, sizeof wide);
      }
    }
  }

  static void count_either(bool behind, const T* few, std::int64_t length, const T* wanted,
                           std::int64_t* places) {
    behind ? count<true>(few, length, wanted, places) : count<false>(few, length, wanted, places);
  }

  static void equals(const T* few, std::int64_t length, const T* wanted, char* found) {
    for (std::int64_t i = 0; i < kLookupBlock; i += kStep) {
      Values w[kVectors];
      load(wanted + i, w);
      Counts same[kVectors] = {};
      for (std::int64_t j = 0; j < length; ++j) {
        const Values x = Values{} + few[j];
        for (int k = 0; k < kVectors; ++k) same[k] |= x == w[k];
      }
      for (int k = 0; k < kVectors; ++k)
        for (int lane = 0; lane < kLanes; ++lane)
          found[i + k * kLanes + lane] = static_cast<char>(same[k][lane] & 1);
    }
  }

  static constexpr VectorLookup<T> kLookup = {count_either, equals};
};

}  // namespace

const VectorLookup<std::int32_t>& avx2_lookup(std::int32_t) {
  return Lanes<std::int32_t, std::int32_t>::kLookup;
}
const VectorLookup<std::int64_t>& avx2_lookup(std::int64_t) {
  return Lanes<std::int64_t, std::int64_t>::kLookup;
}
const VectorLookup<float>& avx2_lookup(float) { return Lanes<float, std::int32_t>::kLookup; }
const VectorLookup<double>& avx2_lookup(double) { return Lanes<double, std::int64_t>::kLookup; }

}  // namespace lathe::api
#endif
