// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elements as four types compare them: each dtype becomes one of those, in the same order and with
// the same equalities.

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "api/search_rows.h"
#include "api/search_vector.h"
#include "base/half.h"

namespace lathe::api {

template <class T, class S>
struct LookupAs {
  using Value = T;
  using Stored = S;
  static T value(S s) { return static_cast<T>(s); }
};
struct LookupBool : LookupAs<std::int32_t, std::uint8_t> {
  static std::int32_t value(std::uint8_t s) { return s != 0 ? 1 : 0; }
};
// Unsigned numbers as signed ones that begin with the least.
template <class T, class S>
struct LookupFlipped : LookupAs<T, S> {
  static T value(S s) { return static_cast<T>(s ^ (S{1} << (8 * sizeof(S) - 1))); }
};
struct LookupHalf : LookupAs<float, std::uint16_t> {
  static float value(std::uint16_t s) { return half_to_float(s); }
};
struct LookupBfloat : LookupAs<float, std::uint16_t> {
  static float value(std::uint16_t s) { return bfloat16_to_float(s); }
};

template <class F>
void with_lookup_type(ir::DType t, F&& f) {
  using ir::DType;
  switch (t) {
    case DType::Bool: return f(LookupBool{});
    case DType::I8: return f(LookupAs<std::int32_t, std::int8_t>{});
    case DType::I16: return f(LookupAs<std::int32_t, std::int16_t>{});
    case DType::I32: return f(LookupAs<std::int32_t, std::int32_t>{});
    case DType::I64: return f(LookupAs<std::int64_t, std::int64_t>{});
    case DType::U8: return f(LookupAs<std::int32_t, std::uint8_t>{});
    case DType::U16: return f(LookupAs<std::int32_t, std::uint16_t>{});
    case DType::U32: return f(LookupFlipped<std::int32_t, std::uint32_t>{});
    case DType::U64: return f(LookupFlipped<std::int64_t, std::uint64_t>{});
    case DType::F16: return f(LookupHalf{});
    case DType::BF16: return f(LookupBfloat{});
    case DType::F32: return f(LookupAs<float, float>{});
    case DType::F64: return f(LookupAs<double, double>{});
  }
}

template <class As>
inline typename As::Value lookup_value(const char* data, std::int64_t i) {
  typename As::Stored s;
  std::memcpy(&s, data + i * static_cast<std::int64_t>(sizeof s), sizeof s);
  return As::value(s);
}

template <class As>
void lookup_values(const char* data, std::int64_t lo, std::int64_t hi, typename As::Value* to) {
  for (std::int64_t i = lo; i < hi; ++i) to[i - lo] = lookup_value<As>(data, i);
}

template <class T>
inline bool is_nan_value(T x) {
  return x != x;
}

// Blocks of wanted ones and what is found for them: f(wanted, found), both kLookupBlock long. The
// last block is filled up with what it has.
template <class As, class Found, class F>
void for_lookup_blocks(DenseRow wanted, std::int64_t lo, std::int64_t hi, Found* found, F&& f) {
  using T = typename As::Value;
  T block[kLookupBlock];
  for (; lo + kLookupBlock <= hi; lo += kLookupBlock) {
    if constexpr (std::is_same_v<T, typename As::Stored>) {
      f(reinterpret_cast<const T*>(wanted.data) + lo, found + lo);
    } else {
      lookup_values<As>(wanted.data, lo, lo + kLookupBlock, block);
      f(block, found + lo);
    }
  }
  if (lo == hi) return;
  lookup_values<As>(wanted.data, lo, hi, block);
  for (std::int64_t k = hi - lo; k < kLookupBlock; ++k) block[k] = block[0];
  Found rest[kLookupBlock];
  f(block, rest);
  std::memcpy(found + lo, rest, static_cast<std::size_t>(hi - lo) * sizeof(Found));
}

// None: the processor has no AVX2.
template <class T>
const VectorLookup<T>* vector_lookup() {
#ifdef LATHE_VECTOR_LOOKUP
  static const VectorLookup<T>* const found =
      __builtin_cpu_supports("avx2") ? &avx2_lookup(T{}) : nullptr;
  return found;
#else
  return nullptr;
#endif
}

}  // namespace lathe::api
