// SPDX-License-Identifier: Apache-2.0
// Conversions by value (cast) and by bits (bitcast).
//
//   to bool        x != 0, so NaN is true
//   int to int     wraps
//   float to int   towards zero; saturates; NaN is 0
//   to float       rounds once, to nearest even, straight to the result's dtype
//
// A half is a 16-bit integer in its row; the tag types Half and Brain say which number it stands
// for.

#include <bit>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

struct Bool {
  std::uint8_t bits;
};
struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};

template <class T>
constexpr bool kHalf = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

// A double that rounds to any half as the integer itself does. Integers beyond 53 bits are cut to
// 53 with the lost ones remembered in the last bit (rounding to odd), which is far below a half's
// last place.
template <class T>
double odd_double(T x) {
  const bool negative = x < 0;
  std::uint64_t magnitude = static_cast<std::uint64_t>(x);
  if (negative) magnitude = 0 - magnitude;
  if ((magnitude >> 53) != 0) {
    constexpr std::uint64_t kLow = (1u << 11) - 1;
    magnitude = (magnitude & ~kLow) | ((magnitude & kLow) != 0 ? kLow + 1 : 0);
  }
  const double d = static_cast<double>(magnitude);
  return negative ? -d : d;
}

template <class To, class From>
To saturate(From x) {
  constexpr To kMin = std::numeric_limits<To>::min(), kMax = std::numeric_limits<To>::max();
  // Two to the power of the width: every float below it converts, and it is exact.
  constexpr From kLimit = static_cast<From>(kMax / 2 + 1) * 2;
  if (x != x) return 0;
  if (x >= kLimit) return kMax;
  if (x <= static_cast<From>(kMin)) return kMin;
  return static_cast<To>(x);
}

// `From` is bool, an integer, float or double here; halves were widened.
template <class To, class From>
To convert(From x) {
  if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<std::uint8_t>(x != 0)};
  } else if constexpr (kHalf<To>) {
    double d = 0;
    if constexpr (std::is_floating_point_v<From>) {
      d = static_cast<double>(x);
    } else {
      d = odd_double(x);
    }
    return {std::is_same_v<To, Half> ? double_to_half(d) : double_to_bfloat16(d)};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return saturate<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class T>
auto value_of(T x) {
  if constexpr (std::is_same_v<T, Bool>) {
    return x.bits;
  } else if constexpr (std::is_same_v<T, Half>) {
    return half_to_float(x.bits);
  } else if constexpr (std::is_same_v<T, Brain>) {
    return bfloat16_to_float(x.bits);
  } else {
    return x;
  }
}

template <class From, class To>
void cast_loop(const void* const* args, void* out, std::size_t n) {
  const From* x = static_cast<const From*>(args[0]);
  To* y = static_cast<To*>(out);
  for (std::size_t p = 0; p < n; ++p) y[p] = convert<To>(value_of(x[p]));
}

template <class From>
Loop cast_from(DType to) {
  switch (to) {
    case DType::Bool: return &cast_loop<From, Bool>;
    case DType::I8: return &cast_loop<From, std::int8_t>;
    case DType::I16: return &cast_loop<From, std::int16_t>;
    case DType::I32: return &cast_loop<From, std::int32_t>;
    case DType::I64: return &cast_loop<From, std::int64_t>;
    case DType::U8: return &cast_loop<From, std::uint8_t>;
    case DType::U16: return &cast_loop<From, std::uint16_t>;
    case DType::U32: return &cast_loop<From, std::uint32_t>;
    case DType::U64: return &cast_loop<From, std::uint64_t>;
    case DType::F16: return &cast_loop<From, Half>;
    case DType::BF16: return &cast_loop<From, Brain>;
    case DType::F32: return &cast_loop<From, float>;
    case DType::F64: return &cast_loop<From, double>;
  }
  refuse(to);
}

// The bits of one element, NaN canonical, as the result's bits.
template <DType from>
struct BitsLoop {
  template <class U>
  static void loop(const void* const* args, void* out, std::size_t n) {
    std::memmove(out, args[0], n * sizeof(U));
    canonicalise_nans(from, out, n);
  }
};

}  // namespace

Loop cast(DType from, DType to) {
  switch (from) {
    case DType::Bool: return cast_from<Bool>(to);
    case DType::I8: return cast_from<std::int8_t>(to);
    case DType::I16: return cast_from<std::int16_t>(to);
    case DType::I32: return cast_from<std::int32_t>(to);
    case DType::I64: return cast_from<std::int64_t>(to);
    case DType::U8: return cast_from<std::uint8_t>(to);
    case DType::U16: return cast_from<std::uint16_t>(to);
    case DType::U32: return cast_from<std::uint32_t>(to);
    case DType::U64: return cast_from<std::uint64_t>(to);
    case DType::F16: return cast_from<Half>(to);
    case DType::BF16: return cast_from<Brain>(to);
    case DType::F32: return cast_from<float>(to);
    case DType::F64: return cast_from<double>(to);
  }
  refuse(from);
}

Loop bit_cast(DType from, DType to) {
  check(ir::size_bytes(from) == ir::size_bytes(to), "a bitcast between types of one width");
  if (to == DType::Bool) return &cast_loop<std::uint8_t, Bool>;  // a bool has no other bits
  if (from == DType::F16) return &BitsLoop<DType::F16>::loop<std::uint16_t>;
  if (from == DType::BF16) return &BitsLoop<DType::BF16>::loop<std::uint16_t>;
  if (from == DType::F32) return &BitsLoop<DType::F32>::loop<std::uint32_t>;
  if (from == DType::F64) return &BitsLoop<DType::F64>::loop<std::uint64_t>;
  return for_widths<BitsLoop<DType::Bool>>(to);
}

}  // namespace lathe::interp::loops
