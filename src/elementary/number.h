// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers that elementary functions are written over.
//
// Every function body in this folder is one template over N, "the numbers":
//
//   template <class N> typename N::F exp(typename N::F x);
//
// and is instantiated twice. With `Native<float>` or `Native<double>` it is machine code: what the
// interpreter calls and what the accuracy campaigns measure. With `Symbolic<...>` (elementary/
// symbolic.h) the same body builds an Expr graph, which every later target prints. So one fixed
// sequence of IEEE and integer operations defines each function, and all targets give its bits.
//
// Rules for a body, so that both readings are the same and a row of arguments vectorises:
//   - no branch on a value: `select(c, a, b)`; conditions join with & | ! (never && ||);
//   - loops only with compile-time bounds; constant tables only through `lookup`;
//   - literals are wrapped: F(0x1.8p1), I(23), U(1);
//   - the only operations are the operators and functions below. Contraction is off: `a*b+c` rounds
//     twice, `fma(a, b, c)` once;
//   - signed integers must not overflow; wrap-around arithmetic is done on U.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace lathe::elementary {

template <class Float>
struct Native {
  static_assert(std::is_same_v<Float, float> || std::is_same_v<Float, double>);
  static constexpr bool k32 = std::is_same_v<Float, float>;
  using F = Float;                                                  // the floating type computed in
  using I = std::conditional_t<k32, std::int32_t, std::int64_t>;    // same width
  using U = std::conditional_t<k32, std::uint32_t, std::uint64_t>;  // same width, wraps
  using W = std::uint64_t;  // 64-bit words, for argument reduction
  using B = bool;
};

// --- Native spellings of the operations. Symbolic overloads of the same names are in symbolic.h.

template <class X>
requires std::is_arithmetic_v<X>
constexpr X select(bool c, X a, X b) { return c ? a : b; }

inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }
inline float copysign(float x, float s) { return __builtin_copysignf(x, s); }
inline double copysign(double x, double s) { return __builtin_copysign(x, s); }
inline float floor(float x) { return __builtin_floorf(x); }
inline double floor(double x) { return __builtin_floor(x); }
inline float trunc(float x) { return __builtin_truncf(x); }
inline double trunc(double x) { return __builtin_trunc(x); }
inline float round_even(float x) { return __builtin_rintf(x); }  // mode is to-nearest-even
inline double round_even(double x) { return __builtin_rint(x); }

// Reinterpret the bits.
inline std::int32_t bits(float x) { return std::bit_cast<std::int32_t>(x); }
inline std::int64_t bits(double x) { return std::bit_cast<std::int64_t>(x); }
inline float from_bits(std::int32_t b) { return std::bit_cast<float>(b); }
inline double from_bits(std::int64_t b) { return std::bit_cast<double>(b); }

// Conversions by value. to_int truncates, saturates, and sends NaN to 0, as `cast` does.
template <class Int, class Float>
constexpr Int saturating_int(Float x) {
  constexpr Float kLimit = static_cast<Float>(std::numeric_limits<Int>::max() / 2 + 1) * 2;
  if (!(x == x)) return 0;
  if (x >= kLimit) return std::numeric_limits<Int>::max();
  if (x < -kLimit) return std::numeric_limits<Int>::min();
  return static_cast<Int>(x);
}
inline std::int32_t to_int(float x) { return saturating_int<std::int32_t>(x); }
inline std::int64_t to_int(double x) { return saturating_int<std::int64_t>(x); }
inline float to_float(std::int32_t i) { return static_cast<float>(i); }
inline double to_float(std::int64_t i) { return static_cast<double>(i); }
inline std::uint32_t to_unsigned(std::int32_t i) { return static_cast<std::uint32_t>(i); }
inline std::uint64_t to_unsigned(std::int64_t i) { return static_cast<std::uint64_t>(i); }
inline std::int32_t to_signed(std::uint32_t i) { return static_cast<std::int32_t>(i); }
inline std::int64_t to_signed(std::uint64_t i) { return static_cast<std::int64_t>(i); }
inline std::uint64_t to_word(std::uint32_t i) { return i; }
inline std::uint64_t to_word(std::uint64_t i) { return i; }
// The low bits of a word, as U of the function's width.
template <class U>
constexpr U low_bits(std::uint64_t w) {
  return static_cast<U>(w);
}

// Shifts as the language defines them: a count outside 0..width-1 gives 0 (or the sign).
template <class X, class C>
requires std::is_integral_v<X> && std::is_integral_v<C>
constexpr X shift_left(X x, C count) {
  constexpr int kWidth = std::numeric_limits<std::make_unsigned_t<X>>::digits;
  if (count < 0 || count >= static_cast<C>(kWidth)) return 0;
  return static_cast<X>(static_cast<std::make_unsigned_t<X>>(x) << count);
}
template <class X, class C>
requires std::is_integral_v<X> && std::is_integral_v<C>
constexpr X shift_right(X x, C count) {
  constexpr int kWidth = std::numeric_limits<std::make_unsigned_t<X>>::digits;
  if (count < 0 || count >= static_cast<C>(kWidth)) return x < 0 ? static_cast<X>(-1) : X(0);
  return static_cast<X>(x >> count);
}

// A constant table; the index must be inside it.
template <class X, std::size_t kSize, class Index>
requires std::is_integral_v<Index>
constexpr X lookup(const X (&table)[kSize], Index i) { return table[i]; }

}  // namespace lathe::elementary
