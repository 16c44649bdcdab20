// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looking values up among a few, by comparing with all of them, for processors with AVX2. Values
// are 32-bit and 64-bit integers and floats.

#include <cstdint>

namespace lathe::api {

// So many wanted ones at a time; whoever has fewer fills up.
constexpr std::int64_t kLookupBlock = 64;

template <class T>
struct VectorLookup {
  // For each wanted one how many of the few are below it; `behind`: or equal. NaN has all below it.
  // None of the few is NaN.
  void (*count)(bool behind, const T* few, std::int64_t length, const T* wanted,
                std::int64_t* places);
  // For each wanted one 1 if it equals one of the few, else 0.
  void (*equals)(const T* few, std::int64_t length, const T* wanted, char* found);
};

// Comparing with more of them takes longer than halving.
template <class T>
constexpr std::int64_t kFewToCompare = 384 / sizeof(T);

// Only where the processor has the instructions.
const VectorLookup<std::int32_t>& avx2_lookup(std::int32_t);
const VectorLookup<std::int64_t>& avx2_lookup(std::int64_t);
const VectorLookup<float>& avx2_lookup(float);
const VectorLookup<double>& avx2_lookup(double);

}  // namespace lathe::api
